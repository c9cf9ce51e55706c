"""Events, their speakers, reservations and history of answers, and the view of figures counted from them."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import (
    CheckConstraint,
    ColumnElement,
    Index,
    Integer,
    String,
    UniqueConstraint,
    and_,
    bindparam,
    column,
    func,
    or_,
    table,
    text,
)
from sqlmodel import Field, Relationship, SQLModel, col, select

from clubapp.models.base import id_column, instant_column, number_column, text_column

MAX_GUESTS = 5
DURATION_HOURS = 3


class EventStatus(StrEnum):
    """The status of an event. Any change is allowed (D4)."""

    DRAFT = "draft"
    CONFIRMED = "confirmed"
    COMPLETED = "completed"
    CANCELLED = "cancelled"

    @property
    def label(self) -> str:
        """The French word."""
        return {"draft": "Brouillon", "confirmed": "Confirmé", "completed": "Terminé", "cancelled": "Annulé"}[self]


class Event(SQLModel, table=True):
    """An event; one a month that is not cancelled. `month` is the club's local month of `date`, such as '2025-05' (C3).

    `sequence` is the SEQUENCE of its calendar entries: it rises with each change of date, place or status (C5).
    Without `ends_at` it lasts DURATION_HOURS. Answers are taken until `answers_until`, or until the event begins.
    `host` names the company that receives it; the two addresses are told the numbers (`EventAnnouncement`).
    `doors_closed_at` is when its reception was closed, which settles who came.
    `helper_token` is the SHA-256 of the token of the helpers' link, empty without one; each link made raises
    `helper_serial`.
    `speakers` are read in their order when they are first asked for, and only read: rows of `EventSpeaker` are written
    by themselves.
    """

    __tablename__: ClassVar[Any] = "events"
    __table_args__ = (
        CheckConstraint("status IN ('draft', 'confirmed', 'completed', 'cancelled')", name="status"),
        CheckConstraint("max_participants >= 1", name="max_participants"),
        Index(
            "uq_events_month",
            "month",
            unique=True,
            sqlite_where=text("status <> 'cancelled'"),
            postgresql_where=text("status <> 'cancelled'"),
        ),
    )

    id: str = id_column()
    title: str
    date: datetime = instant_column(index=True)
    month: str = Field(max_length=7)
    location: str
    address: str | None = None
    description: str | None = None
    has_lunch: bool = True
    max_participants: int | None = None
    status: str = EventStatus.DRAFT
    invitation_sent: bool = False
    sequence: int = number_column()
    answers_until: datetime | None = instant_column(nullable=True)
    ends_at: datetime | None = instant_column(nullable=True)
    host: str = text_column()
    host_email: str = text_column()
    caterer_email: str = text_column()
    doors_closed_at: datetime | None = instant_column(nullable=True)
    helper_serial: int = number_column()
    helper_token: str = text_column()
    created_by: str = ""
    created_at: datetime = instant_column()
    updated_at: datetime = instant_column()
    email_subject: str | None = None
    email_template: str | None = None
    reminder_1_subject: str | None = None
    reminder_1_template: str | None = None
    reminder_2_subject: str | None = None
    reminder_2_template: str | None = None

    speakers: list["EventSpeaker"] = Relationship(
        sa_relationship_kwargs={"order_by": "EventSpeaker.display_order", "viewonly": True}
    )

    @property
    def closes_at(self) -> datetime:
        """The instant from which no answer is taken: the beginning, or the event's own deadline before it."""
        return min(self.date, self.answers_until or self.date)


class EventSpeaker(SQLModel, table=True):
    """Someone who speaks at an event, in `display_order`."""

    __tablename__: ClassVar[Any] = "event_speakers"

    id: str = id_column()
    event_id: str = Field(foreign_key="events.id", ondelete="CASCADE", index=True)
    name: str
    company: str | None = None
    role: str | None = None
    bio: str | None = None
    display_order: int = 0


class AnswerSource(StrEnum):
    """How an answer reached the club."""

    LINK = "link"  # by the link of the mail
    MEMBER = "member"  # signed in, in the member area
    PHONE = "phone"  # recorded by an administrator
    CORRECTION = "correction"  # recorded by an administrator once the event had begun
    OFFER = "offer"  # an offered place was taken or declined
    SEATED = "seated"  # whoever waited got a place when there was one for all who waited
    GUEST = "guest"  # a guest declined by the link of their own mail


class EventReservation(SQLModel, table=True):
    """The answer of one member to one event.

    `response_token` is the SHA-256 of the link's token, never the token (decision 0004).
    `member_id` becomes null when the member is removed: the count stays, the person goes.

    Someone on the waiting list has `will_attend` true and `waiting_since` set; they do not count as coming. Their
    order is `waiting_rank`, ascending. A place held for them until `offer_until` counts as taken until then.
    `meal_wish` is what they wrote of their meal, erased 30 days after the event. `withdrawn_at` is set while the member
    is inactive: they are not invited then, whatever they said.
    """

    __tablename__: ClassVar[Any] = "event_reservations"
    __table_args__ = (
        UniqueConstraint("event_id", "member_id", name="uq_event_reservations_person"),
        CheckConstraint(f"guest_count BETWEEN 0 AND {MAX_GUESTS}", name="guest_count"),
    )

    id: str = id_column()
    event_id: str = Field(foreign_key="events.id", ondelete="CASCADE")
    member_id: str | None = Field(default=None, foreign_key="members.id", ondelete="SET NULL", index=True)
    response_token: str = Field(unique=True, max_length=64)
    will_attend: bool | None = None
    with_lunch: bool | None = None
    guest_count: int = 0
    responded_at: datetime | None = instant_column(nullable=True)
    answered_via: str = text_column()
    recorded_by: str = text_column()
    waiting_since: datetime | None = instant_column(nullable=True)
    waiting_rank: int | None = None
    offer_until: datetime | None = instant_column(nullable=True)
    meal_wish: str = text_column()
    withdrawn_at: datetime | None = instant_column(nullable=True)
    created_at: datetime = instant_column()
    updated_at: datetime = instant_column(index=True)

    @property
    def is_waiting(self) -> bool:
        """Whether the person is on the waiting list, with or without an offered place."""
        return bool(self.will_attend) and self.waiting_since is not None

    @property
    def is_coming(self) -> bool:
        """Whether the person has a place; `coming` is the same rule for queries."""
        return bool(self.will_attend) and self.waiting_since is None


def coming() -> ColumnElement[bool]:
    """The condition of a query for reservations with a place; the same rule as `is_coming`."""
    return and_(col(EventReservation.will_attend).is_(True), col(EventReservation.waiting_since).is_(None))


def invited() -> ColumnElement[bool]:
    """The condition of a query for reservations of who is invited; the view of the figures has the same."""
    return col(EventReservation.withdrawn_at).is_(None)


def not_ended(now: datetime, event: type[Event] = Event) -> ColumnElement[bool]:
    """The condition of a query for events that end after `now`; the same rule as `calendar_files.ends_at`.

    `event` is the alias in a query that names events twice.
    """
    without_end = col(event.ends_at).is_(None) & (col(event.date) > now - timedelta(hours=DURATION_HOURS))
    return without_end | (col(event.ends_at).is_not(None) & (col(event.ends_at) > now))  # never null: it may be negated


# How many places of an event are taken. Members and guests who come take a place each, and so does who has one on
# offer. Built once: each press asks.
taken_places = select(func.coalesce(func.sum(1 + col(EventReservation.guest_count)), 0)).where(
    EventReservation.event_id == bindparam("event_id"),
    col(EventReservation.will_attend).is_(True),
    or_(col(EventReservation.waiting_since).is_(None), col(EventReservation.offer_until) > bindparam("now")),
)


class ReservationAnswer(SQLModel, table=True):
    """One entry of a reservation's history of answers: the answer, its source, and who recorded it."""

    __tablename__: ClassVar[Any] = "reservation_answers"

    id: str = id_column()
    reservation_id: str = Field(foreign_key="event_reservations.id", ondelete="CASCADE", index=True)
    at: datetime = instant_column()
    will_attend: bool | None = None
    with_lunch: bool | None = None
    guest_count: int = 0
    is_waiting: bool = False
    via: str = AnswerSource.LINK
    recorded_by: str = ""


# A view counted from the reservations; an event without any has no row, which means all zero.
event_stats = table(
    "event_stats",
    column("event_id", String),
    *(
        column(name, Integer)
        for name in (
            "total_invited",
            "total_attending",
            "total_not_attending",
            "total_no_response",
            "total_with_lunch",
            "total_guests",
            "total_waiting",
        )
    ),
)
