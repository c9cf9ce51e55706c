"""The day of an event: the guests as far as they are named, who arrived, and who sits where."""

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import JSON, CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from clubapp.models.base import flag_column, id_column, instant_column, list_column, text_column
from clubapp.models.events import MAX_GUESTS


class EventGuest(SQLModel, table=True):
    """What is known of one guest. A guest of whom nothing was said has no row: `guest_count` of the reservation counts.

    `position` is 1 to MAX_GUESTS among the guests of `reservation_id`; positions may be missing. Someone who came
    unannounced has neither. `with_lunch` is None while it follows the member's choice. Who `opted_out_at` some time is
    sent no broadcast.
    """

    __tablename__: ClassVar[Any] = "event_guests"
    __table_args__ = (
        UniqueConstraint("reservation_id", "position", name="uq_event_guests_position"),
        CheckConstraint(f"position BETWEEN 1 AND {MAX_GUESTS}", name="position"),
        CheckConstraint("(reservation_id IS NULL) = (position IS NULL)", name="of_someone"),
    )

    id: str = id_column()
    event_id: str = Field(foreign_key="events.id", ondelete="CASCADE", index=True)
    reservation_id: str | None = Field(
        default=None, foreign_key="event_reservations.id", ondelete="CASCADE", nullable=True
    )
    position: int | None = None
    name: str = text_column()
    company: str = text_column()
    email: str = text_column()
    with_lunch: bool | None = None
    meal_wish: str = text_column()
    opted_out_at: datetime | None = instant_column(nullable=True)
    created_at: datetime = instant_column()
    updated_at: datetime = instant_column()


def taken_positions(named: Collection[int], count: int) -> list[int]:
    """The positions of as many guests as are counted: those who are named, then the first free ones.

    A guest keeps their position, and with it their id, when another one goes.
    """
    free = [position for position in range(1, MAX_GUESTS + 1) if position not in named]
    return sorted([*named, *free[: max(0, count - len(named))]])[:count]


def choose_lunch(of_member: bool | None, of_guest: bool | None) -> bool | None:
    """Whether a guest eats: as their member does, unless something else was said of them."""
    return of_member if of_guest is None else of_guest


class TouchKind(StrEnum):
    """What was pressed for a person at the door."""

    ARRIVED = "arrived"
    UNDONE = "undone"


class ArrivalTouch(SQLModel, table=True):
    """One press at the door, kept so that devices that were away agree whatever the order they come back in.

    `id` is made by the device: a touch that is sent twice is one. `at` is the instant of the press.
    """

    __tablename__: ClassVar[Any] = "arrival_touches"
    __table_args__ = (
        CheckConstraint("kind IN ('arrived', 'undone')", name="kind"),
        Index("ix_arrival_touches_person", "event_id", "person"),
    )

    id: str = id_column()
    event_id: str = Field(foreign_key="events.id", ondelete="CASCADE")
    person: str = Field(max_length=80)
    kind: str
    at: datetime = instant_column()
    recorded_by: str = text_column()
    created_at: datetime = instant_column()


class Arrival(SQLModel, table=True):
    """That someone came to an event, as the touches say. To take it back deletes the row.

    `person` is `services.attendance.people.Person.id`: a member's id, or that of a guest. `arrived_at` is when the
    first device was pressed, by its clock; `recorded_by` is the administrator's address, empty by a helper's link.
    """

    __tablename__: ClassVar[Any] = "arrivals"
    __table_args__ = (Index("uq_arrivals_person", "event_id", "person", unique=True),)

    id: str = id_column()
    event_id: str = Field(foreign_key="events.id", ondelete="CASCADE")
    person: str = Field(max_length=80)
    arrived_at: datetime = instant_column()
    recorded_by: str = text_column()
    created_at: datetime = instant_column()


class CallAttempt(SQLModel, table=True):
    """A call to a member about an event that reached nobody. To take it back deletes the row.

    `recorded_by` is the administrator's address.
    """

    __tablename__: ClassVar[Any] = "call_attempts"

    id: str = id_column()
    event_id: str = Field(foreign_key="events.id", ondelete="CASCADE", index=True)
    member_id: str = Field(foreign_key="members.id", ondelete="CASCADE", index=True)
    at: datetime = instant_column()
    recorded_by: str


class EventAnnouncement(SQLModel, table=True):
    """The numbers of an event as they were frozen and told, `number` from 1. `people` are who was counted, with `id`
    and `host_id` of their `Person`, `name` and `company`; emptied 30 days after the event. `announced_by` is empty for
    the program. `facts` are the `AnnouncedFacts` of that instant, empty where they were not kept.

    An address that is not written to again knows what the row says all the same: nothing of it has changed.
    """

    __tablename__: ClassVar[Any] = "event_announcements"
    __table_args__ = (UniqueConstraint("event_id", "number", name="uq_event_announcements_number"),)

    id: str = id_column()
    event_id: str = Field(foreign_key="events.id", ondelete="CASCADE")
    number: int
    at: datetime = instant_column()
    announced_by: str = text_column()
    present: int
    guests: int
    meals: int
    wishes: dict[str, int] = Field(default_factory=dict, sa_type=JSON)
    people: list[dict[str, str]] = list_column()
    facts: dict[str, str] = Field(default_factory=dict, sa_type=JSON, sa_column_kwargs={"server_default": "{}"})
    host_email: str = text_column()
    caterer_email: str = text_column()


class EventTable(SQLModel, table=True):
    """A table of an event's lunch. `position` counts from 1; a table without a name is called by its position."""

    __tablename__: ClassVar[Any] = "event_tables"
    __table_args__ = (
        UniqueConstraint("event_id", "position", name="uq_event_tables_position"),
        CheckConstraint("seats >= 1", name="seats"),
    )

    id: str = id_column()
    event_id: str = Field(foreign_key="events.id", ondelete="CASCADE")
    position: int
    name: str = text_column()
    seats: int


class Seat(SQLModel, table=True):
    """Who sits at which table of an event. `person` is `services.attendance.people.Person.id`.

    It counts while the person is expected for lunch. A new proposal leaves who `is_locked` where they are.
    """

    __tablename__: ClassVar[Any] = "seats"
    __table_args__ = (UniqueConstraint("event_id", "person", name="uq_seats_person"),)

    id: str = id_column()
    event_id: str = Field(foreign_key="events.id", ondelete="CASCADE")
    person: str = Field(max_length=80)
    table_position: int
    is_locked: bool = flag_column(default=False)
