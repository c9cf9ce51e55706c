"""The people of an event: those who are expected, as they answered, and those who came all the same.

What was answered decides the numbers that are announced (`list_expected`). What is prepared for people, such as a
badge or a seat, is for whoever is expected or arrived (`list_people`): before the first arrival both are the same.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from clubapp.mail.queue.outbox import UNNAMED
from clubapp.models import Arrival, EventGuest, EventReservation, Member, choose_lunch, coming, taken_positions
from clubapp.text import french
from clubapp.text.collation import fold


@dataclass(frozen=True)
class Person:
    """One person at an event. `id` is the member's, of a guest the one of `guest_id`.

    `host` is the name of the member who brings a guest; empty for members and for who came unannounced. A guest who is
    not `is_named` is called by it. `with_lunch` is None where the event has no lunch or nothing was said. Who is not
    `is_expected` arrived without having said yes, or after it was taken back.
    """

    id: str
    name: str
    company: str = ""
    domain: str = ""
    is_guest: bool = False
    is_named: bool = True
    host: str = ""
    host_id: str = ""
    reservation_id: str = ""
    with_lunch: bool | None = None
    meal_wish: str = ""
    is_expected: bool = True

    @property
    def eats(self) -> bool:
        """Whether a meal was asked for: what the caterer is told. Who has not answered for lunch asked for none."""
        return self.with_lunch is True

    @property
    def is_unannounced(self) -> bool:
        """Whether it is a guest whom no member ever announced."""
        return self.is_guest and not self.reservation_id


def guest_id(reservation_id: str, position: int) -> str:
    """What names a guest, whether or not anything else is known of them."""
    return f"{reservation_id}-{position}"


def guest_name(name: str, host: str) -> str:
    """The name of a guest, or whose guest it is."""
    return name or f"invité {french.of_person(host)}"


def list_people(session: Session, event_id: str) -> tuple[Person, ...]:
    """Everyone who is expected or arrived: `list_expected`, then by name those who came without being expected."""
    expected = list_expected(session, event_id)
    return (*expected, *list_unexpected(session, event_id, {person.id for person in expected}))


def list_expected(session: Session, event_id: str) -> tuple[Person, ...]:
    """The members who said yes, by name, each followed by their guests."""
    columns: Any = (EventReservation, Member.name, Member.company, Member.activity_domain)
    reserved = session.exec(
        select(*columns)
        .outerjoin(Member, col(EventReservation.member_id) == col(Member.id))
        .where(EventReservation.event_id == event_id, coming())
    ).all()
    named: defaultdict[str | None, list[EventGuest]] = defaultdict(list)
    for guest in session.exec(select(EventGuest).where(EventGuest.event_id == event_id)).all():
        named[guest.reservation_id].append(guest)
    people: list[Person] = []
    for reservation, name, company, domain in sorted(reserved, key=lambda row: fold(row[1] or UNNAMED)):
        host = Person(
            id=reservation.member_id or reservation.id,
            name=name or UNNAMED,
            company=company or "",
            domain=domain or "",
            reservation_id=reservation.id,
            with_lunch=reservation.with_lunch,
            meal_wish=reservation.meal_wish,
        )
        people += [host, *_guests(host, reservation.guest_count, named[reservation.id])]
    return tuple(people)


def list_unexpected(session: Session, event_id: str, expected: Collection[str]) -> tuple[Person, ...]:
    """Those who arrived and are not among the expected, by name: members who had not said yes, guests whom nobody
    announced, and who was taken back since. `expected` are the ids of `Person`.
    """
    arrived = session.exec(select(Arrival.person).where(Arrival.event_id == event_id))
    came = name_people(session, event_id, set(arrived) - set(expected)).values()
    return tuple(sorted(came, key=lambda person: fold(person.name)))


def name_people(session: Session, event_id: str, people: Collection[str]) -> dict[str, Person]:
    """What is known of people of an event who are not expected, by the ids of `Person`; UNNAMED of whoever is gone."""
    if not people:
        return {}
    found = {person: Person(person, UNNAMED, is_expected=False) for person in people}
    for one in session.exec(select(Member).where(col(Member.id).in_(people))):
        found[one.id] = Person(one.id, one.name, one.company, one.activity_domain, is_expected=False)
    hosts = {person: host_of(person) for person in people}
    columns: Any = (EventReservation.id, Member.name)
    joined = select(*columns).outerjoin(Member, col(EventReservation.member_id) == col(Member.id))
    names = dict(session.exec(joined.where(col(EventReservation.id).in_(set(hosts.values())))).all())
    guests = session.exec(select(EventGuest).where(EventGuest.event_id == event_id)).all()
    known = {guest_id(one.reservation_id or "", one.position or 0): one for one in guests}
    for person, host in hosts.items():
        if host in names:
            found[person] = _taken_back(person, host, names[host] or UNNAMED, known.get(person))
    for one in guests:
        if one.reservation_id is None and one.id in found:
            found[one.id] = Person(
                one.id, one.name, one.company, is_guest=True, with_lunch=one.with_lunch, is_expected=False
            )
    return found


def host_of(person: str) -> str:
    """The reservation that the id of a guest begins with."""
    return person.rpartition("-")[0]


def _taken_back(person: str, reservation_id: str, host: str, known: EventGuest | None) -> Person:
    """A guest whom their member does not bring any more."""
    return Person(
        id=person,
        name=guest_name(known.name if known else "", host),
        company=known.company if known else "",
        is_guest=True,
        is_named=bool(known and known.name),
        host=host,
        reservation_id=reservation_id,
        is_expected=False,
    )


def _guests(host: Person, count: int, named: Iterable[EventGuest]) -> list[Person]:
    at = {guest.position: guest for guest in named if guest.position}
    return [_guest(host, position, at.get(position)) for position in taken_positions(at.keys(), count)]


def _guest(host: Person, position: int, known: EventGuest | None) -> Person:
    return Person(
        id=guest_id(host.reservation_id, position),
        name=guest_name(known.name if known else "", host.name),
        company=known.company if known else "",
        is_guest=True,
        is_named=bool(known and known.name),
        host=host.name,
        host_id=host.id,
        reservation_id=host.reservation_id,
        with_lunch=choose_lunch(host.with_lunch, known.with_lunch if known else None),
        meal_wish=known.meal_wish if known else "",
    )
