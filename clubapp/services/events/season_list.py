"""The events of one season, each with who answered what and how many places are taken."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func
from sqlalchemy import select as select_columns
from sqlmodel import Session, col

from clubapp import clock, routes
from clubapp.models import Arrival, Event, EventReservation, EventStatus, event_stats
from clubapp.services.attendance.presence import SEASON_BEGINS, season_of
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events.answer_shares import AnswerShare, share_answers

_FIGURES = ("total_attending", "total_not_attending", "total_waiting", "total_no_response", "total_guests")


@dataclass(frozen=True)
class SeasonCard:
    """One event. `bar` is empty before the invitations leave, when it would be full of few; `said` says it in words."""

    id: str
    href: str
    month: str
    day: str
    title: str
    status: str
    status_label: str
    bar: tuple[AnswerShare, ...]
    said: str
    places: str
    is_past: bool


@dataclass(frozen=True)
class Season:
    """The events of a season, 'Saison 2026-2027', soonest first; `previous` and `following` are '2025-2026'.

    Nothing is planned any more in one that `is_over`.
    """

    name: str = ""
    previous: str = ""
    following: str = ""
    cards: tuple[SeasonCard, ...] = ()
    is_over: bool = False


def list_season(session: Session, actor: Actor, day: str = "") -> Season:
    """The season that holds a day, such as '2027-01-14', or the current one; one statement whatever its size."""
    require_admin(actor)
    middle = clock.from_local(f"{day}T12:00") if day else clock.now()
    name = season_of(middle)
    begins = int(name[:4])
    stats: Any = event_stats
    rows = session.execute(
        select_columns(Event, *(stats.c[figure] for figure in _FIGURES), _count_offers(), _count_arrived())
        .outerjoin(stats, stats.c.event_id == col(Event.id))
        .where(col(Event.date) >= _first_instant(begins), col(Event.date) < _first_instant(begins + 1))
        .order_by(col(Event.date))
    ).all()
    previous, following = (f"{year}-{year + 1}" for year in (begins - 1, begins + 1))
    return Season(
        f"Saison {name}",
        previous,
        following,
        tuple(_card(row[0], [count or 0 for count in row[1:]]) for row in rows),
        is_over=_first_instant(begins + 1) <= clock.now(),
    )


def _count_offers() -> Any:
    """The places on offer: nobody else can have them, so they count as taken."""
    offered = col(EventReservation.event_id) == col(Event.id), col(EventReservation.offer_until) > clock.now()
    places = func.coalesce(func.sum(1 + col(EventReservation.guest_count)), 0)
    return select_columns(places).where(*offered).correlate(Event).scalar_subquery()


def _count_arrived() -> Any:
    came = col(Arrival.event_id) == col(Event.id)
    return select_columns(func.count(col(Arrival.id))).where(came).correlate(Event).scalar_subquery()


def _first_instant(year: int) -> datetime:
    return datetime(year, SEASON_BEGINS, 1, tzinfo=clock.zone()).astimezone(UTC)


def _card(event: Event, figures: list[int]) -> SeasonCard:
    yes, no, waiting, silent, guests, offered, arrived = figures
    shares = share_answers(yes, no, waiting, silent)
    month, day, _ = clock.dated_parts(event.date)
    return SeasonCard(
        id=event.id,
        href=routes.admin_event(event.id),
        month=month,
        day=day,
        title=event.title,
        status=event.status,
        status_label=EventStatus(event.status).label,
        bar=shares if event.invitation_sent or event.date < clock.now() else (),
        said=", ".join(f"{part.count} {part.label}" for part in shares) or _nobody(event),
        places=_places(event, yes + guests + offered, arrived) if shares or event.doors_closed_at else "",
        is_past=event.date < clock.now(),
    )


def _nobody(event: Event) -> str:
    """What stands for the answers when nobody was invited."""
    if event.status == EventStatus.CANCELLED:
        return ""
    return "Personne n’a été invité" if event.date < clock.now() else "Personne n’est encore invité"


def _places(event: Event, people: int, arrived: int) -> str:
    """How many places are taken; once the doors are closed, how many people came."""
    if event.doors_closed_at:
        return f"{arrived} {'venus' if arrived > 1 else 'venu'}"
    if event.max_participants:
        return f"{people} / {event.max_participants} places"
    return f"{people} {'inscrits' if people > 1 else 'inscrit'}"
