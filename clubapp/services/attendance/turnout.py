"""Who came to an event and who did not, counted from the arrivals; and what becomes of arrivals when a person goes."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlmodel import Session, col

from clubapp import clock
from clubapp.models import Arrival, ArrivalTouch, AttendeeStatus, Event, EventReservation, EventStatus, Member
from clubapp.services.attendance.people import list_expected

ARRIVED, NO_SHOW = "arrived", "no_show"
CAME, ABSENT = "Venus", "Absents malgré leur réponse"


@dataclass(frozen=True)
class Turnout:
    """How many people came and how many did not although they were expected, guests included.

    It `is_known` once the doors are closed or somebody has arrived.
    """

    is_known: bool = False
    arrived: int = 0
    no_show: int = 0


def count_turnout(session: Session, event: Event, *, as_closed: bool = False) -> Turnout:
    """The turnout of an event, or what it is once the doors are closed; who came unexpected is among those who came."""
    arrived = list_arrived(session, event.id)
    if not arrived and event.doors_closed_at is None and not as_closed:
        return Turnout()
    absent = sum(person.id not in arrived for person in list_expected(session, event.id))
    return Turnout(is_known=True, arrived=len(arrived), no_show=absent)


@dataclass(frozen=True)
class Presences:
    """What is known of who came to one event. `can_note` says that it has begun, so that somebody's coming is noted.

    `groups` are the label and the number of those who came and of those who did not, once the turnout is known.
    """

    arrived: Collection[str] = ()
    can_note: bool = False
    is_closed: bool = False
    groups: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, session: Session, event: Event) -> "Presences":
        """Those of an event; nothing is asked of the database before it begins."""
        if event.date > clock.now() or event.status == EventStatus.CANCELLED:
            return cls()
        turnout = count_turnout(session, event)
        groups = {ARRIVED: (CAME, turnout.arrived), NO_SHOW: (ABSENT, turnout.no_show)} if turnout.is_known else {}
        return cls(list_arrived(session, event.id), True, event.doors_closed_at is not None, groups)

    def describe(self, person: str, status: AttendeeStatus) -> str:
        """'Venu', or, once the doors are closed, 'Absent malgré sa réponse' of who said yes; empty for others."""
        if person in self.arrived:
            return "Venu"
        return "Absent malgré sa réponse" if self.is_closed and status is AttendeeStatus.COMING else ""


def list_arrived(session: Session, event_id: str) -> set[str]:
    """The people who came, by the ids of `Person`."""
    return set(session.scalars(select(col(Arrival.person)).where(col(Arrival.event_id) == event_id)))


def came_each_time(count: int) -> Any:
    """The condition of a query for members who came to each of the last `count` events whose doors were closed."""
    closed = (col(Event.doors_closed_at).is_not(None), col(Event.status) != EventStatus.CANCELLED)
    last = select(col(Event.id)).where(*closed).order_by(col(Event.date).desc()).limit(count).subquery()
    came = select(col(Arrival.person)).where(col(Arrival.event_id).in_(select(last.c.id)))
    every_time = came.group_by(col(Arrival.person)).having(func.count(func.distinct(col(Arrival.event_id))) == count)
    return col(Member.id).in_(every_time)


def detach_arrivals(session: Session, arrivals: Any, touches: Any) -> None:
    """Let arrivals name nobody any more, before members are deleted or their reservations detached; they stay counted.

    `arrivals` and `touches` say which, as conditions on `Arrival` and `ArrivalTouch`. An arrival gets the id of the
    member's reservation, by which the person is known from then on; without one, an id of its own.
    """
    reserved = select(col(EventReservation.id)).where(
        col(EventReservation.event_id) == col(Arrival.event_id), col(EventReservation.member_id) == col(Arrival.person)
    )
    renamed = update(Arrival).where(arrivals).values(person=func.coalesce(reserved.scalar_subquery(), col(Arrival.id)))
    for statement in (delete(ArrivalTouch).where(touches), renamed):
        session.execute(statement.execution_options(synchronize_session=False))
