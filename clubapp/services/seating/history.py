"""Who has met whom at past events: who came together, and who sat at one table."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Any

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import Arrival, Event, EventReservation, EventStatus, Seat, coming
from clubapp.services.seating.propose import pair

_AT_ONE_TABLE = 3
_NONE: frozenset[Any] = frozenset()


@dataclass(frozen=True)
class PastMeetings:
    """Of each person, by id: the events they came to, and the tables they sat at, as (event, position)."""

    events: Mapping[str, frozenset[str]]
    tables: Mapping[str, frozenset[tuple[str, int]]]

    def has_come_together(self, one: str, other: str) -> bool:
        """Whether two people came to one event."""
        return not self.events.get(one, _NONE).isdisjoint(self.events.get(other, _NONE))

    def has_sat_together(self, one: str, other: str) -> bool:
        """Whether two people sat at one table."""
        return not self.tables.get(one, _NONE).isdisjoint(self.tables.get(other, _NONE))

    def weigh_pairs(self, people: Iterable[str]) -> dict[tuple[str, str], int]:
        """How much each pair has met: an evening at one table weighs more than one in the same room."""
        weights: dict[tuple[str, str], int] = {}
        for one, other in combinations([person for person in people if person in self.events], 2):
            came, sat = self.events[one] & self.events[other], self.tables.get(one, _NONE)
            if came:
                weights[pair(one, other)] = len(came) + _AT_ONE_TABLE * len(sat & self.tables.get(other, _NONE))
        return weights


def read_meetings(session: Session, before: datetime) -> PastMeetings:
    """The meetings that were held before a moment, and before now.

    Where nobody's arrival was recorded, those who said yes count as having come.
    """
    is_past = (col(Event.date) < min(before, clock.now()), col(Event.status) != EventStatus.CANCELLED)
    arrived = session.exec(select(Arrival.event_id, Arrival.person).join(Event).where(*is_past)).all()
    answered = session.exec(
        select(EventReservation.event_id, EventReservation.member_id).join(Event).where(*is_past, coming())
    ).all()
    recorded = {event for event, _ in arrived}
    came = {*arrived, *((event, member) for event, member in answered if member and event not in recorded)}
    seats = session.exec(select(Seat.event_id, Seat.person, Seat.table_position).join(Event).where(*is_past)).all()
    return PastMeetings(
        events=_by_person((person, event) for event, person in came),
        tables=_by_person((person, (event, table)) for event, person, table in seats if (event, person) in came),
    )


def _by_person(rows: Iterable[tuple[str, Any]]) -> dict[str, frozenset[Any]]:
    grouped: defaultdict[str, set[Any]] = defaultdict(set)
    for person, value in rows:
        grouped[person].add(value)
    return {person: frozenset(values) for person, values in grouped.items()}
