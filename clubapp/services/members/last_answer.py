"""What each member said of the event at hand, the next one or else the last, or said last, for a list."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.orm import aliased
from sqlmodel import Session, case, col, func, select

from clubapp import clock
from clubapp.models import Event, EventReservation, EventStatus, Member, invited, not_ended

YES, NO, WAITING, SILENT = "yes", "no", "waiting", "silent"
_DAYS_OF_MONTH, _DAYS_OF_YEAR = 30, 365
# Made once: most of the time of a list of members went into making them.
_EVENT, _RESERVATION = aliased(Event), aliased(EventReservation)


@dataclass(frozen=True)
class LastAnswer:
    """What they said and when, or for how long they have said nothing; `mark` is empty for who was never invited."""

    mark: str = ""
    text: str = ""


def answered_at() -> Any:
    """The moment of a member's last answer, for a query of members."""
    own = EventReservation.member_id == Member.id
    return select(func.max(EventReservation.responded_at)).where(own).scalar_subquery()


def is_silent() -> Any:
    """The condition of a query for members who have not answered their invitation to the event at hand."""
    last = _rank()
    return col(Member.id).in_(select(last.c.member_id).where(last.c.place == 1, last.c.will_attend.is_(None)))


def read_last_answers(session: Session, member_ids: Sequence[str]) -> dict[str, LastAnswer]:
    """The last answers of members by their id, in one query; who never answered, nor is asked now, is left out."""
    ranked = _rank(col(EventReservation.member_id).in_(member_ids))
    rows = session.execute(select(ranked).where(ranked.c.place == 1))
    return {row.member_id: _describe(row) for row in rows}


def read_day_at_hand(session: Session) -> str:
    """The day of the event at hand: '10 décembre 2026'; empty when nobody was ever invited to one."""
    date = session.exec(select(Event.date).where(Event.id == _find_at_hand())).first()
    return clock.plain_day(date) if date else ""


def _rank(*which: Any) -> Any:
    """The invitations of members to the event at hand, and their answers to others, each with its `place`: 1 for the
    event at hand, else for the last answer. An invitation to another event that they left unanswered is none of these.
    """
    member, at_hand = col(EventReservation.member_id), col(Event.id) == _find_at_hand()
    order = case((at_hand, 0), else_=1), col(Event.date).desc()
    ranked: Any = select(  # pyright: ignore[reportCallIssue] - more columns than its overloads name
        EventReservation.member_id,
        EventReservation.will_attend,
        EventReservation.waiting_since,
        EventReservation.responded_at,
        func.max(EventReservation.responded_at).over(partition_by=member).label("answered_at"),
        func.row_number().over(partition_by=member, order_by=order).label("place"),
    )
    known = at_hand | col(EventReservation.will_attend).is_not(None)
    found = ranked.join(Event, col(Event.id) == col(EventReservation.event_id))
    conditions = (member.is_not(None), invited(), Event.status != EventStatus.CANCELLED, known, *which)
    return found.where(*conditions).subquery()


def _find_at_hand() -> Any:
    """The next event to which somebody is invited, until it is over or closed; else the last one."""
    is_ahead = not_ended(clock.now(), _EVENT) & (col(_EVENT.status) != EventStatus.COMPLETED)
    ahead = case((is_ahead, _EVENT.date))
    held = select(_RESERVATION.id).where(_RESERVATION.event_id == _EVENT.id, col(_RESERVATION.member_id).is_not(None))
    query = select(_EVENT.id).where(_EVENT.status != EventStatus.CANCELLED, held.exists())
    return query.order_by(ahead.is_(None), ahead, col(_EVENT.date).desc()).limit(1).scalar_subquery()


def _describe(row: Any) -> LastAnswer:
    if row.will_attend is None:
        return LastAnswer(
            SILENT, f"Sans réponse, {_describe_time(row.answered_at)}" if row.answered_at else "Sans réponse"
        )
    mark, said = (NO, "Non") if not row.will_attend else (WAITING, "En attente") if row.waiting_since else (YES, "Oui")
    return LastAnswer(mark, f"{said}, {clock.brief_day(row.responded_at)}" if row.responded_at else said)


def _describe_time(since: datetime) -> str:
    days = max(1, (clock.now() - since).days)
    if days < _DAYS_OF_MONTH:
        return f"{days}\u00a0jours" if days > 1 else "1\u00a0jour"
    if days < 2 * _DAYS_OF_YEAR:
        return f"{days // _DAYS_OF_MONTH}\u00a0mois"
    return f"{days // _DAYS_OF_YEAR}\u00a0ans"
