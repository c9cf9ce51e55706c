"""The events screen, as its tests use it, and events made in a site's own database."""

from itertools import count

from playwright.sync_api import Locator, Page, expect

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import EventSpeaker
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import Site
from tests.factories import add_event, add_member, add_reservation

_numbers = count()
ANSWERS = ({"will_attend": True}, {"will_attend": True, "guest_count": 1}, {}, {"will_attend": False})


def on_screen(page: Page, site: Site, address: str = "/admin/events") -> Page:
    sign_in(page, site, ADMIN_EMAIL, address)
    expect(page.locator(".rbc-calendar")).to_be_visible()
    return page


def fill(form: Locator, **values: str) -> None:
    for name, value in values.items():
        form.locator(f"[name={name}]").first.fill(value)


def create(page: Page, title: str, date: str) -> Locator:
    """The row of a new event."""
    page.get_by_role("button", name="Nouvel événement").click()
    form = page.get_by_role("dialog")
    fill(form, title=title, date=date, location="Cassel", speaker_name="Ghislaine Ménard")
    form.get_by_role("button", name="Créer").click()
    return row_of(page, title)


def row_of(page: Page, title: str) -> Locator:
    """The row of an event to come, however far it is in the list."""
    return unrolled(page, page.locator("li[data-event-id]").filter(has_text=title))


def unrolled(page: Page, row: Locator) -> Locator:
    """A row of the list of events to come, of which only the first are shown until one asks for more."""
    more = page.get_by_role("button", name="Afficher la suite", include_hidden=True)
    for _ in range(300):
        if row.is_visible():
            return row
        more.evaluate_all("(found) => found.forEach((button) => button.click())")  # also below a dialog, or gone by now
        page.wait_for_timeout(50)
    expect(row).to_be_visible()
    return row


def edit(page: Page, title: str) -> Locator:
    """The form of an event."""
    row_of(page, title).get_by_role("button", name="Voir détails").click()
    page.get_by_role("dialog").get_by_role("button", name="Modifier").click()
    form = page.get_by_role("dialog").filter(has=page.locator("[name=title]"))
    expect(form.locator("[name=title]")).to_have_value(title)
    return form


def announce(site: Site, title: str) -> tuple[str, list[str]]:
    """An event of a year of its own, announced to four members of its own, each with another answer: id, addresses."""
    number = next(_numbers)
    with database_of(site), transaction() as session:
        date = clock.from_local(f"{2040 + number}-05-14T12:00")
        event = add_event(session, title=title, date=date, status="confirmed", invitation_sent=True)
        session.add(EventSpeaker(event_id=event.id, name="Zoé Fauconnier"))
        addresses = [f"annonce{number}.{place}@essai.example" for place in range(len(ANSWERS))]
        for address, given in zip(addresses, ANSWERS, strict=True):
            add_reservation(session, event, add_member(session, f"Wilfried {address}", address), **given)
        return event.id, addresses
