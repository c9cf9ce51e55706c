"""The mails about a member's answer: that it is recorded, that they are on the waiting list, that a place is offered.

They are composed from the rows as they are when the mail leaves (M10). A confirmation is sent whoever recorded the
answer, so that nobody answers for a member unnoticed.
"""

from datetime import datetime

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from clubapp import calendar_files, clock
from clubapp.calendar_files import CANCEL, REQUEST
from clubapp.mail.messages.event_facts import describe_closed_lunch, facts_of
from clubapp.mail.messages.letter import CalendarPart, Letter, Withdrawn
from clubapp.mail.messages.recipients_now import (
    answer_link,
    names_of,
    require_event,
    require_member,
    require_reservation,
)
from clubapp.models import AnswerSource, Event, EventReservation, OutboxMail, ReservationAnswer
from clubapp.settings import settings
from clubapp.text import phone_numbers
from clubapp.text.party import IN_CONFIRMATION, format_party

CONFIRMED, WAITING, OFFERED = "answer_confirmed", "waiting_confirmed", "place_offered"
ANSWER_CHANGED = "La réponse a changé depuis."
OFFER_GONE = "La place n’est plus proposée."
_LATEST = (
    select(ReservationAnswer)
    .where(ReservationAnswer.reservation_id == bindparam("reservation_id"))
    .order_by(col(ReservationAnswer.at).desc())
    .limit(1)
)


def latest_answer(session: Session, reservation_id: str) -> ReservationAnswer | None:
    """The newest row of a reservation's history of answers, if any."""
    return session.exec(_LATEST, params={"reservation_id": reservation_id}).first()


def compose_answer_confirmed(session: Session, mail: OutboxMail) -> Letter:
    """What was recorded, with a calendar entry; who no longer comes gets the file that removes that entry."""
    event, reservation, answer = _answer_to_confirm(session, mail)
    member = require_member(session, mail, opted_out_too=True)
    return Letter(
        CONFIRMED,
        _build_context(event)
        | {
            "comes": reservation.is_coming,
            "answer_text": describe_answer(event, reservation),
            "asks_lunch": _is_open(event)
            and event.has_lunch
            and reservation.is_coming
            and reservation.with_lunch is None,
            "lunch_closed": describe_closed_lunch(session, event) if _may_eat(reservation) else "",
            "by_phone": answer.via == AnswerSource.PHONE,
            "is_seated": answer.via == AnswerSource.SEATED,
        },
        to_name=member.name,
        personal={"answer": answer_link(event, reservation), **names_of(member)},
        calendar=_build_calendar_part(session, event, reservation, answer, mail.recipient),
    )


def compose_waiting_confirmed(session: Session, mail: OutboxMail) -> Letter:
    """That the event is full, and that a mail follows when a place is free."""
    event, reservation, answer = _answer_to_confirm(session, mail)
    member = require_member(session, mail, opted_out_too=True)
    return Letter(
        WAITING,
        _build_context(event) | {"by_phone": answer.via == AnswerSource.PHONE},
        to_name=member.name,
        personal={"answer": answer_link(event, reservation), **names_of(member)},
    )


def compose_place_offered(session: Session, mail: OutboxMail) -> Letter:
    """That a place is free, and until when it is kept for the reader."""
    event, member = require_event(session, mail), require_member(session, mail, opted_out_too=True)
    reservation = require_reservation(session, mail)
    until = datetime.fromisoformat(mail.context["until"])
    if not reservation.is_waiting or reservation.offer_until != until or until <= clock.now():
        raise Withdrawn(OFFER_GONE)
    return Letter(
        OFFERED,
        _build_context(event) | {"until": clock.long_date(until)},
        to_name=member.name,
        personal={"answer": answer_link(event, reservation), **names_of(member)},
    )


def describe_answer(event: Event, reservation: EventReservation) -> str:
    """The answer as a clause: 'vous venez, avec déjeuner, avec 2 invités'."""
    if not reservation.will_attend:
        return "vous ne venez pas"
    with_lunch = reservation.with_lunch if event.has_lunch else None
    added = format_party(reservation.guest_count, with_lunch, IN_CONFIRMATION)
    return f"vous venez, {added}" if added else "vous venez"


def _may_eat(reservation: EventReservation) -> bool:
    return reservation.is_coming and reservation.with_lunch is not False


def _answer_to_confirm(session: Session, mail: OutboxMail) -> tuple[Event, EventReservation, ReservationAnswer]:
    """The event, reservation and answer that a mail confirms.

    Raises:
        Withdrawn: when there is a newer answer, or the reservation has entered or left the waiting list since.
    """
    event = require_event(session, mail)
    reservation = require_reservation(session, mail)
    answer = latest_answer(session, reservation.id)
    is_current = answer is not None and answer.is_waiting == reservation.is_waiting
    if answer is None or answer.id != mail.context["answer_id"] or not is_current:
        raise Withdrawn(ANSWER_CHANGED)
    return event, reservation, answer


def _answers_end(event: Event) -> datetime:
    return min(event.date, event.answers_until or event.date)


def _is_open(event: Event) -> bool:
    return clock.now() < _answers_end(event)


def _build_context(event: Event) -> dict[str, object]:
    """`until` is empty once the answer cannot be changed any more."""
    return {
        "facts": facts_of(event),
        "until": clock.long_date(_answers_end(event)) if _is_open(event) else "",
        "contact_email": settings().contact_email,
        "contact_phone": phone_numbers.format_phone(settings().contact_phone),
        "contact_phone_href": phone_numbers.tel_link(settings().contact_phone),
    }


def _build_calendar_part(
    session: Session, event: Event, reservation: EventReservation, answer: ReservationAnswer, recipient: str
) -> CalendarPart | None:
    method = REQUEST if reservation.is_coming else CANCEL
    if method == CANCEL and not _has_come_before(session, answer):
        return None
    entry = calendar_files.make_entry(event)
    return CalendarPart(calendar_files.write_file(entry, method, recipient), method)


def _has_come_before(session: Session, answer: ReservationAnswer) -> bool:
    """Whether an earlier answer was yes, so that its confirmation added the event to the person's calendar."""
    earlier = select(ReservationAnswer.id).where(
        ReservationAnswer.reservation_id == answer.reservation_id,
        col(ReservationAnswer.will_attend).is_(True),
        col(ReservationAnswer.is_waiting).is_(False),
    )
    return session.exec(earlier).first() is not None
