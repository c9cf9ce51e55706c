"""A year of events: each reminder goes out once, at its moment, through changes and an outage (C2, C4)."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading
from clubapp.models import Event, EventStatus, OutboxMail, PlannedMailing, PlannedState
from tests.services.events.planned_mailings import change, local, make_event, tick

FRIDAY = 4
# The events are on the 12th, the one that moved on the 26th: days around their reminders, 14 and 7 days before.
NEAR = (4, 5, 6, 12, 18, 19, 20, 25, 26, 27, 28, 29, 30)


@pytest.mark.parametrize(("club", "zone"), [("postgres", "UTC"), ("sqlite", "Asia/Tokyo")], indirect=["club"])
def test_a_year_of_events_sends_each_reminder_once_at_its_moment_whatever_the_machines_clock_says(
    club: str, at: Callable[[str], datetime], monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        _live_through_a_year(at)
    finally:
        monkeypatch.undo()
        time.tzset()


def _live_through_a_year(at: Callable[[str], datetime]) -> None:
    """Twelve events, one moved, one cancelled, and a server that is down over 09:00 for some days in March."""
    at("2026-08-20T10:00")
    events = [make_event(f"{2026 + (month > 12)}-{(month - 1) % 12 + 1:02}-12T18:30") for month in range(9, 21)]
    moved, cancelled = events[2], events[5]
    sent: dict[tuple[str, str], datetime] = {}
    hour = local("2026-08-21T00:00")
    while hour < local("2027-09-01T00:00"):
        if hour == local("2026-11-04T15:00"):
            change(moved, date=local("2026-11-26T18:30"))
        if hour == local("2027-01-20T15:00"):
            change(cancelled, status=EventStatus.CANCELLED)
        down = local("2027-03-05T08:00") <= hour < local("2027-03-05T20:00")
        there = clock.to_local(hour)
        if not down and ((there.hour == 9 and there.day in NEAR) or (there.hour == 20 and there.weekday() == FRIDAY)):
            tick(at, hour)
            with reading() as session:
                for kind, event_id in session.exec(select(OutboxMail.kind, OutboxMail.event_id)):
                    sent.setdefault((str(event_id), kind), hour)
        hour += timedelta(hours=1)
    told = {key: clock.to_form(instant) for key, instant in sent.items()}
    expected = {}
    for event in events:
        with reading() as session:
            date = clock.to_local(session.get_one(Event, event.id).date).date()
        for kind, days in (("reminder_1", 14), ("reminder_2", 7)):
            expected[event.id, kind] = f"{date - timedelta(days=days)}T09:00"
    expected[moved.id, "reminder_1"] = "2026-10-29T09:00"  # had left before the event moved
    expected[events[6].id, "reminder_2"] = "2027-03-05T20:00"  # once the server was back
    for kind in ("reminder_1", "reminder_2"):
        del expected[cancelled.id, kind]
    assert told == expected
    with reading() as session:
        keys = session.exec(select(OutboxMail.key)).all()
        assert PlannedState.PLANNED not in session.exec(select(PlannedMailing.state)).all()
    assert len(keys) == len(set(keys)) == 11 * 2
