"""The calendar: its views in the address, the club's hours in every browser, and the keyboard (A3)."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from clubapp import clock
from clubapp.database import transaction
from tests.e2e.event_steps import create, go_to_a_free_month, on_screen, row_of
from tests.e2e.invitation_steps import database_of, shuts_nobody_out
from tests.e2e.site import Site
from tests.factories import add_event

HOURS = {
    "2027-03-28T03:30": ("Le jour où l’horloge avance", "03:30 – 06:30"),
    "2027-10-31T02:30": ("Le jour où l’horloge recule", "02:30 – 04:30"),
    "2035-07-01T00:30": ("Juillet à peine commencé", "00:30 – 03:30"),
}
# The Sundays of the American change of hour, when New York has no half past two, and of the French one.
SUNDAYS = (
    "2027-03-14T02:30", "2027-03-14T14:00", "2027-03-28T14:00",
    "2027-10-31T14:00", "2027-11-07T02:30", "2027-11-07T14:00",
)  # fmt: skip


@pytest.fixture(params=["America/New_York", "Europe/Paris"])
def abroad(request: pytest.FixtureRequest, site: Site, new_context: Callable[..., BrowserContext]) -> Page:
    """A page of a browser whose clock is elsewhere."""
    return new_context(site, timezone_id=request.param).new_page()


@pytest.fixture(scope="module")
def awkward(site: Site) -> None:
    """Events at the awkward hours."""
    with database_of(site), transaction() as session:
        for moment, (title, _) in HOURS.items():
            add_event(session, title=title, date=clock.from_local(moment), status="cancelled")
        for moment in SUNDAYS:
            add_event(session, title=f"Dimanche {moment}", date=clock.from_local(moment), status="cancelled")


@pytest.mark.usefixtures("awkward")
def test_every_browser_shows_the_clubs_hours(abroad: Page, site: Site) -> None:
    on_screen(abroad, site)
    for moment, (title, hours) in HOURS.items():
        abroad.goto(f"/admin/events?vue=agenda&date={moment[:10]}")
        line = abroad.locator(".rbc-agenda-table tr").filter(has_text=title)
        expect(line.locator(".rbc-agenda-time-cell")).to_have_text(hours)
        abroad.goto(f"/admin/events?vue=mois&date={moment[:10]}")
        expect(abroad.get_by_role("button", name=f"{moment[11:]} {title}, Annulé").first).to_be_visible()
    expect(abroad.locator(".calendar-title")).to_have_text("juillet 2035")
    for _ in range(2):
        abroad.get_by_role("button", name="00:30 Juillet à peine commencé").first.click()
        abroad.get_by_role("button", name="Modifier").click()
        form = abroad.get_by_role("dialog").filter(has=abroad.locator("[name=date]"))
        expect(form.locator("[name=date]")).to_have_value("2035-07-01T00:30")
        form.locator("[name=speaker_name]").fill("Zoé")
        form.get_by_role("button", name="Mettre à jour").click()
        expect(abroad.get_by_role("dialog")).to_have_count(0)


@pytest.mark.usefixtures("awkward")
def test_on_the_days_of_a_change_of_hour_an_event_stands_at_its_hour_for_three(abroad: Page, site: Site) -> None:
    on_screen(abroad, site)
    for moment in SUNDAYS:
        hour, minute = int(moment[11:13]), int(moment[14:16])
        for view in ("jour", "semaine"):
            abroad.goto(f"/admin/events?vue={view}&date={moment[:10]}")
            drawn = abroad.locator(".rbc-day-slot .rbc-event").filter(has_text=f"Dimanche {moment}")
            expect(drawn.locator(".rbc-event-label")).to_have_text(f"{moment[11:]} – {hour + 3:02}:{minute:02}")
            place = drawn.evaluate("(event) => [event.style.top, event.style.height].map(parseFloat)")
            assert place == pytest.approx([(hour + minute / 60) / 24 * 100, 3 / 24 * 100], abs=0.01)


def test_view_and_date_stand_in_the_address_and_the_back_button_leads_through_them(page: Page, site: Site) -> None:
    on_screen(page, site, "/admin/events?vue=semaine&date=2031-05-14")
    title = page.locator(".calendar-title")
    expect(title).to_have_text("12 – 18 mai 2031")
    page.get_by_role("button", name="Jour", exact=True).click()
    expect(page).to_have_url(re.compile(r"vue=jour&date=2031-05-14$"))
    page.get_by_role("button", name="Suivant").click()
    expect(title).to_have_text("jeu. 15 mai 2031")
    page.reload()
    expect(title).to_have_text("jeu. 15 mai 2031")
    page.go_back()
    page.go_back()
    expect(title).to_have_text("12 – 18 mai 2031")
    expect(page.get_by_role("button", name="Semaine", exact=True)).to_have_attribute("aria-pressed", "true")
    page.goto("/admin/events?vue=siècle&date=2031-02-31")
    expect(page.get_by_role("button", name="Mois", exact=True)).to_have_attribute("aria-pressed", "true")


def test_keys_move_over_the_edge_of_the_month_and_enter_creates(page: Page, site: Site) -> None:
    on_screen(page, site, "/admin/events?vue=mois&date=2038-01-30")
    page.locator(".calendar-day[tabindex='0']").focus()
    for key, day in (
        ("ArrowRight", "2038-01-02"), ("End", "2038-01-03"), ("ArrowUp", "2037-12-27"),
        ("PageDown", "2038-01-27"), ("Home", "2038-01-25"), ("PageUp", "2037-12-25"),
    ):  # fmt: skip
        page.keyboard.press(key)
        expect(page.locator(f"[data-day='{day}']")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[name=date]")).to_have_value("2037-12-25T12:00")


def test_keys_move_between_the_hours_of_the_week(page: Page, site: Site) -> None:
    on_screen(page, site, "/admin/events?vue=semaine&date=2038-01-30")
    page.locator("[data-hour][tabindex='0']").focus()
    for key, hour in (
        ("ArrowDown", "2038-01-25T13:00"), ("ArrowLeft", "2038-01-24T13:00"), ("PageDown", "2038-01-31T13:00"),
        ("ArrowUp", "2038-01-31T12:00"),
    ):  # fmt: skip
        page.keyboard.press(key)
        expect(page.locator(f"[data-hour='{hour}']")).to_be_focused()
    expect(page.locator(":focus")).to_have_attribute(
        "aria-label", "Créer un événement le dimanche 31 janvier 2038 à 12:00"
    )
    page.keyboard.press("Enter")
    expect(page.locator("[name=date]")).to_have_value("2038-01-31T12:00")


def test_an_event_lives_from_its_creation_to_its_end_by_the_keyboard_alone(page: Page, site: Site) -> None:
    keys = page.keyboard
    on_screen(page, site)
    go_to_a_free_month(page)
    page.locator(".calendar-day[tabindex='0']").focus()
    keys.press("ArrowDown")
    keys.press("ArrowRight")
    keys.press("Enter")
    expect(page.locator("[name=title]")).to_be_focused()
    keys.type("Café des artisans")
    tab_to(page, "document.activeElement.name === 'location'")
    keys.type("Lille")
    tab_to(page, "document.activeElement.name === 'speaker_name'")
    keys.type("Nadia Benali")
    keys.press("Enter")
    row = row_of(page, "Café des artisans")

    event = page.locator(".rbc-month-view .calendar-event")
    event.focus()
    keys.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Nadia Benali")
    tab_to(page, "document.activeElement.textContent === 'Modifier'")
    keys.press("Enter")
    expect(page.locator("[name=title]")).to_be_focused()
    keys.press("End")
    keys.type(" d'art")
    keys.press("Enter")
    row_of(page, "Café des artisans d'art")

    row.get_by_role("button", name="Voir détails").focus()
    keys.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Nadia Benali")
    tab_to(page, "document.activeElement.textContent === 'Supprimer'")
    keys.press("Enter")
    expect(page.get_by_role("alertdialog").get_by_role("button", name="Annuler")).to_be_focused()
    keys.press("Tab")
    keys.press("Enter")
    expect(page.locator("li[data-event-id]").filter(has_text="Café des artisans")).to_have_count(0)


def tab_to(page: Page, arrived: str) -> None:
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate(arrived):
            return
    raise AssertionError(f"Tab never came to: {arrived}")


def test_a_phone_opens_on_the_agenda(phone: Page, site: Site) -> None:
    on_screen(phone, site)
    expect(phone.get_by_role("button", name="Agenda", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(phone.locator(".rbc-agenda-event-cell").first).to_contain_text("Confirmé")
    expect(phone.locator(".on-phone").filter(has_text="Touchez un événement pour l’ouvrir")).to_be_visible()
    expect(phone.get_by_text("Cliquez sur une date")).to_be_hidden()


def test_no_view_has_a_barrier(site: Site, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(site, viewport={"width": 1280, "height": 800}, reduced_motion="reduce").new_page()
    on_screen(page, site)
    for view in ("mois", "semaine", "jour", "agenda"):
        page.goto(f"/admin/events?vue={view}&date=2026-12-10")
        expect(page.locator(".rbc-calendar")).to_be_visible()
        shuts_nobody_out(page)
    assert page.locator(".calendar-frame").bounding_box()["height"] >= 600  # pyright: ignore[reportOptionalSubscript]


def test_an_evening_past_midnight_is_in_every_view_with_its_french_hours(page: Page, site: Site) -> None:
    screen = on_screen(page, site)
    go_to_a_free_month(screen)
    first = screen.locator(".rbc-date-cell:not(.rbc-off-range) .calendar-day").first
    month = str(first.get_attribute("data-day"))[:7]
    expect(first).to_have_attribute("aria-label", re.compile("1er"))
    create(screen, "Veillée des caves", f"{month}-15T23:30")

    screen.get_by_role("button", name=re.compile("23:30 Veillée des caves")).first.wait_for()
    screen.goto(f"/admin/events?vue=agenda&date={month}-15")
    line = screen.locator(".rbc-agenda-table tr").filter(has_text="Veillée des caves")
    expect(line.first.locator(".rbc-agenda-time-cell")).to_have_text("23:30 – 02:30")
    screen.goto(f"/admin/events?vue=jour&date={month}-15")
    drawn = screen.locator(".rbc-day-slot .rbc-event").filter(has_text="Veillée des caves")
    expect(drawn.locator(".rbc-event-label")).to_have_text("23:30 –")
    event, hours = drawn.bounding_box(), screen.locator(".rbc-time-content").bounding_box()
    assert event
    assert hours
    assert event["y"] < hours["y"] + hours["height"] - 10


def test_at_a_desk_the_calendars_buttons_keep_their_place_in_every_view(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    page = on_screen(new_context(site, viewport={"width": 1440, "height": 900}).new_page(), site)
    places = set()
    for view in ("Mois", "Semaine", "Jour", "Agenda"):
        page.get_by_role("button", name=view, exact=True).click()
        expect(page.get_by_role("button", name=view, exact=True)).to_have_attribute("aria-pressed", "true")
        boxes = [page.locator(part).bounding_box() for part in (".calendar-moves", ".calendar-views")]
        places.add(str(boxes))
    assert len(places) == 1
    assert all(boxes)


def test_at_a_desk_every_line_of_an_events_actions_begins_at_its_edge(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    page = on_screen(new_context(site, viewport={"width": 1440, "height": 900}).new_page(), site)
    rows = page.locator("li[data-event-id]")
    rows.first.wait_for()
    # Of the first button of each line, what is nearer: its border, or its words where it has none.
    begins = """(row) => {
        const edge = row.getBoundingClientRect().left + parseFloat(getComputedStyle(row).paddingLeft);
        const buttons = [...row.querySelectorAll(".event-row-actions button")];
        const first = buttons.filter((button, at) => !at || button.offsetTop > buttons[at - 1].offsetTop + 4);
        return first.map((button) => {
            const border = button.getBoundingClientRect().left - edge;
            const words = border + parseFloat(getComputedStyle(button).paddingLeft);
            return Math.round(Math.min(Math.abs(border), Math.abs(words)));
        });
    }"""
    assert {distance for row in rows.all() for distance in row.evaluate(begins)} <= {0, 1}
