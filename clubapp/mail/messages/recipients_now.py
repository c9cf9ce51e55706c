"""The event, member and reservation of a mail as they are when it leaves, or why it is withdrawn (M10); its links."""

from collections.abc import Sequence

from sqlmodel import Session, col, select

from clubapp import clock, routes, tokens
from clubapp.mail.messages.letter import Withdrawn
from clubapp.models import BroadcastEmail, Event, EventGuest, EventReservation, EventStatus, Member, OutboxMail
from clubapp.settings import settings
from clubapp.text import person_names

EVENT_GONE = "L’événement a été supprimé."
EVENT_CANCELLED = "L’événement est annulé."
EVENT_PAST = "L’événement est passé."
ANSWERS_CLOSED = "Les réponses sont closes\u00a0: il n’y a plus rien à demander."
MEMBER_GONE = "Le membre a été retiré."
MEMBER_INACTIVE = "Le membre n’est plus actif."
MEMBER_OPTED_OUT = "Le membre ne souhaite plus recevoir ces messages."


def prefetch(session: Session, mails: Sequence[OutboxMail]) -> object:
    """Read the rows that some mails are about, one query a table. `session.get` finds them while the value is kept."""
    rows: list[object] = []
    for table, ids in (
        (Event, {mail.event_id for mail in mails}),
        (Member, {mail.member_id for mail in mails}),
        (EventReservation, {mail.reservation_id for mail in mails}),
        (BroadcastEmail, {mail.broadcast_id for mail in mails}),
    ):
        known_ids = ids - {None}
        if known_ids:
            rows += session.scalars(select(table).where(col(table.id).in_(known_ids)))
    return rows


def require_event(session: Session, mail: OutboxMail) -> Event:
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


def require_member(session: Session, mail: OutboxMail, *, opted_out_too: bool = False) -> Member:
    """The active member a mail is for. `opted_out_too` is for mails that are no mailing, such as about their answer.

    Raises:
        Withdrawn: when the mail must no longer go out.
    """
    member = session.get(Member, mail.member_id) if mail.member_id else None
    if member is None:
        raise Withdrawn(MEMBER_GONE)
    if not member.is_active:
        raise Withdrawn(MEMBER_INACTIVE)
    if member.opted_out_at is not None and not opted_out_too:
        raise Withdrawn(MEMBER_OPTED_OUT)
    return member


def require_reservation(session: Session, mail: OutboxMail) -> EventReservation:
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
    return f"{settings().public_url}{routes.answer(event.id)}?token={require_token(token)}"


def calendar_file_link(event: Event, reservation: EventReservation) -> str:
    """The address of the event's calendar file, which takes the same token as the answer link."""
    token = tokens.rebuild("answer", reservation.id, reservation.response_token)
    return f"{settings().public_url}{routes.calendar_file(event.id)}?token={require_token(token)}"


def names_of(reader: Member | None) -> dict[str, str]:
    """The personal texts of PRENOM and NOM; without a reader, an example of each."""
    if reader is None:
        return {"PRENOM": "Prénom", "NOM": "Nom"}
    return {
        "PRENOM": person_names.first_name(reader.name, reader.first_name),
        "NOM": person_names.last_name(reader.name, reader.first_name),
    }


def unsubscribe_link(person: Member | EventGuest) -> str:
    """The person's own link to stop the mailings of the club, and to take them up again (M3)."""
    return f"{settings().public_url}{routes.UNSUBSCRIBE}?token={person.id}.{tokens.derive('unsubscribe', person.id)}"


def require_token(token: str | None) -> str:
    """The token.

    Raises:
        LookupError: when it is None: a message without a working link is not sent.
    """
    if token is None:
        raise LookupError("no configured key rebuilds the token of this link")
    return token
