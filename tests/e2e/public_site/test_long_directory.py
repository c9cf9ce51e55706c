"""A directory of several hundred members: sixty at first, more as one scrolls, and a link that leads on."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from bench.weight import first_visit
from clubapp.database import transaction
from tests.e2e.focus_walk import SETTLED
from tests.e2e.invitation_steps import database_of, shuts_nobody_out
from tests.e2e.public_site.steps import WATCH, taken_over_as_written
from tests.e2e.screen_steps import first_rows, go
from tests.e2e.site import Site
from tests.factories import add_member

MEMBERS = 320
MORE = "Afficher plus de membres"


def filled(site: Site) -> Site:
    """A club of 320 members, those of the demonstration before all others."""
    with database_of(site), transaction() as session:
        for number in range(MEMBERS - 60):
            add_member(session, f"Zoé Zola {number:03}", None, activity_domain="Bâtiment & Travaux")
    return site


@pytest.mark.usefixtures("usual_font")
def test_a_long_list_grows_as_one_scrolls_and_is_searched_from_its_beginning(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext], browser: Browser
) -> None:
    site = filled(own_site())
    page = new_context(site).new_page()
    page.add_init_script(WATCH)
    cards, link = page.locator(".member-card"), page.get_by_role("link", name=MORE)
    taken_over_as_written(page, "/membres")
    page.evaluate("window.neverReloaded = true")
    expect(page.locator(".directory-count")).to_have_text(f"{MEMBERS} membres")
    expect(cards).to_have_count(60)
    first = cards.first.inner_text()
    for shown in (120, 180, 240, 300):
        cards.last.scroll_into_view_if_needed()
        expect(cards).to_have_count(shown)
    expect(page).to_have_url(re.compile(r"/membres\?page=5$"))
    expect(page.get_by_role("heading", level=1)).not_to_be_focused()
    page.keyboard.press("End")
    page.evaluate(SETTLED)
    expect(cards).to_have_count(300)
    expect(page).to_have_url(re.compile(r"/membres\?page=5$"))
    expect(page.get_by_text("300 membres affichés sur 320")).to_be_visible()
    with first_rows(page):
        shuts_nobody_out(page)
    link.click()
    expect(cards).to_have_count(MEMBERS)
    expect(cards.nth(300)).to_be_focused()
    expect(link).to_have_count(0)
    assert cards.first.inner_text() == first
    addresses = cards.evaluate_all("(cards) => cards.map((card) => card.pathname)")
    assert len(set(addresses)) == MEMBERS
    cards.last.click()
    expect(page.get_by_role("link", name="Envoyer un email")).to_be_visible()
    page.go_back()
    expect(cards).to_have_count(MEMBERS)

    go(page, "/membres?page=3")
    expect(cards).to_have_count(180)
    page.get_by_role("searchbox").fill("marie")
    expect(page).to_have_url(re.compile(r"/membres\?q=marie$"))
    go(page, "/membres?page=3")
    expect(cards).to_have_count(180)
    page.get_by_role("button", name="Bâtiment & Travaux").click()
    expect(page).to_have_url(re.compile(r"/membres\?domaine=batiment-travaux$"))
    assert page.evaluate("window.neverReloaded")

    taken_over_as_written(page, "/membres?page=9")
    taken_over_as_written(page, "/membres?page=2")
    expect(cards).to_have_count(120)
    link.focus()
    expect(cards.nth(120)).to_be_focused()
    expect(page.locator(".more-shown")).to_have_text("180 membres affichés sur 320")

    weighed = first_visit(browser, f"{site.url}/membres")
    assert weighed.visit <= 200
    assert weighed.first_paint <= 25
