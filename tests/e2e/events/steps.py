"""Steps that several walks over the screens of events take."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, expect
from sqlmodel import col, delete

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Event
from tests.e2e.event_steps import row_of
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier
from tests.e2e.site import Site
from tests.factories import add_event

_TURN = """(address) => {
    history.pushState(null, "", address);
    dispatchEvent(new PopStateEvent("popstate", { state: null }));
}"""


def turn(page: Page, address: str) -> None:
    """Show another address as the back button does: no page is loaded."""
    page.evaluate(_TURN, address)


def detail(page: Page, title: str) -> Locator:
    """The dialog of an event."""
    row_of(page, title).get_by_role("button", name="Voir détails").click()
    sheet = page.locator("dialog[data-event-id]")
    expect(sheet.get_by_role("heading", name=title)).to_be_visible()
    return sheet


def event_form(page: Page) -> Locator:
    """The form of an event, open."""
    return page.get_by_role("dialog").filter(has=page.locator("[name=title]"))


def new_form(page: Page, *, with_draft: bool = False) -> Locator:
    """The form of a new event, opened."""
    page.get_by_role("button", name="Nouvel événement").click()
    form = event_form(page)
    first = form.get_by_role("button", name="Reprendre") if with_draft else form.locator("[name=title]")
    expect(first).to_be_focused()
    return form


def shuts_out_nobody_here(page: Page) -> None:
    """Axe finds nothing wrong with what is open, and on a small phone nothing of it is cut off (A1)."""
    size = page.viewport_size
    assert size
    has_no_barrier(page)
    page.set_viewport_size({"width": 320, "height": size["height"]})
    fits(page)
    page.set_viewport_size(size)


@contextmanager
def planned(site: Site, first: int, months: int, **given: str) -> Iterator[None]:
    """For a while, an event on the 15th of each of so many months from January of a year on, called after its month."""
    with database_of(site), transaction() as session:
        for number in range(months):
            month = f"{first + number // 12}-{number % 12 + 1:02}"
            add_event(session, title=f"Rencontre {month}", date=clock.from_local(f"{month}-15T12:00"), **given)
    yield
    with database_of(site), transaction() as session:
        session.execute(delete(Event).where(col(Event.title).like("Rencontre 2___-__")))
