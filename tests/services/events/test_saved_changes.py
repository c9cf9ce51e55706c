"""What follows a saved change: the calendar entry's sequence, places for those who wait, the reminders."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import EventReservation, PlannedMailing, PlannedState
from clubapp.services.answers import by_link
from clubapp.services.answers import page as answer_page
from clubapp.services.answers.answer_form import Answer
from clubapp.services.answers.guests import GuestEntry
from clubapp.services.events import admin_views, editing
from tests.factories import add_member, add_reservation
from tests.services.answers.invitees import NOW, Move, invite
from tests.services.answers.maries_link import wrote
from tests.services.events.event_forms import HELENE, TYPED, reopened, save, stored
from tests.services.events.event_notices import save as change

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


def test_a_lunch_that_is_added_is_asked_of_who_comes_already(club: str, at: Move) -> None:
    at(NOW)
    marie, paul, luc = invite("Marie", "Paul", "Luc", invitation_sent=True)
    marie.says(True, guests=2)
    paul.says(True, guests=0)
    luc.says(False)
    entries = (GuestEntry("Zoé Lys"), GuestEntry("Ali Ben", with_lunch=False))
    wrote(by_link.record_answer, marie.event_id, marie.token, Answer(guests=entries))
    said = len(marie.history)
    change(marie.event_id, tell=False, title="Autre titre")
    assert (paul.row.with_lunch, marie.open().step) == (False, answer_page.CALENDAR)
    change(marie.event_id, tell=False, has_lunch=True)
    assert [one.row.with_lunch for one in (marie, paul, luc)] == [None, None, None]
    assert [one.open().step for one in (marie, paul, luc)] == [answer_page.LUNCH] * 2 + [answer_page.CALENDAR]
    assert (luc.row.will_attend, marie.row.guest_count, len(marie.history)) == (False, 2, said)
    assert meals(marie.event_id) == (0, "3 personnes attendues n’ont pas encore répondu pour le déjeuner")
    marie.takes_lunch(True)
    assert meals(marie.event_id) == (2, "1 personne attendue n’a pas encore répondu pour le déjeuner")
    change(marie.event_id, tell=False, has_lunch=False)
    change(marie.event_id, tell=False, has_lunch=True)
    assert marie.row.with_lunch is True  # said while there was a lunch


@pytest.mark.parametrize(
    ("changed", "deadline"),
    [
        ({"date": "2027-01-28T18:30"}, "2027-01-24T11:00"),
        ({"date": "2027-01-28T09:00"}, "2027-01-24T08:00"),  # it keeps its distance to an earlier hour
        ({"date": "2027-01-28T12:00", "answers_until": "2027-01-20T11:00"}, "2027-01-20T11:00"),
        ({"date": "2027-01-14T13:00"}, "2027-01-10T11:00"),
        ({"date": "2027-01-13T12:00"}, "2027-01-10T11:00"),
        ({"title": "Autre titre"}, "2027-01-10T11:00"),
    ],
)
def test_a_deadline_moves_with_an_event_that_is_postponed(
    club: str, at: Move, changed: dict[str, Any], deadline: str
) -> None:
    at(NOW)
    (marie,) = invite("Marie", answers_until=clock.from_local("2027-01-10T11:00"), invitation_sent=True)
    at("2027-01-11T10:00")
    assert marie.open().closed
    saved = change(marie.event_id, tell=False, **changed)
    assert reopened(marie.event_id).answers_until == deadline
    has_followed = deadline.startswith("2027-01-24")
    assert saved.deadline.startswith("La date limite de réponse suit\u00a0: dimanche 24 janvier") == has_followed
    assert bool(saved.deadline) == has_followed
    assert bool(marie.open().closed) == (deadline == "2027-01-10T11:00")


def meals(event_id: str) -> tuple[int, str]:
    """How many meals are counted, and who has not answered."""
    with reading() as session:
        detail = admin_views.read_detail(session, HELENE, event_id)
    return detail.total_meals, detail.undecided
