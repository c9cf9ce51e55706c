"""The card of the next event: when and where, how far it is, who answered, how many places and meals."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlmodel import Session, col, select

from clubapp import calendar_files, clock, routes
from clubapp.models import DURATION_HOURS, Event, EventStatus, PlannedMailing, PlannedState
from clubapp.services.answers import capacity
from clubapp.services.attendance.meals import count_meals
from clubapp.services.attendance.people import list_expected
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events import stages
from clubapp.services.events.admin_views import Figures, count_figures
from clubapp.services.events.answer_shares import AnswerShare, share_answers
from clubapp.services.events.stages import Stage

AHEAD = 3


@dataclass(frozen=True)
class MeetingCard:
    """The next event; empty when there is none. `far` is '8 jours', `far_hint` 'avant la rencontre'.

    `places` counts guests too. It `is_ahead` until it begins.
    """

    id: str = ""
    title: str = ""
    month: str = ""
    day: str = ""
    weekday: str = ""
    hours: str = ""
    place: str = ""
    status: str = ""
    status_label: str = ""
    far: str = ""
    far_hint: str = ""
    stages: tuple[Stage, ...] = ()
    stage: str = ""
    bar: tuple[AnswerShare, ...] = ()
    invited: str = ""
    places: str = ""
    places_hint: str = ""
    meals: str = ""
    meals_hint: str = ""
    href: str = ""
    is_ahead: bool = False


NO_MEETING = MeetingCard()
_NO_FIGURES = Figures()


@dataclass(frozen=True)
class Coming:
    """The next events with their planned mailings, and the figures of the first; all empty when there is none."""

    events: tuple[Event, ...] = ()
    mailings: tuple[tuple[PlannedMailing, Event], ...] = ()
    figures: Figures = _NO_FIGURES
    free: int | None = None


def is_coming() -> tuple[Any, Any]:
    """What holds of an event that has not ended and is not cancelled or completed."""
    now = clock.now()
    has_not_ended = col(Event.ends_at) > now
    has_not_ended |= col(Event.ends_at).is_(None) & (col(Event.date) > now - timedelta(hours=DURATION_HOURS))
    return has_not_ended, ~col(Event.status).in_((EventStatus.CANCELLED, EventStatus.COMPLETED))


def find_next(session: Session, actor: Actor) -> str:
    """The id of the first of them, or nothing."""
    require_admin(actor)
    return session.exec(select(Event.id).where(*is_coming()).order_by(col(Event.date))).first() or ""


def read_coming(session: Session) -> Coming:
    """The events to come, soonest first."""
    events = session.exec(select(Event).where(*is_coming()).order_by(col(Event.date)).limit(AHEAD)).all()
    if not events:
        return Coming()
    first = events[0]
    return Coming(
        tuple(events),
        _list_mailings(session, events),
        count_figures(session, first.id),
        capacity.count_free_places(session, first),
    )


def build_card(session: Session, coming_up: Coming) -> MeetingCard:
    """The card of the first of them."""
    if not coming_up.events:
        return NO_MEETING
    event, figures = coming_up.events[0], coming_up.figures
    month, day, weekday = clock.dated_parts(event.date)
    far, far_hint = stages.describe_distance(event)
    way = stages.Progress(event, silent=figures.total_no_response)
    current = stages.find_current(way)
    people = figures.total_attending + figures.total_guests
    if event.max_participants and coming_up.free is not None:
        people = event.max_participants - coming_up.free  # a place on offer is taken
    return MeetingCard(
        id=event.id,
        title=event.title,
        month=month,
        day=day,
        weekday=weekday,
        hours=f"{clock.hour(event.date)} à {clock.hour(calendar_files.ends_at(event))}",
        place=calendar_files.short_place(event),
        status=event.status,
        status_label=EventStatus(event.status).label,
        far=far,
        far_hint=far_hint,
        stages=stages.list_stages(way),
        stage=current.label if current else "",
        bar=share_answers(
            figures.total_attending,
            figures.total_not_attending,
            figures.total_waiting,
            figures.total_no_response,
        ),
        invited=_count(figures.total_invited, "membre invité", "membres invités"),
        places=f"{people} / {event.max_participants}" if event.max_participants else str(people),
        places_hint="places" if event.max_participants else "inscrits",
        meals=str(count_meals(list_expected(session, event.id)).total) if event.has_lunch else "",
        meals_hint="repas" if event.has_lunch else "",
        href=routes.admin_event(event.id),
        is_ahead=event.date > clock.now(),
    )


def _count(number: int, one: str, several: str) -> str:
    return f"{number} {several if number > 1 else one}"


def _list_mailings(session: Session, events: Sequence[Event]) -> tuple[tuple[PlannedMailing, Event], ...]:
    """What is planned or was missed for them, the soonest first."""
    known = {event.id: event for event in events}
    query = select(PlannedMailing).where(
        col(PlannedMailing.event_id).in_(known),
        col(PlannedMailing.state).in_((PlannedState.PLANNED, PlannedState.MISSED)),
    )
    found = session.exec(query.order_by(col(PlannedMailing.due_at), col(PlannedMailing.id)))
    return tuple((mailing, known[mailing.event_id]) for mailing in found)
