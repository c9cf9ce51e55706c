"""Whom to call before an event: those who have not answered, and those no mail can reach."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session, col

from clubapp import clock
from clubapp.models import AnswerSource, Event, EventReservation, EventStatus, coming
from clubapp.services.answers.capacity import why_closed
from clubapp.services.answers.page import is_over
from clubapp.services.attendance.attendee_list import Attendee, of_event
from clubapp.services.attendance.attendee_status import Group, party, told
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events.editing import find
from clubapp.text import french, phone_numbers

JUST_CALLED = timedelta(hours=12)
NO_PHONE = "pas de téléphone"
_ANSWERS = {Group.COMING: "yes", Group.WAITING: "yes", Group.ABSENT: "no"}
_SAYS = {Group.COMING: "Vient", Group.WAITING: "Vient : sur la liste d'attente", Group.ABSENT: "Ne vient pas"}


@dataclass(frozen=True)
class CallRow:
    """Someone to call; `of` is "d'Augustin". `answer` is "yes", "no" or empty; `last_time` is when they last came."""

    key: str
    name: str
    of: str
    company: str
    phone: str
    phone_href: str
    reason: str
    last_time: str
    answer: str = ""
    says: str = ""
    told: str = ""
    with_lunch: bool | None = None
    guest_count: int = 0
    has_place: bool = False
    can_undo: bool = False


@dataclass(frozen=True)
class CallingList:
    """The calls of one event. `closed` says why no answer is taken any more; `sentence` counts what is left."""

    event_id: str = ""
    title: str = ""
    date: str = ""
    location: str = ""
    has_lunch: bool = False
    closed: str = ""
    invitation_sent: bool = False
    sentence: str = ""
    rows: tuple[CallRow, ...] = ()


def of(session: Session, actor: Actor, event_id: str, seen: Iterable[str] = ()) -> CallingList:
    """Who is still to be called, by name, and who was called within the last hours: their answer can be undone.

    `seen` are the keys of people already on the screen: they stay there, whatever they answered meanwhile.

    Raises:
        NotFound: when the event was deleted.
    """
    require_admin(actor)
    event = find(session, event_id)
    stay = set(seen)
    wanted = [one for one in of_event(session, event) if one.member_id in stay or _is_wanted(one)]
    last = _last_times(session, [one.member_id for one in wanted if one.member_id])
    left = sum(one.group in (Group.SILENT, Group.UNINVITED) for one in wanted)
    return CallingList(
        event_id=event.id,
        title=event.title,
        date=clock.long_date(event.date),
        location=event.location,
        has_lunch=event.has_lunch,
        closed=why_closed(event) if is_over(event) else "",
        invitation_sent=event.invitation_sent,
        sentence=f"{left} {'personnes' if left > 1 else 'personne'} à appeler",
        rows=tuple(_row(one, last.get(one.member_id or "", "")) for one in wanted),
    )


def _is_wanted(one: Attendee) -> bool:
    """Silent though invited, out of reach of mail, or called just now. Who can be invited by mail is invited first."""
    if one.member_id is None:
        return False
    if one.group is Group.SILENT:
        return True
    if one.group is Group.UNINVITED:
        return not one.can_be_invited
    return one.via == AnswerSource.PHONE and _is_fresh(one.responded_at)


def _is_fresh(moment: datetime | None) -> bool:
    return moment is not None and moment > clock.now() - JUST_CALLED


def _last_times(session: Session, member_ids: list[str]) -> dict[str, str]:
    """'jeudi 16 octobre 2026' by member: the day of the last past event each had a place at."""
    query = (
        select(col(EventReservation.member_id), func.max(col(Event.date)).label("day"))
        .join(Event, col(EventReservation.event_id) == col(Event.id))
        .where(
            col(EventReservation.member_id).in_(member_ids),
            coming(),
            col(Event.date) < clock.now(),
            col(Event.status) != EventStatus.CANCELLED,
        )
        .group_by(col(EventReservation.member_id))
    )
    return {member_id: clock.long_day(day) for member_id, day in session.execute(query)}


def _row(one: Attendee, last_time: str) -> CallRow:
    return CallRow(
        key=one.member_id or one.key,
        name=one.name,
        of=french.of_person(one.name),
        company=one.company,
        phone=phone_numbers.written(one.phone),
        phone_href=phone_numbers.dialled(one.phone),
        reason=one.reason,
        last_time=last_time,
        **(_answered(one) if one.group in _ANSWERS else {}),
    )


def _answered(one: Attendee) -> dict[str, Any]:
    added = party(one.group, one.with_lunch, one.guest_count)
    return {
        "answer": _ANSWERS[one.group],
        "says": f"{_SAYS[one.group]}, {added}" if added else _SAYS[one.group],
        "told": told(one.via, one.responded_at, one.recorded_by),
        "with_lunch": one.with_lunch,
        "guest_count": one.guest_count,
        "has_place": one.group is Group.COMING,
        "can_undo": one.via == AnswerSource.PHONE,
    }
