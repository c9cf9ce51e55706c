"""A directory of several hundred members: sixty at first, more as one scrolls, and by a link without any script."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from bench.weight import first_visit
from tests.e2e.invitation_steps import shuts_nobody_out
from tests.e2e.public_site.test_public_pages import open_page, taken_over_as_written
from tests.e2e.site import Site

MEMBERS = 320
MORE = "Afficher plus de membres"


@pytest.fixture(scope="module")
def long_site(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A club of 320 members."""
    made = Site(tmp_path_factory.mktemp("long") / "data", environment={"CLUB_DEMO": "0"})
    made.command("demo", "--members", str(MEMBERS))
    yield made.start()
    made.stop()


@pytest.fixture
def page(long_site: Site, new_context: Callable[..., BrowserContext]) -> Page:
    return new_context(long_site, reduced_motion="reduce").new_page()


def cards(page: Page) -> Locator:
    return page.locator(".member-card")


def scroll_on(page: Page, to: int) -> None:
    """Scroll to the last card again and again, until so many are there."""
    for _ in range(40):
        if cards(page).count() >= to:
            return
        cards(page).last.scroll_into_view_if_needed()
        page.wait_for_timeout(150)
    raise AssertionError(f"{cards(page).count()} of {to} members came")


def test_the_list_grows_as_one_scrolls_and_its_end_stays_within_reach(page: Page) -> None:
    open_page(page, "/membres")
    page.evaluate("window.neverReloaded = true")
    expect(page.locator(".directory-count")).to_have_text(f"{MEMBERS} membres")
    page.wait_for_timeout(500)
    expect(cards(page)).to_have_count(60)
    first = cards(page).first.inner_text()
    scroll_on(page, 300)
    expect(page).to_have_url(re.compile(r"/membres\?page=5$"))
    expect(page.get_by_role("heading", level=1)).not_to_be_focused()
    page.keyboard.press("End")
    page.wait_for_timeout(700)
    expect(cards(page)).to_have_count(300)
    expect(page.get_by_text("300 membres affichés sur 320")).to_be_visible()
    link = page.get_by_role("link", name=MORE)
    link.click()
    expect(cards(page)).to_have_count(MEMBERS)
    expect(cards(page).nth(300)).to_be_focused()
    expect(link).to_have_count(0)
    assert cards(page).first.inner_text() == first
    assert page.evaluate("window.neverReloaded")
    addresses = {card.get_attribute("href") for card in cards(page).all()}
    assert len(addresses) == MEMBERS

    cards(page).last.click()
    expect(page.get_by_role("link", name="Envoyer un email")).to_be_visible()
    page.go_back()
    expect(cards(page)).to_have_count(MEMBERS)


def test_the_keyboard_goes_on_with_the_first_new_member(page: Page) -> None:
    open_page(page, "/membres")
    page.get_by_role("link", name=MORE).focus()
    expect(cards(page).nth(60)).to_be_focused()
    expect(page.locator(".more-shown")).to_have_text("120 membres affichés sur 320")


def test_another_search_or_domain_begins_at_its_beginning(page: Page) -> None:
    open_page(page, "/membres?page=3")
    expect(cards(page)).to_have_count(180)
    page.get_by_role("searchbox").fill("marie")
    expect(page).to_have_url(re.compile(r"/membres\?q=marie$"))
    open_page(page, "/membres?page=3")
    page.get_by_role("button", name="Bâtiment & Travaux").click()
    expect(page).to_have_url(re.compile(r"/membres\?domaine=batiment-travaux$"))


def test_without_any_script_a_link_leads_on(long_site: Site, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(long_site, java_script_enabled=False).new_page()
    page.goto("/membres")
    for shown in (120, 180, 240, 300, MEMBERS):
        page.get_by_role("link", name=MORE).click()
        expect(cards(page)).to_have_count(shown)
    expect(page.get_by_role("link", name=MORE)).to_have_count(0)


@pytest.mark.usefixtures("usual_font")
@pytest.mark.parametrize("path", ["/membres", "/membres?page=2", "/membres?page=9"])
def test_the_interface_takes_over_exactly_what_the_server_wrote(page: Page, path: str) -> None:
    taken_over_as_written(page, path)


def test_a_long_list_shuts_nobody_out(page: Page) -> None:
    open_page(page, "/membres?page=5")
    shuts_nobody_out(page)


def test_a_first_visit_of_a_long_list_is_light(long_site: Site, browser: Browser) -> None:
    weighed = first_visit(browser, f"{long_site.url}/membres")
    assert weighed.visit <= 200
    assert weighed.first_paint <= 25
