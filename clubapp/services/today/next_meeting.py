"""The card of the next event: when and where, how far it is, who answered, how many places and meals."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from sqlmodel import Session, col, select

from clubapp import calendar_files, clock, routes
from clubapp.models import DURATION_HOURS, Event, EventStatus, PlannedMailing, PlannedState
from clubapp.services.answers import capacity
from clubapp.services.attendance.meals import count_meals
from clubapp.services.attendance.people import list_people
from clubapp.services.events.admin_views import Figures, count_figures

AHEAD = 3
STAGES = ("Préparer", "Inviter", "Relancer", "Accueillir", "Remercier")
YES, NO, WAITING, SILENT = "yes", "no", "waiting", "silent"


@dataclass(frozen=True)
class BarPart:
    """A part of the bar of answers, as wide as its count."""

    kind: str
    label: str
    count: int


@dataclass(frozen=True)
class Stage:
    """One of the five stages: 'done', 'current' or 'coming'."""

    name: str
    state: str


@dataclass(frozen=True)
class MeetingCard:
    """The next event; empty when there is none. `far` is '8 jours', `far_hint` 'avant la rencontre'."""

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
    bar: tuple[BarPart, ...] = ()
    invited: str = ""
    places: str = ""
    places_hint: str = ""
    meals: str = ""
    meals_hint: str = ""
    calendar_href: str = ""


NO_MEETING = MeetingCard()
_NO_FIGURES = Figures()


@dataclass(frozen=True)
class Coming:
    """The next events with their planned mailings, and the figures of the first; all empty when there is none."""

    events: tuple[Event, ...] = ()
    mailings: tuple[tuple[PlannedMailing, Event], ...] = ()
    figures: Figures = _NO_FIGURES
    free: int | None = None
    meals: int = 0


def read_coming(session: Session) -> Coming:
    """The events that have not ended and are not cancelled or completed, soonest first."""
    now = clock.now()
    has_not_ended = col(Event.ends_at) > now
    has_not_ended |= col(Event.ends_at).is_(None) & (col(Event.date) > now - timedelta(hours=DURATION_HOURS))
    is_off = col(Event.status).in_((EventStatus.CANCELLED, EventStatus.COMPLETED))
    events = session.exec(select(Event).where(has_not_ended, ~is_off).order_by(col(Event.date)).limit(AHEAD)).all()
    if not events:
        return Coming()
    first = events[0]
    return Coming(
        tuple(events),
        _list_mailings(session, events),
        count_figures(session, first.id),
        capacity.count_free_places(session, first),
        count_meals(list_people(session, first.id)).total if first.has_lunch else 0,
    )


def build_card(coming_up: Coming) -> MeetingCard:
    """The card of the first of them."""
    if not coming_up.events:
        return NO_MEETING
    event, figures = coming_up.events[0], coming_up.figures
    month, day, weekday = clock.day_parts(event.date)
    far, far_hint = describe_distance(event)
    stage = find_stage(event)
    people = figures.total_attending + figures.total_guests
    return MeetingCard(
        id=event.id,
        title=event.title,
        month=month,
        day=day,
        weekday=weekday,
        hours=f"{clock.hour(event.date)} à {clock.hour(calendar_files.ends_at(event))}",
        place=calendar_files.place(event),
        status=event.status,
        status_label=EventStatus(event.status).label,
        far=far,
        far_hint=far_hint,
        stages=tuple(Stage(name, _stage_state(number, stage)) for number, name in enumerate(STAGES)),
        stage=STAGES[stage],
        bar=_bar(figures),
        invited=_count(figures.total_invited, "membre invité", "membres invités"),
        places=f"{people} / {event.max_participants}" if event.max_participants else str(people),
        places_hint="places, invités compris" if event.max_participants else "inscrits, invités compris",
        meals=str(coming_up.meals) if event.has_lunch else "",
        meals_hint="repas" if event.has_lunch else "",
        calendar_href=f"{routes.ADMIN_EVENTS}?date={clock.to_form(event.date)[:10]}",
    )


def find_stage(event: Event) -> int:
    """The place among STAGES at which an event stands."""
    if event.date <= clock.now() or _day(event) == _today():
        return 3
    if event.invitation_sent:
        return 2
    return 1 if event.status == EventStatus.CONFIRMED else 0


def describe_distance(event: Event) -> tuple[str, str]:
    """'8 jours', 'avant la rencontre'; 'Demain' and 'Aujourd’hui' stand alone."""
    days = (_day(event) - _today()).days
    if days <= 0:
        return "Aujourd’hui", f"à {clock.hour(event.date)}"
    return ("Demain", f"à {clock.hour(event.date)}") if days == 1 else (f"{days} jours", "avant la rencontre")


def _day(event: Event) -> date:
    return clock.to_local(event.date).date()


def _today() -> date:
    return clock.to_local(clock.now()).date()


def _stage_state(number: int, current: int) -> str:
    return "current" if number == current else "done" if number < current else "coming"


def _bar(figures: Figures) -> tuple[BarPart, ...]:
    """Who said what; a part that nobody is in is left out."""
    counts = (
        (YES, "oui", figures.total_attending),
        (NO, "non", figures.total_not_attending),
        (WAITING, "en liste d’attente", figures.total_waiting),
        (SILENT, "sans réponse", figures.total_no_response),
    )
    return tuple(BarPart(kind, label, count) for kind, label, count in counts if count)


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
