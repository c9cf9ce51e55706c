"""The page of the day: what waits leads to where it is done, and a sign-in may lead here."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Member
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, shuts_nobody_out
from tests.e2e.sign_in_steps import admin
from tests.e2e.site import Site
from tests.factories import add_member

_LOOKED_AT = "() => { document.dispatchEvent(new Event('visibilitychange')); }"

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
    sign_in(page, site, admin(site, "zelie"), "/admin/aujourdhui")
    expect(page.get_by_role("region", name="Prochaine rencontre")).to_contain_text("Préparer")
    tasks = page.locator("[data-task]")
    photographs = tasks.and_(page.locator("[data-task=photographs]"))
    expect(photographs).to_contain_text("sans photographie")
    expect(tasks.first.locator(".button-primary")).to_have_count(1)
    expect(page.locator(".main .button-primary")).to_have_count(1)
    shuts_nobody_out(page)
    for scheme in ("dark", "light"):
        page.emulate_media(forced_colors="active", color_scheme=scheme)
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 720})
            assert page.evaluate(_SYSTEM) == []
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(forced_colors="none", color_scheme="light")

    page.get_by_role("link", name="Membres", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Membres")).to_be_visible()
    page.get_by_role("link", name="Aujourd’hui", exact=True).click()
    photographs.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1, name="Membres")).to_be_focused()
    expect(page.get_by_role("link", name="Sans photo")).to_have_attribute("aria-current", "true")


def test_a_sign_in_leads_here_once_it_is_chosen(page: Page, site: Site) -> None:
    email = admin(site, "aurore")
    sign_in(page, site, email, "/admin/aujourdhui")
    choice = page.get_by_role("switch", name="Ouvrir ici à chaque connexion")
    choice.click()
    expect(choice).to_be_checked()
    page.reload()
    expect(choice).to_be_checked()


def test_a_phone_s_first_screen_shows_what_is_to_be_done(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    sign_in(page, site, admin(site, "prudence"), "/admin/aujourdhui")
    expect(page.get_by_role("heading", name="Ces sept derniers jours")).to_have_count(1)
    expect(page.get_by_text("Depuis votre dernière visite")).to_have_count(0)
    task, bar = page.locator("[data-task]").first.bounding_box(), page.locator(".shortcuts").bounding_box()
    assert task is not None
    assert bar is not None
    assert task["y"] + task["height"] < bar["y"]
    name = page.locator(".sidebar .brand-name").bounding_box()
    assert name is not None
    assert name["height"] < 30, "one line"
    page.get_by_role("switch", name="Ouvrir ici à chaque connexion").scroll_into_view_if_needed()
    shuts_nobody_out(page)


@pytest.mark.console_errors("ERR_INTERNET_DISCONNECTED")
def test_without_a_network_a_press_on_another_screen_leaves_this_one(page: Page, site: Site) -> None:
    sign_in(page, site, admin(site, "hilaire"), "/admin/aujourdhui")
    heading = page.get_by_role("heading", level=1)
    expect(page.locator("[data-task]").first).to_be_visible()
    missed = page.get_by_role("status").get_by_text("Le réseau manque")
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")  # where another test has opened that screen
    page.context.set_offline(True)
    for _ in range(2):
        page.get_by_role("link", name="Santé", exact=True).click()
        expect(missed).to_contain_text("recommencez quand la connexion sera revenue")
        expect(page).to_have_url(re.compile("/admin/aujourdhui$"))
        expect(heading).to_have_text("Aujourd’hui")
    page.context.set_offline(False)
    expect(missed).to_have_count(0)
    page.get_by_role("link", name="Santé", exact=True).click()
    expect(heading).to_have_text("Santé")


@pytest.mark.console_errors("503")
def test_a_press_whose_scripts_do_not_come_is_said_and_back_is_not_overtaken_by_it(page: Page, site: Site) -> None:
    """Fails when a proxy's error opens the page anew, or when a screen that was waited for comes after going back."""
    sign_in(page, site, admin(site, "aubert"), "/admin/aujourdhui")
    heading, health = page.get_by_role("heading", level=1), page.get_by_role("link", name="Santé", exact=True)
    page.get_by_role("link", name="Membres", exact=True).first.click()
    expect(heading).to_have_text("Membres")
    scripts = re.compile(r"/assets/.+\.js$")
    page.route(scripts, lambda route: route.fulfill(status=503))
    page.evaluate("window.isSame = true")
    health.click()
    expect(page.get_by_role("status").get_by_text("Le réseau manque")).to_be_visible()
    assert page.evaluate("window.isSame")
    page.unroute(scripts)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(scripts, hold)
    with page.expect_request(scripts):
        health.click()
    page.go_back()
    expect(heading).to_have_text("Aujourd’hui")
    assert held
    moves = page.evaluate("history.length")
    for route in held:
        with page.expect_response(route.request.url) as come:
            route.continue_()
        come.value.finished()
    page.unroute(scripts)
    page.get_by_role("link", name="Membres", exact=True).first.click()  # once more there and back
    expect(heading).to_have_text("Membres")
    page.go_back()
    expect(heading).to_have_text("Aujourd’hui")
    assert page.evaluate("history.length") == moves, "no screen came between"
    assert page.evaluate("window.isSame")


def test_what_was_done_elsewhere_leaves_the_list_when_the_tab_is_looked_at_again(page: Page, site: Site) -> None:
    sign_in(page, site, admin(site, "firmin"), "/admin/aujourdhui")
    expect(page.locator("[data-task]").first).to_be_visible()
    task = page.locator("[data-task=addresses]").filter(has_text="Firmine Ailleurs")
    expect(task).to_have_count(0)
    switch = page.get_by_role("switch", name="Ouvrir ici à chaque connexion")
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
