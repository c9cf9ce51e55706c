"""The club's events, as administrators see them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import DURATION_HOURS, Event, EventSpeaker, EventStatus, Member, event_stats
from clubapp.services.answers import capacity as answer_capacity
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events import invitations
from clubapp.services.events.change_notice_progress import LastNotice, last_notice
from clubapp.services.events.editing import find, speakers_of
from clubapp.services.events.invitation_follow_up import Newcomers, find_newcomers
from clubapp.text.collation import by_name

# As many months are read before the one in the middle, and after it: the calendar turns without waiting.
MONTHS_AROUND = 13
UPCOMING = 60
# Built once: open screens ask it again and again.
_FIGURES = event_stats.select().where(event_stats.c.event_id == bindparam("event_id"))


@dataclass(frozen=True)
class CalendarEntry:
    """An event on the calendar. `start` and `end` are the club's wall clock, without a zone."""

    id: str
    title: str
    start: str
    end: str
    status: str
    status_label: str


@dataclass(frozen=True)
class EventRow:
    """An event in the upcoming list, with how far the sending of its invitations has come."""

    id: str
    title: str
    date: str
    location: str
    speakers: str
    status: str
    status_label: str
    invitation_sent: bool
    sending: str
    is_sending: bool


@dataclass(frozen=True)
class Upcoming:
    """The first events to come, and whether there are more."""

    rows: tuple[EventRow, ...]
    has_more: bool


@dataclass(frozen=True)
class KnownPerson:
    """A member who may be taken for a speaker."""

    name: str
    company: str
    role: str


@dataclass(frozen=True)
class Speaker:
    """A speaker to show; `line` is 'role, company'."""

    name: str
    line: str
    bio: str


@dataclass(frozen=True)
class Figures:
    """The row of `event_stats`; all zero when there is none."""

    total_invited: int = 0
    total_attending: int = 0
    total_not_attending: int = 0
    total_no_response: int = 0
    total_with_lunch: int = 0
    total_guests: int = 0
    total_waiting: int = 0


@dataclass(frozen=True)
class EventDetail:
    """Everything the detail dialog shows. `can_send` is for its own button.

    `capacity` counts members alone; `places` says what is left once guests are counted too.
    """

    id: str = ""
    title: str = ""
    status: str = ""
    status_label: str = ""
    date: str = ""
    location: str = ""
    address: str = ""
    description: str = ""
    has_lunch: bool = False
    speakers: tuple[Speaker, ...] = ()
    stats: Figures = Figures()
    max_participants: int = 0
    capacity: str = ""
    places: str = ""
    invitation_sent: bool = False
    can_send: bool = False


@dataclass(frozen=True)
class Overview:
    """What an open dialog asks again and again: the event, how far its mails are, and who could still be invited."""

    detail: EventDetail
    sending: invitations.Sending
    newcomers: Newcomers
    told: LastNotice


def calendar(session: Session, actor: Actor, month: str = "") -> tuple[CalendarEntry, ...]:
    """The events of thirteen months before and after a month such as '2027-01', or the club's present one."""
    require_admin(actor)
    middle = month or clock.month_of(clock.now())
    begin, end = _beginning(middle, -MONTHS_AROUND), _beginning(middle, MONTHS_AROUND + 1)
    shown = select(Event.id, Event.title, Event.date, Event.status).where(Event.date >= begin, Event.date < end)
    return tuple(_entry(*event) for event in session.exec(shown.order_by(col(Event.date))))


def upcoming(session: Session, actor: Actor, most: int = UPCOMING) -> Upcoming:
    """The first events to come that are not cancelled, soonest first."""
    require_admin(actor)
    found = session.exec(
        select(Event)
        .where(col(Event.date) > clock.now(), Event.status != EventStatus.CANCELLED)
        .order_by(col(Event.date))
        .limit(most + 1)
    ).all()
    events = found[:most]
    speakers = speakers_of(session, [event.id for event in events])
    sendings = invitations.progress_of_all(session, actor, [event.id for event in events])
    nothing = invitations.Sending()
    rows = (_row(event, speakers.get(event.id, []), sendings.get(event.id, nothing)) for event in events)
    return Upcoming(tuple(rows), has_more=len(found) > most)


def known_people(session: Session, actor: Actor) -> tuple[KnownPerson, ...]:
    """The active members by name, to be taken for speakers."""
    require_admin(actor)
    found = session.exec(select(Member).where(col(Member.is_active)).order_by(Member.id))
    return tuple(KnownPerson(member.name, member.company, member.role) for member in by_name(found))


def overview(session: Session, actor: Actor, event_id: str) -> Overview:
    """One event with everything about its invitations.

    Raises:
        NotFound: when it was deleted.
    """
    return Overview(
        detail=detail(session, actor, event_id),
        sending=invitations.progress(session, actor, event_id),
        newcomers=find_newcomers(session, actor, event_id),
        told=last_notice(session, actor, event_id),
    )


def detail(session: Session, actor: Actor, event_id: str) -> EventDetail:
    """One event with its speakers and figures.

    Raises:
        NotFound: when it was deleted.
    """
    require_admin(actor)
    event = find(session, event_id)
    stats = figures(session, event_id)
    return EventDetail(
        id=event.id,
        title=event.title,
        status=event.status,
        status_label=EventStatus(event.status).label,
        date=clock.long_date(event.date),
        location=event.location,
        address=event.address or "",
        description=event.description or "",
        has_lunch=event.has_lunch,
        speakers=tuple(_speaker(speaker) for speaker in speakers_of(session, [event_id]).get(event_id, [])),
        stats=stats,
        max_participants=event.max_participants or 0,
        capacity=_capacity(stats, event.max_participants),
        places=_places(session, event, stats),
        invitation_sent=event.invitation_sent,
        can_send=not event.invitation_sent and event.status == EventStatus.DRAFT,
    )


def figures(session: Session, event_id: str) -> Figures:
    """The figures of an event, counted now."""
    row = session.connection().execute(_FIGURES, {"event_id": event_id}).mappings().first()
    return Figures(**{name: count for name, count in row.items() if name != "event_id"}) if row else Figures()


def _beginning(month: str, later: int) -> datetime:
    """When the month begins that comes so many months later; in UTC, for a few hours do not matter here."""
    year, number = divmod(int(month[:4]) * 12 + int(month[5:]) - 1 + later, 12)
    return datetime(year, number + 1, 1, tzinfo=UTC)


def _entry(event_id: str, title: str, date: datetime, status: str) -> CalendarEntry:
    return CalendarEntry(
        id=event_id,
        title=title,
        start=clock.to_form(date),
        end=clock.to_form(date + timedelta(hours=DURATION_HOURS)),
        status=status,
        status_label=EventStatus(status).label,
    )


def _row(event: Event, speakers: Iterable[EventSpeaker], sending: invitations.Sending) -> EventRow:
    return EventRow(
        id=event.id,
        title=event.title,
        date=clock.long_date(event.date),
        location=event.location,
        speakers=", ".join(speaker.name for speaker in speakers),
        status=event.status,
        status_label=EventStatus(event.status).label,
        invitation_sent=event.invitation_sent,
        sending=sending.sentence,
        is_sending=sending.pending > 0,
    )


def _speaker(speaker: EventSpeaker) -> Speaker:
    named = [text for text in (speaker.role, speaker.company) if text]
    return Speaker(name=speaker.name, line=", ".join(named), bio=speaker.bio or "")


def _capacity(stats: Figures, limit: int | None) -> str:
    """The line 'attending / max participants'."""
    return f"{stats.total_attending} / {limit} participants" if limit else ""


def _places(session: Session, event: Event, stats: Figures) -> str:
    """'26 places prises avec les invités, dont 3 proposées, 14 libres': who waits may have one on offer."""
    free = answer_capacity.free(session, event)
    if free is None or event.max_participants is None:
        return ""
    taken, left = event.max_participants - free, max(0, free)
    offered = taken - stats.total_attending - stats.total_guests
    parts = [
        f"{taken} {'places prises' if taken > 1 else 'place prise'} avec les invités",
        f"dont {offered} {'proposées' if offered > 1 else 'proposée'}" if offered > 0 else "",
        f"{left} {'libres' if left > 1 else 'libre'}",
    ]
    return ", ".join(part for part in parts if part)
