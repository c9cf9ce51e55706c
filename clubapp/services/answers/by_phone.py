"""The answer that an administrator writes down: told on the telephone by the rules of the link, or corrected later."""

from typing import Any

from sqlmodel import Session, select

from clubapp.models import AnswerSource, Event, EventReservation, Member
from clubapp.refusals import Conflict, NotFound
from clubapp.services.answers import capacity, guests, recording, waiting_list
from clubapp.services.answers.answer_form import Answer
from clubapp.services.answers.recording import AnswerOrigin
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin

NO_RESERVATION = "Cette personne n’est plus invitée."
WAITING_LIST = "La rencontre est complète\u00a0: la personne est inscrite sur la liste d’attente."
RECORDED = "La réponse est enregistrée."
_ANSWER = ("will_attend", "with_lunch", "guest_count")
_INVITATION = select(EventReservation, Event).join(Event).join(Member)


def record_answer(session: Session, actor: Actor, reservation_id: str, answer: Answer) -> str:
    """Record a whole answer; the deadline of the invited does not bind the club.

    From the event's beginning on it is a correction: it always takes a place, and causes no mail (D5).

    Returns:
        A sentence that says what was recorded: the waiting list, when there is no place, and what is asked then.

    Raises:
        NotFound: when the reservation or its member is gone.
        Conflict: when the event is cancelled.
        Invalid: below 0 guests, above 5, or more than there are places; nothing is recorded then.
    """
    require_admin(actor)
    row = session.exec(_INVITATION.where(EventReservation.id == reservation_id)).first()
    if row is None:
        raise NotFound(NO_RESERVATION)
    reservation, event = row
    capacity.lock_reservation(session, event, reservation)
    if reason := capacity.why_corrections_closed(event):
        raise Conflict(reason)
    via = AnswerSource.CORRECTION if capacity.has_begun(event) else AnswerSource.PHONE
    columns = _read_columns(session, reservation)
    recording.record_answer(session, event, reservation, answer, AnswerOrigin(via, actor.email))
    changes = audit.compare(columns, _read_columns(session, reservation))
    audit.record(session, actor, "answer.recorded", reservation_id, changes=changes, event=event.id)
    return f"{WAITING_LIST} {waiting_list.describe_later(event)}" if reservation.is_waiting else RECORDED


def _read_columns(session: Session, reservation: EventReservation) -> dict[str, Any]:
    """What the journal keeps of an answer; of named guests their number, since an act outlives what they may erase."""
    named = guests.count_named(session, reservation)
    return {**{name: getattr(reservation, name) for name in _ANSWER}, "named_guests": named}
