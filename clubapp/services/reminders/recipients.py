"""The recipients of an automatic mailing, and why other members are left out (M12)."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages.built_in_event_texts import Timing
from clubapp.models import Event, EventReservation, Member, ReminderType, invited
from clubapp.services.events.invitations import NO_ADDRESS, NO_LONGER_ACTIVE, OPTED_OUT, split_members
from clubapp.text.collation import sort_by_name

DECLINED = "a répondu non"
WAITING = "sur la liste d’attente"
SILENT = "n’a pas répondu"
CLOSED = "n’a pas répondu, et les réponses sont closes"
NOT_INVITED = "n’a pas été invité"


@dataclass(frozen=True)
class ReminderRecipient:
    """A recipient. `is_asked` says that they have not answered yet."""

    member_id: str
    name: str
    email: str
    reservation_id: str | None = None
    is_asked: bool = True


@dataclass(frozen=True)
class LeftOut:
    """A member left out. `is_listed` says that they would be a recipient if they could be reached."""

    member_id: str
    name: str
    reason: str
    is_listed: bool = False


@dataclass(frozen=True)
class Recipients:
    """The recipients and those left out, sorted by name."""

    recipients: tuple[ReminderRecipient, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def sentence(self) -> str:
        """'12 membres : 9 inscrits, 3 sans réponse'."""
        asked = sum(recipient.is_asked for recipient in self.recipients)
        count, coming = len(self.recipients), len(self.recipients) - asked
        told = describe_members(count)
        if not coming or not count:
            return told
        return f"{told}\u00a0: {coming} {'inscrits' if coming > 1 else 'inscrit'}" + (
            f", {asked} sans réponse" if asked else ""
        )


def describe_members(count: int) -> str:
    """'12 membres'."""
    return f"{count} {'membres' if count > 1 else 'membre'}"


def find_recipients(
    session: Session, event: Event, which: ReminderType, timing: Timing, *, at: datetime | None = None
) -> Recipients:
    """Who would get one of the three mails of an event now, or as answers stand, `at` some time."""
    if which == ReminderType.INVITATION:
        return _invited(session, event)
    return _reminded(session, event, timing, at or clock.now())


def _invited(session: Session, event: Event) -> Recipients:
    """The recipients of the invitation, the same as of a sending by hand."""
    chosen, left_out = split_members(session, event.id)
    return Recipients(
        tuple(ReminderRecipient(member.id, member.name, member.email or "") for member in chosen),
        tuple(LeftOut(member.id, member.name, reason, is_listed=True) for member, reason in left_out),
    )


def _reminded(session: Session, event: Event, timing: Timing, at: datetime) -> Recipients:
    unasked = SILENT if not timing.to_unanswered else CLOSED if event.closes_at <= at else ""
    mine = and_(col(EventReservation.member_id) == Member.id, col(EventReservation.event_id) == event.id, invited())
    rows = session.exec(select(Member, EventReservation).outerjoin(EventReservation, mine).order_by(col(Member.id)))
    recipients, left_out = [], []
    for member, reservation in rows:
        reason, is_listed = _reason(member, reservation, unasked)
        if reason:
            left_out.append(LeftOut(member.id, member.name, reason, is_listed))
        else:
            is_asked = reservation.will_attend is None
            recipients.append(ReminderRecipient(member.id, member.name, member.email or "", reservation.id, is_asked))
    return Recipients(tuple(sort_by_name(recipients)), tuple(sort_by_name(left_out)))


def _reason(member: Member, reservation: EventReservation | None, unasked: str) -> tuple[str, bool]:
    """Why a member gets no reminder, and whether they would if reachable; ('', True) when they get it.

    `unasked` says why those who have not answered get none; empty when they do.
    """
    if reservation is None:
        return (NOT_INVITED if member.is_active else NO_LONGER_ACTIVE), False
    is_asked = reservation.will_attend is None
    said = {
        DECLINED: reservation.will_attend is False,
        WAITING: reservation.is_waiting,
        unasked: is_asked,
    }
    if reason := next((told for told, holds in said.items() if holds), ""):
        return reason, False
    barred = {
        NO_LONGER_ACTIVE: not member.is_active,
        NO_ADDRESS: not member.email,
        OPTED_OUT: is_asked and member.opted_out_at is not None,
    }
    return next((told for told, holds in barred.items() if holds), ""), True
