"""Each reminder goes out once, at its hour on the club's clock, or is written down as missed (C2, C4)."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.jobs import schedule
from clubapp.mail.messages import mail_kinds
from clubapp.mail.messages.built_in_event_texts import Timing
from clubapp.mail.messages.letter import Withdrawn
from clubapp.mail.messages.recipients_now import ANSWERS_CLOSED
from clubapp.models import EmailReminderSetting, Event, EventStatus, OutboxMail, PlannedMailing, ReminderType
from clubapp.services.base.actors import Actor
from clubapp.services.events import mailing_schedule
from clubapp.services.reminders import dispatch, recipients, upcoming_mailings
from clubapp.services.reminders.recipients import find_recipients
from clubapp.services.today.day import open_day
from tests.factories import add_member, add_reservation
from tests.services.events.planned_mailings import (
    ask_the_silent,
    change,
    local,
    make_event,
    queued,
    reason,
    setting,
    states,
    switch,
    tick,
)

ADMIN = Actor(email="helene@beffroi.example", is_admin=True)
FIRST, SECOND = ReminderType.FIRST, ReminderType.SECOND


def test_reminders_leave_at_nine_on_the_clubs_clock_two_weeks_and_one_week_before(
    club: str, at: Callable[[str], datetime]
) -> None:
    at("2026-10-01T10:00")
    ask_the_silent()
    event = make_event("2026-11-12T18:30")
    assert states(event) == {"reminder_1": "planned", "reminder_2": "planned"}
    tick(at, local("2026-10-29T08:59"))
    assert queued(event) == []
    tick(at, local("2026-10-29T09:00"))
    assert queued(event) == [("reminder_1", False), ("reminder_1", True)]
    for hour in (10, 12, 18):
        tick(at, local(f"2026-10-29T{hour}:00"))
    assert len(queued(event)) == 2
    tick(at, local("2026-11-05T09:00"))
    assert queued(event)[2:] == [("reminder_2", False)]
    assert states(event) == {"reminder_1": "done", "reminder_2": "done"}


def test_unless_the_club_asks_the_others_too_only_those_who_come_are_reminded(
    club: str, at: Callable[[str], datetime]
) -> None:
    at("2026-10-01T10:00")
    event = make_event("2026-11-12T18:30")
    tick(at, local("2026-10-29T09:00"))
    tick(at, local("2026-11-05T09:00"))
    assert queued(event) == [("reminder_1", False), ("reminder_2", False)]


def test_who_declined_waits_or_cannot_be_reached_gets_none(club: str, at: Callable[[str], datetime]) -> None:
    start = at("2026-10-01T10:00")
    ask_the_silent()
    event = make_event("2026-11-12T18:30")
    with transaction() as session:
        answers = {
            "non": {"will_attend": False},
            "attend": {"will_attend": True, "waiting_since": start, "waiting_rank": 1},
            "sans": {"will_attend": True},
            "parti": {"will_attend": None},
            "fidele": {"will_attend": True},
        }
        for name, answer in answers.items():
            email = None if name == "sans" else f"{name}@invites.example"
            member = add_member(session, name=name, email=email)
            member.opted_out_at = start if name in ("parti", "fidele") else None
            add_reservation(session, event, member, **answer)
    tick(at, local("2026-10-29T09:00"))
    with reading() as session:
        mails = session.exec(select(OutboxMail)).all()
        told = {mail.context["name"]: mail.reason for mail in mails if mail.state == "excluded"}
    recipients = {mail.recipient for mail in mails if mail.state == "pending"}
    assert "fidele@invites.example" in recipients  # left the mailings of the club, and comes all the same
    assert len(recipients) == 3
    assert told == {"sans": "pas d’adresse e-mail", "parti": "désinscrit des envois"}


def test_nobody_is_asked_once_answers_are_closed(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-01T10:00")
    ask_the_silent()
    closed = make_event("2026-11-12T18:30", answers_until=local("2026-10-28T12:00"))
    tick(at, local("2026-10-29T09:00"))
    assert queued(closed) == [("reminder_1", False)]
    closing = make_event("2026-12-10T18:30", answers_until=local("2026-11-26T09:30"))
    with reading() as session:
        later = find_recipients(session, closing, FIRST, Timing(14, True, True), at=local("2026-11-26T09:30"))
    assert [one.is_asked for one in later.recipients] == [False]
    assert [one.reason for one in later.left_out if "closes" in one.reason] == [recipients.CLOSED]
    tick(at, local("2026-11-26T09:00"))
    assert queued(closing) == [("reminder_1", False), ("reminder_1", True)]
    at("2026-11-26T09:00")  # an hour later on the club's clock
    with reading() as session:
        waiting = session.exec(select(OutboxMail).where(OutboxMail.event_id == closing.id)).all()
        for mail in waiting:
            if mail.context.get("unanswered"):
                with pytest.raises(Withdrawn, match=ANSWERS_CLOSED):
                    mail_kinds.compose(session, mail)
            else:
                assert mail_kinds.compose(session, mail)


@pytest.mark.parametrize(
    ("date", "due"),
    [
        ("2026-11-05T12:00", "2026-10-22T07:00"),  # summer time still, though the event is in winter
        ("2027-04-08T12:00", "2027-03-25T08:00"),  # winter time still, though the event is in summer
        ("2027-04-11T12:00", "2027-03-28T07:00"),  # on the very day the clock goes forward
        ("2026-11-08T12:00", "2026-10-25T08:00"),  # on the very day it goes back
    ],
)
def test_nine_is_nine_over_both_changes_of_hour(club: str, at: Callable[[str], datetime], date: str, due: str) -> None:
    at("2026-09-01T10:00")
    event = make_event(date)
    with reading() as session:
        row = session.exec(select(PlannedMailing).where(PlannedMailing.reminder_type == FIRST)).one()
    assert row.event_id == event.id
    assert row.due_at == datetime.fromisoformat(due).replace(tzinfo=UTC)


def test_a_postponed_event_moves_its_unsent_reminders(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-01T10:00")
    event = make_event("2026-11-12T18:30")
    tick(at, local("2026-10-29T09:00"))
    change(event, date=local("2026-12-03T18:30"))
    tick(at, local("2026-11-05T09:00"))
    assert states(event) == {"reminder_1": "done", "reminder_2": "planned"}
    tick(at, local("2026-11-26T09:00"))
    assert [kind for kind, _ in queued(event)] == ["reminder_1", "reminder_2"]


def test_a_cancelled_event_reminds_nobody_unless_it_is_on_again_in_time(
    club: str, at: Callable[[str], datetime]
) -> None:
    at("2026-10-01T10:00")
    event = make_event("2026-11-12T18:30")
    change(event, status=EventStatus.CANCELLED)
    assert states(event) == {"reminder_1": "dropped", "reminder_2": "dropped"}
    assert reason(event, FIRST) == mailing_schedule.CANCELLED
    tick(at, local("2026-10-29T09:00"))
    change(event, status=EventStatus.CONFIRMED)
    assert states(event) == {"reminder_1": "missed", "reminder_2": "planned"}
    tick(at, local("2026-11-05T09:00"))
    assert queued(event) == [("reminder_2", False)]


def test_cancelled_in_the_database_alone_it_is_dropped_at_its_moment(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-01T10:00")
    event = make_event("2026-11-12T18:30")
    with transaction() as session:
        session.get_one(Event, event.id).status = EventStatus.CANCELLED
    at("2026-10-29T09:00")
    schedule.send_planned()
    assert states(event)["reminder_1"] == "dropped"
    assert queued(event) == []


def test_an_event_created_ten_days_before_does_not_send_the_first_reminder_late(
    club: str, at: Callable[[str], datetime]
) -> None:
    at("2026-11-02T10:00")
    event = make_event("2026-11-12T18:30")
    assert states(event) == {"reminder_1": "missed", "reminder_2": "planned"}
    assert reason(event, FIRST) == mailing_schedule.CREATED_AFTER
    for day in range(2, 13):
        tick(at, local(f"2026-11-{day:02}T09:30"))
    assert queued(event) == [("reminder_2", False)]


@pytest.mark.parametrize(
    ("back", "state"),
    [
        ("2026-10-29T17:00", "done"),
        ("2026-10-31T08:59", "done"),
        ("2026-10-31T09:00", "missed"),  # two days are over
    ],
)
def test_after_an_outage_a_reminder_goes_out_once_within_its_window_or_is_missed(
    club: str, at: Callable[[str], datetime], back: str, state: str
) -> None:
    at("2026-10-01T10:00")
    event = make_event("2026-11-12T18:30")
    tick(at, local("2026-10-29T08:30"))
    for later in (0, 1, 2):
        tick(at, local(back) + timedelta(minutes=later))
    assert states(event)["reminder_1"] == state
    assert len(queued(event)) == (1 if state == "done" else 0)
    if state == "missed":
        assert reason(event, FIRST) == dispatch.OUTAGE


def test_a_late_reminder_gives_way_to_the_next_one_and_to_the_event(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-01T10:00")
    setting(FIRST, days_before=1, is_active=True)
    setting(SECOND, days_before=0, is_active=True)
    event = make_event("2026-11-12T18:30")
    tick(at, local("2026-11-12T09:00"))
    assert states(event) == {"reminder_1": "missed", "reminder_2": "done"}
    other = make_event("2026-12-10T18:30")
    tick(at, local("2026-12-10T18:30"))
    assert states(other)["reminder_2"] == "missed"


def test_a_reminder_whose_hour_comes_after_the_event_begins_is_not_planned(
    club: str, at: Callable[[str], datetime]
) -> None:
    at("2026-10-01T10:00")
    setting(SECOND, days_before=0, is_active=True)
    assert states(make_event("2026-11-12T08:30")) == {"reminder_1": "planned"}


def test_an_event_that_came_in_by_another_way_is_planned_and_reminded(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-01T10:00")
    event = make_event("2026-11-12T18:30")
    with transaction() as session:
        for row in session.exec(select(PlannedMailing)):
            session.delete(row)
    tick(at, local("2026-10-29T11:00"))
    assert states(event)["reminder_1"] == "done"


def test_without_invitations_there_is_nobody_to_remind(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-01T10:00")
    event = make_event("2026-11-12T18:30", invitation_sent=False)
    tick(at, local("2026-10-29T09:00"))
    assert queued(event) == []
    assert reason(event, FIRST) == dispatch.NOT_INVITED


def test_a_setting_that_is_turned_off_drops_what_it_planned_and_turned_on_plans_what_is_to_come(
    club: str, at: Callable[[str], datetime]
) -> None:
    at("2026-10-01T10:00")
    event = make_event("2026-11-12T18:30")
    setting(FIRST, days_before=14, is_active=False)
    assert states(event) == {"reminder_1": "dropped", "reminder_2": "planned"}
    with transaction() as session:
        row = session.exec(select(EmailReminderSetting)).one()
        row.is_active, row.days_before = True, 20
        session.flush()
        mailing_schedule.plan_all_mailings(session)
    tick(at, local("2026-10-23T09:00"))
    assert states(event)["reminder_1"] == "done"


def told_of(event: Event, which: ReminderType) -> tuple[str, str]:
    """The word for a missed mailing and why, and that a task stands on 'Aujourd’hui' if and only if it is a fault."""
    with transaction() as session:
        found = upcoming_mailings.list_upcoming_mailings(session, ADMIN).missed
        (row,) = (each for each in found if each.event == event.title and each.name == upcoming_mailings.NAMES[which])
        is_task = "missed" in [task.kind for task in open_day(session, ADMIN).tasks]
    assert is_task == (row.tone == "red")
    return row.state_label, row.note


@pytest.mark.parametrize("was_on", [True, False], ids=["off and on again", "on for the first time"])
def test_a_setting_that_is_turned_on_after_its_date_is_no_fault_and_the_event_was_there(
    club: str, at: Callable[[str], datetime], *, was_on: bool
) -> None:
    at("2026-10-01T10:00")
    setting(FIRST, days_before=14, is_active=was_on)
    event = make_event("2026-11-12T18:30")
    switch(FIRST, is_active=False)
    tick(at, local("2026-11-01T10:00"))
    switch(FIRST, is_active=True)
    for hour in (11, 12):
        tick(at, local(f"2026-11-01T{hour}:00"))
    assert (states(event)["reminder_1"], queued(event)) == ("missed", [])
    assert told_of(event, FIRST) == ("Date déjà passée", mailing_schedule.MOVED_PAST)


def test_a_planned_mailing_that_an_event_moved_earlier_leaves_out_is_still_a_task(
    club: str, at: Callable[[str], datetime]
) -> None:
    at("2026-10-01T10:00")
    event = make_event("2026-11-12T18:30")
    tick(at, local("2026-10-28T10:00"))
    change(event, date=local("2026-11-10T18:30"))
    assert told_of(event, FIRST) == ("Manqué", mailing_schedule.MOVED_PAST)


def test_what_an_outage_kept_back_is_a_task(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-01T10:00")
    event = make_event("2026-11-12T18:30")
    tick(at, local("2026-10-31T09:00"))
    assert told_of(event, FIRST) == ("Manqué", dispatch.OUTAGE)
