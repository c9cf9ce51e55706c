"""What stands before the interface has started: nothing moves when it comes alive, and nothing typed is lost."""

import re

import pytest
from playwright.sync_api import Page, expect
from sqlmodel import select

from clubapp import routes
from clubapp.database import reading
from clubapp.models import Event
from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from tests.e2e.answers.test_early_press import no_script_yet
from tests.e2e.conftest import STEP_MS, sign_in
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import Site

SCRIPTS = re.compile(r"/assets/.*\.js$")
# When the largest thing was painted, what moved since, and when the interface came alive.
WATCH = """
window.moved = [];
new PerformanceObserver((seen) => {
  for (const { value, sources } of seen.getEntries())
    window.moved.push([value, ...sources.map(({ node }) => node?.className || node?.nodeName)]);
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((seen) => {
  for (const { startTime } of seen.getEntries()) window.largest = startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
const look = () => window.isAlive ? window.cameAlive = performance.now() : requestAnimationFrame(look);
look();
"""
# Of the menu, without its figures, which come with the interface.
ENTRIES = ".sidebar-link > span:not(.menu-figure)"
PEOPLE = {routes.ADMIN: ADMIN_EMAIL, routes.MEMBER: MEMBER_EMAIL}


def watched(page: Page, site: Site, path: str, width: int) -> None:
    """Open a page, signed in where that is needed, and wait until it has come alive and settled."""
    page.set_viewport_size({"width": width, "height": 844})
    if path in PEOPLE:
        sign_in(page, site, PEOPLE[path])
    page.add_init_script(WATCH)
    page.goto(path)
    page.locator("#first-paint").wait_for(state="detached")
    for _ in range(STEP_MS // 100):
        if page.evaluate("!!window.cameAlive"):
            break
        page.wait_for_timeout(100)
    page.wait_for_timeout(1500)


@pytest.mark.usefixtures("usual_font")
@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("path", ["/connexion", "/connexion?motif=expiree", "/admin", "/member"])
def test_nothing_moves_when_the_interface_comes_alive(page: Page, site: Site, path: str, width: int) -> None:
    watched(page, site, path, width)
    moved = page.evaluate("window.moved")
    # Nothing at all at the sign-in; above a list, 'Importer' is two pixels wider once its typeface has come.
    assert sum(value for value, *_ in moved) < (0.00005 if path.startswith("/connexion") else 0.0001), moved


# In an area, what was read for this person fills more room than the title of the screen.
@pytest.mark.parametrize(
    ("path", "width"), [("/connexion", 390), ("/connexion", 1440), ("/connexion?motif=expiree", 390)]
)
def test_the_largest_paint_does_not_wait_for_the_interface(page: Page, site: Site, path: str, width: int) -> None:
    watched(page, site, path, width)
    assert 0 < page.evaluate("window.largest") < page.evaluate("window.cameAlive")


@pytest.mark.parametrize(
    ("path", "area", "title"), [("/admin", "Administration", "Membres"), ("/member", "Espace Membre", "Mon profil")]
)
def test_an_area_has_its_menu_and_title_before_any_script(
    page: Page, site: Site, path: str, area: str, title: str
) -> None:
    sign_in(page, site, PEOPLE[path])
    page.route(SCRIPTS, lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(path)
    expect(page.get_by_role("navigation", name=area)).to_be_visible()
    expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Chargement…").first).to_be_attached()


def test_what_is_typed_after_the_interface_has_come_replaces_what_was_selected_before(page: Page) -> None:
    with no_script_yet(page):
        page.goto(routes.SIGN_IN, wait_until="commit")
        field = page.locator("#first-paint").get_by_role("textbox", name="Adresse e-mail")
        field.fill("une@autre.example")
        field.select_text()
    page.locator("#first-paint").wait_for(state="detached")
    page.keyboard.type("ma@adresse.example")
    expect(page.get_by_role("textbox", name="Adresse e-mail")).to_have_value("ma@adresse.example")


def test_the_calling_list_has_its_frame_before_any_script(page: Page, site: Site) -> None:
    with database_of(site), reading() as session:
        event = session.exec(select(Event.id)).first()
    sign_in(page, site, ADMIN_EMAIL)
    paint = page.locator("#first-paint")
    with no_script_yet(page):
        page.goto(routes.calling_list(str(event)), wait_until="commit")
        expect(paint.get_by_role("heading", level=1, name="Liste d’appels")).to_be_visible()
        menu = paint.locator(ENTRIES).all_inner_texts()
    assert "Événements" in menu
    paint.wait_for(state="detached")
    expect(page.get_by_role("heading", level=1, name="Liste d’appels")).to_be_visible()
    expect(page.locator(ENTRIES)).to_have_text(menu, use_inner_text=True)
