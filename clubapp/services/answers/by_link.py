"""The answer of an invited member, opened and recorded by the token of the link (D3, W6).

Nobody signs in here: the token is the right, checked anew at every call, and it ends with the event.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam
from sqlalchemy.orm import joinedload
from sqlmodel import Session, col, select

from clubapp import calendar_files, tokens
from clubapp.models import AnswerSource, Event, EventReservation, Member
from clubapp.refusals import Conflict, NotFound
from clubapp.services.answers import capacity, recording
from clubapp.services.answers.answer_form import Answer
from clubapp.services.answers.page import (
    NOTHING_ASKED,
    AnswerView,
    Asked,
    build_view,
    is_over,
    step_after,
)
from clubapp.services.answers.recording import AnswerOrigin

ANSWERED_SINCE = "Une réponse plus récente a été enregistrée entre-temps\u00a0: la voici."
INVALID_LINK = "Le lien que vous avez utilisé n'est pas valide ou a expiré."


# Built once: each press on the page asks.
_INVITATION = select(EventReservation, Event, Member).join(Event).join(Member)
_OF_A_LINK = _INVITATION.where(EventReservation.response_token == bindparam("given"), col(Member.is_active))
# With what the page shows beside them: a query of its own would take as long as the first.
_TO_SHOW = _OF_A_LINK.options(joinedload(Event.speakers))  # pyright: ignore[reportArgumentType] - SQLModel types it so


@dataclass(frozen=True)
class _Invitation:
    reservation: EventReservation
    event: Event
    member: Member


def open_invitation(session: Session, event_id: str, token: str, asked: Asked = NOTHING_ASKED) -> AnswerView:
    """The page at the step it is `asked` for. Changes nothing.

    Raises:
        NotFound: for a token that is unknown, of another event, or whose event or member is gone.
    """
    found = _find(session, event_id, token, _TO_SHOW)
    return build_view(session, found.event, found.reservation, found.member, asked)


def build_calendar_file(session: Session, event_id: str, token: str) -> bytes:
    """The event as an iCalendar file, as long as the link lives.

    Raises:
        NotFound: as `open_invitation`, and once the event has begun or is cancelled.
    """
    event = _find(session, event_id, token).event
    if is_over(event):
        raise NotFound(INVALID_LINK)
    return calendar_files.write_file(calendar_files.make_entry(event))


def record_answer(
    session: Session, event_id: str, token: str, answer: Answer, pressed_at: datetime | None = None
) -> str:
    """Record what one step of the page says, or a whole answer, and give the next step.

    `pressed_at` is when the person pressed, where that is known to be earlier than now: the last press counts.

    Raises:
        NotFound: as `open_invitation`.
        Conflict: once the event has begun or is cancelled, or its answers are closed; for lunch or guests alone, when
            the person does not come; for lunch, when the event has none; for what was pressed before another answer.
        Invalid: below 0 guests, above 5, or more than there are places.
        LinkSpent: for a "Yes", after too many changes of mind within a day.
    """
    found = _find_open(session, event_id, token)
    event, reservation = found.event, found.reservation
    if _is_overtaken(reservation, answer, pressed_at):
        raise Conflict(ANSWERED_SINCE)
    recording.record_answer(session, event, reservation, answer, AnswerOrigin(AnswerSource.LINK, given_at=pressed_at))
    return step_after(answer, event, reservation)


def _is_overtaken(reservation: EventReservation, answer: Answer, pressed_at: datetime | None) -> bool:
    """Whether the person has said something else since; what was recorded and is sent again says the same."""
    if pressed_at is None:
        return False
    is_contrary = answer.will_attend not in (None, reservation.will_attend)
    if is_contrary and reservation.responded_at:
        return reservation.responded_at > pressed_at
    differs = answer.with_lunch not in (None, reservation.with_lunch) or (
        answer.guest_count not in (None, reservation.guest_count)
    )
    return differs and reservation.updated_at > pressed_at


def _find(session: Session, event_id: str, token: str, invitation: Any = _OF_A_LINK) -> _Invitation:
    """One query whatever is wrong with the link, so that no failure differs from another."""
    row = session.exec(invitation, params={"given": tokens.fingerprint(token)}).unique().first()
    if row is None or row[1].id != event_id:
        raise NotFound(INVALID_LINK)
    return _Invitation(*row)


def _find_open(session: Session, event_id: str, token: str) -> _Invitation:
    found = _find(session, event_id, token)
    capacity.lock_reservation(session, found.event, found.reservation, found.member)
    if not found.member.is_active:
        raise NotFound(INVALID_LINK)
    if reason := capacity.why_answers_closed(found.event):
        raise Conflict(reason)
    return found
