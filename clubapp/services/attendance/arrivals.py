"""Who arrived at an event: what is pressed at the door, on several devices, some of them without network."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from clubapp import clock
from clubapp.models import (
    Arrival,
    ArrivalTouch,
    AttendeeStatus,
    Event,
    EventGuest,
    EventReservation,
    Member,
    TouchKind,
    invited,
    status_of,
)
from clubapp.services.attendance.people import (
    Person,
    guest_id,
    host_of,
    list_expected,
    list_unexpected,
    taken_positions,
)
from clubapp.services.base.form_fields import clean_line
from clubapp.services.events.editing import find_event
from clubapp.text.collation import fold

EARLIEST = timedelta(hours=24)
# Each of one address of an administrator, and of the holders of the helpers' link together: who presses without end
# takes nothing from another.
MOST_TOUCHES = 50  # of one person
MOST_UNANNOUNCED = 200
LONGEST_NAME = 120
UNKNOWN = "cette personne n’est plus dans la liste\u00a0: rien n’est noté."
TOO_MANY_TOUCHES = "trop d’allers-retours pour cette personne\u00a0: le dernier n’est pas noté."
TOO_MANY_UNANNOUNCED = f"{MOST_UNANNOUNCED} personnes imprévues sont déjà notées\u00a0: celle-ci ne l’est pas."


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
class RefusedTouch:
    """A press that was not kept, by the id of its `Touch`, and why; `is_known` says whether the person is someone."""

    id: str
    person: str
    text: str
    is_known: bool = False


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
    """Everyone who may come through the door, who arrived, the two figures, and whether the doors are closed."""

    event_id: str
    title: str
    rows: tuple[DoorRow, ...]
    arrived: int
    expected: int
    is_closed: bool


def record_arrivals(
    session: Session, event_id: str, touches: Sequence[Touch], recorded_by: str
) -> tuple[RefusedTouch, ...]:
    """Keep what was pressed. Sent twice, or in another order, it has the same effect (D7).

    The first arrival wins; an undo takes back what was pressed before it. A touch of somebody unknown, and what goes
    beyond MOST_TOUCHES of a person or MOST_UNANNOUNCED, is not kept: a queue with it would never become empty.

    Returns:
        The touches that were not kept.

    Raises:
        NotFound: when the event was deleted.
    """
    event = find_event(session, event_id, lock=True)
    sent = {touch.id: touch for touch in reversed(touches)}
    kept = set(session.exec(select(ArrivalTouch.id).where(col(ArrivalTouch.id).in_(sent))))
    fresh = [touch for touch in touches if touch.id not in kept and sent[touch.id] is touch]
    known = _find_known(session, event_id, {touch.person for touch in fresh})
    unannounced = _count_unannounced(session, event_id, recorded_by)
    for touch in fresh:
        is_new = touch.person not in known and clean_line(touch.name) and session.get(EventGuest, touch.person) is None
        if is_new and unannounced < MOST_UNANNOUNCED:
            _add_unannounced(session, event_id, touch)
            known.add(touch.person)
            unannounced += 1
    counts = _count_touches(session, event_id, known, recorded_by)
    refused = []
    for number, touch in enumerate(fresh):
        if touch.person not in known:
            text = TOO_MANY_UNANNOUNCED if clean_line(touch.name) else UNKNOWN
            refused.append(RefusedTouch(touch.id, touch.person, text))
        elif counts[touch.person] >= MOST_TOUCHES:
            refused.append(RefusedTouch(touch.id, touch.person, TOO_MANY_TOUCHES, is_known=True))
        else:
            counts[touch.person] += 1
            session.add(_row(event, touch, number, recorded_by))
    session.flush()
    _apply(session, event_id, known)
    return tuple(refused)


def count_arrived(session: Session, event_id: str) -> int:
    """How many people came, members and guests."""
    return session.exec(select(func.count()).where(Arrival.event_id == event_id)).one()


def read_door(session: Session, event_id: str) -> Door:
    """Everyone who is expected, guests whom nobody announced, the members who did not say yes, and whoever came and
    stands in no list any more; of `list_people` are those who are expected or arrived.

    Raises:
        NotFound: when the event was deleted.
    """
    event = find_event(session, event_id)
    arrived = dict(session.exec(select(Arrival.person, Arrival.arrived_at).where(Arrival.event_id == event_id)).all())
    expected = list_expected(session, event_id)
    others = _list_others(session, event_id, {person.id for person in expected})
    came = list_unexpected(session, event_id, {person.id for person in expected} | {row.id for row in others})
    unannounced = [person for person in came if person.is_unannounced]
    gone = [person for person in came if not person.is_unannounced]
    touched = _last_touches(session, event_id)
    rows = tuple(
        replace(row, arrived_at=arrived.get(row.id), touched_at=touched.get(row.id, arrived.get(row.id)))
        for row in (*map(_row_of, (*expected, *unannounced)), *others, *map(_row_of, gone))
    )
    is_closed = event.doors_closed_at is not None
    return Door(event.id, event.title, rows, len(arrived), sum(row.is_expected for row in rows), is_closed)


def _add_unannounced(session: Session, event_id: str, touch: Touch) -> None:
    """A guest whom nobody announced, under the id that their device made."""
    name, company = (clean_line(text)[:LONGEST_NAME] for text in (touch.name, touch.company))
    now = clock.now()
    session.add(
        EventGuest(id=touch.person, event_id=event_id, name=name, company=company, created_at=now, updated_at=now)
    )
    session.flush()


def _count_unannounced(session: Session, event_id: str, recorded_by: str) -> int:
    """How many guests whom nobody announced came by the presses of that administrator, or of the helpers."""
    own = EventGuest.event_id == event_id, col(EventGuest.reservation_id).is_(None), Arrival.recorded_by == recorded_by
    arrived = (col(Arrival.person) == col(EventGuest.id)) & (col(Arrival.event_id) == col(EventGuest.event_id))
    return session.exec(select(func.count()).select_from(EventGuest).join(Arrival, arrived).where(*own)).one()


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
    hosts = {host_of(person) for person in people} | set(people)
    reservations = session.exec(
        select(EventReservation).where(EventReservation.event_id == event_id, col(EventReservation.id).in_(hosts))
    ).all()
    named: defaultdict[str | None, list[int]] = defaultdict(list)
    for guest in session.exec(select(EventGuest).where(col(EventGuest.reservation_id).in_(hosts))):
        named[guest.reservation_id].append(guest.position or 0)
    brought = {
        guest_id(one.id, position)
        for one in reservations
        if one.is_coming
        for position in taken_positions(named[one.id], one.guest_count)
    }
    came = session.exec(  # whoever was taken back since can still be undone
        select(Arrival.person).where(Arrival.event_id == event_id, col(Arrival.person).in_(people))
    )
    return set(people) & {*members, *guests, *(one.id for one in reservations), *brought, *came}


def _count_touches(session: Session, event_id: str, people: Collection[str], recorded_by: str) -> dict[str, int]:
    of_them = ArrivalTouch.event_id == event_id, col(ArrivalTouch.person).in_(people)
    counted = session.exec(
        select(ArrivalTouch.person, func.count())
        .where(*of_them, ArrivalTouch.recorded_by == recorded_by)
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


def _row_of(person: Person) -> DoorRow:
    return DoorRow(
        id=person.id,
        name=person.name,
        company=person.company,
        is_guest=person.is_guest,
        is_named=person.is_named,
        host_id=person.host_id,
        is_unannounced=person.is_unannounced,
        status=AttendeeStatus.COMING if person.is_expected else None,
    )


def _list_others(session: Session, event_id: str, listed: Collection[str]) -> list[DoorRow]:
    """The members who did not say yes, by name: who is active, or invited."""
    columns: Any = (Member.id, Member.name, Member.company, EventReservation)
    own = (col(EventReservation.member_id) == col(Member.id)) & (col(EventReservation.event_id) == event_id)
    is_shown = col(Member.is_active) | col(EventReservation.id).is_not(None)
    found = session.exec(select(*columns).outerjoin(EventReservation, own & invited()).where(is_shown)).all()
    rows = (
        DoorRow(id=member_id, name=name, company=company, status=status_of(reservation))
        for member_id, name, company, reservation in found
        if member_id not in listed
    )
    return sorted(rows, key=lambda row: fold(row.name))
