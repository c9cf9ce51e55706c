"""A press counts however early it comes, and a newer site says so in French."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from clubapp.database import transaction
from clubapp.services.access import sessions
from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from tests.e2e.conftest import STEP_MS, sign_in
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import Site
from tests.web.tab import Tab

ARRIVE = "reflex___state____state.hydrate_and_load"
KNOWN = '"is_known_rx_state_":true'
LOADED = "is_hydrated_rx_state_"
SHOWN = """() => window.isAlive && document.querySelector("#contenu form")
    && new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true)))))"""
PAGES = "reflex___state____state.clubapp___pages___"
# The screen, what is pressed there with what, and the part of the same state that the press leaves set.
EARLY = [
    ("/admin/emails", "admin___mailings___signature_state____signature_state.open", {}, "is_open"),
    ("/admin/events", "admin___events___form_state____event_form_state.open_new", {}, "is_open"),
    ("/connexion", "public___sign_in___state____sign_in_state.send", {"form": {"email": "helene"}}, "error"),
    ("/member/company", "member___company___state____own_company_state.save", {"entries": {"email": "x"}}, "attempt"),
]


@pytest.mark.parametrize(("path", "press", "given", "left"), EARLY, ids=[case[0] for case in EARLY])
def test_what_is_pressed_while_a_screen_is_loaded_stands(
    site: Site, path: str, press: str, given: dict[str, Any], left: str
) -> None:
    with database_of(site), transaction() as session:
        cookie, _ = sessions.open_session(session, MEMBER_EMAIL if path.startswith("/member") else ADMIN_EMAIL)
    state, told = press.split(".", maxsplit=1)[0], set[str]()
    with Tab(site.url, cookie=f"session={cookie}", path=path) as tab:
        tab.send(ARRIVE)
        tab.send(f"{PAGES}{press}", **given)
        while not told.issuperset({LOADED, f"{left}_rx_state_"}):
            update = tab.receive()
            assert update is not None, f"only {told} were told"
            for name, changes in update.get("delta", {}).items():
                told |= {LOADED} if changes.get(LOADED) is True else set()
                told |= {field for field, value in changes.items() if value and name.endswith(state)}
        whole = tab.hydrate()["delta"]
    (found,) = (changes for name, changes in whole.items() if name.endswith(state))
    assert found[f"{left}_rx_state_"]


@contextmanager
def no_script_yet(page: Page) -> Iterator[None]:
    """The scripts that the page asks for arrive afterwards."""
    held: list[Route] | None = []

    def hold(route: Route) -> None:
        if held is None:
            route.continue_()
        else:
            held.append(route)

    page.route("**/assets/*.js", hold)
    yield
    until = time.monotonic() + STEP_MS / 1000
    while not held and time.monotonic() < until:
        page.wait_for_timeout(20)
    assert held
    waiting, held = held, None
    for script in waiting:
        script.continue_()


def test_a_form_sent_before_the_interface_is_alive_is_held_until_it_is(site: Site, page: Page) -> None:
    with no_script_yet(page):
        page.goto("/connexion", wait_until="commit")
        field = page.get_by_role("textbox", name="Adresse e-mail")
        field.fill("helene@beffroi")
        page.get_by_role("button", name="Se connecter par email").click()
    assert "?" not in page.url
    expect(page.get_by_text("Indiquez une adresse e-mail valide").first).to_be_visible()
    expect(field).to_have_value("helene@beffroi")


def test_a_press_that_the_takeover_of_the_first_paint_meets_counts(site: Site, page: Page) -> None:
    received: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(str(frame))))
    with no_script_yet(page):
        page.goto("/connexion", wait_until="commit")
        page.get_by_role("textbox", name="Adresse e-mail").fill("helene@beffroi")
        page.get_by_role("button", name="Se connecter par email").hover()
        page.mouse.down()
    while not any(KNOWN in frame for frame in received):
        page.wait_for_timeout(20)
    page.wait_for_function(SHOWN)  # what has arrived
    page.mouse.up()
    expect(page.get_by_text("Indiquez une adresse e-mail valide").first).to_be_visible()


def test_a_button_pressed_before_the_interface_is_alive_is_heard_once(site: Site, page: Page) -> None:
    sign_in(page, site, ADMIN_EMAIL)
    with no_script_yet(page):
        page.goto("/admin/members", wait_until="commit")
        button = page.get_by_role("button", name="Nouveau membre")
        button.click()
        button.click()
    expect(page.locator(".record-form form [name=name]")).to_be_focused()


def test_a_newer_site_says_so_in_french(site: Site, page: Page) -> None:
    def older(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=re.sub(r"state_schema:[\w.$]+", 'state_schema:"older"', answer.text()))

    page.route("**/assets/*.js", older)
    page.goto("/membres")
    notice = page.get_by_role("alert").filter(has_text="Une nouvelle version du site est en ligne.")
    expect(notice).to_be_visible()
    expect(notice.get_by_role("button", name="Recharger la page")).to_be_visible()
    expect(page.get_by_text("new version")).to_have_count(0)
