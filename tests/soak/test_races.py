"""Several processes at once have one effect (R4). CLUB_TEST_ROUNDS above 2 races the full numbers."""

import os
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import col, func, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import OutboxMail, PlannedMailing
from clubapp.services.events import mailing_schedule
from tests.conftest import on_postgres
from tests.factories import add_event, add_member, add_reservation
from tests.mail.mailings import fates, invite
from tests.smtp_server import Relay
from tests.soak import racer
from tests.soak.processes import copies

IS_FULL = int(os.environ.get("CLUB_TEST_ROUNDS", "1")) > 2
MESSAGES = 1000 if IS_FULL else 100
PROCESSES = (2, 4, 8) if IS_FULL else (3,)
START = 2.5 if IS_FULL else 1.0  # seconds for the processes to be ready


def race(what: str, processes: int, *clock_at: str) -> None:
    start = str(time.time() + START)
    running = [copies.start(racer.main, what, start, *clock_at) for _ in range(processes)]
    assert [copies.ended(process, 240) for process in running] == [0] * processes


@pytest.mark.slow
@on_postgres
@pytest.mark.parametrize("processes", PROCESSES)
def test_processes_that_deliver_side_by_side_send_each_message_once(relay: Relay, processes: int) -> None:
    """Fails when a claim is not committed before the message is handed over: two processes then send the same one."""
    invite(*(f"Membre {number}" for number in range(MESSAGES)))
    race("deliver", processes)
    assert Counter(fates().values()) == {"sent": MESSAGES}
    assert len(relay.recipients) == MESSAGES
    assert set(relay.recipients.values()) == {1}


@pytest.mark.slow
@on_postgres
@pytest.mark.parametrize("processes", PROCESSES)
def test_processes_that_queue_the_same_mailing_make_it_once(club: str, processes: int) -> None:
    """Fails without the unique key of the outbox: everybody would be in the queue as often as there are processes."""
    with transaction() as session:
        add_event(session)
        for number in range(50):
            add_member(session, name=f"Membre {number}", email=f"m{number}@invites.example")
    race("queue", processes)
    with reading() as session:
        assert session.exec(select(func.count()).select_from(OutboxMail)).one() == 50


@pytest.mark.slow
@on_postgres
def test_two_schedulers_that_race_for_ten_reminders_queue_each_once(club: str, at: Callable[[str], datetime]) -> None:
    """Fails when the change of a mailing's state and its messages are not one transaction."""
    at("2026-01-02T10:00")
    members, events = MESSAGES // 10, []
    with transaction() as session:
        people = [add_member(session, name=f"M {n}", email=f"m{n}@invites.example") for n in range(members)]
        for number in range(10):
            date = datetime(2026, 3 + number % 9, 15, 12, tzinfo=UTC) + timedelta(days=366 * (number == 9))
            event = add_event(session, date=date, status="confirmed", invitation_sent=True)
            for person in people:
                add_reservation(session, event, person, will_attend=True)
            mailing_schedule.plan_mailings(session, event)
            events.append(event.id)
        due = clock.now() + timedelta(days=1)
        for row in session.exec(select(PlannedMailing).where(PlannedMailing.reminder_type == "event_reminder_1")):
            row.due_at = due
    race("remind", 2, (due + timedelta(minutes=1)).isoformat())
    with reading() as session:
        keys = session.exec(select(OutboxMail.key).where(col(OutboxMail.kind) == "reminder_1")).all()
        done = session.exec(
            select(PlannedMailing.queued_count).where(PlannedMailing.reminder_type == "event_reminder_1")
        ).all()
    assert len(keys) == len(set(keys)) == 10 * members
    assert list(done) == [members] * 10
