"""The vital signs, as both databases count them."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.queue import outbox, pause
from clubapp.models import BroadcastEmail, MailState, OutboxMail
from clubapp.refusals import Forbidden
from clubapp.services.access import sessions
from clubapp.services.base.actors import SYSTEM, VISITOR
from clubapp.services.monitoring import metrics
from clubapp.services.monitoring.metrics import Metrics
from tests.factories import add_admin, add_event, add_member, add_reservation

At = Callable[[str], datetime]


def signs() -> Metrics:
    with reading() as session:
        return metrics.read_metrics(session, SYSTEM)


def queue(key: str, **given: object) -> None:
    with transaction() as session:
        outbox.queue_mail(session, kind="test", key=key, recipient=f"{key}@club.example", **given)  # pyright: ignore[reportArgumentType]


def change(key: str, **values: object) -> None:
    with transaction() as session:
        row = session.exec(select(OutboxMail).where(OutboxMail.key == key)).one()
        row.sqlmodel_update(values)
        session.add(row)


def test_a_visitor_learns_nothing(club: str) -> None:
    with reading() as session, pytest.raises(Forbidden):
        metrics.read_metrics(session, VISITOR)


def test_an_empty_club_has_quiet_signs(club: str) -> None:
    assert signs() == Metrics(
        answers={"coming": 0, "waiting": 0, "declined": 0, "silent": 0}, mails={state.value: 0 for state in MailState}
    )


def test_answers_and_living_sessions_are_counted(club: str, at: At) -> None:
    at("2026-11-20T10:00")
    with transaction() as session:
        event, admin = add_event(session), add_admin(session)
        for number, given in enumerate(
            (
                {"will_attend": True},
                {"will_attend": True, "waiting_since": clock.now()},
                {"will_attend": False},
                {"will_attend": None},
                {"will_attend": None},
            )
        ):
            member = add_member(session, name=f"Membre {number}", email=f"membre{number}@club.example")
            add_reservation(session, event, member, **given)
        for _ in range(2):
            sessions.open_session(session, admin.email)
        sessions.open_session(session, admin.email, lifetime=timedelta(minutes=1))
    at("2026-11-20T10:30")
    assert signs().answers == {"coming": 1, "waiting": 1, "declined": 1, "silent": 2}
    assert signs().sessions == 2


def test_the_longest_waiting_message_is_told_tried_or_not(club: str, at: At) -> None:
    first = at("2026-11-20T10:00")
    queue("one")
    queue("for-tomorrow", available_at=first + timedelta(days=1))
    tried = at("2026-11-20T10:05")
    queue("two")
    at("2026-11-20T10:30")
    assert (signs().waiting.untried, signs().waiting.tried) == (first, None)
    change("two", attempts=1, available_at=first + timedelta(hours=2))
    assert (signs().waiting.untried, signs().waiting.tried) == (first, tried)
    change("one", state=MailState.SENT)
    assert signs().waiting.oldest == tried
    resent = first + timedelta(minutes=20)
    change("two", context={"resent_at": resent.isoformat()})
    assert signs().waiting.oldest == resent
    assert signs().mails["pending"] == 2


def test_what_a_paused_broadcast_holds_back_does_not_count_as_waiting(club: str, at: At) -> None:
    at("2026-11-20T10:00")
    with transaction() as session:
        held = BroadcastEmail(subject="a", content="b", created_at=clock.now(), paused_at=clock.now())
        session.add(held)
        session.flush()
        broadcast_id = held.id
    queue("one", broadcast_id=broadcast_id)
    assert signs().waiting.oldest is None


def test_a_queue_moves_while_messages_leave_and_pauses_when_told(club: str, at: At) -> None:
    at("2026-11-20T10:00")
    queue("one")
    change("one", state=MailState.SENT, updated_at=clock.now())
    assert signs().is_moving
    at("2026-11-20T10:06")
    assert not signs().is_moving
    with transaction() as session:
        pause.begin_pause(session, "helene@beffroi.example", "")
    assert signs().is_paused


def test_what_ended_badly_is_counted_for_a_fortnight(club: str, at: At) -> None:
    at("2026-11-01T10:00")
    for key, state in (("one", MailState.FAILED), ("two", MailState.UNCERTAIN), ("three", MailState.UNCERTAIN)):
        queue(key)
        change(key, state=state)
    at("2026-11-14T10:00")
    assert (signs().failed_lately, signs().uncertain_lately) == (1, 2)
    at("2026-11-16T10:00")
    assert (signs().failed_lately, signs().uncertain_lately) == (0, 0)


def test_the_newest_fact_betrays_a_clock_that_was_set_back(club: str, at: At) -> None:
    ahead = at("2026-11-20T10:00")
    queue("one")
    at("2026-11-19T10:00")
    with reading() as session:
        assert metrics.find_newest_instant(session, SYSTEM) == ahead
        assert (metrics.read_database_clock(session, SYSTEM) is None) == (club == "sqlite")
