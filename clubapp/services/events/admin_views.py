"""The administrators' views of events: calendar, list of future events, detail."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from sqlalchemy import bindparam, or_
from sqlalchemy import select as select_columns
from sqlalchemy.orm import selectinload
from sqlmodel import Session, col, select

from clubapp import calendar_files, clock, routes
from clubapp.models import (
    DURATION_HOURS,
    AttendeeStatus,
    Event,
    EventSpeaker,
    EventStatus,
    Member,
    event_stats,
    not_ended,
)
from clubapp.services.answers import capacity as answer_capacity
from clubapp.services.attendance.closing import why_not_closable
from clubapp.services.attendance.meals import count_meals, describe_undecided
from clubapp.services.attendance.people import list_expected
from clubapp.services.attendance.turnout import Turnout, count_turnout
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events import invitations
from clubapp.services.events.announcement import AnnouncementView, read_announcement
from clubapp.services.events.change_notice_progress import LastNotice, read_last_notice
from clubapp.services.events.editing import find_event
from clubapp.services.events.invitation_follow_up import Newcomers, find_newcomers
from clubapp.text.collation import sort_by_name

# Months read on each side of the shown one, so that the calendar can be turned without a request.
MONTHS_AROUND = 13
UPCOMING = 60
# From when on the arrivals of an event are in sight.
ARRIVALS_BEFORE = timedelta(days=7)
# Built once, since open screens poll it.
_FIGURES = event_stats.select().where(event_stats.c.event_id == bindparam("event_id"))


@dataclass(frozen=True)
class CalendarItem:
    """An event on the calendar. `start` and `end` are the club's wall clock, without a zone."""

    id: str
    title: str
    start: str
    end: str
    status: str
    status_label: str


@dataclass(frozen=True)
class EventRow:
    """An event that has not ended, with the progress of its invitations; `is_running` while it takes place."""

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
    failed: str
    has_begun: bool
    is_running: bool


@dataclass(frozen=True)
class UpcomingEvents:
    """The first events that have not ended, and whether there are more."""

    rows: tuple[EventRow, ...]
    has_more: bool


@dataclass(frozen=True)
class SpeakerCandidate:
    """A member whose details can be copied into a speaker."""

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
    """The content of the detail dialog. `can_send` enables its button for sending the invitations.

    `can_close` and `can_reopen` enable those for the doors of an event that has begun.

    `capacity` counts the places taken, by members, guests and offers; `places` says by whom, and how many are left.
    `attending_label` names those who said yes, `declined_label` those who said no: of a past event nothing more is
    known. `total_meals` are those of members and guests, `undecided` says who has not answered for lunch. `arrivals` is
    the address of its arrivals, once it is near.
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
    total_meals: int = 0
    undecided: str = ""
    attending_label: str = ""
    declined_label: str = ""
    host: str = ""
    announcement: AnnouncementView = field(default_factory=AnnouncementView)
    turnout: Turnout = field(default_factory=Turnout)
    can_close: bool = False
    can_reopen: bool = False
    max_participants: int = 0
    taken: int = 0
    capacity: str = ""
    places: str = ""
    invitation_sent: bool = False
    can_send: bool = False
    arrivals: str = ""


@dataclass(frozen=True)
class EventOverview:
    """What an open dialog polls: the event, the progress of its mails, and who could still be invited."""

    detail: EventDetail
    sending: invitations.SendingProgress
    newcomers: Newcomers
    last_notice: LastNotice


def list_calendar(session: Session, actor: Actor, month: str = "") -> tuple[CalendarItem, ...]:
    """The events of `month`, such as '2027-01', or of the current one, and of thirteen months before and after."""
    require_admin(actor)
    middle = month or clock.month_of(clock.now())
    begin, end = _month_start(middle, -MONTHS_AROUND), _month_start(middle, MONTHS_AROUND + 1)
    shown = select_columns(*map(col, (Event.id, Event.title, Event.date, Event.ends_at, Event.status)))
    rows = session.execute(shown.where(col(Event.date) >= begin, col(Event.date) < end).order_by(col(Event.date)))
    return tuple(_entry(*row) for row in rows)


def list_upcoming_events(session: Session, actor: Actor, most: int = UPCOMING) -> UpcomingEvents:
    """The first events that have not ended and are neither cancelled nor over, soonest first."""
    require_admin(actor)
    now, is_open = clock.now(), col(Event.status) != EventStatus.COMPLETED
    found = session.exec(
        select(Event)
        .where(not_ended(now), Event.status != EventStatus.CANCELLED, or_(col(Event.date) > now, is_open))
        .order_by(col(Event.date))
        .limit(most + 1)
        .options(selectinload(cast("Any", Event.speakers)))
    ).all()
    events = found[:most]
    sendings = invitations.read_progress_of_all(session, actor, [event.id for event in events])
    nothing = invitations.SendingProgress()
    rows = (_row(event, sendings.get(event.id, nothing)) for event in events)
    return UpcomingEvents(tuple(rows), has_more=len(found) > most)


def list_speaker_candidates(session: Session, actor: Actor) -> tuple[SpeakerCandidate, ...]:
    """The active members by name, as candidates for speakers."""
    require_admin(actor)
    found = session.exec(select(Member).where(col(Member.is_active)).order_by(Member.id))
    return tuple(SpeakerCandidate(member.name, member.company, member.role) for member in sort_by_name(found))


def read_overview(session: Session, actor: Actor, event_id: str) -> EventOverview:
    """One event with the state of its invitations and notices.

    Raises:
        NotFound: when it was deleted.
    """
    return EventOverview(
        detail=read_detail(session, actor, event_id),
        sending=invitations.read_progress(session, actor, event_id),
        newcomers=find_newcomers(session, actor, event_id),
        last_notice=read_last_notice(session, actor, event_id),
    )


def read_detail(session: Session, actor: Actor, event_id: str) -> EventDetail:
    """One event with its speakers and figures.

    Raises:
        NotFound: when it was deleted.
    """
    require_admin(actor)
    event = find_event(session, event_id)
    stats = count_figures(session, event_id)
    taken, is_past = _count_taken(session, event), event.date <= clock.now()
    eaters = list_expected(session, event_id) if event.has_lunch else ()
    return EventDetail(
        id=event.id,
        title=event.title,
        status=event.status,
        status_label=EventStatus(event.status).label,
        date=calendar_files.when(event),
        location=event.location,
        address=event.address or "",
        description=event.description or "",
        has_lunch=event.has_lunch,
        speakers=tuple(_speaker(speaker) for speaker in event.speakers),
        stats=stats,
        total_meals=count_meals(eaters).total,
        undecided="" if is_past else describe_undecided(eaters),
        attending_label=AttendeeStatus.COMING.heading_at(is_past=is_past),
        declined_label=AttendeeStatus.DECLINED.heading_at(is_past=is_past),
        host=event.host,
        announcement=read_announcement(session, event),
        turnout=count_turnout(session, event) if is_past else Turnout(),
        can_close=event.doors_closed_at is None and not why_not_closable(event),
        can_reopen=event.doors_closed_at is not None,
        max_participants=event.max_participants or 0,
        taken=taken,
        capacity=_capacity(taken, event.max_participants),
        places=_places(taken, event.max_participants, stats),
        invitation_sent=event.invitation_sent,
        can_send=not event.invitation_sent and event.status == EventStatus.DRAFT,
        arrivals=routes.arrivals(event.id) if _is_near(event) else "",
    )


def count_figures(session: Session, event_id: str) -> Figures:
    """The current figures of an event."""
    row = session.connection().execute(_FIGURES, {"event_id": event_id}).mappings().first()
    return Figures(**{name: count for name, count in row.items() if name != "event_id"}) if row else Figures()


def _is_near(event: Event) -> bool:
    """Whether its arrivals may be recorded or prepared: it is announced, and begins soon or has begun."""
    is_held = event.status in (EventStatus.CONFIRMED, EventStatus.COMPLETED)
    return is_held and event.date - clock.now() < ARRIVALS_BEFORE


def _month_start(month: str, later: int) -> datetime:
    """The start of the month `later` months after `month`, in UTC: a few hours do not matter here."""
    year, number = divmod(int(month[:4]) * 12 + int(month[5:]) - 1 + later, 12)
    return datetime(year, number + 1, 1, tzinfo=UTC)


def _entry(event_id: str, title: str, date: datetime, ends_at: datetime | None, status: str) -> CalendarItem:
    return CalendarItem(
        id=event_id,
        title=title,
        start=clock.to_form(date),
        end=clock.to_form(ends_at or date + timedelta(hours=DURATION_HOURS)),
        status=status,
        status_label=EventStatus(status).label,
    )


def _row(event: Event, sending: invitations.SendingProgress) -> EventRow:
    return EventRow(
        id=event.id,
        title=event.title,
        date=calendar_files.when(event),
        location=event.location,
        speakers=", ".join(speaker.name for speaker in event.speakers),
        status=event.status,
        status_label=EventStatus(event.status).label,
        invitation_sent=event.invitation_sent,
        sending=sending.sentence,
        is_sending=sending.pending > 0,
        failed=f"{sending.failed} en échec" if sending.failed else "",
        has_begun=event.date <= clock.now(),
        is_running=event.date <= clock.now() and event.status != EventStatus.COMPLETED,
    )


def _speaker(speaker: EventSpeaker) -> Speaker:
    named = [text for text in (speaker.role, speaker.company) if text]
    return Speaker(name=speaker.name, line=", ".join(named), bio=speaker.bio or "")


def _count_taken(session: Session, event: Event) -> int:
    """The places that are not free: offered ones count as taken. 0 when there is no limit."""
    free = answer_capacity.count_free_places(session, event)
    return 0 if free is None or event.max_participants is None else event.max_participants - free


def _capacity(taken: int, limit: int | None) -> str:
    """'5 / 6 places': the same number as the bar below it."""
    return f"{taken} / {limit} places" if limit else ""


def _places(taken: int, limit: int | None, stats: Figures) -> str:
    """'11 membres, 12 invités, 3 places proposées, 14 libres'."""
    if limit is None:
        return ""
    offered, left = taken - stats.total_attending - stats.total_guests, max(0, limit - taken)
    parts = [
        _count(stats.total_attending, "membre", "membres"),
        _count(stats.total_guests, "invité", "invités") if stats.total_guests else "",
        _count(offered, "place proposée", "places proposées") if offered > 0 else "",
        _count(left, "libre", "libres"),
    ]
    return ", ".join(part for part in parts if part)


def _count(number: int, one: str, several: str) -> str:
    return f"{number} {several if number > 1 else one}"
