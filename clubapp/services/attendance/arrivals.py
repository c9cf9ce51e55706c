"""Who arrived at an event: what is pressed at the door, on several devices, some of them without network."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from clubapp import clock
from clubapp.models import (
    MAX_GUESTS,
    Arrival,
    ArrivalTouch,
    AttendeeStatus,
    Event,
    EventGuest,
    EventReservation,
    Member,
    TouchKind,
    status_of,
)
from clubapp.refusals import Conflict, Invalid
from clubapp.services.attendance.people import REMOVED, Person, guest_id, guest_name, list_people
from clubapp.services.base.form_fields import clean_line
from clubapp.services.events.editing import find_event
from clubapp.text.collation import fold

EARLIEST = timedelta(hours=24)
MOST_TOUCHES = 50  # of one person
MOST_UNANNOUNCED = 200
LONGEST_NAME = 120
NAME_MISSING = "Indiquez le nom de la personne."
TOO_MANY_UNANNOUNCED = f"Un événement garde au plus {MOST_UNANNOUNCED} personnes imprévues."


@dataclass(frozen=True)
class Touch:
    """One press at the door. `id` is made by the device, `at` is when it was pressed, in true time.

    `person` is the id of a `Person`, or of a member who had not answered. For a guest who comes unannounced it is an
    id made by the device, and `name` and `company` come with each ARRIVED.
    """

    id: str
    person: str
    kind: TouchKind
    at: datetime
    name: str = ""
    company: str = ""


@dataclass(frozen=True)
class DoorRow:
    """One person at the door.

    `status` is what they answered, None for a guest who came unannounced or whom nobody brings any more. `touched_at`
    is the last press for them: a press of a device that has seen it is later.
    """

    id: str
    name: str
    company: str = ""
    is_guest: bool = False
    is_named: bool = True
    is_unannounced: bool = False
    host_id: str = ""
    status: AttendeeStatus | None = None
    arrived_at: datetime | None = None
    touched_at: datetime | None = None

    @property
    def is_expected(self) -> bool:
        """Whether they count among those who are expected: they said so, or came."""
        return self.status is AttendeeStatus.COMING or self.arrived_at is not None


@dataclass(frozen=True)
class Door:
    """Everyone who may come through the door, who arrived, and the two figures."""

    event_id: str
    title: str
    rows: tuple[DoorRow, ...]
    arrived: int
    expected: int


def record_arrivals(session: Session, event_id: str, touches: Sequence[Touch], recorded_by: str) -> None:
    """Keep what was pressed. Sent twice, or in another order, it has the same effect (D7).

    The first arrival wins; an undo takes back what was pressed before it. A touch of somebody unknown, and what goes
    beyond MOST_TOUCHES of a person or MOST_UNANNOUNCED, is dropped: a queue with it would never become empty.

    Raises:
        NotFound: when the event was deleted.
    """
    event = find_event(session, event_id, lock=True)
    sent = {touch.id: touch for touch in reversed(touches)}
    kept = set(session.exec(select(ArrivalTouch.id).where(col(ArrivalTouch.id).in_(sent))))
    fresh = [touch for touch in touches if touch.id not in kept and sent[touch.id] is touch]
    known = _find_known(session, event_id, {touch.person for touch in fresh})
    for touch in fresh:
        if touch.person not in known and clean_line(touch.name) and _has_room(session, event_id):
            add_unannounced(session, event_id, touch.person, touch.name, touch.company)
            known.add(touch.person)
    room = {person: MOST_TOUCHES - count for person, count in _count_touches(session, event_id, known).items()}
    for number, touch in enumerate(fresh):
        if room.get(touch.person, 0) > 0:
            room[touch.person] -= 1
            session.add(_row(event, touch, number, recorded_by))
    session.flush()
    _apply(session, event_id, known)


def add_unannounced(session: Session, event_id: str, person: str, name: str, company: str = "") -> None:
    """A guest whom nobody announced, under an id that the caller makes; once, however often it is said.

    A member who had not answered needs none of this: an arrival of their id is enough.

    Raises:
        Invalid: without a name.
        Conflict: when the event has MOST_UNANNOUNCED of them, or the id is another's.
    """
    name, company = (clean_line(text)[:LONGEST_NAME] for text in (name, company))
    if not name:
        raise Invalid(NAME_MISSING, field="name")
    found = session.get(EventGuest, person)
    if found is not None and found.event_id == event_id and found.reservation_id is None:
        return
    if found is not None or not _has_room(session, event_id):
        raise Conflict(TOO_MANY_UNANNOUNCED)
    now = clock.now()
    session.add(EventGuest(id=person, event_id=event_id, name=name, company=company, created_at=now, updated_at=now))
    session.flush()


def count_arrived(session: Session, event_id: str) -> int:
    """How many people came, members and guests."""
    return session.exec(select(func.count()).where(Arrival.event_id == event_id)).one()


def read_door(session: Session, event_id: str) -> Door:
    """Everyone of `list_people`, then the members who did not say yes, by name; whoever came stands among them.

    Raises:
        NotFound: when the event was deleted.
    """
    event = find_event(session, event_id)
    arrived = dict(session.exec(select(Arrival.person, Arrival.arrived_at).where(Arrival.event_id == event_id)).all())
    expected = [_expected(person) for person in list_people(session, event_id)]
    others = _list_others(session, event_id, {row.id for row in expected})
    listed = [*expected, *others]
    gone = [person for person in arrived if person not in {row.id for row in listed}]
    touched = _last_touches(session, event_id)
    rows = tuple(
        replace(row, arrived_at=arrived.get(row.id), touched_at=touched.get(row.id, arrived.get(row.id)))
        for row in (*listed, *_list_gone(session, event_id, gone))
    )
    return Door(event.id, event.title, rows, len(arrived), sum(row.is_expected for row in rows))


def _has_room(session: Session, event_id: str) -> bool:
    """Whether another guest may come unannounced."""
    unannounced = EventGuest.event_id == event_id, col(EventGuest.reservation_id).is_(None)
    return session.exec(select(func.count()).where(*unannounced)).one() < MOST_UNANNOUNCED


def _row(event: Event, touch: Touch, number: int, recorded_by: str) -> ArrivalTouch:
    """The touch as it is kept: within the day before the event and now, in the order in which it was pressed."""
    now = clock.now()
    at = min(max(touch.at, min(event.date, now) - EARLIEST), now)
    if at != touch.at:
        at += timedelta(microseconds=number)
    return ArrivalTouch(
        id=touch.id,
        event_id=event.id,
        person=touch.person,
        kind=touch.kind,
        at=at,
        recorded_by=recorded_by,
        created_at=now,
    )


def _find_known(session: Session, event_id: str, people: Collection[str]) -> set[str]:
    """Those of the ids that name someone: a member, a guest, or the reservation of a removed member."""
    members = session.exec(select(Member.id).where(col(Member.id).in_(people)))
    guests = session.exec(
        select(EventGuest.id).where(
            EventGuest.event_id == event_id, col(EventGuest.reservation_id).is_(None), col(EventGuest.id).in_(people)
        )
    )
    hosts = {_host_of(person) for person in people} | set(people)
    reservations = session.exec(
        select(EventReservation.id).where(EventReservation.event_id == event_id, col(EventReservation.id).in_(hosts))
    ).all()
    of_members = {guest_id(one, position) for one in reservations for position in range(1, MAX_GUESTS + 1)}
    return set(people) & {*members, *guests, *reservations, *of_members}


def _host_of(person: str) -> str:
    """The reservation that the id of a guest begins with."""
    return person.rpartition("-")[0]


def _count_touches(session: Session, event_id: str, people: Collection[str]) -> dict[str, int]:
    counted = session.exec(
        select(ArrivalTouch.person, func.count())
        .where(ArrivalTouch.event_id == event_id, col(ArrivalTouch.person).in_(people))
        .group_by(col(ArrivalTouch.person))
    ).all()
    return dict.fromkeys(people, 0) | dict(counted)


def _apply(session: Session, event_id: str, people: Collection[str]) -> None:
    """Bring the arrivals of some to what their touches say."""
    touches: defaultdict[str, list[tuple[datetime, TouchKind, str]]] = defaultdict(list)
    of_them = ArrivalTouch.event_id == event_id, col(ArrivalTouch.person).in_(people)
    for touch in session.exec(select(ArrivalTouch).where(*of_them)).all():
        touches[touch.person].append((touch.at, TouchKind(touch.kind), touch.recorded_by))
    rows = session.exec(select(Arrival).where(Arrival.event_id == event_id, col(Arrival.person).in_(people))).all()
    standing = {row.person: row for row in rows}
    for person, row in standing.items():  # what it came from may have been erased
        touches[person].append((row.arrived_at, TouchKind.ARRIVED, row.recorded_by))
    for person in people:
        _settle(session, event_id, person, standing.get(person), _first_arrival(touches[person]))


def _first_arrival(touches: Iterable[tuple[datetime, TouchKind, str]]) -> tuple[datetime, str] | None:
    """When the person arrived, and who pressed: the first ARRIVED after the last UNDONE."""
    found: tuple[datetime, str] | None = None
    for at, kind, recorded_by in sorted(touches, key=lambda touch: touch[0]):
        found = None if kind is TouchKind.UNDONE else found or (at, recorded_by)
    return found


def _settle(
    session: Session, event_id: str, person: str, row: Arrival | None, arrival: tuple[datetime, str] | None
) -> None:
    if arrival is None:
        if row is not None:
            session.delete(row)
        guest = session.get(EventGuest, person)
        if guest is not None and guest.reservation_id is None:
            session.delete(guest)  # somebody unannounced who did not come is nobody
        return
    at, recorded_by = arrival
    row = row or Arrival(event_id=event_id, person=person, arrived_at=at, created_at=clock.now())
    row.arrived_at, row.recorded_by = at, recorded_by
    session.add(row)


def _last_touches(session: Session, event_id: str) -> Mapping[str, datetime]:
    last: Any = func.max(ArrivalTouch.at)
    found = select(ArrivalTouch.person, last).where(ArrivalTouch.event_id == event_id)
    return dict(session.exec(found.group_by(col(ArrivalTouch.person))).all())


def _expected(person: Person) -> DoorRow:
    is_unannounced = person.is_guest and not person.reservation_id
    return DoorRow(
        id=person.id,
        name=person.name,
        company=person.company,
        is_guest=person.is_guest,
        is_named=person.is_named,
        host_id=person.host_id,
        is_unannounced=is_unannounced,
        status=None if is_unannounced else AttendeeStatus.COMING,
    )


def _list_others(session: Session, event_id: str, listed: Collection[str]) -> list[DoorRow]:
    """The members who did not say yes, by name."""
    columns: Any = (Member.id, Member.name, Member.company, EventReservation)
    held = (col(EventReservation.member_id) == col(Member.id)) & (col(EventReservation.event_id) == event_id)
    found = session.exec(select(*columns).outerjoin(EventReservation, held).where(col(Member.is_active))).all()
    rows = (
        DoorRow(id=member_id, name=name, company=company, status=status_of(reservation))
        for member_id, name, company, reservation in found
        if member_id not in listed
    )
    return sorted(rows, key=lambda row: fold(row.name))


def _list_gone(session: Session, event_id: str, people: Collection[str]) -> list[DoorRow]:
    """Those who arrived and stand in no list any more: guests taken back since, members no longer active."""
    found = {
        **_names_of_members(session, people),
        **_names_of_guests(session, event_id, people),
    }
    return [
        DoorRow(id=person, name=name, company=company, is_guest=is_guest)
        for person in people
        for name, company, is_guest in [found.get(person, (REMOVED, "", False))]
    ]


def _names_of_members(session: Session, people: Collection[str]) -> dict[str, tuple[str, str, bool]]:
    members = session.exec(select(Member).where(col(Member.id).in_(people)))
    return {member.id: (member.name, member.company, False) for member in members}


def _names_of_guests(session: Session, event_id: str, people: Collection[str]) -> dict[str, tuple[str, str, bool]]:
    hosts = {person: _host_of(person) for person in people}
    columns: Any = (EventReservation.id, Member.name)
    joined = select(*columns).outerjoin(Member, col(EventReservation.member_id) == col(Member.id))
    names = dict(session.exec(joined.where(col(EventReservation.id).in_(set(hosts.values())))).all())
    guests = session.exec(select(EventGuest).where(EventGuest.event_id == event_id))
    known = {guest_id(one.reservation_id or "", one.position or 0): one for one in guests}
    return {
        person: (guest_name(one.name if one else "", names[host] or REMOVED), one.company if one else "", True)
        for person, host in hosts.items()
        if host in names
        for one in [known.get(person)]
    }
