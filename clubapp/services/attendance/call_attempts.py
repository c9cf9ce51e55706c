"""Calls before an event that reached nobody: noted, taken back, counted."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import CallAttempt, EventReservation, Member
from clubapp.refusals import Conflict, NotFound
from clubapp.services.answers.capacity import why_corrections_closed
from clubapp.services.attendance.attendee_detail import NOBODY
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events.editing import find_event

# A second press within it is the same call.
SAME_CALL = timedelta(minutes=1)
UNDOABLE = timedelta(hours=12)
ANSWERED = "Cette personne a répondu entre-temps."
TAKEN_BACK = "Cet appel n’est plus noté, ou trop ancien pour être annulé."


@dataclass(frozen=True)
class Attempts:
    """How often somebody was called about an event without being reached, and the last time."""

    count: int
    last: datetime

    @property
    def sentence(self) -> str:
        """'appelé 2 fois, dernière fois mardi à 10:12'."""
        when = clock.call_moment(self.last)
        return f"appelé {self.count} fois, dernière fois {when}" if self.count > 1 else f"appelé 1 fois, {when}"

    @property
    def can_undo(self) -> bool:
        """Whether the last one can be taken back."""
        return self.last > clock.now() - UNDOABLE


def read_attempts(session: Session, event_id: str) -> dict[str, Attempts]:
    """The unanswered calls about an event, by member."""
    columns = select(CallAttempt.member_id, func.count(), func.max(CallAttempt.at))
    rows = session.exec(columns.where(CallAttempt.event_id == event_id).group_by(col(CallAttempt.member_id)))
    return {member_id: Attempts(count, last) for member_id, count, last in rows}


def record_attempt(session: Session, actor: Actor, event_id: str, member_id: str) -> None:
    """Note a call that reached nobody.

    Raises:
        NotFound: when the event or the person is gone.
        Conflict: when the person has answered, or no answer is taken any more.
    """
    require_admin(actor)
    event = find_event(session, event_id, lock=True)
    if reason := why_corrections_closed(event):
        raise Conflict(reason)
    member = session.get(Member, member_id)
    if member is None or not member.is_active:
        raise NotFound(NOBODY)
    held = EventReservation.event_id == event_id, EventReservation.member_id == member_id
    answered = select(EventReservation.id).where(*held, col(EventReservation.will_attend).is_not(None))
    if session.exec(answered).first():
        raise Conflict(ANSWERED)
    latest = _latest(session, event_id, member_id)
    if latest and latest.at > clock.now() - SAME_CALL:
        return
    session.add(CallAttempt(event_id=event_id, member_id=member_id, at=clock.now(), recorded_by=actor.email))
    audit.record(session, actor, "call.unanswered", member_id, event=event_id)


def take_back_attempt(session: Session, actor: Actor, event_id: str, member_id: str) -> None:
    """Forget the last call to somebody, whoever noted it.

    Raises:
        NotFound: when the event is gone.
        Conflict: when there is none of these hours.
    """
    require_admin(actor)
    find_event(session, event_id, lock=True)
    latest = _latest(session, event_id, member_id)
    if latest is None or latest.at <= clock.now() - UNDOABLE:
        raise Conflict(TAKEN_BACK)
    session.delete(latest)
    audit.record(session, actor, "call.taken_back", member_id, event=event_id)


def _latest(session: Session, event_id: str, member_id: str) -> CallAttempt | None:
    of_them = select(CallAttempt).where(CallAttempt.event_id == event_id, CallAttempt.member_id == member_id)
    return session.exec(of_them.order_by(col(CallAttempt.at).desc(), col(CallAttempt.id)).limit(1)).first()
