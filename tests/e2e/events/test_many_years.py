"""A club of many years: the calendar reads around the date it shows, the list of events to come begins with five."""

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from clubapp import clock
from clubapp.database import transaction
from tests.e2e.event_steps import on_screen
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier
from tests.e2e.site import Site
from tests.factories import add_event


def planned(site: Site, first: int, months: int, **given: str) -> None:
    """An event on the 15th of each of so many months from January of a year on, called after its month."""
    with database_of(site), transaction() as session:
        for number in range(months):
            month = f"{first + number // 12}-{number % 12 + 1:02}"
            add_event(session, title=f"Rencontre {month}", date=clock.from_local(f"{month}-15T12:00"), **given)


def test_two_years_are_turned_through_and_no_month_is_ever_empty(page: Page, site: Site) -> None:
    planned(site, 2071, 30, status="cancelled")
    on_screen(page, site, "/admin/events?vue=mois&date=2071-02-10")
    page.evaluate("window.neverReloaded = true")
    event = page.locator(".rbc-month-view .rbc-row-content .calendar-event")
    expect(page.get_by_role("button", name="Rencontre 2071-02")).to_be_visible()
    for number in range(2, 26):
        title = page.locator(".calendar-title").inner_text()
        page.get_by_role("button", name="Suivant").click()
        expect(page.locator(".calendar-title")).not_to_have_text(title)
        expect(event.filter(has_text=f"Rencontre {2071 + number // 12}-{number % 12 + 1:02}")).to_be_visible(
            timeout=500
        )
    page.get_by_role("button", name="Agenda", exact=True).click()
    lines = page.locator(".rbc-agenda-event-cell")
    expect(lines).to_have_count(3)
    expect(lines.last).to_contain_text("Rencontre 2073-04")
    assert page.evaluate("window.neverReloaded")


def test_a_leap_of_decades_shows_what_is_there_and_what_is_taken(page: Page, site: Site) -> None:
    planned(site, 2081, 1, status="confirmed")
    planned(site, 2095, 1, status="confirmed")
    on_screen(page, site, "/admin/events?vue=mois&date=2081-01-10")
    expect(page.get_by_role("button", name="12:00 Rencontre 2081-01, Confirmé")).to_be_visible()
    # Within the open screen, as the back button does.
    page.evaluate("history.pushState(null, '', '/admin/events?vue=mois&date=2095-01-10')")
    page.evaluate("history.pushState(null, '', '/admin/events?vue=mois&date=2081-01-10')")
    page.go_back()
    expect(page.locator(".calendar-title")).to_have_text("janvier 2095")
    expect(page.get_by_role("button", name="12:00 Rencontre 2095-01, Confirmé")).to_be_visible()
    page.locator("[data-day='2095-01-20']").click()
    expect(page.get_by_role("alert").filter(has_text="Un événement existe déjà pour janvier 2095.")).to_be_visible()
    page.get_by_role("button", name="Suivant").click()
    page.locator("[data-day='2095-02-20']").click()
    expect(page.locator("[name=date]")).to_have_value("2095-02-20T12:00")


def test_the_list_begins_with_sixty_and_goes_on_where_one_is(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site()
    planned(site, 2071, 70, status="confirmed")
    page = on_screen(new_context(site, viewport={"width": 390, "height": 844}).new_page(), site)
    rows = page.locator("li[data-event-id]")
    expect(rows).to_have_count(60)
    more = page.get_by_role("button", name="Afficher la suite")
    more.focus()
    page.keyboard.press("Enter")
    expect(rows.nth(60).get_by_role("button").first).to_be_focused()
    expect(more).to_have_count(0)
    fits(page)
    has_no_barrier(page)
    expect(rows.last).to_contain_text("Rencontre 2076-10")
    assert rows.count() > 70
    titles = [re.search(r"Rencontre (.*)", text) for text in rows.all_inner_texts()]
    months = [found[1] for found in titles if found]
    assert months == sorted(months)
