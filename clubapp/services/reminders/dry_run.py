"""For the command line: what the scheduler would do at a given time, and doing it."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col

from clubapp import calendar_files, clock
from clubapp.models import Event, EventStatus, PlannedMailing, PlannedState, ReminderType
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events import mailing_schedule
from clubapp.services.reminders import dispatch
from clubapp.services.reminders.recipients import Recipients, find_recipients
from clubapp.services.reminders.upcoming_mailings import NAMES


@dataclass(frozen=True)
class Forecast:
    """A mailing that is due at that time. With a `reason` it would not be sent."""

    id: str
    name: str
    event: str
    due: str
    reason: str
    audience: Recipients


def plan_missing_mailings(session: Session, actor: Actor) -> None:
    """Plan the missing mailings of all future events."""
    require_admin(actor)
    mailing_schedule.plan_all_mailings(session, late=True)


def forecast_due(session: Session, actor: Actor, at: datetime) -> tuple[Forecast, ...]:
    """The open mailings that will be due at a time, the earliest first. Changes nothing."""
    require_admin(actor)
    return tuple(_forecast(session, mailing, at) for mailing in dispatch.list_due(session, at))


def describe_next(session: Session, actor: Actor, at: datetime) -> str:
    """A French line about the first mailing after a time; empty when there is none."""
    require_admin(actor)
    query = dispatch.select_open().where(col(PlannedMailing.due_at) > at).order_by(col(PlannedMailing.due_at)).limit(1)
    found = session.exec(query).first()
    if found is None:
        return ""
    event = session.get_one(Event, found.event_id)
    return f"{NAMES[ReminderType(found.reminder_type)]}, {event.title}, le {clock.long_date(found.due_at)}"


def dispatch_forecast(session: Session, actor: Actor, mailing_id: str, at: datetime) -> dispatch.Outcome | None:
    """Dispatch one mailing as the scheduler would at a time; None when it was already dispatched."""
    require_admin(actor)
    return dispatch.dispatch_mailing(session, mailing_id, at)


def _forecast(session: Session, mailing: PlannedMailing, at: datetime) -> Forecast:
    event, which = session.get_one(Event, mailing.event_id), ReminderType(mailing.reminder_type)
    chosen = mailing_schedule.read_timings(session)
    state, reason = dispatch.decide_outcome(mailing, event, which, chosen, at)
    goes = state == PlannedState.DONE
    slot = mailing_schedule.compute_slot(event, which, chosen)
    if state == PlannedState.MISSED and max(slot.ends_at, mailing.due_at) > clock.now():
        reason = _is_ahead(mailing, event, which, clock.long_date(slot.ends_at))
    return Forecast(
        id=mailing.id,
        name=NAMES[which],
        event=f"{event.title}, {calendar_files.when(event)}",
        due=clock.long_date(mailing.due_at),
        reason="" if goes else reason or _waits(mailing),
        audience=find_recipients(session, event, which, chosen[which], at=at) if goes else Recipients(),
    )


def _is_ahead(mailing: PlannedMailing, event: Event, which: ReminderType, until: str) -> str:
    """Of a mailing that will have left, or been missed, at the moment that is looked at; `until` ends its window."""
    if mailing.state == PlannedState.SUSPENDED:
        return f"Suspendu\u00a0; il ne partira que s’il est repris avant le {until}."
    if which == ReminderType.INVITATION and event.status != EventStatus.CONFIRMED:
        return f"Il ne partira que si l’événement est confirmé avant le {until}."
    if which != ReminderType.INVITATION and not event.invitation_sent:
        return f"Il ne partira que si les invitations sont parties avant le {clock.long_date(mailing.due_at)}."
    return f"À ce moment il sera déjà parti\u00a0: il part à sa date, et au plus tard le {until}."


def _waits(mailing: PlannedMailing) -> str:
    if mailing.state == PlannedState.SUSPENDED:
        return "Cet envoi est suspendu."
    return "L’événement n’est pas confirmé\u00a0: l’envoi attend qu’il le soit."
