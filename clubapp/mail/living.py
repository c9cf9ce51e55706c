"""The rows a mail stands on, as they are when its turn comes, or the reason it is withdrawn (M10); and its links."""

from sqlmodel import Session

from clubapp import clock, routes, tokens
from clubapp.mail.letters import Withdrawn
from clubapp.models import Event, EventReservation, EventStatus, Member, OutboxMail
from clubapp.settings import settings

EVENT_GONE = "L'événement a été supprimé."
EVENT_CANCELLED = "L'événement est annulé."
EVENT_PAST = "L'événement est passé."
MEMBER_GONE = "Le membre a été retiré."
MEMBER_INACTIVE = "Le membre n'est plus actif."
MEMBER_OPTED_OUT = "Le membre ne souhaite plus recevoir ces messages."


def living_event(session: Session, mail: OutboxMail) -> Event:
    """The event of a mail, still to come and not cancelled.

    Raises:
        Withdrawn: when the mail must no longer go out.
    """
    event = session.get(Event, mail.event_id) if mail.event_id else None
    if event is None:
        raise Withdrawn(EVENT_GONE)
    if event.status == EventStatus.CANCELLED:
        raise Withdrawn(EVENT_CANCELLED)
    if event.date <= clock.now():
        raise Withdrawn(EVENT_PAST)
    return event


def living_member(session: Session, mail: OutboxMail) -> Member:
    """The member a mail is for, active and not opted out.

    Raises:
        Withdrawn: when the mail must no longer go out.
    """
    member = session.get(Member, mail.member_id) if mail.member_id else None
    if member is None:
        raise Withdrawn(MEMBER_GONE)
    if not member.is_active:
        raise Withdrawn(MEMBER_INACTIVE)
    if member.opted_out_at is not None:
        raise Withdrawn(MEMBER_OPTED_OUT)
    return member


def reservation_of(session: Session, mail: OutboxMail) -> EventReservation:
    """The reservation a mail is about, still of the same member.

    Raises:
        Withdrawn: when the mail must no longer go out.
    """
    reservation = session.get(EventReservation, mail.reservation_id) if mail.reservation_id else None
    if reservation is None or reservation.member_id != mail.member_id:
        raise Withdrawn(MEMBER_GONE)
    return reservation


def answer_link(event: Event, reservation: EventReservation) -> str:
    """The member's own answer link, rebuilt from the signing key (decision 0004)."""
    token = tokens.rebuild("answer", reservation.id, reservation.response_token)
    return f"{settings().public_url}{routes.answer(event.id)}?token={known(token)}"


def known(token: str | None) -> str:
    """A link without its token would be worse than no message."""
    if token is None:
        raise LookupError("no configured key rebuilds this link's token")
    return token
