"""The people of an event: who comes, who waits, who is silent, who does not come, who was not invited and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import and_, bindparam, func, select
from sqlmodel import Session, col

from clubapp import clock, routes
from clubapp.mail.queue.outbox import UNNAMED
from clubapp.models import Event, EventReservation, Member, coming, invited
from clubapp.services.answers.guests import list_named
from clubapp.services.attendance.arrivals import read_door
from clubapp.services.attendance.attendee_status import (
    AttendeeStatus,
    Delivery,
    delivery_of,
    describe_party,
    format_answer_source,
    status_of,
)
from clubapp.services.attendance.turnout import ARRIVED, NO_SHOW, Presences
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.search import LONGEST_QUERY, fold
from clubapp.services.base.search import find_records as search
from clubapp.services.events.admin_views import count_figures
from clubapp.services.events.editing import find_event
from clubapp.services.events.invitations import latest_states, list_left_out, why_over, why_unreachable

NOT_YET = "pas encore invité"
_FIGURES = {
    AttendeeStatus.COMING: "attending",
    AttendeeStatus.WAITING: "waiting",
    AttendeeStatus.SILENT: "no_response",
    AttendeeStatus.DECLINED: "not_attending",
}
# The word of each group in the address where one writes to it.
_WRITTEN = {
    AttendeeStatus.COMING.value: "oui",
    AttendeeStatus.WAITING.value: "attente",
    AttendeeStatus.SILENT.value: "sans",
    AttendeeStatus.DECLINED.value: "non",
    ARRIVED: "venus",
    NO_SHOW: "absents",
}
_EXPECTED = AttendeeStatus.COMING  # a guest, who gives no answer
_COLUMNS: tuple[Any, ...] = (
    EventReservation.id, EventReservation.member_id, EventReservation.will_attend, EventReservation.with_lunch,
    EventReservation.guest_count, EventReservation.responded_at, EventReservation.answered_via,
    EventReservation.recorded_by, col(EventReservation.waiting_since).is_not(None).label("is_waiting"),
    Member.name, Member.company, Member.role, Member.email, Member.phone,
)  # fmt: skip


# Built once, and plain columns instead of whole rows: open screens ask these every other second.
_OF_EVENT = and_(col(EventReservation.event_id) == bindparam("event_id"), invited())
_HOLDERS = select(col(EventReservation.member_id)).where(_OF_EVENT, col(EventReservation.member_id) == col(Member.id))
_WITHOUT_RESERVATION = col(Member.is_active), ~_HOLDERS.exists()
_UNINVITED = select(func.count()).select_from(Member).where(*_WITHOUT_RESERVATION)
_WILL_ATTEND, _WAITING_SINCE = col(EventReservation.will_attend), col(EventReservation.waiting_since)
IN_GROUP = {
    AttendeeStatus.COMING: coming(),
    AttendeeStatus.WAITING: and_(_WILL_ATTEND.is_(True), _WAITING_SINCE.is_not(None)),
    AttendeeStatus.SILENT: _WILL_ATTEND.is_(None),
    AttendeeStatus.DECLINED: _WILL_ATTEND.is_(False),
}


def _reservations(*columns: Any) -> Any:
    reserved = select(*columns).select_from(EventReservation)
    return reserved.outerjoin(Member, col(EventReservation.member_id) == col(Member.id)).where(_OF_EVENT)


_NAMED = {
    group: _reservations(col(EventReservation.id), col(Member.name), col(Member.company)).where(which)
    for group, which in IN_GROUP.items()
}
_IN_FULL = _reservations(*_COLUMNS)
_SOME_IN_FULL = _IN_FULL.where(col(EventReservation.id).in_(bindparam("keys", expanding=True)))


@dataclass(frozen=True)
class Attendee:
    """One person of an event. `key` names them: their reservation, or the member who has none.

    `can_be_invited` says that a member without a reservation can be written to.
    """

    key: str
    name: str
    status: AttendeeStatus
    member_id: str | None = None
    company: str = ""
    role: str = ""
    email: str = ""
    phone: str = ""
    with_lunch: bool | None = None
    guest_count: int = 0
    responded_at: datetime | None = None
    via: str = ""
    recorded_by: str = ""
    delivery: Delivery = Delivery.NONE
    reason: str = ""
    can_be_invited: bool = False
    is_unannounced: bool = False


class _Named(NamedTuple):
    """Someone who has a reservation, as far as a list is sorted and searched by."""

    key: str
    name: str
    company: str


Some = TypeVar("Some", Attendee, _Named)


@dataclass(frozen=True)
class PersonRow:
    """Someone in the list of an event's people, in words.

    `person` is the id of a `Person`, empty while nothing can be noted of their coming; `presence` says what was. Who
    `is_unannounced` is forgotten when their coming is taken back.
    """

    key: str
    name: str
    company: str
    party: str
    guests: tuple[str, ...]
    answered: str
    delivery: str
    reason: str
    can_open: bool
    person: str = ""
    came: bool = False
    presence: str = ""
    is_unannounced: bool = False


@dataclass(frozen=True)
class GroupChoice:
    """One group, as the filter above the list offers it."""

    key: str
    label: str
    count: int


@dataclass(frozen=True)
class People:
    """The people of one group, as far as they are searched and shown; `more` are found beyond `rows`.

    `write_href` is where a mail is written to the group; empty for who was not invited.
    """

    groups: tuple[GroupChoice, ...] = ()
    chosen: str = ""
    found: str = ""
    rows: tuple[PersonRow, ...] = ()
    more: int = 0
    write_href: str = ""


def list_people(
    session: Session,
    actor: Actor,
    event_id: str,
    group: str = AttendeeStatus.COMING,
    *,
    wanted: str = "",
    limit: int = 60,
) -> People:
    """The people of one group, found by name or company, by name; and how many each group holds.

    Once it is known who came, they are two groups more, ARRIVED and NO_SHOW, with guests among them.

    Raises:
        NotFound: when the event was deleted.
    """
    require_admin(actor)
    event = find_event(session, event_id)
    door = Presences.of(session, event)
    chosen = group if group in door.groups or group in set(AttendeeStatus) else AttendeeStatus.COMING.value
    members = _by_name(_at_door(session, event, chosen)) if chosen in door.groups else _named(session, event, chosen)
    found = _matching(members, wanted)
    shown = _in_full(session, event, found[:limit])
    guests = list_named(session, [one.key for one in shown if one.guest_count])
    return People(
        groups=_groups(session, event, door),
        chosen=chosen,
        found=_found_label(len(found), len(members)),
        rows=tuple(_row(one, door, guests.get(one.key, ())) for one in shown),
        more=max(0, len(found) - limit),
        write_href=routes.write_to(evenement=event_id, reponse=_WRITTEN[chosen]) if chosen in _WRITTEN else "",
    )


def _groups(session: Session, event: Event, door: Presences) -> tuple[GroupChoice, ...]:
    counts, is_past = count_groups(session, event), event.date < clock.now()
    said = (GroupChoice(each.value, each.heading_at(is_past=is_past), counts[each]) for each in AttendeeStatus)
    return (*said, *(GroupChoice(key, *group) for key, group in door.groups.items()))


def _at_door(session: Session, event: Event, group: str) -> list[Attendee]:
    """The people who came, or did not although they were expected, guests included."""
    rows = read_door(session, event.id).rows
    return [
        Attendee(
            row.id,
            row.name,
            row.status or _EXPECTED,
            None if row.is_guest else row.id,
            row.company,
            is_unannounced=row.is_unannounced,
        )
        for row in rows
        if (row.arrived_at is not None if group == ARRIVED else row.arrived_at is None and row.is_expected)
    ]


def list_attendees(session: Session, event: Event) -> list[Attendee]:
    """Everyone of an event, by name."""
    return _by_name([*_reserved(session, event), *list_uninvited(session, event)])


def _named(session: Session, event: Event, group: str) -> Sequence[Attendee | _Named]:
    """Everyone of a group, by name: of hundreds no more than sorting and searching take."""
    if group == AttendeeStatus.UNINVITED:
        return _by_name(list_uninvited(session, event))
    rows: Sequence[Any] = session.connection().execute(_NAMED[AttendeeStatus(group)], {"event_id": event.id}).all()
    return _by_name([_Named(key, name or UNNAMED, company or "") for key, name, company in rows])


def _in_full(session: Session, event: Event, shown: Sequence[Attendee | _Named]) -> list[Attendee]:
    """The same people with all that is told of them."""
    keys = [one.key for one in shown if isinstance(one, _Named)]
    known = {one.key: one for one in (_reserved(session, event, keys) if keys else ())}
    found = (one if isinstance(one, Attendee) else known.get(one.key) for one in shown)
    return [one for one in found if one is not None]  # not who was deleted meanwhile


def _matching(people: Sequence[Attendee | _Named], wanted: str) -> Sequence[Attendee | _Named]:
    """Those whose name or company holds what is wanted."""
    if not wanted.strip():
        return people
    return [people[place] for place in search([(one.name, one.company) for one in people], wanted[:LONGEST_QUERY])]


def _by_name(people: list[Some]) -> list[Some]:
    return sorted(people, key=lambda one: (_sorting(one.name), one.key))


_sorting = lru_cache(maxsize=4096)(fold)


def count_groups(session: Session, event: Event) -> dict[AttendeeStatus, int]:
    """How many each group holds: the figures of the tiles, and those who were not invited."""
    found = count_figures(session, event.id)
    counts = {group: getattr(found, f"total_{name}") for group, name in _FIGURES.items()}
    return counts | {AttendeeStatus.UNINVITED: _count_uninvited(session, event)}


def _count_uninvited(session: Session, event: Event) -> int:
    if why_over(event):
        return len(list_left_out(session, event.id))
    return session.connection().scalar(_UNINVITED, {"event_id": event.id}) or 0


def _reserved(session: Session, event: Event, keys: Sequence[str] | None = None) -> list[Attendee]:
    """Everyone who has a reservation, or those of some."""
    if keys is None:
        rows = session.connection().execute(_IN_FULL, {"event_id": event.id}).all()
    else:
        rows = session.connection().execute(_SOME_IN_FULL, {"event_id": event.id, "keys": list(keys)}).all()
    deliveries = {key: delivery_of(state) for key, state in latest_states(session, event.id, keys).items()}
    return [_attendee(event, row, deliveries.get(row.id, Delivery.NONE)) for row in rows]


def _attendee(event: Event, row: Any, delivery: Delivery) -> Attendee:
    return Attendee(
        key=row.id,
        name=row.name or UNNAMED,
        status=status_of(row),
        member_id=row.member_id,
        company=row.company or "",
        role=row.role or "",
        email=row.email or "",
        phone=row.phone or "",
        with_lunch=row.with_lunch if event.has_lunch else None,
        guest_count=row.guest_count,
        responded_at=row.responded_at,
        via=row.answered_via,
        recorded_by=row.recorded_by,
        delivery=delivery,
    )


def list_uninvited(session: Session, event: Event) -> list[Attendee]:
    """Whoever has no reservation: as things stand while people can be invited, as they stood then afterwards."""
    if why_over(event):
        names = list_left_out(session, event.id)
        return [
            Attendee(f"excluded-{n}", one.name, AttendeeStatus.UNINVITED, reason=one.reason)
            for n, one in enumerate(names)
        ]
    members = session.scalars(select(Member).where(*_WITHOUT_RESERVATION), {"event_id": event.id}).all()
    return [_not_invited(member) for member in members]


def _not_invited(member: Member) -> Attendee:
    barred = why_unreachable(member)
    return Attendee(
        key=member.id,
        name=member.name,
        status=AttendeeStatus.UNINVITED,
        member_id=member.id,
        company=member.company,
        role=member.role,
        email=member.email or "",
        phone=member.phone,
        reason=barred or NOT_YET,
        can_be_invited=not barred,
    )


def _row(one: Attendee, door: Presences, guests: tuple[str, ...]) -> PersonRow:
    person = one.member_id or one.key
    is_known = one.status is not AttendeeStatus.UNINVITED or one.member_id is not None
    return PersonRow(
        person=person if is_known and door.can_note else "",
        came=person in door.arrived,
        presence=door.describe(person, one.status),
        key=one.key,
        name=one.name,
        company=one.company,
        party=describe_party(one.status, one.guest_count, one.with_lunch),
        guests=guests,
        answered=format_answer_source(one.via, one.responded_at, one.recorded_by),
        delivery=one.delivery.value,
        reason=one.reason,
        can_open=one.member_id is not None,
        is_unannounced=one.is_unannounced,
    )


def _found_label(found: int, all_of_them: int) -> str:
    people = "personnes" if found > 1 else "personne"
    return f"{found} {people}" if found == all_of_them else f"{found} {people} sur {all_of_them}"
