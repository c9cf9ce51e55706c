"""The calendar: views in the address, the club's hours in every browser, the keyboard (A3), a club of many years."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from sqlmodel import col, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Event
from tests.e2e.event_steps import announce, on_screen, row_of, unrolled
from tests.e2e.events.steps import detail, planned, turn
from tests.e2e.focus_walk import HOLDS_FOCUS
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier
from tests.e2e.layout_checks import box
from tests.e2e.site import Site
from tests.factories import add_event

HOURS = {
    "2027-03-28T03:30": ("Le jour où l’horloge avance", "03:30 – 06:30"),
    "2027-10-31T02:30": ("Le jour où l’horloge recule", "02:30 – 04:30"),
    "2035-07-01T00:30": ("Juillet à peine commencé", "00:30 – 03:30"),
    "2036-09-15T23:30": ("Veillée des caves", "23:30 – 02:30"),
}
# The Sundays of the American change of hour, when New York has no half past two, and of the French one.
SUNDAYS = (
    "2027-03-14T02:30", "2027-03-14T14:00", "2027-03-28T14:00",
    "2027-10-31T14:00", "2027-11-07T02:30", "2027-11-07T14:00",
)  # fmt: skip
VIEWS = ("Mois", "Semaine", "Jour", "Agenda")


@pytest.fixture(scope="module")
def awkward(site: Site) -> None:
    """Events at the awkward hours."""
    with database_of(site), transaction() as session:
        for moment, (title, _) in HOURS.items():
            add_event(session, title=title, date=clock.from_local(moment), status="cancelled")
        for moment in SUNDAYS:
            add_event(session, title=f"Dimanche {moment}", date=clock.from_local(moment), status="cancelled")


def view_button(page: Page, view: str) -> Locator:
    return page.get_by_role("button", name=view, exact=True)


def choose(page: Page, view: str) -> None:
    view_button(page, view).click()
    expect(view_button(page, view)).to_have_attribute("aria-pressed", "true")


def drawn_in(page: Page, view: str, moment: str, title: str) -> Locator:
    """An event as the view of a day or a week draws it."""
    turn(page, f"/admin/events?vue={view}&date={moment[:10]}")
    return page.locator(".rbc-day-slot .rbc-event").filter(has_text=title)


@pytest.mark.usefixtures("awkward")
@pytest.mark.parametrize("zone", ["America/New_York", "Europe/Paris"])
def test_every_browser_shows_the_clubs_hours_on_the_days_of_a_change_of_hour_too(
    site: Site, new_context: Callable[..., BrowserContext], zone: str
) -> None:
    page = on_screen(new_context(site, timezone_id=zone).new_page(), site)
    for moment in SUNDAYS:
        hour, minute = int(moment[11:13]), int(moment[14:16])
        for view in ("jour", "semaine"):
            drawn = drawn_in(page, view, moment, f"Dimanche {moment}")
            expect(drawn.locator(".rbc-event-label")).to_have_text(f"{moment[11:]} – {hour + 3:02}:{minute:02}")
            place = drawn.evaluate("(event) => [event.style.top, event.style.height].map(parseFloat)")
            assert place == pytest.approx([(hour + minute / 60) / 24 * 100, 3 / 24 * 100], abs=0.01)

    for moment, (title, hours) in HOURS.items():
        turn(page, f"/admin/events?vue=agenda&date={moment[:10]}")
        line = page.locator(".rbc-agenda-table tr").filter(has_text=title)
        expect(line.first.locator(".rbc-agenda-time-cell")).to_have_text(hours)
        turn(page, f"/admin/events?vue=mois&date={moment[:10]}")
        expect(page.get_by_role("button", name=f"{moment[11:]} {title}, Annulé").first).to_be_visible()
    past_midnight = drawn_in(page, "jour", "2036-09-15T23:30", "Veillée des caves")
    expect(past_midnight.locator(".rbc-event-label")).to_have_text("23:30 –")
    day = box(page.locator(".rbc-time-content"))
    assert box(past_midnight)["y"] < day["y"] + day["height"] - 10

    turn(page, "/admin/events?vue=mois&date=2035-07-01")
    expect(page.locator(".calendar-title")).to_have_text("juillet 2035")
    page.get_by_role("button", name="00:30 Juillet à peine commencé").first.click()
    page.get_by_role("button", name="Modifier").click()
    form = page.get_by_role("dialog").filter(has=page.locator("[name=date]"))
    expect(form.locator("[name=date]")).to_have_value("2035-07-01T00:30")
    form.locator("[name=speaker_name]").fill("Zoé")
    form.get_by_role("button", name="Mettre à jour").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    with database_of(site), reading() as session:
        stored = session.exec(select(Event).where(Event.title == "Juillet à peine commencé")).one()
    assert stored.date == clock.from_local("2035-07-01T00:30")


def test_view_and_date_stand_in_the_address_and_keys_move_over_the_edges(page: Page, site: Site) -> None:
    on_screen(page, site, "/admin/events?vue=semaine&date=2031-05-14")
    title = page.locator(".calendar-title")
    expect(title).to_have_text("12 – 18 mai 2031")
    view_button(page, "Jour").click()
    expect(page).to_have_url(re.compile(r"vue=jour&date=2031-05-14$"))
    page.get_by_role("button", name="Suivant").click()
    expect(title).to_have_text("jeu. 15 mai 2031")
    page.go_back()
    page.go_back()
    expect(title).to_have_text("12 – 18 mai 2031")
    expect(view_button(page, "Semaine")).to_have_attribute("aria-pressed", "true")
    turn(page, "/admin/events?vue=siècle&date=2031-02-31")
    expect(view_button(page, "Mois")).to_have_attribute("aria-pressed", "true")

    turn(page, "/admin/events?vue=mois&date=2038-01-30")
    expect(page.locator("[data-day='2038-01-01']")).to_have_attribute("aria-label", re.compile("1er janvier 2038"))
    page.locator(".calendar-day[tabindex='0']").focus()
    for key, day in (
        ("ArrowRight", "2038-01-02"), ("End", "2038-01-03"), ("ArrowUp", "2037-12-27"),
        ("PageDown", "2038-01-27"), ("Home", "2038-01-25"), ("PageUp", "2037-12-25"),
    ):  # fmt: skip
        page.keyboard.press(key)
        expect(page.locator(f"[data-day='{day}']")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[name=date]")).to_have_value("2037-12-25T12:00")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)

    turn(page, "/admin/events?vue=semaine&date=2039-02-05")
    page.locator("[data-hour][tabindex='0']").focus()
    for key, hour in (
        ("ArrowDown", "2039-01-31T13:00"), ("ArrowLeft", "2039-01-30T13:00"), ("PageDown", "2039-02-06T13:00"),
        ("ArrowUp", "2039-02-06T12:00"),
    ):  # fmt: skip
        page.keyboard.press(key)
        expect(page.locator(f"[data-hour='{hour}']")).to_be_focused()
    expect(page.locator(":focus")).to_have_attribute(
        "aria-label", "Créer un événement le dimanche 6 février 2039 à 12:00"
    )
    page.keyboard.press("Enter")
    expect(page.locator("[name=date]")).to_have_value("2039-02-06T12:00")


def tab_to(page: Page, arrived: str) -> None:
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate(arrived):
            return
    raise AssertionError(f"Tab never came to: {arrived}")


def delete_by_keys(page: Page) -> None:
    """Delete the event whose dialog is open."""
    tab_to(page, "document.activeElement.textContent === 'Supprimer'")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alertdialog").get_by_role("button", name="Annuler")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")


def test_an_event_lives_from_its_creation_to_its_end_by_the_keyboard_alone(page: Page, site: Site) -> None:
    """What is deleted, from the list or the calendar, leaves the focus on the page."""
    with database_of(site), transaction() as session:
        add_event(session, title="Effacé du calendrier", date=clock.from_local("2035-09-12T12:00"), status="draft")
    keys = page.keyboard
    on_screen(page, site, "/admin/events?vue=mois&date=2035-08-01")
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

    page.get_by_role("button", name="12:00 Café des artisans, Brouillon").press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Nadia Benali")
    tab_to(page, "document.activeElement.textContent === 'Modifier'")
    keys.press("Enter")
    expect(page.locator("[name=title]")).to_be_focused()
    keys.press("End")
    keys.type(" d'art")
    keys.press("Enter")
    row_of(page, "Café des artisans d'art")

    row.get_by_role("button", name="Voir détails").press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Nadia Benali")
    delete_by_keys(page)
    expect(page.locator("li[data-event-id]").filter(has_text="Café des artisans")).to_have_count(0)
    page.wait_for_function(HOLDS_FOCUS)

    turn(page, "/admin/events?vue=mois&date=2035-09-12")
    in_calendar = page.get_by_role("button", name="12:00 Effacé du calendrier, Brouillon")
    in_calendar.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Effacé du calendrier")
    delete_by_keys(page)
    expect(in_calendar).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.wait_for_function(HOLDS_FOCUS)


# Of the first button of each line, what is nearer to the row's edge: its border, or its words where it has none.
BEGINS = """(row) => {
    const edge = row.getBoundingClientRect().left + parseFloat(getComputedStyle(row).paddingLeft);
    const buttons = [...row.querySelectorAll(".event-row-actions button")];
    const first = buttons.filter((button, at) => !at || button.offsetTop > buttons[at - 1].offsetTop + 4);
    return first.map((button) => {
        const border = button.getBoundingClientRect().left - edge;
        const words = border + parseFloat(getComputedStyle(button).paddingLeft);
        return Math.round(Math.min(Math.abs(border), Math.abs(words)));
    });
}"""


def test_the_events_at_a_desk_keep_their_places_and_no_view_has_a_barrier(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    with database_of(site), reading() as session:
        coming = select(Event).where(Event.date > clock.now(), Event.status == "confirmed").order_by(col(Event.date))
        first = session.exec(coming).first()
    assert first
    page = new_context(site, viewport={"width": 1440, "height": 900}).new_page()
    on_screen(page, site, "/admin/events?vue=mois&date=2028-12-14")  # in the agenda the longest title
    rows = page.locator("li[data-event-id]")
    rows.first.wait_for()
    assert {distance for row in rows.all() for distance in row.evaluate(BEGINS)} <= {0, 1}
    overflow = page.locator(".events-upcoming").evaluate("(list) => getComputedStyle(list).overflowY")
    assert overflow == "visible", "the list has no scroll of its own"

    places = set()
    for view in VIEWS:
        choose(page, view)
        places.add(str([box(page.locator(part)) for part in (".calendar-moves", ".calendar-views")]))
    assert len(places) == 1
    turn(page, f"/admin/events?vue=mois&date={clock.to_local(first.date):%Y-%m-%d}")
    for view in VIEWS:
        choose(page, view)
        expect(page.locator(".rbc-calendar .calendar-event, .rbc-calendar .rbc-event").first).to_be_visible()
        has_no_barrier(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    assert box(page.locator(".calendar-frame"))["height"] >= 600
    page.set_viewport_size({"width": 320, "height": 800})
    for view in VIEWS:
        choose(page, view)
        fits(page)


def test_years_are_turned_through_and_no_month_is_ever_empty(page: Page, site: Site) -> None:
    with planned(site, 2071, 30, status="cancelled"), planned(site, 2095, 1, status="confirmed"):
        on_screen(page, site, "/admin/events?vue=mois&date=2071-02-10")
        page.evaluate("window.neverReloaded = true")
        title = page.locator(".calendar-title")
        event = page.locator(".rbc-month-view .rbc-row-content .calendar-event")
        expect(page.get_by_role("button", name="Rencontre 2071-02")).to_be_visible()
        for number in range(2, 18):
            before = title.inner_text()
            page.get_by_role("button", name="Suivant").click()
            expect(title).not_to_have_text(before)
            month = f"{2071 + number // 12}-{number % 12 + 1:02}"
            expect(event.filter(has_text=f"Rencontre {month}")).to_be_visible(timeout=500)
        view_button(page, "Agenda").click()
        lines = page.locator(".rbc-agenda-event-cell")
        expect(lines).to_have_count(3)
        expect(lines.last).to_contain_text("Rencontre 2072-08")

        turn(page, "/admin/events?vue=mois&date=2095-01-10")
        expect(title).to_have_text("janvier 2095")
        expect(page.get_by_role("button", name="12:00 Rencontre 2095-01, Confirmé")).to_be_visible()
        page.locator("[data-day='2095-01-20']").click()
        taken = page.get_by_role("alert").filter(has_text="Un événement existe déjà pour janvier 2095.")
        expect(taken).to_be_visible()
        page.get_by_role("button", name="Suivant").click()
        expect(taken).to_have_count(0)
        page.locator("[data-day='2095-02-20']").click()
        expect(page.locator("[name=date]")).to_have_value("2095-02-20T12:00")
        assert page.evaluate("window.neverReloaded")


def test_on_a_phone_the_agenda_comes_first_the_list_goes_on_where_one_is_and_dialogs_open_at_their_top(
    phone: Page, site: Site
) -> None:
    title = f"320 {'rencontres des artisans de la vallée ' * 6}"[:200].strip()
    announce(site, title)
    with planned(site, 2301, 70, status="confirmed"):
        on_screen(phone, site)
        expect(view_button(phone, "Agenda")).to_have_attribute("aria-pressed", "true")
        expect(phone.locator(".rbc-agenda-event-cell").first).to_contain_text("Confirmé")
        expect(phone.locator(".on-phone").filter(has_text="Touchez un événement pour l’ouvrir")).to_be_visible()
        expect(phone.get_by_text("Cliquez sur une date")).to_be_hidden()

        rows = phone.locator("li[data-event-id]")
        expect(rows).to_have_count(60)
        more = phone.get_by_role("button", name="Afficher la suite")
        more.focus()
        phone.keyboard.press("Enter")
        expect(rows.nth(60).get_by_role("button").first).to_be_focused()
        unrolled(phone, rows.filter(has_text="Rencontre 2306-10"))
        expect(more).to_have_count(0)
        fits(phone)
        assert rows.count() > 70
        titles = [re.search(r"Rencontre (23\d\d-\d\d)", text) for text in rows.all_inner_texts()]
        months = [found[1] for found in titles if found]
        assert months == sorted(months)
        assert len(months) == 70

        sheet = detail(phone, title)
        header = sheet.locator(".dialog-header")
        assert box(header)["height"] < 200
        has_no_barrier(phone)
        heading = header.get_by_role("heading")
        heading.focus()
        phone.keyboard.press("ArrowDown")
        expect(heading).to_have_js_property("scrollTop", 40)
        sheet.evaluate("(dialog) => dialog.scrollTo(0, 300)")
        assert sheet.evaluate("(dialog) => dialog.scrollTop") > 0
        phone.keyboard.press("Escape")
        expect(sheet).to_have_count(0)
        assert detail(phone, title).evaluate("(dialog) => dialog.scrollTop") == 0
