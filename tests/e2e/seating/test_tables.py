"""The tables of a lunch: proposed, moved with keys or the mouse, kept while the others are mixed, printed."""

import json
import re
from collections.abc import Callable, Iterator
from io import BytesIO

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from pypdf import PdfReader
from sqlmodel import col, select

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Event, Member
from clubapp.services.base.actors import SYSTEM
from clubapp.services.demo import ADMIN_EMAIL
from clubapp.services.seating import editing, plan
from tests.e2e.conftest import sign_in
from tests.e2e.event_steps import unrolled
from tests.e2e.focus_walk import SETTLED
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier, shuts_nobody_out
from tests.e2e.site import Site
from tests.factories import add_event, add_reservation

TITLE = "Déjeuner des tourneurs"
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def lunch(site: Site) -> Iterator[str]:
    """A lunch to which twelve members come, the first of them by name with a guest."""
    with database_of(site), transaction() as session:
        event = add_event(session, TITLE, clock.from_local("2189-05-12T12:00"), status="confirmed", has_lunch=True)
        members = session.exec(select(Member).where(col(Member.is_active)).order_by(col(Member.name)).limit(12)).all()
        for number, member in enumerate(members):
            add_reservation(session, event, member, will_attend=True, with_lunch=True, guest_count=int(number == 0))
        made = event.id
    yield made
    with database_of(site), transaction() as session:
        session.delete(session.get(Event, made))


@pytest.fixture
def seated(site: Site, lunch: str) -> str:
    """The same at three tables of five."""
    with database_of(site), transaction() as session:
        editing.set_tables(session, SYSTEM, lunch, 3, 5)
        editing.record_proposal(session, SYSTEM, lunch, editing.propose(session, SYSTEM, lunch, 1))
    return lunch


def tables_of(page: Page, site: Site, event_id: str) -> Page:
    sign_in(page, site, ADMIN_EMAIL, f"/admin/events/{event_id}/tables")
    expect(page.get_by_role("heading", name="Préparation")).to_be_visible()
    return page


def table(page: Page, position: int) -> Locator:
    return page.locator(f"li[data-table='{position}']")


def people(box: Locator) -> list[str]:
    return box.locator(".seating-name").all_inner_texts()


def sizes(page: Page) -> list[int]:
    """How many people sit at each of three tables."""
    return [len(people(table(page, number))) for number in (1, 2, 3)]


def test_tables_and_papers_are_reached_from_the_event_installed_proposed_corrected_and_printed(
    page: Page, site: Site, lunch: str
) -> None:
    sign_in(page, site, ADMIN_EMAIL, "/admin/events")
    unrolled(page, page.locator("li[data-event-id]").filter(has_text=TITLE)).get_by_role(
        "button", name="Voir détails"
    ).click()
    page.get_by_role("link", name="Tables").click()
    expect(page).to_have_url(re.compile(f"/admin/events/{lunch}/tables$"))
    expect(page.get_by_text("13 personnes à placer.")).to_be_visible()
    page.get_by_label("Nombre de tables").fill("3")
    page.get_by_label("Places par table").fill("5")
    page.get_by_role("button", name="Installer les tables").click()
    page.get_by_role("button", name="Proposer").click()
    expect(page.get_by_text("13 personnes, 3 tables, 15 places.", exact=True)).to_be_visible()
    expect(page.get_by_role("region", name="À placer")).to_have_count(0)
    expect(page.get_by_role("button", name="Mélanger à nouveau")).to_be_focused()
    shuts_nobody_out(page)

    a_choice_that_is_refused_is_taken_back(page)
    a_person_is_carried_with_the_mouse_and_stays_where_they_are_locked(page)
    names = [name for number in (1, 2, 3) for name in people(table(page, number))]
    printed = "\n".join(one.extract_text() for one in PdfReader(BytesIO(page.pdf(format="A4"))).pages)
    words = "".join(printed.split())
    assert len(names) == 13
    assert [name for name in names if "".join(name.split()) not in words] == []
    assert not [word for word in ("Fixer", "Mélanger", "Nometplaces", "Préparation") if word in words]

    page.go_back()
    row = unrolled(page, page.locator("li[data-event-id]").filter(has_text=TITLE))
    row.get_by_role("button", name="Voir détails").click()
    page.get_by_role("link", name="Imprimer").click()
    everything_is_on_paper(page)


def a_choice_that_is_refused_is_taken_back(page: Page) -> None:
    full = sizes(page).index(5) + 1
    first, last = (number for number in (1, 2, 3) if number != full)
    name = people(table(page, first))[0]
    choice = page.get_by_label(f"Déplacer {name} vers")
    closed = choice.get_by_role("option", name=f"Table {full} (complète)", exact=True, include_hidden=True)
    expect(closed).to_be_disabled()
    choice.focus()
    page.keyboard.press("Home")
    for _ in range(2):  # past the full table, if it lies between
        page.keyboard.press("ArrowDown")
    expect(table(page, last)).to_contain_text(name)  # the last of three moves: nothing is on its way any more
    expect(page.locator(".toast-error")).to_have_count(0)
    expect(closed).to_be_disabled()
    # As long as the table was not known to be full; in one step, for the list may be drawn anew between two.
    press = """(list, full) => {
      [...list.options].find((option) => option.value === full).disabled = false;
      list.value = full;
      list.dispatchEvent(new Event("change", { bubbles: true }));
    }"""
    choice.evaluate(press, str(full))
    expect(page.get_by_text("toutes les places sont prises")).to_be_visible()
    expect(choice).to_have_value(str(last))


def a_person_is_carried_with_the_mouse_and_stays_where_they_are_locked(page: Page) -> None:
    with_room = next(number for number, size in enumerate(sizes(page), 1) if size < 5)
    other = next(number for number in (1, 2, 3) if number != with_room)
    row = table(page, other).locator("[data-person-id]").first
    name, person = row.locator(".seating-name").inner_text(), row.get_attribute("data-person-id")
    row.locator(".seating-name").drag_to(table(page, with_room).locator(".seating-head"))
    carried = table(page, with_room).locator(f"[data-person-id='{person}']")
    expect(carried).to_be_visible()
    carried.get_by_role("button", name=f"Fixer\u00a0: {name}").click()
    expect(carried.get_by_role("button", name="Fixer")).to_have_attribute("aria-pressed", "true")
    before = [people(table(page, number)) for number in (1, 2, 3)]
    page.get_by_role("button", name="Mélanger à nouveau").click()
    page.wait_for_function(
        "before => JSON.stringify([...document.querySelectorAll('li[data-table]')].map(one =>"
        " [...one.querySelectorAll('.seating-name')].map(name => name.innerText))) !== before",
        arg=json.dumps(before, ensure_ascii=False, separators=(",", ":")),
    )
    expect(carried).to_be_visible()


def everything_is_on_paper(page: Page) -> None:
    expect(page.get_by_text("13 badges sur 2 feuilles.")).to_be_visible()
    page.get_by_label("Étiquettes").select_option("10")
    page.get_by_label("Première étiquette libre").select_option("9")
    expect(page.get_by_text("13 badges sur 3 feuilles.")).to_be_visible()
    page.get_by_label("Étiquettes").select_option("8")
    expect(page.get_by_label("Première étiquette libre")).to_have_value("8")
    assert page.get_by_label("Première étiquette libre").locator("option").last.inner_text() == "8"
    page.get_by_label("Étiquettes").select_option("10")
    page.get_by_label("Première étiquette libre").select_option("9")
    page.get_by_label("Réponses depuis le").fill("2189-01-01")
    expect(page.get_by_text("Aucun badge à imprimer.")).to_be_visible()
    page.get_by_label("Réponses depuis le").fill("")
    expect(page.get_by_text("13 badges sur 3 feuilles.")).to_be_visible()
    has_no_barrier(page)
    for link, name in (
        ("Badges (PDF)", "badges-dejeuner-des-tourneurs-2189-05-12.pdf"),
        ("Liste par nom (PDF)", "tables-dejeuner-des-tourneurs-2189-05-12.pdf"),
        ("Cartes de table (PDF)", "cartes-de-table-dejeuner-des-tourneurs-2189-05-12.pdf"),
        ("Feuille d’émargement (PDF)", "emargement-dejeuner-des-tourneurs-2189-05-12.pdf"),
    ):
        with page.expect_download() as taken:
            page.get_by_role("link", name=link).click()
        assert taken.value.suggested_filename == name
        if link.startswith("Badges"):
            assert len(PdfReader(taken.value.path()).pages) == 3


def test_a_person_moves_with_keys_or_a_finger_and_a_colleague_sees_it(
    page: Page, site: Site, seated: str, new_context: Callable[..., BrowserContext]
) -> None:
    tables_of(page, site, seated)
    other = tables_of(new_context(site, viewport=PHONE, has_touch=True).new_page(), site, seated)
    name = people(table(page, 1))[0]
    choice = page.get_by_label(f"Déplacer {name} vers")
    choice.focus()
    page.keyboard.press("Home")  # the first choice: to be placed
    unplaced = page.get_by_role("region", name="À placer")
    expect(unplaced).to_contain_text(name)
    expect(choice).to_be_focused()
    expect(other.get_by_role("region", name="À placer")).to_contain_text(name)
    other.get_by_label(f"Déplacer {name} vers").select_option("Table 1")
    expect(unplaced).to_have_count(0)
    expect(table(page, 1)).to_contain_text(name)
    fits(other)
    with_room = next(number for number in (2, 3) if len(people(table(page, number))) < 5)
    carry_with_a_finger(other, name, table(other, with_room))
    for screen in (page, other):
        expect(table(screen, with_room)).to_contain_text(name)

    with database_of(site), transaction() as session:
        editing.set_tables(session, SYSTEM, seated, 5, 13)
    expect(table(page, 5)).to_be_visible()
    each_of_several_quick_keys_counts_and_the_last_choice_stands(page, site, seated, name)


def each_of_several_quick_keys_counts_and_the_last_choice_stands(
    page: Page, site: Site, event_id: str, name: str
) -> None:
    choice = page.get_by_label(f"Déplacer {name} vers")
    choice.focus()
    page.keyboard.press("Home")
    expect(page.get_by_role("region", name="À placer")).to_contain_text(name)
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"):  # faster than the answers come
        page.keyboard.press(key)
    expect(choice).to_have_value("3")
    expect(table(page, 3)).to_contain_text(name)
    expect(choice).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(table(page, 2)).to_contain_text(name)
    row = table(page, 2).locator("[data-person-id]", has=page.locator(".seating-name").get_by_text(name, exact=True))
    person = row.get_attribute("data-person-id")
    with database_of(site), transaction() as session:
        (seat,) = [one for one in plan.list_seats(session, event_id) if one.person == person]
        assert seat.table_position == 2


class Finger:
    """One finger on the glass of a phone."""

    def __init__(self, page: Page) -> None:
        self._page, self._devtools = page, page.context.new_cdp_session(page)

    def press(self, place: Locator) -> None:
        """Put it down in the middle of something that is in sight."""
        self._send("touchStart", self._middle(place))

    def go(self, x: float, y: float) -> None:
        """Move it over the glass."""
        self._send("touchMove", (x, y))

    def go_to(self, place: Locator) -> None:
        """Move it to the middle of something that is in sight."""
        self.go(*self._middle(place))

    def lift(self) -> None:
        """Take it off."""
        self._send("touchEnd")

    def _middle(self, place: Locator) -> tuple[float, float]:
        box = place.bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def _send(self, kind: str, *points: tuple[float, float]) -> None:
        self._devtools.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        )


def carry_with_a_finger(page: Page, name: str, target: Locator) -> None:
    """A long press on a person who sits far above; the page scrolls as long as the finger is at its edge."""
    person = table(page, 1).locator("[data-person-id]").locator(".seating-name").get_by_text(name, exact=True)
    person.scroll_into_view_if_needed()
    head = target.locator(".seating-head")
    finger, before = Finger(page), page.evaluate("scrollY")
    finger.press(person)
    finger.go(200, 300)
    finger.lift()  # at once: that scrolls, and moves nobody
    page.evaluate(SETTLED)  # a touch before only stops the scrolling
    expect(page.locator("[data-carried]")).to_have_count(0)
    person.scroll_into_view_if_needed()
    finger.press(person)
    expect(page.locator("[data-carried]")).to_have_count(1)
    finger.go(195, PHONE["height"] - 20)
    page.wait_for_function("(head) => head.getBoundingClientRect().top < innerHeight / 2", arg=head.element_handle())
    finger.go(195, PHONE["height"] / 2)
    assert page.evaluate("scrollY") > before
    finger.go_to(head)
    expect(target).to_have_attribute("data-over", "true")
    finger.lift()
    expect(page.locator("[data-carried], [data-over], .carried-shadow")).to_have_count(0)
