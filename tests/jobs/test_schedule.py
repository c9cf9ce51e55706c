"""The jobs run by themselves, stop cleanly, and several schedulers have one effect (R4)."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo

import pytest
from sqlmodel import SQLModel, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.jobs import schedule
from clubapp.mail.queue import pause
from clubapp.mail.transport import file_mailbox
from clubapp.mail.transport.delivery import deliver
from clubapp.models import EventGuest, EventReservation, MailPause, OutboxMail, SignInLink, UserSession, event_stats
from tests.conftest import on_sqlite
from tests.factories import add_event, add_guest, add_member, add_reservation
from tests.mail.mailings import ask_for_link, fates, invite, mails
from tests.smtp_server import Relay, always


@pytest.fixture
def running(relay: Relay) -> Iterator[Relay]:
    """A relay, and this process's jobs."""
    schedule.start()
    yield relay
    schedule.stop()


def wait_for(true: Callable[[], bool], seconds: float = 15.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def test_what_is_queued_leaves_by_itself(running: Relay) -> None:
    invite("Marie Durand", "Paul Vasseur")
    wait_for(lambda: set(fates().values()) == {"sent"})
    assert set(running.recipients.values()) == {1}


def test_starting_twice_is_starting_once_and_stopping_twice_is_stopping_once(running: Relay) -> None:
    schedule.start()
    schedule.stop()
    schedule.stop()
    schedule.start()


@on_sqlite
@pytest.mark.parametrize("jump", [timedelta(hours=-3), timedelta(hours=3)], ids=["back", "ahead"])
def test_a_clock_that_jumps_stops_no_job_and_doubles_no_mail(
    running: Relay, monkeypatch: pytest.MonkeyPatch, jump: timedelta
) -> None:
    """Set back, each job would wait three hours for the moment it had been given before."""
    invite("Marie Durand", "Paul Vasseur")
    wait_for(lambda: set(fates().values()) == {"sent"})

    class Jumped(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:
            return datetime.now(tz) + jump

    monkeypatch.setattr("apscheduler.schedulers.base.datetime", Jumped)
    monkeypatch.setattr(clock, "_read", lambda: datetime.now(UTC) + jump)
    time.sleep(1.5)  # a run of each job that is due each second, at the time before or the one after
    ask_for_link()
    wait_for(lambda: set(fates().values()) == {"sent"}, seconds=6)
    assert set(running.recipients.values()) == {1}
    assert len(running.recipients) == 3


@pytest.fixture
def watched(at: Callable[[str], datetime], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A clock that is watched from ten in the morning (UTC) of 20 November 2026 on; no time elapses."""
    monkeypatch.setattr(clock, "_elapsed", lambda: 0.0)
    monkeypatch.setattr(schedule, "_stopping", threading.Event())
    at("2026-11-20T10:00")
    clock.watch()
    yield
    clock.watch(on=False)


@on_sqlite
def test_nothing_is_erased_or_withdrawn_by_a_wrong_date_and_sign_in_mail_leaves(
    club: str, watched: None, at: Callable[[str], datetime]
) -> None:
    """Fails when a clock that is wrong by years makes the club forget its members' answers and mails."""
    invite("Marie Durand")
    deliver()
    ask_for_link("early@durand.example")
    invite("Zoé Lefèbvre", date=clock.from_local("2027-03-20T12:00"))
    forget, send = (next(job for job in schedule.JOBS if job.name == name) for name in ("forget", "send-mail"))

    def links() -> int:
        with reading() as session:
            return len(session.exec(select(SignInLink)).all())

    at("2028-11-20T10:00")
    schedule._run(forget)
    assert links() == 1
    assert mails()[0].recipient
    ask_for_link()
    schedule._run(send)
    assert fates()["marie@durand.example"] == "sent", "what does not go by the date goes on"
    assert fates()["zoe.lefebvre@invites.example"] == "pending", "an event to come is not past"
    at("2026-11-20T10:01")
    schedule._run(send)
    assert fates()["zoe.lefebvre@invites.example"] == "sent", "set back, the clock is believed again"
    schedule._run(forget)
    assert links() == 2
    at("2026-11-21T10:01")
    schedule._run(forget)
    assert links() == 1


def test_what_plans_offers_and_backs_up_needs_the_date(club: str, watched: None, at: Callable[[str], datetime]) -> None:
    runs: list[str] = []
    jobs = [replace(job, run=lambda name=job.name: runs.append(name)) for job in schedule.JOBS]
    at("2028-11-20T10:00")
    for job in jobs:
        schedule._run(job)
    assert runs == ["send-mail", "recover-mail", "settle-directory", "adopt-acts", "hold-lock", "record-refusals"]
    runs.clear()
    at("2026-11-20T10:01")
    for job in jobs:
        schedule._run(job)
    assert runs == [job.name for job in schedule.JOBS]


def test_a_leap_in_the_middle_of_a_mailing_leaves_the_rest_for_later(
    relay: Relay, watched: None, at: Callable[[str], datetime]
) -> None:
    """Fails when a mailing that is under way goes on by a wrong date: its mails would be withdrawn as too late."""
    invite(*(f"Membre {number}" for number in range(60)), date=clock.now() + timedelta(days=20))
    reached: list[str] = []

    def leap(address: str) -> None:
        reached.append(address)
        if len(reached) == 10:
            at("2028-11-20T10:00")

    relay.at_rcpt = leap
    schedule.send_mail()
    assert set(fates().values()) == {"sent", "pending"}
    at("2026-11-20T10:01")
    schedule.send_mail()
    assert set(fates().values()) == {"sent"}
    assert set(relay.recipients.values()) == {1}


def test_a_rest_that_a_wrong_date_began_ends_with_it(club: str, at: Callable[[str], datetime]) -> None:
    at("2028-11-20T10:00")
    with transaction() as session:
        pause.rest_after_errors(session)
        assert pause.is_resting(session)
    at("2026-11-20T10:00")
    with reading() as session:
        assert not pause.is_resting(session)


def test_the_clock_is_believed_again_once_it_is_right_or_stayed_ahead_for_a_day(
    watched: None, at: Callable[[str], datetime], monkeypatch: pytest.MonkeyPatch
) -> None:
    at("2026-11-21T09:00")
    assert clock.is_plausible(), "less than a day is no leap"
    at("2026-11-25T09:00")
    assert not clock.is_plausible()
    at("2026-11-23T09:00")
    assert not clock.is_plausible(), "set back, and not far enough"
    at("2026-11-20T11:00")
    assert clock.is_plausible()
    at("2020-01-01T00:00")
    assert clock.is_plausible(), "nothing is too late by a date of the past"
    at("2026-11-20T11:00")
    assert clock.is_plausible(), "set right after a date of the past"
    at("2026-11-25T09:00")
    assert not clock.is_plausible()
    monkeypatch.setattr(clock, "_elapsed", lambda: 24 * 3600.0)
    at("2026-11-26T09:00")
    assert clock.is_plausible(), "it stayed for a day"
    at("2026-11-29T09:00")
    assert not clock.is_plausible(), "and is watched from there"


def test_stopping_in_the_middle_of_a_mailing_leaves_nothing_in_hand(running: Relay) -> None:
    running.seconds = 0.2
    invite(*(f"Membre {number}" for number in range(30)))
    wait_for(lambda: "sent" in fates().values())
    schedule.stop()
    assert set(fates().values()) == {"sent", "pending"}
    assert len(running.accepted) == list(fates().values()).count("sent")


def test_errors_in_a_row_rest_the_queue_longer_each_time(
    relay: Relay, at: Callable[[str], datetime], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, "_stopping", threading.Event())
    at("2026-11-20T10:00:00")
    relay.at_rcpt = always("450 4.7.0 not now")
    invite(*(f"Membre {number}" for number in range(30)))
    rests = []
    for _ in range(3):
        schedule.send_mail()
        tried = sum(mail.attempts for mail in mails())
        schedule.send_mail()
        assert sum(mail.attempts for mail in mails()) == tried
        with reading() as session:
            rests.append(pause.seconds_left(session))
            held = pause.current_pause(session)
        assert held is not None
        assert held.reason == "Plusieurs envois de suite ont échoué."
        at((clock.now() + timedelta(seconds=rests[-1])).replace(tzinfo=None).isoformat())
    assert rests == [5, 10, 20]
    relay.at_rcpt = lambda _: None
    at((clock.now() + timedelta(minutes=10)).replace(tzinfo=None).isoformat())
    schedule.send_mail()
    assert set(fates().values()) == {"sent"}
    with reading() as session:
        assert session.exec(select(MailPause)).first() is None


def test_links_and_sessions_are_forgotten_in_time(club: str, at: Callable[[str], datetime]) -> None:
    start = at("2026-01-01T10:00")
    ask_for_link()
    with transaction() as session:
        session.add(UserSession(email="a@b.example", secret_hash="x", created_at=start, expires_at=start))

    def left(table: type[SQLModel]) -> int:
        schedule.erase_expired()
        with reading() as session:
            return len(session.exec(select(table)).all())

    at("2026-01-02T09:59")
    assert left(SignInLink) == 1
    at("2026-01-02T10:01")
    assert left(SignInLink) == 0
    at("2026-01-31T09:59")
    assert left(UserSession) == 1
    at("2026-01-31T10:01")
    assert left(UserSession) == 0


def test_captured_files_are_removed_after_a_year(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-01-01T10:00")
    ask_for_link()
    deliver()
    at("2027-01-01T09:59")
    schedule.erase_expired()
    assert len(file_mailbox.list_newest()) == 1
    at("2027-01-01T10:01")
    schedule.erase_expired()
    assert file_mailbox.list_newest() == ()


def test_mail_and_reservations_lose_their_people_and_keep_their_figures(
    club: str, at: Callable[[str], datetime]
) -> None:
    at("2026-01-01T10:00")
    with transaction() as session:
        event, member = add_event(session, date=clock.now() + timedelta(days=1)), add_member(session)
        add_reservation(session, event, member, will_attend=True, guest_count=2)
    invite("Paul Vasseur", date=clock.now() + timedelta(days=40))
    at("2027-01-01T09:59")
    schedule.erase_expired()
    assert mails()[0].recipient
    at("2027-01-01T10:01")
    schedule.erase_expired()
    (mail,) = mails()
    assert (mail.recipient, mail.member_id, mail.context) == ("", None, {})
    at("2028-01-02T10:01")
    schedule.erase_expired()
    with reading() as session:
        people = session.exec(select(EventReservation.member_id).where(EventReservation.event_id == event.id)).all()
        figures = session.execute(event_stats.select().where(event_stats.c.event_id == event.id)).one()
        assert session.exec(select(OutboxMail)).one().event_id
    assert people == [None]
    assert (figures.total_attending, figures.total_guests) == (1, 2)


@on_sqlite
def test_wishes_for_a_meal_go_after_thirty_days_and_the_names_of_guests_with_those_of_members(
    club: str, at: Callable[[str], datetime]
) -> None:
    at("2026-01-01T10:00")
    with transaction() as session:
        event = add_event(session, date=clock.now() + timedelta(days=1))
        row, _ = add_reservation(session, event, add_member(session), will_attend=True, guest_count=1, meal_wish="sel")
        add_guest(session, event, row.id, 1, name="Zoé Lys", meal_wish="végétarien")

    def left() -> list[str]:
        schedule.erase_expired()
        with reading() as session:
            own = session.exec(select(EventReservation.meal_wish)).all()
            return [
                *own,
                *(text for guest in session.exec(select(EventGuest)) for text in (guest.name, guest.meal_wish)),
            ]

    at("2026-02-01T09:59")
    assert left() == ["sel", "Zoé Lys", "végétarien"]
    at("2026-02-01T10:01")
    assert left() == ["", "Zoé Lys", ""]
    at("2028-01-02T09:59")
    assert left() == ["", "Zoé Lys", ""]
    at("2028-01-02T10:01")
    assert left() == [""]
