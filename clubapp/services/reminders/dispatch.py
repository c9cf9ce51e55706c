"""Dispatch of planned mailings when they are due: each is sent once, or recorded as missed (C4, R4)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages.built_in_event_texts import Timing
from clubapp.mail.messages.invitation_and_reminders import KINDS
from clubapp.mail.queue import outbox
from clubapp.models import Event, EventStatus, PlannedMailing, PlannedState, ReminderType
from clubapp.refusals import Refusal
from clubapp.services.base import audit
from clubapp.services.base.actors import SYSTEM, Actor
from clubapp.services.events import invitations, mailing_schedule
from clubapp.services.reminders.recipients import find_recipients
from clubapp.services.seating.never_met import suggest_meetings
from clubapp.settings import settings

OUTAGE = "Le site ne fonctionnait pas à la date prévue, et il était trop tard ensuite."
SUSPENDED = "Cet envoi était suspendu à la date prévue."
NOT_CONFIRMED = "L’événement n’était pas confirmé à la date prévue."
NOT_INVITED = "Les invitations n’étaient pas parties\u00a0: il n’y avait personne à relancer."

_OPEN = (PlannedState.PLANNED, PlannedState.SUSPENDED)


@dataclass(frozen=True)
class Outcome:
    """The new state of a mailing, and how many messages were queued."""

    state: str
    queued: int = 0
    reason: str = ""


def list_due(session: Session, at: datetime) -> list[PlannedMailing]:
    """The open mailings that are due, the oldest first."""
    query = select_open().where(col(PlannedMailing.due_at) <= at)
    return list(session.exec(query.order_by(col(PlannedMailing.due_at), col(PlannedMailing.id))))


def select_open() -> Any:
    """A query of the mailings without a final state."""
    return select(PlannedMailing).where(col(PlannedMailing.state).in_(_OPEN))


def dispatch_mailing(session: Session, mailing_id: str, at: datetime | None = None) -> Outcome | None:
    """Send a mailing, or record why it is not sent; do nothing while it may still be sent later.

    Its state and its messages change in one transaction, so that of several workers only one sends it (R4).

    Returns:
        None when nothing was done: it is not yet due, or another worker dispatched it.
    """
    at = at or clock.now()
    found = _locked(session, mailing_id)
    if found is None:
        return None
    mailing, event = found
    which, chosen = ReminderType(mailing.reminder_type), mailing_schedule.read_timings(session)
    state, reason = decide_outcome(mailing, event, which, chosen, at)
    if not state or not _claim(session, mailing):
        return None
    outcome = (
        _send(session, SYSTEM, event, which, chosen[which]) if state == PlannedState.DONE else Outcome(state, 0, reason)
    )
    mailing.queued_count = outcome.queued
    mailing_schedule.close_mailing(mailing, PlannedState(outcome.state), outcome.reason)
    if which != ReminderType.INVITATION or outcome.state != PlannedState.DONE:  # invitations are an act of their own
        audit.record(session, SYSTEM, f"planned.{outcome.state}", event.id, mail=which.value, queued=outcome.queued)
    return outcome


def dispatch_now(session: Session, actor: Actor, mailing: PlannedMailing, event: Event) -> Outcome:
    """Send a mailing now, whenever it is due. The caller has locked both rows."""
    which = ReminderType(mailing.reminder_type)
    outcome = _send(session, actor, event, which, mailing_schedule.read_timings(session)[which])
    mailing.queued_count = outcome.queued
    mailing_schedule.close_mailing(mailing, PlannedState(outcome.state), outcome.reason)
    return outcome


def _locked(session: Session, mailing_id: str) -> tuple[PlannedMailing, Event] | None:
    """The mailing and its event, locked in the order that saving an event uses."""
    mailing = session.get(PlannedMailing, mailing_id)
    event = session.get(Event, mailing.event_id, with_for_update=True) if mailing else None
    if mailing is None or event is None:
        return None
    session.refresh(mailing, with_for_update=True)
    return (mailing, event) if mailing.state in _OPEN else None


def decide_outcome(
    mailing: PlannedMailing, event: Event, which: ReminderType, chosen: dict[ReminderType, Timing], at: datetime
) -> tuple[str, str]:
    """The final state of a due mailing and its reason; ('', '') while it may still be sent later."""
    is_suspended = mailing.state == PlannedState.SUSPENDED
    if reason := mailing_schedule.why_unwanted(event, which, chosen):
        stays = is_suspended and mailing_schedule.may_stay_suspended(event, which, at)
        return ("", "") if stays else (PlannedState.DROPPED, reason)
    is_draft = which == ReminderType.INVITATION and event.status != EventStatus.CONFIRMED
    if at >= mailing_schedule.compute_slot(event, which, chosen).ends_at:
        return PlannedState.MISSED, SUSPENDED if is_suspended else NOT_CONFIRMED if is_draft else OUTAGE
    if is_suspended or is_draft or at < mailing.due_at:
        return "", ""
    if which != ReminderType.INVITATION and not event.invitation_sent:
        return PlannedState.MISSED, NOT_INVITED
    return PlannedState.DONE, ""


def _claim(session: Session, mailing: PlannedMailing) -> bool:
    """Set the state to sent in one statement, which only one transaction can do."""
    turned = session.execute(
        update(PlannedMailing)
        .where(col(PlannedMailing.id) == mailing.id, col(PlannedMailing.state).in_(_OPEN))
        .values(state=PlannedState.DONE)
        .returning(col(PlannedMailing.id))
    )
    return turned.first() is not None


def _send(session: Session, actor: Actor, event: Event, which: ReminderType, timing: Timing) -> Outcome:
    if which != ReminderType.INVITATION:
        return Outcome(PlannedState.DONE, _remind(session, event, which, timing))
    try:
        with session.begin_nested():
            return Outcome(PlannedState.DONE, invitations.send_invitations(session, actor, event.id).queued)
    except Refusal as refusal:
        return Outcome(PlannedState.MISSED, 0, refusal.text)


def _suggest_meetings(session: Session, event: Event, which: ReminderType) -> dict[str, list[str]]:
    return suggest_meetings(session, event.id) if settings().to_meet and which == ReminderType.SECOND else {}


def _remind(session: Session, event: Event, which: ReminderType, timing: Timing) -> int:
    """Queue a reminder to its recipients, and record those who cannot be reached (M12)."""
    found, kind = find_recipients(session, event, which, timing), KINDS[which]
    queued, to_meet = 0, _suggest_meetings(session, event, which)
    for one in found.recipients:
        queued += outbox.queue_mail(
            session,
            kind=kind,
            key=f"{kind}:{event.id}:{one.member_id}:1",
            recipient=one.email,
            member_id=one.member_id,
            event_id=event.id,
            reservation_id=one.reservation_id,
            context={"unanswered": True} if one.is_asked else {"to_meet": to_meet.get(one.member_id, [])},
        )
    for one in found.left_out:
        if one.is_listed:
            key = f"{kind}:{event.id}:{one.member_id}:1"
            outbox.record_excluded(
                session, kind=kind, key=key, reason=one.reason, member_id=one.member_id, event_id=event.id
            )
    return queued
