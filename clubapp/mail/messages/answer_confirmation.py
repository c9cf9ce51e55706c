"""The mails about one's own answer: that it is recorded, that one waits for a place, that a place came free.

They say what is true when they leave. The confirmation reaches the member however the answer came in, so that nobody
answers for them unnoticed.
"""

from datetime import datetime

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from clubapp import calendar_files, clock
from clubapp.calendar_files import CANCEL, REQUEST
from clubapp.mail.messages import texts
from clubapp.mail.messages.event_facts import facts_of
from clubapp.mail.messages.letter import CalendarPart, Letter, Withdrawn
from clubapp.mail.messages.recipients_now import answer_link, living_event, living_member, reservation_of
from clubapp.models import AnswerSource, Event, EventReservation, EventSpeaker, OutboxMail, ReservationAnswer
from clubapp.settings import settings
from clubapp.text import phone_numbers

CONFIRMED, WAITING, OFFERED = "answer_confirmed", "waiting_confirmed", "place_offered"
ANSWER_CHANGED = "La réponse a changé depuis."
OFFER_GONE = "La place n'est plus proposée."
_LATEST = (
    select(ReservationAnswer)
    .where(ReservationAnswer.reservation_id == bindparam("reservation_id"))
    .order_by(col(ReservationAnswer.at).desc())
    .limit(1)
)


def latest_answer(session: Session, reservation_id: str) -> ReservationAnswer | None:
    """The last word of a reservation's history."""
    return session.exec(_LATEST, params={"reservation_id": reservation_id}).first()


def answer_confirmed(session: Session, mail: OutboxMail) -> Letter:
    """What was recorded, with the entry for one's calendar; who no longer comes gets the one that takes it back."""
    event, reservation, answer = _last_word(session, mail)
    return Letter(
        CONFIRMED,
        _about(session, event)
        | {
            "comes": reservation.is_coming,
            "said": said(event, reservation),
            "asks_lunch": reservation.is_coming and event.has_lunch and reservation.with_lunch is None,
            "by_phone": answer.via == AnswerSource.PHONE,
        },
        to_name=living_member(session, mail, opted_out_too=True).name,
        personal={"answer": answer_link(event, reservation)},
        calendar=_calendar(session, event, reservation, answer, mail.recipient),
    )


def waiting_confirmed(session: Session, mail: OutboxMail) -> Letter:
    """That the event is full, and that one will be written to when a place comes free."""
    event, reservation, answer = _last_word(session, mail)
    return Letter(
        WAITING,
        _about(session, event) | {"by_phone": answer.via == AnswerSource.PHONE},
        to_name=living_member(session, mail, opted_out_too=True).name,
        personal={"answer": answer_link(event, reservation)},
    )


def place_offered(session: Session, mail: OutboxMail) -> Letter:
    """That a place came free, and until when it is kept."""
    event, member = living_event(session, mail), living_member(session, mail, opted_out_too=True)
    reservation = reservation_of(session, mail)
    until = datetime.fromisoformat(mail.context["until"])
    if not reservation.is_waiting or reservation.offer_until != until or until <= clock.now():
        raise Withdrawn(OFFER_GONE)
    return Letter(
        OFFERED,
        _about(session, event) | {"until": clock.long_date(until)},
        to_name=member.name,
        personal={"answer": answer_link(event, reservation)},
    )


def said(event: Event, reservation: EventReservation) -> str:
    """'vous venez, avec déjeuner et 2 invités'."""
    if not reservation.will_attend:
        return "vous ne venez pas"
    lunch = "avec déjeuner" if reservation.with_lunch else "sans déjeuner"
    count = reservation.guest_count
    guests = f"avec {count} {'invités' if count > 1 else 'invité'}" if count else ""
    parts = ["vous venez", lunch if event.has_lunch and reservation.with_lunch is not None else "", guests]
    return ", ".join(part for part in parts if part)


def _last_word(session: Session, mail: OutboxMail) -> tuple[Event, EventReservation, ReservationAnswer]:
    """The answer a mail confirms, as long as it is the last one."""
    event = living_event(session, mail)
    living_member(session, mail, opted_out_too=True)
    reservation = reservation_of(session, mail)
    answer = latest_answer(session, reservation.id)
    is_as_told = answer is not None and answer.is_waiting == reservation.is_waiting
    if answer is None or answer.id != mail.context["answer_id"] or not is_as_told:
        raise Withdrawn(ANSWER_CHANGED)
    return event, reservation, answer


def _about(session: Session, event: Event) -> dict[str, object]:
    return {
        "facts": facts_of(session, event),
        "until": clock.long_date(min(event.date, event.answers_until or event.date)),
        "contact_email": settings().contact_email,
        "contact_phone": phone_numbers.written(settings().contact_phone),
        "contact_phone_href": phone_numbers.dialled(settings().contact_phone),
        "signature": texts.signature(session),
    }


def _calendar(
    session: Session, event: Event, reservation: EventReservation, answer: ReservationAnswer, recipient: str
) -> CalendarPart | None:
    method = REQUEST if reservation.is_coming else CANCEL
    if method == CANCEL and not _came_before(session, answer):
        return None
    ordered = select(EventSpeaker).where(EventSpeaker.event_id == event.id).order_by(col(EventSpeaker.display_order))
    entry = calendar_files.entry(event, session.exec(ordered).all())
    return CalendarPart(calendar_files.file(entry, method, recipient), method)


def _came_before(session: Session, answer: ReservationAnswer) -> bool:
    """Whether an earlier answer put the event into the person's calendar."""
    earlier = select(ReservationAnswer.id).where(
        ReservationAnswer.reservation_id == answer.reservation_id,
        col(ReservationAnswer.will_attend).is_(True),
        col(ReservationAnswer.is_waiting).is_(False),
    )
    return session.exec(earlier).first() is not None
