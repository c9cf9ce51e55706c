"""One person of an event: their answer and its history, their invitations, and answering for them on the telephone."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages.answer_confirmation import latest_answer
from clubapp.mail.queue.outbox import UNNAMED
from clubapp.models import AnswerSource, Event, EventReservation, Member, OutboxMail, ReservationAnswer
from clubapp.refusals import Conflict, NotFound
from clubapp.services.answers import by_phone, capacity, guests, waiting_list
from clubapp.services.answers.answer_form import Answer, choice_of
from clubapp.services.answers.guests import GuestFields
from clubapp.services.attendance.attendee_list import NOT_YET
from clubapp.services.attendance.attendee_status import (
    BY_ADMIN,
    AttendeeStatus,
    delivery_of,
    describe_party,
    format_answer_source,
    status_of,
)
from clubapp.services.attendance.turnout import Presences
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events.editing import find_event
from clubapp.services.events.invitation_follow_up import list_invitations, why_not_resendable
from clubapp.services.events.invitations import create_reservations, why_not_invitable, why_unreachable
from clubapp.text import phone_numbers

NOBODY = "Cette personne n’est plus dans la liste\u00a0: elle a été retirée entre-temps."
FORMER = "Cette personne n’est plus membre\u00a0: sa réponse ne peut plus changer."
NOT_BY_PHONE = "Cette réponse n’a pas été notée ici\u00a0: elle ne s’annule pas d’ici."
_NO_ANSWER = {
    "will_attend": None,
    "with_lunch": None,
    "guest_count": 0,
    "responded_at": None,
    "answered_via": "",
    "recorded_by": "",
}


@dataclass(frozen=True)
class PastAnswer:
    """One answer of the history, in words."""

    answer: str
    told: str


@dataclass(frozen=True)
class SentInvitation:
    """One invitation, and what became of it."""

    line: str
    delivery: str
    reason: str


@dataclass(frozen=True)
class AttendeeDetail:
    """One person of an event, as the dialog shows them.

    `answer` is "oui", "non" or empty, `presence` whether they came in the end. `closed` says why no answer is taken any
    more, `why_not` why no invitation can be sent; `reservation_id` is empty for someone who was not invited. Once the
    event `has_begun`, an answer is a correction. `may_name` says that the form of guests and meals has something to
    ask.
    """

    key: str = ""
    event_id: str = ""
    reservation_id: str = ""
    name: str = ""
    company: str = ""
    role: str = ""
    email: str = ""
    phone: str = ""
    phone_href: str = ""
    answer: str = ""
    says: str = ""
    presence: str = ""
    party: str = ""
    told: str = ""
    has_lunch: bool = False
    with_lunch: bool = False
    lunch: str = ""
    guest_count: int = 0
    guests: tuple[GuestFields, ...] = ()
    meal_wish: str = ""
    may_name: bool = False
    closed: str = ""
    has_begun: bool = False
    why_not: str = ""
    history: tuple[PastAnswer, ...] = ()
    invitations: tuple[SentInvitation, ...] = ()


def open_person(session: Session, actor: Actor, event_id: str, key: str) -> AttendeeDetail:
    """One person of an event.

    Raises:
        NotFound: when the event or the person is gone.
    """
    require_admin(actor)
    event = find_event(session, event_id)
    reservation, member = _find(session, event_id, key)
    return _person(session, event, reservation, member, key)


def record_answer(
    session: Session,
    actor: Actor,
    event_id: str,
    key: str,
    answer: Answer,
) -> str:
    """Write down what someone said on the telephone, or correct it once the event has begun.

    Who was not invited gets a reservation for it, and no invitation.

    Returns:
        A sentence that says what was recorded: the waiting list, when there is no place.

    Raises:
        NotFound: when the event or the person is gone.
        Conflict: when the person is no longer a member, or no answer is taken any more.
        Invalid: when the guests are too many.
    """
    require_admin(actor)
    find_event(session, event_id, lock=True)
    reservation, member = _find(session, event_id, key)
    if member is None:
        raise Conflict(FORMER)
    identifier = reservation.id if reservation else create_reservations(session, event_id, [member])[member.id]
    return by_phone.record_answer(session, actor, identifier, answer)


def take_back_answer(session: Session, actor: Actor, event_id: str, key: str) -> None:
    """Forget an answer that was written down by mistake: the person has not answered, and their place is free again.

    Raises:
        NotFound: when the event or the person is gone.
        Conflict: when the person answered themselves, or no answer is taken any more.
    """
    require_admin(actor)
    event = find_event(session, event_id, lock=True)
    reservation, _ = _find(session, event_id, key)
    if reservation is None or reservation.answered_via not in BY_ADMIN:
        raise Conflict(NOT_BY_PHONE)
    capacity.lock_event(session, event, reservation)
    if reason := capacity.why_corrections_closed(event):
        raise Conflict(reason)
    changes = {name: (getattr(reservation, name), None) for name in ("will_attend", "with_lunch", "guest_count")}
    waiting_list.leave(reservation)
    reservation.sqlmodel_update(_NO_ANSWER | {"updated_at": clock.now()})
    session.add_all((reservation, _undone(session, reservation, actor)))
    guests.remove_uncounted(session, reservation)
    audit.record(session, actor, "answer.taken_back", reservation.id, changes=changes, event=event.id)
    session.flush()
    waiting_list.offer_free_places(session, event.id)


def _undone(session: Session, reservation: EventReservation, actor: Actor) -> ReservationAnswer:
    """The line of history, after all others: its confirmation, if one waits, finds itself outdated."""
    latest = latest_answer(session, reservation.id)
    now = max(clock.now(), latest.at + timedelta(microseconds=1)) if latest else clock.now()
    return ReservationAnswer(reservation_id=reservation.id, at=now, via=AnswerSource.PHONE, recorded_by=actor.email)


def _find(session: Session, event_id: str, key: str) -> tuple[EventReservation | None, Member | None]:
    """The reservation a key names, or that of the member it names, and the member."""
    holder = EventReservation.member_id == key
    wanted = select(EventReservation).where(
        EventReservation.event_id == event_id, (col(EventReservation.id) == key) | holder
    )
    reservation = session.exec(wanted).first()
    member_id = reservation.member_id if reservation else key
    member = session.get(Member, member_id) if member_id else None
    if reservation is None and (member is None or not member.is_active):
        raise NotFound(NOBODY)
    return reservation, member


def _person(
    session: Session, event: Event, reservation: EventReservation | None, member: Member | None, key: str
) -> AttendeeDetail:
    return AttendeeDetail(
        key=key,
        event_id=event.id,
        has_lunch=event.has_lunch,
        closed=_why_closed(event, member),
        has_begun=capacity.has_begun(event),
        presence=Presences.of(session, event).describe(_person_id(reservation, member), status_of(reservation)),
        **(_identity(member) if member else {"name": UNNAMED}),
        **(_answer(session, event, reservation) if reservation else {"says": AttendeeStatus.UNINVITED.sentence}),
        **_invitations(session, event, reservation, member),
    )


def _person_id(reservation: EventReservation | None, member: Member | None) -> str:
    """The id of their `AttendeeDetail`."""
    return member.id if member else reservation.id if reservation else ""


def _why_closed(event: Event, member: Member | None) -> str:
    if member is None:
        return FORMER
    return capacity.why_corrections_closed(event)


def _identity(member: Member) -> dict[str, Any]:
    return {
        "name": member.name,
        "company": member.company,
        "role": member.role,
        "email": member.email or "",
        "phone": phone_numbers.format_phone(member.phone),
        "phone_href": phone_numbers.tel_link(member.phone),
    }


def _answer(session: Session, event: Event, reservation: EventReservation) -> dict[str, Any]:
    status = status_of(reservation)
    entries = guests.read_guests(session, reservation) if reservation.is_coming else ()
    with_lunch = reservation.with_lunch if event.has_lunch else None
    return {
        "reservation_id": reservation.id,
        "answer": choice_of(status.will_attend),
        "says": status.sentence,
        "party": describe_party(status, reservation.guest_count, with_lunch),
        "told": format_answer_source(reservation.answered_via, reservation.responded_at, reservation.recorded_by),
        "with_lunch": bool(reservation.with_lunch),
        "lunch": choice_of(reservation.with_lunch),
        "guest_count": reservation.guest_count,
        "guests": guests.describe_fields(entries),
        "meal_wish": reservation.meal_wish,
        "may_name": bool(entries) or (event.has_lunch and bool(reservation.with_lunch) and reservation.is_coming),
        "history": _history(session, reservation.id),
    }


def _invitations(
    session: Session, event: Event, reservation: EventReservation | None, member: Member | None
) -> dict[str, Any]:
    mails = list_invitations(session, reservation.id) if reservation else ()
    if reservation is None:
        why_not = (why_unreachable(member) if member else "") or NOT_YET
    else:
        why_not = why_not_invitable(event) or why_not_resendable(member, mails)
    return {"why_not": why_not, "invitations": tuple(_sent(mail) for mail in mails)}


def _sent(mail: OutboxMail) -> SentInvitation:
    moment = clock.short_date(mail.sent_at or mail.created_at)
    return SentInvitation(
        line=f"le {moment}, à {mail.recipient}", delivery=delivery_of(mail.state).value, reason=mail.reason
    )


def _history(session: Session, reservation_id: str) -> tuple[PastAnswer, ...]:
    """Newest first."""
    rows = session.exec(
        select(ReservationAnswer)
        .where(ReservationAnswer.reservation_id == reservation_id)
        .order_by(col(ReservationAnswer.at).desc(), col(ReservationAnswer.id))
    )
    return tuple(_said(row) for row in rows)


def _said(row: ReservationAnswer) -> PastAnswer:
    if row.will_attend is None:
        ended = "Place proposée, non prise à temps" if row.via == AnswerSource.OFFER else "Réponse annulée"
        by = f", par {row.recorded_by}" if row.recorded_by else ""
        return PastAnswer(ended, f"le {clock.short_date(row.at)}{by}")
    status = status_of(row)
    added = describe_party(status, row.guest_count, row.with_lunch)
    answer = f"{status.sentence}, {added}" if added else status.sentence
    return PastAnswer(answer, format_answer_source(row.via, row.at, row.recorded_by))
