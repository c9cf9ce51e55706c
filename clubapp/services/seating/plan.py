"""The tables of an event as a screen shows them and a sheet prints them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil

from sqlmodel import Session, col, select

from clubapp import calendar_files
from clubapp.models import Event, EventTable, Seat
from clubapp.services.attendance.meals import describe_undecided
from clubapp.services.attendance.people import Person, list_people
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events.editing import find_event
from clubapp.services.seating.history import PastMeetings, read_meetings
from clubapp.services.seating.propose import may_share_table
from clubapp.text.collation import fold

USUAL_SEATS = 8


@dataclass(frozen=True)
class SeatedPerson:
    """Someone at a table, or who has no seat yet: then `table` is "0". `apart` says from whom a guest is separated."""

    id: str
    name: str
    company: str = ""
    domain: str = ""
    host: str = ""
    is_guest: bool = False
    is_named: bool = True
    table: str = "0"
    is_locked: bool = False
    apart: str = ""


@dataclass(frozen=True)
class TablePlan:
    """A table with who sits there, by name. `warning` names a pair of one company."""

    position: int
    label: str
    name: str
    seats: int
    people: tuple[SeatedPerson, ...] = ()
    places: str = ""
    warning: str = ""


@dataclass(frozen=True)
class TableChoice:
    """A table as the select of a person offers it; who is not there cannot choose one that `is_full`."""

    position: str
    label: str
    is_full: bool = False


@dataclass(frozen=True)
class SeatingPlan:
    """The tables of one event. `sentence` counts, `outcome` says what is new.

    `undecided` counts those who come and have not answered for lunch.
    """

    event_id: str = ""
    title: str = ""
    date: str = ""
    location: str = ""
    has_lunch: bool = False
    expected: int = 0
    table_count: int = 0
    usual_seats: int = USUAL_SEATS
    tables: tuple[TablePlan, ...] = ()
    unseated: tuple[SeatedPerson, ...] = ()
    choices: tuple[TableChoice, ...] = ()
    sentence: str = ""
    undecided: str = ""
    outcome: str = ""
    is_proposed: bool = False


def read_plan(session: Session, actor: Actor, event_id: str) -> SeatingPlan:
    """The tables of an event, with those who still have no seat. Who does not come for lunch any more is not in it.

    Raises:
        NotFound: when the event was deleted.
    """
    require_admin(actor)
    event = find_event(session, event_id)
    everyone = list_people(session, event_id) if event.has_lunch else ()
    people, tables = [one for one in everyone if _dines(one)], list_tables(session, event_id)
    seats = {seat.person: seat for seat in list_seats(session, event_id)}
    found = {table.position: list[SeatedPerson]() for table in tables}
    unseated: list[SeatedPerson] = []
    for one in people:
        seat = seats.get(one.id)
        (found[seat.table_position] if seat else unseated).append(_shown(one, seat, seats))
    table_of = {one.id: seats[one.id].table_position for one in people if one.id in seats}
    return SeatingPlan(
        event_id=event.id,
        title=event.title,
        date=calendar_files.when(event),
        location=event.location,
        has_lunch=event.has_lunch,
        expected=len(people),
        table_count=len(tables) or ceil(len(people) / USUAL_SEATS),
        usual_seats=max((table.seats for table in tables), default=USUAL_SEATS),
        tables=tuple(_table(table, found[table.position], people) for table in tables),
        unseated=tuple(unseated),
        choices=tuple(_choice(table, len(found[table.position])) for table in tables),
        sentence=_sentence(len(people), tables, len(unseated)),
        undecided=_describe_undecided(everyone),
        outcome=_outcome(table_of, people, read_meetings(session, event.date)) if table_of else "",
        is_proposed=bool(table_of),
    )


def list_diners(session: Session, event: Event) -> list[Person]:
    """Everyone for whom a meal was asked, and who came unexpected and did not say no; empty without lunch."""
    if not event.has_lunch:
        return []
    return [one for one in list_people(session, event.id) if _dines(one)]


def list_tables(session: Session, event_id: str) -> Sequence[EventTable]:
    """The tables of an event, in order."""
    query = select(EventTable).where(EventTable.event_id == event_id).order_by(col(EventTable.position))
    return session.exec(query).all()


def list_seats(session: Session, event_id: str) -> Sequence[Seat]:
    """All seats that were given at an event, whether or not the person is still expected."""
    return session.exec(select(Seat).where(Seat.event_id == event_id)).all()


def name_order(one: SeatedPerson) -> tuple[str, bool]:
    """The key that sorts by name; a guest without a name follows who brings them."""
    return fold(one.name if one.is_named else one.host), not one.is_named


def label_of(table: EventTable) -> str:
    """'Table 3', or 'Table 3, Beffroi'."""
    return f"Table {table.position}, {table.name}" if table.name else f"Table {table.position}"


def _shown(one: Person, seat: Seat | None, seats: dict[str, Seat]) -> SeatedPerson:
    host = seats.get(one.host_id)
    is_apart = seat and host and seat.table_position != host.table_position
    return SeatedPerson(
        id=one.id,
        name=one.name,
        company=one.company,
        domain=one.domain,
        host=one.host,
        is_guest=one.is_guest,
        is_named=one.is_named,
        table=str(seat.table_position) if seat else "0",
        is_locked=bool(seat and seat.is_locked),
        apart=f"Séparé de {one.host}" if is_apart else "",
    )


def _table(table: EventTable, seated: list[SeatedPerson], people: Sequence[Person]) -> TablePlan:
    here = {one.id for one in seated}
    pairs = combinations([one for one in people if one.id in here], 2)
    clash = next((two for two in pairs if not may_share_table(*two)), None)
    return TablePlan(
        position=table.position,
        label=label_of(table),
        name=table.name,
        seats=table.seats,
        people=tuple(sorted(seated, key=name_order)),
        places=f"{len(seated)} / {table.seats}",
        warning=f"De la même entreprise\u00a0: {clash[0].name} et {clash[1].name}" if clash else "",
    )


def _choice(table: EventTable, seated: int) -> TableChoice:
    return TableChoice(str(table.position), label_of(table), seated >= table.seats)


def _sentence(expected: int, tables: Sequence[EventTable], unseated: int) -> str:
    if not tables:
        return f"{_count(expected, 'personne')} à placer."
    places = sum(table.seats for table in tables)
    counted = [_count(expected, "personne"), _count(len(tables), "table"), _count(places, "place")]
    if places < expected:
        missing = expected - places
        return f"{', '.join(counted)}\u00a0: il manque {_count(missing, 'place')}."
    to_place = f". À placer\u00a0: {unseated}" if unseated else ""
    return f"{', '.join(counted)}{to_place}."


def _dines(one: Person) -> bool:
    return one.eats or (one.with_lunch is None and not one.is_expected)


def _describe_undecided(people: Sequence[Person]) -> str:
    undecided = describe_undecided(people)
    return f"{undecided}\u00a0: ni repas commandé, ni place à table." if undecided else ""


def _outcome(table_of: dict[str, int], people: Sequence[Person], meetings: PastMeetings) -> str:
    """What the seating brings: how many pairs of neighbours are new to each other at table."""
    members = [one.id for one in people if one.id in table_of and not one.is_guest]
    pairs = [two for two in combinations(members, 2) if table_of[two[0]] == table_of[two[1]]]
    new = sum(not meetings.has_sat_together(*two) for two in pairs)
    if not pairs:
        return ""
    return (
        f"{new} {'rencontres' if new > 1 else 'rencontre'} à table sur {len(pairs)} "
        f"{'sont nouvelles' if new > 1 else 'est nouvelle'}."
    )


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' if count > 1 else ''}"
