"""Changes to the tables of an event: how many, who sits where, and a proposal around what is locked.

Each change holds the event's row, so that two administrators change one seat after the other: the last choice stands.
"""

from collections import Counter
from collections.abc import Sequence

from sqlmodel import Session

from clubapp.models import Event, EventSpeaker, EventTable, Seat
from clubapp.refusals import Conflict, Invalid, NotFound
from clubapp.services.attendance.people import Person
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.form_fields import clean_line
from clubapp.services.events.editing import find_event
from clubapp.services.seating.history import read_meetings
from clubapp.services.seating.plan import label_of, list_diners, list_seats, list_tables
from clubapp.services.seating.propose import Proposal, propose_seating
from clubapp.text.collation import fold

MOST_TABLES, MOST_SEATS, LONGEST_NAME = 100, 50, 40
NO_LUNCH = "Cet événement est sans déjeuner\u00a0: il n’a pas de tables."
WRONG_COUNT = f"Indiquez de 1 à {MOST_TABLES} tables."
WRONG_SEATS = f"Indiquez de 1 à {MOST_SEATS} places par table."
LONG_NAME = f"Un nom de table a {LONGEST_NAME} caractères au maximum."
NO_TABLE = "Cette table n’existe plus."
NOT_EXPECTED = "Cette personne n’est plus de celles qui déjeunent."
NO_SEAT = "Donnez d’abord une table à cette personne."
UNSEATED = 0


def set_tables(session: Session, actor: Actor, event_id: str, count: int, seats: int) -> None:
    """Have that many tables of that many seats. Names stay; whoever has no seat any more is to be placed.

    Raises:
        NotFound: when the event was deleted.
        Conflict: for an event without lunch.
        Invalid: when a number is out of range.
    """
    event = _open(session, actor, event_id)
    if not 1 <= count <= MOST_TABLES:
        raise Invalid(WRONG_COUNT, field="table_count")
    _check_seats(seats)
    tables = list_tables(session, event_id)
    changes = audit.compare(
        {"tables": len(tables), "seats": _describe_seats(tables)}, {"tables": count, "seats": seats}
    )
    for table in tables:
        table.seats = seats
        session.add(table)
        if table.position > count:
            session.delete(table)
    for position in range(len(tables) + 1, count + 1):
        session.add(EventTable(event_id=event_id, position=position, seats=seats))
    session.flush()
    _free_seats(session, event)
    audit.record(session, actor, "tables.changed", event_id, changes=changes)


def change_table(session: Session, actor: Actor, event_id: str, position: int, *, name: str, seats: int) -> None:
    """Give a table a name, and its number of seats. Whoever has no seat any more is to be placed.

    Raises:
        NotFound: when the event or the table is gone.
        Conflict: for an event without lunch.
        Invalid: when the name is too long, or the number out of range.
    """
    event = _open(session, actor, event_id)
    table = _find_table(session, event_id, position)
    cleaned = clean_line(name)
    if len(cleaned) > LONGEST_NAME:
        raise Invalid(LONG_NAME, field="name")
    _check_seats(seats)
    before = {"name": table.name, "seats": table.seats}
    table.name, table.seats = cleaned, seats
    session.add(table)
    session.flush()
    _free_seats(session, event)
    changes = audit.compare(before, {"name": cleaned, "seats": seats})
    audit.record(session, actor, "tables.changed", event_id, changes=changes, table=position)


def move_person(session: Session, actor: Actor, event_id: str, person: str, position: int) -> None:
    """Seat someone at a table; UNSEATED takes their seat away. The guests of a member go with them, as far as there is
    room, but who is locked.

    Raises:
        NotFound: when the event, the table or the person is gone.
        Conflict: for an event without lunch, and when the table is full.
    """
    event = _open(session, actor, event_id)
    seats = {seat.person: seat for seat in _free_seats(session, event)}
    diners = list_diners(session, event)
    if person not in {one.id for one in diners}:
        raise NotFound(NOT_EXPECTED)
    was_at = seats[person].table_position if person in seats else None
    guests = [one.id for one in diners if one.host_id == person and not _is_locked(seats.get(one.id))]
    if position == UNSEATED:
        for each in (person, *guests):
            if each in seats:
                session.delete(seats[each])
    else:
        table = _find_table(session, event_id, position)
        here = {each for each, seat in seats.items() if seat.table_position == position}
        if person not in here and len(here) >= table.seats:
            raise Conflict(f"{label_of(table)}\u00a0: toutes les places sont prises. Déplacez d’abord quelqu’un.")
        for each in (person, *guests):
            if each not in here and len(here) < table.seats:
                seat = seats.get(each) or Seat(event_id=event_id, person=each, table_position=position)
                seat.table_position = position
                session.add(seat)
                here.add(each)
    changes = {"table": (was_at, None if position == UNSEATED else position)}
    audit.record(session, actor, "seat.moved", event_id, changes=changes)


def lock_person(session: Session, actor: Actor, event_id: str, person: str, is_locked: bool) -> None:
    """Keep someone at their table when a seating is proposed again, or let them go.

    Raises:
        NotFound: when the event is gone, or the person has no seat.
        Conflict: for an event without lunch.
    """
    event = _open(session, actor, event_id)
    seat = next((each for each in _free_seats(session, event) if each.person == person), None)
    if seat is None:
        raise NotFound(NO_SEAT)
    changes = {"locked": (seat.is_locked, is_locked)}
    seat.is_locked = is_locked
    session.add(seat)
    audit.record(session, actor, "seat.locked", event_id, changes=changes)


def propose(session: Session, actor: Actor, event_id: str, seed: int) -> Proposal:
    """A seating of everyone who is expected, around who is locked; nothing is changed. Takes up to a second.

    Raises:
        NotFound: when the event was deleted.
        Conflict: for an event without lunch.
    """
    require_admin(actor)
    event = find_event(session, event_id)
    _require_lunch(event)
    people, tables = list_diners(session, event), list_tables(session, event_id)
    history = read_meetings(session, event.date).weigh_pairs(one.id for one in people)
    locked = {seat.person: seat.table_position - 1 for seat in list_seats(session, event_id) if seat.is_locked}
    speakers = _find_speakers(event.speakers, people)
    return propose_seating(people, [table.seats for table in tables], history, locked, seed, speakers=speakers)


def record_proposal(session: Session, actor: Actor, event_id: str, proposal: Proposal) -> None:
    """Give everyone the seat that was proposed, but who is locked, does not come any more, or finds their table full.

    Raises:
        NotFound: when the event was deleted.
        Conflict: for an event without lunch.
    """
    event = _open(session, actor, event_id)
    expected = {one.id for one in list_diners(session, event)}
    kept = list[Seat]()
    for seat in _free_seats(session, event):
        if seat.is_locked:
            kept.append(seat)
        else:
            session.delete(seat)
    session.flush()
    room = Counter({table.position: table.seats for table in list_tables(session, event_id)})
    room.subtract(seat.table_position for seat in kept)
    stays = {seat.person for seat in kept}
    for person, table in proposal.table_of.items():
        position = table + 1
        if person in expected - stays and room[position] > 0:
            session.add(Seat(event_id=event_id, person=person, table_position=position))
            room[position] -= 1
    audit.record(session, actor, "seats.proposed", event_id, count=len(proposal.table_of))


def _open(session: Session, actor: Actor, event_id: str) -> Event:
    require_admin(actor)
    event = find_event(session, event_id, lock=True)
    _require_lunch(event)
    return event


def _is_locked(seat: Seat | None) -> bool:
    return seat is not None and seat.is_locked


def _require_lunch(event: Event) -> None:
    if not event.has_lunch:
        raise Conflict(NO_LUNCH)


def _check_seats(seats: int) -> None:
    if not 1 <= seats <= MOST_SEATS:
        raise Invalid(WRONG_SEATS, field="seats")


def _describe_seats(tables: Sequence[EventTable]) -> int | list[int] | None:
    """The seats of a table, when all have as many, or of each; None without tables."""
    seats = [table.seats for table in tables]
    if len(set(seats)) > 1:
        return seats
    return seats[0] if seats else None


def _find_table(session: Session, event_id: str, position: int) -> EventTable:
    found = next((table for table in list_tables(session, event_id) if table.position == position), None)
    if found is None:
        raise NotFound(NO_TABLE)
    return found


def _free_seats(session: Session, event: Event) -> list[Seat]:
    """Take away the seats of people who do not come any more, and of those whom a table has no room for.

    Returns:
        The seats that stay.
    """
    expected = {one.id for one in list_diners(session, event)}
    room = Counter({table.position: table.seats for table in list_tables(session, event.id)})
    stay = list[Seat]()
    for seat in sorted(list_seats(session, event.id), key=lambda seat: not seat.is_locked):
        if seat.person in expected and room[seat.table_position] > 0:
            room[seat.table_position] -= 1
            stay.append(seat)
        else:
            session.delete(seat)
    session.flush()
    return stay


def _find_speakers(speakers: Sequence[EventSpeaker], people: Sequence[Person]) -> list[str]:
    """Those of the people who speak, known by their names."""
    names = {fold(speaker.name) for speaker in speakers}
    return [one.id for one in people if fold(one.name) in names]
