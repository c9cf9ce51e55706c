"""The answer of an invited member, opened and recorded by the token of the link (D3, W6).

Nobody signs in here: the token is the right, checked anew at every call, and it ends with the event. What an
administrator is told by telephone is recorded by the same rules.
"""

from dataclasses import dataclass

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from clubapp import calendar_files, tokens
from clubapp.models import AnswerSource, Event, EventReservation, Member
from clubapp.refusals import Conflict, NotFound
from clubapp.services.answers import capacity, recording
from clubapp.services.answers.page import (
    GUESTS,
    AnswerView,
    after_answer,
    after_save,
    is_over,
    resume,
    speakers_of,
    view,
)
from clubapp.services.answers.recording import By, Said
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin

INVALID_LINK = "Le lien que vous avez utilisé n'est pas valide ou a expiré."
NO_RESERVATION = "Cette personne n'est plus invitée."
WAITING_LIST = "La rencontre est complète\u00a0: la personne est inscrite sur la liste d’attente."
RECORDED = "La réponse est enregistrée."
_BY_LINK = By(AnswerSource.LINK)


# Built once: each press on the page asks.
_INVITATION = select(EventReservation, Event, Member).join(Event).join(Member)
_OF_A_LINK = _INVITATION.where(EventReservation.response_token == bindparam("given"), col(Member.is_active))


@dataclass(frozen=True)
class _Invitation:
    reservation: EventReservation
    event: Event
    member: Member


def open(session: Session, event_id: str, token: str) -> AnswerView:
    """The page as it stands. Changes nothing.

    Raises:
        NotFound: for a token that is unknown, of another event, or whose event or member is gone.
    """
    found = _find(session, event_id, token)
    return view(session, found.event, found.reservation, found.member)


def calendar_file(session: Session, event_id: str, token: str) -> bytes:
    """The event as an iCalendar file, as long as the link lives.

    Raises:
        NotFound: as `open`, and once the event has begun or is cancelled.
    """
    event = _find(session, event_id, token).event
    if is_over(event):
        raise NotFound(INVALID_LINK)
    return calendar_files.file(calendar_files.entry(event, speakers_of(session, event)))


def attend(session: Session, event_id: str, token: str, will_attend: bool) -> AnswerView:
    """Record "Yes" or "No", with the time of the response.

    Raises:
        NotFound: as `open`.
        Conflict: once the event has begun or is cancelled, or its answers are closed.
    """
    found = _find_open(session, event_id, token)
    recording.attend(session, found.event, found.reservation, will_attend, _BY_LINK)
    return _after(session, found, after_answer(found.event, found.reservation))


def lunch(session: Session, event_id: str, token: str, with_lunch: bool) -> AnswerView:
    """Record the lunch choice of someone who comes.

    Raises:
        NotFound: as `open`.
        Conflict: as `attend`; when the person does not come, or the event has no lunch.
    """
    found = _find_open(session, event_id, token)
    recording.lunch(session, found.event, found.reservation, with_lunch, _BY_LINK)
    return _after(session, found, GUESTS)


def guests(session: Session, event_id: str, token: str, count: str | int) -> AnswerView:
    """Record how many guests someone brings: 0 to 5; what is not a number means 0.

    Raises:
        NotFound: as `open`.
        Conflict: as `attend`; when the person does not come.
        Invalid: below 0, above 5, or more than there are places.
    """
    found = _find_open(session, event_id, token)
    recording.guests(session, found.event, found.reservation, count, _BY_LINK)
    return _after(session, found, resume(found.event, found.reservation))


def record_for(session: Session, actor: Actor, reservation_id: str, said: Said) -> str:
    """Write down what someone told an administrator, until the event begins; their deadline does not bind the club.

    Returns:
        A sentence that says what was recorded: the waiting list, when there is no place.

    Raises:
        NotFound: when the reservation or its member is gone.
        Conflict: once the event has begun or is cancelled.
        Invalid: for guests, as `guests`; nothing is recorded then.
    """
    require_admin(actor)
    row = session.exec(_INVITATION.where(EventReservation.id == reservation_id)).first()
    if row is None:
        raise NotFound(NO_RESERVATION)
    found = _Invitation(*row)
    capacity.hold_answer(session, found.event, found.reservation)
    if is_over(found.event):
        raise Conflict(capacity.why_closed(found.event))
    recording.whole(session, found.event, found.reservation, said, By(AnswerSource.PHONE, actor.email))
    audit.record(session, actor, "answer.recorded", reservation_id, will_attend=said.will_attend)
    return WAITING_LIST if found.reservation.is_waiting else RECORDED


def _after(session: Session, found: _Invitation, step: str) -> AnswerView:
    return after_save(session, found.event, found.reservation, found.member, step)


def _find(session: Session, event_id: str, token: str) -> _Invitation:
    """One query whatever is wrong with the link, so that no failure differs from another."""
    row = session.exec(_OF_A_LINK, params={"given": tokens.fingerprint(token)}).first()
    if row is None or row[1].id != event_id:
        raise NotFound(INVALID_LINK)
    return _Invitation(*row)


def _find_open(session: Session, event_id: str, token: str) -> _Invitation:
    found = _find(session, event_id, token)
    capacity.hold_answer(session, found.event, found.reservation, found.member)
    if not found.member.is_active:
        raise NotFound(INVALID_LINK)
    if reason := capacity.why_closed(found.event):
        raise Conflict(reason)
    return found
