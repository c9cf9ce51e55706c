"""The page of the day: what waits leads to where it is done, what was done leaves it; and screens that do not come."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Member
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, shuts_nobody_out
from tests.e2e.layout_checks import box
from tests.e2e.sign_in_steps import admin
from tests.e2e.site import Site
from tests.factories import add_member


@pytest.fixture
def page(site: Site, new_context: Callable[..., BrowserContext]) -> Page:
    """One that makes near screens ready."""
    return new_context(site, saves_data=False).new_page()


_LOOKED_AT = "() => { document.dispatchEvent(new Event('visibilitychange')); }"
_KEEP_MADE = """
  const make = document.createElement.bind(document);
  window.made = [];
  document.createElement = (name, ...more) => {
    const node = make(name, ...more);
    if (name === "main") window.made.push(node);
    return node;
  };
"""
_IS_DRAWN_ASIDE = """() => window.made.some(
    (main) => !document.contains(main) && main.querySelector("h1")?.textContent === "Membres"
)"""

# The system colour of each part of a bar, of the icon of a menu and of the figure of the screen that is open.
_SYSTEM = """() => {
    const WANTED = [
        ['<i class="answer-share" data-answer="yes"></i>', "backgroundColor", "Highlight"],
        ['<i class="answer-share" data-answer="no"></i>', "backgroundColor", "GrayText"],
        ['<i class="answer-share" data-answer="silent"></i>', "backgroundColor", "Canvas"],
        ['<i data-place="members"></i>', "backgroundColor", "Highlight"],
        ['<i data-place="guests"></i>', "backgroundColor", "GrayText"],
        ['<i data-place="free"></i>', "borderTopColor", "CanvasText"],
        ['<a class="sidebar-link" href="#"><svg class="icon"></svg></a>', "color", "LinkText"],
        ['<a class="sidebar-link" href="#" aria-current="page"><i class="menu-pill">4</i></a>', "backgroundColor",
            "transparent"],
        ['<a class="shortcut" href="#" aria-current="page"><i class="shortcut-icon"></i></a>', "backgroundColor",
            "transparent"],
        ['<p class="banner">En pause</p>', "borderTopStyle", "solid"],
    ];
    return WANTED.filter(([markup, name, colour]) => {
        const place = document.body.appendChild(document.createElement("div"));
        place.innerHTML = markup;
        let shown = place.firstChild;
        while (shown.firstElementChild) shown = shown.firstElementChild;
        const found = getComputedStyle(shown)[name];
        const probe = place.appendChild(document.createElement("div"));
        probe.style.cssText = `forced-color-adjust: none; color: ${colour}`;
        const wanted = CSS.supports("color", colour) ? getComputedStyle(probe).color : colour;
        place.remove();
        return found !== wanted;
    }).map(([markup]) => markup);
}"""


def test_what_waits_leads_to_where_it_is_done(page: Page, site: Site) -> None:
    page.add_init_script(_KEEP_MADE)
    sign_in(page, site, admin(site, "zelie"), "/admin/aujourdhui")
    a_near_screen_is_drawn_outside_the_page(page)
    expect(page.get_by_role("region", name="Prochaine rencontre")).to_contain_text("Préparer")
    tasks = page.locator("[data-task]")
    photographs = tasks.and_(page.locator("[data-task=photographs]"))
    expect(photographs).to_contain_text("sans photographie")
    expect(tasks.first.locator(".button-primary")).to_have_count(1)
    expect(page.locator(".main .button-primary")).to_have_count(1)
    for scheme in ("dark", "light"):
        page.emulate_media(forced_colors="active", color_scheme=scheme)
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 720})
            assert page.evaluate(_SYSTEM) == []
    page.emulate_media(forced_colors="none", color_scheme="light")
    a_phone_s_first_screen_shows_what_is_to_be_done(page)
    shuts_nobody_out(page)
    page.set_viewport_size({"width": 1280, "height": 720})

    page.get_by_role("link", name="Membres", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Membres")
    expect(page.locator("main")).to_have_count(1)
    page.get_by_role("link", name="Aujourd’hui", exact=True).click()
    photographs.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1, name="Membres")).to_be_focused()
    expect(page.get_by_role("link", name="Sans photo")).to_have_attribute("aria-current", "true")


def a_near_screen_is_drawn_outside_the_page(page: Page) -> None:
    """The screens that the menu leads to are drawn once beforehand, and the open one knows nothing of it."""
    expect(page).to_have_title("Aujourd’hui")
    field = page.get_by_role("button", name="Chercher").first
    field.focus()
    page.wait_for_function(_IS_DRAWN_ASIDE)
    expect(page).to_have_title("Aujourd’hui")
    expect(page.locator("main")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_text("Aujourd’hui")
    expect(field).to_be_focused()


def a_phone_s_first_screen_shows_what_is_to_be_done(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_role("heading", name="Ces sept derniers jours")).to_have_count(1)
    expect(page.get_by_text("Depuis votre dernière visite")).to_have_count(0)
    task, bar = box(page.locator("[data-task]").first), box(page.locator(".shortcuts"))
    assert task["y"] + task["height"] < bar["y"]
    assert box(page.locator(".sidebar .brand-name"))["height"] < 30, "one line"
    page.get_by_role("switch", name="Ouvrir ici à chaque connexion").scroll_into_view_if_needed()


@pytest.mark.console_errors("ERR_FAILED", "503", "ERR_INTERNET_DISCONNECTED")
def test_the_day_follows_what_is_done_elsewhere_and_stays_when_another_screen_does_not_come(
    page: Page, site: Site
) -> None:
    ahead = "**/assets/_admin_._companies_._index-*"
    failed: list[Request] = []

    def lose(route: Route) -> None:
        failed.append(route.request)
        route.abort()

    page.route(ahead, lose)
    sign_in(page, site, admin(site, "hilaire"), "/admin/aujourdhui")
    page.evaluate("window.isSame = true")
    if not failed:
        page.wait_for_event("requestfailed")
    assert failed
    page.unroute(ahead)
    heading = page.get_by_role("heading", level=1)
    page.get_by_role("link", name="Entreprises", exact=True).click()
    expect(heading).to_have_text("Entreprises")
    page.go_back()
    without_a_network_a_press_leaves_this_screen(page, site)
    scripts_that_do_not_come_are_said_and_do_not_overtake_back(page)
    assert page.evaluate("window.isSame"), "not loaded anew"


def without_a_network_a_press_leaves_this_screen(page: Page, site: Site) -> None:
    heading, health = page.get_by_role("heading", level=1), page.get_by_role("link", name="Santé", exact=True)
    expect(page.locator("[data-task]").first).to_be_visible()
    missed = page.get_by_role("status").get_by_text("Le réseau manque")
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")  # where another test has opened that screen
    page.context.set_offline(True)
    for _ in range(2):
        health.click()
        expect(missed).to_contain_text("recommencez quand la connexion sera revenue")
        expect(page).to_have_url(re.compile("/admin/aujourdhui$"))
        expect(heading).to_have_text("Aujourd’hui")
    page.context.set_offline(False)
    what_was_done_elsewhere_leaves_the_list(page, site)
    expect(missed).to_have_count(0)  # it was read meanwhile
    health.click()
    expect(heading).to_have_text("Santé")
    page.go_back()
    expect(heading).to_have_text("Aujourd’hui")


def what_was_done_elsewhere_leaves_the_list(page: Page, site: Site) -> None:
    """When the tab is looked at again: the page is read anew, and the choice of where a sign-in leads has stayed."""
    task = page.locator("[data-task=addresses]").filter(has_text="Firmine Ailleurs")
    expect(task).to_have_count(0)
    switch = page.get_by_role("switch", name="Ouvrir ici à chaque connexion")
    switch.click()
    expect(switch).to_be_checked()
    switch.focus()
    with database_of(site), transaction() as session:
        member = add_member(session, "Firmine Ailleurs", "firmine@ailleurs.example", email_failed_at=clock.now())
    page.evaluate(_LOOKED_AT)
    expect(task).to_be_visible()
    with database_of(site), transaction() as session:
        session.delete(session.get_one(Member, member.id))
    page.evaluate(_LOOKED_AT)
    expect(task).to_have_count(0)
    expect(switch).to_be_focused()
    expect(switch).to_be_checked()


def scripts_that_do_not_come_are_said_and_do_not_overtake_back(page: Page) -> None:
    """Fails when a proxy's error opens the page anew, or when a screen that was waited for comes after going back."""
    heading, other = page.get_by_role("heading", level=1), page.get_by_role("link", name="Administrateurs", exact=True)
    members = page.get_by_role("link", name="Membres", exact=True).first
    members.click()
    expect(heading).to_have_text("Membres")
    scripts = re.compile(r"/assets/.+\.js$")
    page.route(scripts, lambda route: route.fulfill(status=503))
    other.click()
    expect(page.get_by_role("status").get_by_text("Le réseau manque")).to_be_visible()
    page.unroute(scripts)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(scripts, hold)
    with page.expect_request(scripts):
        other.click()
    page.go_back()
    expect(heading).to_have_text("Aujourd’hui")
    assert held
    moves = page.evaluate("history.length")
    for route in held:
        with page.expect_response(route.request.url) as come:
            route.continue_()
        come.value.finished()
    page.unroute(scripts)
    members.click()  # once more there and back
    expect(heading).to_have_text("Membres")
    page.go_back()
    expect(heading).to_have_text("Aujourd’hui")
    assert page.evaluate("history.length") == moves, "no screen came between"
