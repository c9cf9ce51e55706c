"""Everyone who is expected at an event: the members who said yes, each with their guests, named or not."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from clubapp.models import MAX_GUESTS, EventGuest, EventReservation, Member, coming
from clubapp.text import french
from clubapp.text.collation import fold

REMOVED = "Membre supprimé"


@dataclass(frozen=True)
class Person:
    """One person at an event. `id` is the member's, of a guest the one of `guest_id`.

    `host` is the name of the member who brings a guest; empty for members and for who came unannounced. A guest who is
    not `is_named` is called by it. `with_lunch` is None where the event has no lunch or nothing was said.
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


def guest_id(reservation_id: str, position: int) -> str:
    """What names a guest, whether or not anything else is known of them."""
    return f"{reservation_id}-{position}"


def guest_name(name: str, host: str) -> str:
    """The name of a guest, or whose guest it is."""
    return name or f"invité {french.of_person(host)}"


def list_people(session: Session, event_id: str) -> tuple[Person, ...]:
    """The members who come, by name, each followed by their guests; then the guests who came unannounced."""
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
    for reservation, name, company, domain in sorted(reserved, key=lambda row: fold(row[1] or REMOVED)):
        host = Person(
            id=reservation.member_id or reservation.id,
            name=name or REMOVED,
            company=company or "",
            domain=domain or "",
            reservation_id=reservation.id,
            with_lunch=reservation.with_lunch,
            meal_wish=reservation.meal_wish,
        )
        people += [host, *_guests(host, reservation.guest_count, named[reservation.id])]
    unannounced = [
        Person(guest.id, guest.name, guest.company, is_guest=True, with_lunch=guest.with_lunch) for guest in named[None]
    ]
    return (*people, *sorted(unannounced, key=lambda person: fold(person.name)))


def taken_positions(named: Collection[int], count: int) -> list[int]:
    """The positions of as many guests as are counted: those who are named, then the first free ones.

    A guest keeps their position, and with it their id, when another one goes.
    """
    free = [position for position in range(1, MAX_GUESTS + 1) if position not in named]
    return sorted([*named, *free[: max(0, count - len(named))]])[:count]


def _guests(host: Person, count: int, named: Iterable[EventGuest]) -> list[Person]:
    at = {guest.position: guest for guest in named if guest.position}
    return [_guest(host, position, at.get(position)) for position in taken_positions(at.keys(), count)]


def _guest(host: Person, position: int, known: EventGuest | None) -> Person:
    with_lunch = known.with_lunch if known else None
    return Person(
        id=guest_id(host.reservation_id, position),
        name=guest_name(known.name if known else "", host.name),
        company=known.company if known else "",
        is_guest=True,
        is_named=bool(known and known.name),
        host=host.name,
        host_id=host.id,
        reservation_id=host.reservation_id,
        with_lunch=host.with_lunch if with_lunch is None else with_lunch,
        meal_wish=known.meal_wish if known else "",
    )
