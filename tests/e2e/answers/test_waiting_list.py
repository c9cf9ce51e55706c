"""A full event, seen by who comes too late and by the animator, on a small phone and at a desk."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect
from sqlmodel import select

from clubapp.database import transaction
from clubapp.models import Event, EventReservation, Member
from clubapp.services.answers import waiting_list
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.answers.event_changes import free_a_place
from tests.e2e.conftest import sign_in
from tests.e2e.event_steps import unrolled
from tests.e2e.invitation_steps import Invitation, database_of, has_no_barrier, invite
from tests.e2e.site import Site
from tests.factories import add_reservation


@pytest.fixture
def three_waiting(site: Site) -> Invitation:
    """A full event with Marie Durand first in line, then two others; in a month that the upcoming list shows."""
    invitation = invite(site, max_participants=1, coming=1, title="Rencontre complète")
    with database_of(site), transaction() as session:
        row = session.exec(select(EventReservation).where(EventReservation.id == invitation.reservation_id)).one()
        event = session.exec(select(Event).where(Event.id == invitation.event_id)).one()
        taken = select(EventReservation.member_id).where(EventReservation.event_id == event.id)
        others = session.exec(select(Member).where(Member.id.not_in(taken)).order_by(Member.name).limit(2)).all()  # type: ignore[attr-defined]
        for each in (row, *[add_reservation(session, event, member)[0] for member in others]):
            each.will_attend = True
            waiting_list.join(session, event, each)
            session.add(each)
            session.flush()
    return invitation


def test_the_animator_sees_and_orders_the_list_by_keyboard(
    site: Site, three_waiting: Invitation, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(site).new_page()
    sign_in(page, site, ADMIN_EMAIL, "/admin/events")
    row = unrolled(page, page.locator(f"[data-event-id='{three_waiting.event_id}']").first)
    row.get_by_role("button", name=re.compile("Voir détails")).click()
    dialog = page.get_by_role("dialog")
    names = dialog.locator(".waiting-name")
    expect(names).to_have_count(3)
    expect(names.first).to_have_text("Marie Durand")
    down = dialog.get_by_role("button", name="Descendre Marie Durand")
    down.focus()
    page.keyboard.press("Enter")
    expect(names.nth(1)).to_have_text("Marie Durand")
    expect(down).to_be_focused()
    expect(dialog.get_by_text("Marie Durand : position 2 sur 3.")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(names.nth(2)).to_have_text("Marie Durand")
    expect(down).to_be_focused()
    expect(down).to_have_attribute("aria-disabled", "true")
    up = dialog.get_by_role("button", name="Monter Marie Durand")
    up.focus()
    for place in (1, 0):
        page.keyboard.press("Enter")
        expect(names.nth(place)).to_have_text("Marie Durand")
        expect(up).to_be_focused()
    has_no_barrier(page)
    free_a_place(three_waiting)
    expect(dialog.get_by_text(re.compile("^Place proposée jusqu’au"))).to_have_count(1, timeout=10_000)
    expect(dialog.get_by_role("button", name="Descendre Marie Durand")).to_have_count(0)
