"""Invitations go out by themselves, once, when the event is confirmed and nobody sent them by hand (C4)."""

from collections.abc import Callable
from datetime import datetime

import pytest

from clubapp.database import reading, transaction
from clubapp.models import Event, EventStatus, ReminderType
from clubapp.services.events import mailing_schedule
from clubapp.services.reminders import dispatch
from tests.factories import add_event, add_member
from tests.services.events.planned_mailings import change, local, make_event, queued, reason, setting, states, tick

INVITATION = ReminderType.INVITATION


def test_invitations_go_by_themselves_once_the_event_is_confirmed(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-01T10:00")
    setting(INVITATION, days_before=30, is_active=True)
    with transaction() as session:
        add_member(session)
        event = add_event(session, date=local("2026-11-12T18:30"))
        mailing_schedule.plan_mailings(session, event)
    tick(at, local("2026-10-13T09:00"))
    assert states(event)["invitation"] == "planned"  # still a draft
    change(event, status=EventStatus.CONFIRMED)
    tick(at, local("2026-10-13T11:00"))
    assert queued(event) == [("invitation", False)]
    with reading() as session:
        assert session.get_one(Event, event.id).invitation_sent
    tick(at, local("2026-10-13T12:00"))
    assert queued(event) == [("invitation", False)]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"status": "draft"}, dispatch.NOT_CONFIRMED),
        ({"status": "confirmed"}, "Aucun membre ne peut être invité"),
    ],
)
def test_invitations_that_could_not_go_are_missed_and_the_event_stays_uninvited(
    club: str, at: Callable[[str], datetime], given: dict[str, str], said: str
) -> None:
    at("2026-10-01T10:00")
    setting(INVITATION, days_before=30, is_active=True)
    with transaction() as session:
        event = add_event(session, date=local("2026-11-12T18:30"), **given)
        mailing_schedule.plan_mailings(session, event)
    tick(at, local("2026-10-13T09:00"))
    tick(at, local("2026-10-15T09:00"))
    assert states(event)["invitation"] == "missed"
    assert said in reason(event, INVITATION)
    with reading() as session:
        assert not session.get_one(Event, event.id).invitation_sent


def test_invitations_sent_by_hand_are_not_sent_again(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-01T10:00")
    setting(INVITATION, days_before=30, is_active=True)
    event = make_event("2026-11-12T18:30", invitation_sent=False)
    change(event, invitation_sent=True)
    tick(at, local("2026-10-13T09:00"))
    assert states(event)["invitation"] == "dropped"
    assert queued(event) == []
