"""Events whose mailings are planned, the scheduler's ticks, and what became of each mailing."""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count

from sqlmodel import col, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.jobs import schedule
from clubapp.models import EmailReminderSetting, Event, OutboxMail, PlannedMailing, ReminderType
from clubapp.services.events import mailing_schedule
from tests.factories import add_event, add_member, add_reservation

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
        mailing_schedule.plan_mailings(session, event)
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
        mailing_schedule.plan_mailings(session, changed)


def setting(which: ReminderType, **columns: object) -> None:
    with transaction() as session:
        session.add(EmailReminderSetting(reminder_type=which, **columns))  # type: ignore[arg-type]
        session.flush()
        mailing_schedule.plan_all_mailings(session)


def switch(which: ReminderType, *, is_active: bool) -> None:
    """Turn a setting that was made on or off."""
    with transaction() as session:
        query = select(EmailReminderSetting).where(EmailReminderSetting.reminder_type == which)
        session.exec(query).one().is_active = is_active
        session.flush()
        mailing_schedule.plan_all_mailings(session)


def ask_the_silent() -> None:
    """The club's choice that the first reminder also goes to those who have not answered."""
    setting(ReminderType.FIRST, days_before=14, is_active=True, to_unanswered=True)


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
