"""Invitations after the first sending: to members added since, and again to one person with the same link."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import or_
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages.invitation_and_reminders import INVITATION, never_invited
from clubapp.mail.queue.outbox import WAITING
from clubapp.models import EventReservation, MailState, Member, OutboxMail, invited
from clubapp.refusals import Conflict, NotFound
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin, require_fresh_admin
from clubapp.services.events.editing import find_event
from clubapp.services.events.invitations import (
    create_reservations,
    hold_members,
    list_reservations,
    queue_invitations,
    reachable_conditions,
    refuse_if,
    why_not_invitable,
    why_unreachable,
)
from clubapp.text.collation import sort_by_name

PAUSE = timedelta(minutes=1)
NAMED = 10

NOT_SENT = "Les invitations de cet événement n’ont pas encore été envoyées."
NO_NEWCOMER = "Tous les membres qui peuvent l’être sont déjà invités."
ON_ITS_WAY = "Une invitation est déjà en route vers cette personne."
JUST_SENT = "L’invitation vient de partir\u00a0: attendez une minute avant de la renvoyer."
GONE = "Cette personne n’est plus membre\u00a0: elle ne peut plus être invitée."
UNREACHABLE = "Cette personne ne peut pas être invitée par e-mail\u00a0: {}."


@dataclass(frozen=True)
class Newcomers:
    """Members who can be invited after the first sending; empty when there are none.

    `names` lists the first ten and how many others there are.
    """

    count: int = 0
    sentence: str = ""
    action: str = ""
    names: str = ""


def find_newcomers(session: Session, actor: Actor, event_id: str) -> Newcomers:
    """Members added, given an address, or whose invitation was withdrawn, since the first sending; none once answers
    are closed.

    Raises:
        NotFound: when the event was deleted.
    """
    require_admin(actor)
    event = find_event(session, event_id)
    found = _not_invited(session, event_id) if event.invitation_sent and not why_not_invitable(event) else ()
    if not found:
        return Newcomers()
    count, several = len(found), len(found) > 1
    return Newcomers(
        count=count,
        sentence=f"{count} {'membres peuvent encore être invités' if several else 'membre peut encore être invité'}",
        action=f"Inviter ces {count} membres" if several else "Inviter ce membre",
        names=_named([member.name for member in found]),
    )


def _named(names: Sequence[str]) -> str:
    others = len(names) - NAMED
    first = ", ".join(names[:NAMED])
    return f"{first} et {others} {'autres' if others > 1 else 'autre'}" if others > 0 else first


def invite_newcomers(session: Session, actor: Actor, event_id: str) -> int:
    """Invite the newcomers; of two concurrent calls, the second finds none.

    Returns:
        How many invitations were queued.

    Raises:
        Conflict: before the first sending, when the event is cancelled, completed, past or closed to answers, or
            without a newcomer.
        NotFound: when the event was deleted.
    """
    require_fresh_admin(actor)
    hold_members(session)
    event = find_event(session, event_id, lock=True)
    refuse_if("" if event.invitation_sent else NOT_SENT)
    refuse_if(why_not_invitable(event))
    found = _not_invited(session, event_id)
    if not found:
        raise Conflict(NO_NEWCOMER)
    reservations = list_reservations(session, event_id)
    without = [member for member in found if member.id not in reservations]
    reservations |= create_reservations(session, event_id, without) if without else {}
    queue_invitations(session, event_id, found, reservations)
    audit.record(session, actor, "invitations.added", event_id, queued=len(found))
    return len(found)


def resend_invitation(session: Session, actor: Actor, reservation_id: str) -> None:
    """Send one person their invitation again, with the same link.

    Raises:
        Conflict: while one is on its way or went out within the last minute; when the event is cancelled, completed,
            past or closed to answers; when the person cannot be written to.
        NotFound: when the reservation is gone.
    """
    require_admin(actor)
    reservation = session.get(EventReservation, reservation_id, with_for_update=True)
    if reservation is None:
        raise NotFound
    event = find_event(session, reservation.event_id)
    member = session.get(Member, reservation.member_id) if reservation.member_id else None
    refuse_if(why_not_invitable(event))
    refuse_if(why_not_resendable(member, list_invitations(session, reservation_id)))
    if member is not None:
        queue_invitations(session, event.id, [member], {member.id: reservation_id})
        audit.record(session, actor, "invitation.resent", event.id, member=member.id)


def why_not_resendable(member: Member | None, mails: Sequence[OutboxMail]) -> str:
    """Why a member cannot be sent the invitation again now; `mails` are their invitations so far."""
    if member is None or not member.is_active:
        return GONE
    if reason := why_unreachable(member):
        return UNREACHABLE.format(reason)
    if any(mail.state in WAITING for mail in mails):
        return ON_ITS_WAY
    left = [mail.sent_at or mail.updated_at for mail in mails if mail.state in (MailState.SENT, MailState.UNCERTAIN)]
    return JUST_SENT if any(moment > clock.now() - PAUSE for moment in left) else ""


def list_invitations(session: Session, reservation_id: str) -> Sequence[OutboxMail]:
    """The invitations of one person to one event, oldest first."""
    return session.exec(
        select(OutboxMail)
        .where(
            OutboxMail.kind == INVITATION,
            OutboxMail.reservation_id == reservation_id,
            OutboxMail.state != MailState.EXCLUDED,
        )
        .order_by(col(OutboxMail.created_at), col(OutboxMail.key))
    ).all()


def _not_invited(session: Session, event_id: str) -> Sequence[Member]:
    """Reachable members without a reservation, or without an invitation that has left or will. Kept cheap, since open
    screens poll it every second."""
    holders = select(EventReservation.id).where(
        EventReservation.event_id == event_id, EventReservation.member_id == Member.id
    )
    is_new = or_(~holders.exists(), holders.where(invited(), never_invited()).exists())
    return sort_by_name(session.exec(select(Member).where(*reachable_conditions(), is_new).order_by(Member.id)))
