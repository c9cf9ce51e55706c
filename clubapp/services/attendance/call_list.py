"""Whom to call before an event: those who have not answered, and those no mail can reach."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session, col

from clubapp import calendar_files, clock
from clubapp.models import Arrival, Event, EventReservation, EventStatus, coming
from clubapp.services.answers import guests
from clubapp.services.answers.answer_form import choice_of
from clubapp.services.answers.capacity import has_begun, why_corrections_closed
from clubapp.services.answers.guests import GuestEntry, GuestFields
from clubapp.services.attendance.attendee_list import Attendee, list_attendees
from clubapp.services.attendance.attendee_status import (
    BY_ADMIN,
    AttendeeStatus,
    Delivery,
    describe_party,
    format_answer_source,
)
from clubapp.services.attendance.call_attempts import Attempts, read_attempts
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events.editing import find_event
from clubapp.text import french, phone_numbers

JUST_CALLED = timedelta(hours=12)
NO_PHONE = "sans téléphone"
UNDELIVERED = "invitation en échec"


@dataclass(frozen=True)
class CallRow:
    """Someone to call; `of` is "d'Augustin". `answer` is "oui", "non" or empty. `guests` are the fields of theirs.

    `last_time` is the day of the last past event they came to (`has_come`), or said yes to. `called` says how often
    nobody was reached, and when the last time.
    """

    key: str
    name: str
    of: str
    company: str
    phone: str
    phone_href: str
    reason: str
    last_time: str
    has_come: bool
    answer: str = ""
    says: str = ""
    told: str = ""
    with_lunch: bool | None = None
    guest_count: int = 0
    guests: tuple[GuestFields, ...] = ()
    has_place: bool = False
    can_undo: bool = False
    called: str = ""
    can_undo_call: bool = False


@dataclass(frozen=True)
class CallList:
    """The calls of one event. `closed` says why no answer is taken any more; `sentence` counts what is left.

    Once it `has_begun`, what is recorded is a correction.
    """

    event_id: str = ""
    title: str = ""
    date: str = ""
    location: str = ""
    has_lunch: bool = False
    closed: str = ""
    has_begun: bool = False
    invitation_sent: bool = False
    sentence: str = ""
    rows: tuple[CallRow, ...] = ()


def build_call_list(session: Session, actor: Actor, event_id: str, seen: Iterable[str] = ()) -> CallList:
    """Who is still to be called, and who was called within the last hours: their answer can be undone.

    By name; who was called and not reached comes after the others, who waits longest first. `seen` are the keys of
    people already on the screen: they stay there in their order, whatever became of them meanwhile.

    Raises:
        NotFound: when the event was deleted.
    """
    require_admin(actor)
    event = find_event(session, event_id)
    places = {key: place for place, key in enumerate(seen)}
    wanted = [one for one in list_attendees(session, event) if one.member_id in places or _is_wanted(one)]
    attempts = read_attempts(session, event.id)
    last = _last_times(session, [one.member_id for one in wanted if one.member_id])
    bring = {one.key: one.guest_count for one in wanted if one.status is AttendeeStatus.COMING}
    named = guests.read_guests_of(session, bring)
    silent, uninvited = (
        sum(one.status is status for one in wanted) for status in (AttendeeStatus.SILENT, AttendeeStatus.UNINVITED)
    )
    return CallList(
        event_id=event.id,
        title=event.title,
        date=calendar_files.when(event),
        location=event.location,
        has_lunch=event.has_lunch,
        closed=why_corrections_closed(event),
        has_begun=has_begun(event),
        invitation_sent=event.invitation_sent,
        sentence=_count_calls(silent, uninvited),
        rows=tuple(
            _row(one, last.get(one.member_id or ""), named.get(one.key, ()), attempts.get(one.member_id or ""))
            for one in _in_order(wanted, attempts, places)
        ),
    )


def _in_order(wanted: list[Attendee], attempts: dict[str, Attempts], places: dict[str, int]) -> list[Attendee]:
    def rank(one: Attendee) -> tuple[int, float]:
        key = one.member_id or ""
        return places.get(key, len(places)), attempts[key].last.timestamp() if key in attempts else 0

    return sorted(wanted, key=rank)


def _count_calls(silent: int, uninvited: int) -> str:
    """How many of the "sans réponse" of the event's other screens to call, and how many besides."""
    without = "n’ont pas été invitées" if uninvited > 1 else "n’a pas été invitée"
    if uninvited and not silent:
        return f"{french.count(uninvited, 'personne')} à appeler, qui {without}"
    besides = f", et {uninvited} qui {without}" if uninvited else ""
    return f"{french.count(silent, 'personne')} à appeler{besides}"


def _is_wanted(one: Attendee) -> bool:
    """Silent though invited, out of reach of mail, or called just now. Who can be invited by mail is invited first."""
    if one.member_id is None:
        return False
    if one.status is AttendeeStatus.SILENT:
        return True
    if one.status is AttendeeStatus.UNINVITED:
        return not one.can_be_invited
    return one.via in BY_ADMIN and _is_fresh(one.responded_at)


def _is_fresh(moment: datetime | None) -> bool:
    return moment is not None and moment > clock.now() - JUST_CALLED


def _last_times(session: Session, member_ids: list[str]) -> dict[str, tuple[datetime, bool]]:
    """By member, the last past event each came to (True), or said yes to and had a place at: the later of both."""
    held = col(Event.date) < clock.now(), col(Event.status) != EventStatus.CANCELLED
    latest = func.max(col(Event.date))
    said = select(col(EventReservation.member_id), latest).join(Event, col(EventReservation.event_id) == col(Event.id))
    said = said.where(col(EventReservation.member_id).in_(member_ids), coming(), *held)
    came = select(col(Arrival.person), latest).join(Event, col(Arrival.event_id) == col(Event.id))
    came = came.where(col(Arrival.person).in_(member_ids), *held)
    times = {key: (day, False) for key, day in session.execute(said.group_by(col(EventReservation.member_id)))}
    for key, day in session.execute(came.group_by(col(Arrival.person))):
        times[key] = max(times.get(key, (day, True)), (day, True))
    return times


def _row(
    one: Attendee, last: tuple[datetime, bool] | None, entries: tuple[GuestEntry, ...], attempts: Attempts | None
) -> CallRow:
    return CallRow(
        key=one.member_id or one.key,
        name=one.name,
        of=french.of_person(one.name),
        company=one.company,
        phone=phone_numbers.format_phone(one.phone),
        phone_href=phone_numbers.tel_link(one.phone),
        reason=one.reason or (UNDELIVERED if one.delivery is Delivery.FAILED else ""),
        last_time=clock.long_day(last[0]) if last else "",
        has_come=bool(last and last[1]),
        called=attempts.sentence if attempts else "",
        can_undo_call=bool(attempts and attempts.can_undo),
        guests=guests.describe_fields(entries),
        **(_answered(one) if one.status.will_attend is not None else {}),
    )


def _answered(one: Attendee) -> dict[str, Any]:
    added, sentence = describe_party(one.status, one.guest_count, one.with_lunch), one.status.call_sentence
    return {
        "answer": choice_of(one.status.will_attend),
        "says": f"{sentence}, {added}" if added else sentence,
        "told": format_answer_source(one.via, one.responded_at, one.recorded_by),
        "with_lunch": one.with_lunch,
        "guest_count": one.guest_count,
        "has_place": one.status is AttendeeStatus.COMING,
        "can_undo": one.via in BY_ADMIN,
    }
