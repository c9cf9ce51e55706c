"""Each automatic mailing goes out once, at its hour on the club's clock, or is written down as missed (C2, C4)."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from sqlmodel import col, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.jobs import schedule
from clubapp.models import (
    EmailReminderSetting,
    Event,
    EventStatus,
    OutboxMail,
    PlannedMailing,
    PlannedState,
    ReminderType,
)
from clubapp.services import dispatch, planned
from tests.factories import add_event, add_member, add_reservation

FIRST, SECOND, INVITATION = ReminderType.FIRST, ReminderType.SECOND, ReminderType.INVITATION
_numbers = count()


def local(moment: str) -> datetime:
    """The instant of a time on the club's clock."""
    return clock.from_local(moment)


def make_event(date: str, **given: object) -> Event:
    """A confirmed event whose invitations are out, with someone who comes and someone who has not answered."""
    with transaction() as session:
        event = add_event(session, date=local(date), **{"status": "confirmed", "invitation_sent": True} | given)  # type: ignore[arg-type]
        for answer in (True, None):
            number = next(_numbers)
            member = add_member(session, name=f"Membre {number}", email=f"m{number}@invites.example")
            add_reservation(session, event, member, will_attend=answer)
        planned.follow(session, event)
    return event


def tick(at: Callable[[str], datetime], instant: datetime) -> None:
    """What the scheduler does at an instant."""
    at(instant.astimezone(UTC).replace(tzinfo=None).isoformat())
    schedule.plan_mailings()
    schedule.send_planned()


def change(event: Event, **columns: object) -> None:
    with transaction() as session:
        changed = session.get_one(Event, event.id)
        for name, value in columns.items():
            setattr(changed, name, value)
        changed.month = clock.month_of(changed.date)
        session.add(changed)
        session.flush()
        planned.follow(session, changed)


def setting(which: ReminderType, **columns: object) -> None:
    with transaction() as session:
        session.add(EmailReminderSetting(reminder_type=which, **columns))  # type: ignore[arg-type]
        session.flush()
        planned.follow_all(session)


def states(event: Event) -> dict[str, str]:
    with reading() as session:
        rows = session.exec(select(PlannedMailing).where(PlannedMailing.event_id == event.id))
        return {row.reminder_type.removeprefix("event_"): row.state for row in rows}


def reason(event: Event, which: ReminderType) -> str:
    with reading() as session:
        query = select(PlannedMailing.reason).where(
            PlannedMailing.event_id == event.id, PlannedMailing.reminder_type == which
        )
        return session.exec(query).one()


def queued(event: Event) -> list[tuple[str, bool]]:
    """The kind of each message of an event, and whether it asks for an answer."""
    with reading() as session:
        mails = session.exec(
            select(OutboxMail)
            .where(OutboxMail.event_id == event.id, OutboxMail.state != "excluded")
            .order_by(col(OutboxMail.created_at), col(OutboxMail.key))
        )
        return sorted((mail.kind, mail.context.get("unanswered", False)) for mail in mails)


def test_reminders_leave_at_nine_on_the_clubs_clock_two_weeks_and_one_week_before(
    club: str, at: Callable[[str], datetime]
) -> None:
    at("2026-10-01T10:00")
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


def test_who_declined_waits_or_cannot_be_reached_gets_none(club: str, at: Callable[[str], datetime]) -> None:
    start = at("2026-10-01T10:00")
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
    assert told == {"sans": "pas d'adresse e-mail", "parti": "désinscrit des envois"}


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
    assert [kind for kind, _ in queued(event)] == ["reminder_1", "reminder_1", "reminder_2"]


def test_a_cancelled_event_reminds_nobody_unless_it_is_on_again_in_time(
    club: str, at: Callable[[str], datetime]
) -> None:
    at("2026-10-01T10:00")
    event = make_event("2026-11-12T18:30")
    change(event, status=EventStatus.CANCELLED)
    assert states(event) == {"reminder_1": "dropped", "reminder_2": "dropped"}
    assert reason(event, FIRST) == planned.CANCELLED
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
    assert reason(event, FIRST) == planned.CREATED_AFTER
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
    assert len(queued(event)) == (2 if state == "done" else 0)
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
        planned.follow_all(session)
    tick(at, local("2026-10-23T09:00"))
    assert states(event)["reminder_1"] == "done"


def test_invitations_go_by_themselves_once_the_event_is_confirmed(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-10-01T10:00")
    setting(INVITATION, days_before=30, is_active=True)
    with transaction() as session:
        add_member(session)
        event = add_event(session, date=local("2026-11-12T18:30"))
        planned.follow(session, event)
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
        planned.follow(session, event)
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
        if not down and clock.to_local(hour).hour in (9, 20):
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
    assert len(keys) == len(set(keys)) == 11 * 3
