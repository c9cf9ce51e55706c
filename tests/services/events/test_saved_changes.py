"""What follows a saved change: the calendar entry's sequence, places for those who wait, the reminders."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import EventReservation, PlannedMailing, PlannedState
from clubapp.services.events import editing
from tests.factories import add_member, add_reservation
from tests.services.events.event_forms import TYPED, reopened, save, stored

pytestmark = pytest.mark.usefixtures("in_november_2026")


def test_every_change_of_date_place_or_status_raises_the_sequence_and_nothing_else_does(club: str) -> None:
    event_id = save(TYPED)
    for number, changed in enumerate(
        ({"date": "2027-01-15T12:00"}, {"location": "Douai"}, {"address": "3 rue"}, {"status": "confirmed"}), start=1
    ):
        save(replace(reopened(event_id), **changed))  # pyright: ignore[reportArgumentType]
        assert stored(event_id).sequence == number
    save(replace(reopened(event_id), title="Autre", description="Autre", max_participants="9", has_lunch=False))
    assert stored(event_id).sequence == 4


def test_a_limit_raised_for_some_who_wait_offers_the_places_in_order(club: str) -> None:
    event_id = save(replace(TYPED, max_participants="1"))
    with transaction() as session:
        event = editing.find_event(session, event_id)
        add_reservation(session, event, add_member(session), will_attend=True)
        for rank, name in enumerate(("Éric", "Zoé"), start=1):
            waits = {"will_attend": True, "waiting_since": clock.now(), "waiting_rank": rank}
            add_reservation(session, event, add_member(session, name, f"{rank}@lemoine.example"), **waits)
    save(replace(reopened(event_id), title="Sans place de plus"))
    assert offers(event_id) == 0
    save(replace(reopened(event_id), max_participants="2"))
    assert offers(event_id) == 1


def offers(event_id: str) -> int:
    with reading() as session:
        rows = session.exec(select(EventReservation).where(EventReservation.event_id == event_id))
        return sum(row.offer_until is not None for row in rows)


def test_the_reminders_follow_the_event(club: str) -> None:
    event_id = save(replace(TYPED, status="confirmed"))
    first = due(event_id)
    assert first
    save(replace(reopened(event_id), date="2027-01-21T12:00"))
    assert due(event_id) == [moment + timedelta(days=7) for moment in first]
    save(replace(reopened(event_id), status="cancelled"))
    assert due(event_id) == []


def due(event_id: str) -> list[datetime]:
    with reading() as session:
        rows = session.exec(select(PlannedMailing).where(PlannedMailing.event_id == event_id))
        return sorted(row.due_at for row in rows if row.state == PlannedState.PLANNED)
