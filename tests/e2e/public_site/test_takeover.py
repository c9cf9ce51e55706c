"""What stands before the interface has started: it is taken over as it is, and nothing begun in it is lost."""

import pytest
from playwright.sync_api import Page, expect
from sqlmodel import select

from clubapp import routes
from clubapp.database import reading
from clubapp.models import Event
from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, shuts_nobody_out
from tests.e2e.public_site.steps import (
    SCRIPTS,
    WATCH,
    open_watched,
    scripts_held,
    somebody,
    taken_over_as_written,
    what_moved,
)
from tests.e2e.screen_steps import READY
from tests.e2e.site import Site

PAGES = ("/", "/membres", f"/membres?q={'xyzzy' * 20}", "/mentions-legales", "/confidentialite")
DOORS = ("/connexion", "/connexion?motif=expiree")
AREAS = (
    (routes.ADMIN_TODAY, ADMIN_EMAIL, "Administration", "Aujourd’hui"),
    (routes.ADMIN_SESSIONS, ADMIN_EMAIL, "Administration", "Mes sessions"),
    (routes.ADMIN_COMPANIES, ADMIN_EMAIL, "Administration", "Entreprises"),
    (routes.MEMBER, MEMBER_EMAIL, "Espace Membre", "Mon profil"),
)
# Of the menu, without its figures, which come with the interface.
ENTRIES = ".sidebar-link > span:not(.menu-figure)"
# Within the same task, before another key can arrive.
NOTE_FOCUS_AT_TAKEOVER = """() => new MutationObserver((_, watch) => {
  if (document.getElementById("first-paint")) return;
  watch.disconnect();
  window.focusedAtTakeover = document.activeElement.tagName;
}).observe(document.body, { childList: true })"""


@pytest.mark.usefixtures("usual_font")
@pytest.mark.parametrize("width", [390, 1440])
def test_the_interface_takes_over_what_the_server_wrote_and_nothing_moves(page: Page, site: Site, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.add_init_script(WATCH)
    for path in (*PAGES, *somebody(site), *DOORS):
        taken_over_as_written(page, path, most=0.00005 if path in DOORS else 0.01)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.evaluate("window.scrollY") == 0, path
        assert page.locator("title").count() == 1, path
        if path in DOORS:
            assert 0 < page.evaluate("window.largest") < page.evaluate("window.cameAlive"), "it waits for nothing"
    open_watched(page, "/membres")
    page.goto("/membres?q=xyzzy")
    moved = what_moved(page)
    assert sum(float(value) for value, *_ in moved) <= 0.01, ("what the tab had loaded came between", moved)
    for path, email, area, title in AREAS:
        sign_in(page, site, email)
        with scripts_held(page, path):
            if width > 390:
                expect(page.get_by_role("navigation", name=area)).to_be_visible()
            expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()
            expect(page.get_by_role("status").filter(has_text="Chargement…").first).to_be_attached()
        page.wait_for_function(READY)
        moved = what_moved(page)
        # Above a list, 'Importer' is two pixels wider once its typeface has come.
        assert sum(float(value) for value, *_ in moved) < 0.0001, (path, moved)


@pytest.mark.console_errors("ERR_FAILED")
def test_what_is_begun_before_the_interface_has_come_is_not_lost(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    paint = page.locator("#first-paint")
    menu, club = page.get_by_role("button", name="Menu"), page.get_by_role("link", name="Le club")
    with scripts_held(page, "/membres"):
        paint.get_by_role("button", name="Menu").click()
        page.keyboard.press("Tab")
        expect(paint.get_by_role("link", name="Le club")).to_be_focused()
    expect(club).to_be_visible()
    expect(club).to_be_focused()
    header, opened = page.locator("header.site-header").bounding_box(), page.locator("#menu").bounding_box()
    assert header
    assert opened
    assert abs(opened["y"] - header["y"] - header["height"]) <= 1
    page.keyboard.press("Escape")
    expect(club).to_be_hidden()
    expect(menu).to_be_focused()
    menu.click()
    page.get_by_role("link", name="Contact").first.click()
    expect(page.locator("#contact")).to_be_in_viewport()
    expect(page.get_by_role("link", name="Les membres", exact=True)).to_be_hidden()

    with scripts_held(page, "/membres"):
        paint.get_by_role("searchbox").press_sequentially("xyz")
        page.evaluate(NOTE_FOCUS_AT_TAKEOVER)
    expect(page.get_by_role("searchbox")).to_have_value("xyz")
    expect(page.get_by_role("searchbox")).to_be_focused()
    assert page.evaluate("window.focusedAtTakeover") == "INPUT"
    expect(page.get_by_text("Aucun membre ne correspond à «\u00a0xyz\u00a0»")).to_be_visible()

    with scripts_held(page, routes.SIGN_IN):
        field = paint.get_by_role("textbox", name="Adresse e-mail")
        field.fill("une@autre.example")
        field.select_text()
    page.keyboard.type("ma@adresse.example")
    expect(page.get_by_role("textbox", name="Adresse e-mail")).to_have_value("ma@adresse.example")

    page.route(SCRIPTS, lambda route: route.abort())
    page.goto("/membres", wait_until="commit")
    expect(page.locator("#first-paint footer")).to_be_visible()
    shuts_nobody_out(page)


def test_the_calling_list_has_its_frame_before_any_script(page: Page, site: Site) -> None:
    with database_of(site), reading() as session:
        event = session.exec(select(Event.id)).first()
    sign_in(page, site, ADMIN_EMAIL)
    paint = page.locator("#first-paint")
    with scripts_held(page, routes.calling_list(str(event))):
        expect(paint.get_by_role("heading", level=1, name="Liste d’appels")).to_be_visible()
        menu = paint.locator(ENTRIES).all_inner_texts()
    assert "Événements" in menu
    expect(page.get_by_role("heading", level=1, name="Liste d’appels")).to_be_visible()
    expect(page.locator(ENTRIES)).to_have_text(menu, use_inner_text=True)
