"""Two people act on the same thing at the same instant: what both wanted holds, and neither is asked to press again."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.database import commit_with_retry, reading, transaction
from clubapp.mail.queue import outbox
from clubapp.models import Event, EventReservation, Member, OutboxMail, PlannedMailing, ReminderType
from clubapp.refusals import NotFound
from clubapp.services.answers import by_link
from clubapp.services.answers.answer_form import parse_attendance
from clubapp.services.events import invitations, mailing_schedule
from clubapp.services.members import editing
from tests.conftest import on_postgres
from tests.factories import add_company, add_event, add_member
from tests.services.answers.invitees import ADMIN, NOW, Invitee, Move, invite
from tests.services.events.planned_mailings import make_event


def set_aside(session: Session, member_id: str) -> None:
    form = replace(editing.open_form(session, ADMIN, member_id), role="Gérante", description="Une filature.")
    editing.save(session, ADMIN, replace(form, company_id=add_company(session).id, is_active=False))


def announce_lunch(at: Move) -> tuple[str, list[str]]:
    """A confirmed event nobody is invited to yet, and two members who may be."""
    at(NOW)
    with transaction() as session:
        event = add_event(session, date=clock.from_local("2027-01-14T12:00"), status="confirmed")
        members = [add_member(session, name, f"{name.lower()}@club.example").id for name in ("Marie", "Paul")]
        return event.id, members


def list_invited(event_id: str) -> dict[str, bool]:
    """Who has an invitation to an event, and whether it stands."""
    with reading() as session:
        held = select(Member.name, EventReservation.withdrawn_at).join(EventReservation)
        rows = session.exec(held.where(EventReservation.event_id == event_id)).all()
        return {name: withdrawn_at is None for name, withdrawn_at in rows}


@contextmanager
def open_until_the_other_waits(other: Callable[[], object]) -> Iterator[Session]:
    """A transaction that is committed while `other` waits for what it holds."""
    thread = threading.Thread(target=other)
    with transaction() as session:
        yield session
        session.flush()
        thread.start()
        time.sleep(0.3)
    thread.join()


@pytest.mark.parametrize("limit", [1, None])
def test_who_is_set_aside_while_an_answer_is_on_its_way_keeps_no_place(club: str, at: Move, limit: int | None) -> None:
    at(NOW)
    (marie,) = invite("Marie", max_participants=limit)

    def aside() -> None:
        with transaction() as session:
            set_aside(session, marie.member_id)

    thread = threading.Thread(target=aside)
    with transaction() as session:
        by_link.record_answer(session, marie.event_id, marie.token, parse_attendance(True))
        session.flush()
        thread.start()
        time.sleep(0.3)
    thread.join()
    with reading() as session:
        assert not session.get_one(Member, marie.member_id).is_active
    assert not marie.row.will_attend


@pytest.mark.parametrize("limit", [1, None])
def test_who_answers_while_being_set_aside_finds_the_link_closed(club: str, at: Move, limit: int | None) -> None:
    at(NOW)
    (marie,) = invite("Marie", max_participants=limit)
    refused: list[str] = []

    def say_yes() -> None:
        try:
            marie.says(True)
        except NotFound as refusal:
            refused.append(refusal.text)

    with open_until_the_other_waits(say_yes) as session:
        set_aside(session, marie.member_id)
    assert refused == [by_link.INVALID_LINK]
    assert not marie.row.will_attend


def test_who_is_set_aside_while_invitations_are_sent_is_uninvited_again(club: str, at: Move) -> None:
    event_id, (_, paul) = announce_lunch(at)

    def aside() -> None:
        with transaction() as session:
            set_aside(session, paul)

    with open_until_the_other_waits(aside) as session:
        assert invitations.send_invitations(session, ADMIN, event_id).queued == 2
    assert list_invited(event_id) == {"Marie": True, "Paul": False}


def test_who_is_being_set_aside_when_invitations_are_sent_gets_none(club: str, at: Move) -> None:
    event_id, (_, paul) = announce_lunch(at)
    queued: list[int] = []

    def send() -> None:
        with transaction() as session:
            queued.append(invitations.send_invitations(session, ADMIN, event_id).queued)

    with open_until_the_other_waits(send) as session:
        set_aside(session, paul)
    assert (queued, list_invited(event_id)) == ([1], {"Marie": True})


@on_postgres
@pytest.mark.parametrize("limit", [2, None])
def test_answers_wait_for_each_other_only_where_places_are_counted(club: str, at: Move, limit: int | None) -> None:
    """Fails when everybody who answers holds the event to themselves."""
    at(NOW)
    marie, paul = invite("Marie", "Paul", max_participants=limit)
    thread = threading.Thread(target=marie.says, args=[True])
    with transaction() as session:
        by_link.record_answer(session, paul.event_id, paul.token, parse_attendance(True))
        session.flush()
        thread.start()
        thread.join(2 if limit is None else 0.3)
        assert thread.is_alive() == (limit is not None)
    thread.join()
    assert (marie.row.is_coming, paul.row.is_coming) == (True, True)


def test_who_answers_while_a_limit_is_set_is_counted_by_it(club: str, at: Move) -> None:
    """Fails when an answer goes by the limit there was when it was begun."""
    at(NOW)
    people = invite("Marie", "Paul")

    def say_yes(person: Invitee) -> None:
        commit_with_retry(
            lambda session: by_link.record_answer(session, person.event_id, person.token, parse_attendance(True))
        )

    both = [threading.Thread(target=say_yes, args=[person]) for person in people]
    with transaction() as session:
        session.get_one(Event, people[0].event_id, with_for_update=True).max_participants = 1
        session.flush()
        for thread in both:
            thread.start()
        time.sleep(0.3)
    for thread in both:
        thread.join()
    assert sorted(person.row.is_coming for person in people) == [False, True]


def test_an_event_that_moves_while_all_are_planned_anew_keeps_its_new_moments(
    club: str, at: Callable[[str], datetime]
) -> None:
    at("2026-08-20T10:00")
    event = make_event("2026-09-12T18:30")

    def plan_all() -> None:
        with transaction() as session:
            mailing_schedule.plan_all_mailings(session)

    with open_until_the_other_waits(plan_all) as session:
        moved = session.get_one(Event, event.id)
        moved.date += timedelta(days=14)
        mailing_schedule.plan_mailings(session, moved)
    with reading() as session:
        timings = mailing_schedule.read_timings(session)
        rows = session.exec(select(PlannedMailing).where(PlannedMailing.event_id == event.id)).all()
        for row in rows:
            assert row.due_at == mailing_schedule.compute_due_at(
                moved, timings[ReminderType(row.reminder_type)].days_before
            )
    assert rows


@on_postgres
def test_two_that_wait_for_each_other_are_both_done(club: str) -> None:
    """Fails when what PostgreSQL takes back is not done again."""
    with transaction() as session:
        first, second = (add_member(session, name, f"{name}@club.example").id for name in ("marie", "paul"))
    both_hold_one = threading.Barrier(2)

    def change(role: str, one: str, other: str) -> None:
        begun: list[bool] = []

        def act(session: Session) -> None:
            session.get_one(Member, one, with_for_update=True)
            if not begun:  # done again, it holds both
                begun.append(True)
                both_hold_one.wait(10)
            session.get_one(Member, other, with_for_update=True).role += role

        commit_with_retry(act)

    threads = [threading.Thread(target=change, args=given) for given in (("A", first, second), ("B", second, first))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with reading() as session:
        roles = session.exec(select(Member.role)).all()
    assert [role[-1] for role in roles] in (["A", "B"], ["B", "A"])


@on_postgres
def test_a_member_who_goes_while_a_mailing_is_queued_costs_nobody_theirs(club: str) -> None:
    with transaction() as session:
        gone, left = (add_member(session, name, f"{name}@club.example").id for name in ("marie", "paul"))
    tries = 0

    def queue(session: Session) -> None:
        nonlocal tries
        tries += 1
        people = session.exec(select(Member).order_by(col(Member.id))).all()
        if tries == 1:
            with transaction() as other:
                editing.delete(other, ADMIN, gone)
        for member in people:
            outbox.queue_mail(
                session, kind="broadcast", key=f"b:{member.id}", recipient=str(member.email), member_id=member.id
            )

    commit_with_retry(queue)
    with reading() as session:
        assert session.exec(select(OutboxMail.member_id)).all() == [left]
    assert tries == 2
