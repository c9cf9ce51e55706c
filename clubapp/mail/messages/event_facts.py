"""The facts of an event that its mails show: when, where, the programme, with whom, how many places are left."""

from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session, select

from clubapp import calendar_files, clock
from clubapp.models import Event, EventAnnouncement, taken_places
from clubapp.settings import settings
from clubapp.text import web_links
from clubapp.text.programme import ProgrammePart, read_parts

LUNCH_CLOSED = "Le traiteur a reçu ses nombres le {moment}\u00a0: un repas demandé depuis dépend de lui."
FULL = "C’est complet\u00a0: votre oui vous inscrit sur la liste d’attente."


@dataclass(frozen=True)
class SpeakerFacts:
    """Someone who speaks at an event."""

    name: str
    role: str
    company: str
    bio: str = ""

    @property
    def line(self) -> str:
        """'Zoé Lefèbvre, directrice, Atelier Lefèbvre'."""
        return ", ".join(part for part in (self.name, self.role, self.company) if part)

    @property
    def position(self) -> str:
        """'directrice, Atelier Lefèbvre'."""
        return ", ".join(part for part in (self.role, self.company) if part)


@dataclass(frozen=True)
class MailFacts:
    """An event as a mail shows it, in French. Absent facts are empty.

    `place` is the address alone where it names the `location`, else both. `description` is prose and steps in their
    order. `counted` says when the `places` were counted.
    """

    title: str
    occasion: str
    month: str
    day: str
    weekday: str
    date: str
    location: str
    address: str
    place: str
    map_link: str
    description: tuple[ProgrammePart, ...]
    speakers: tuple[SpeakerFacts, ...]
    lunch: str
    deadline: str
    places: str = ""
    counted: str = ""

    @property
    def speakers_heading(self) -> str:
        """The heading above the speakers."""
        return "Ils prendront la parole" if len(self.speakers) > 1 else "L’intervention"


def facts_of(event: Event) -> MailFacts:
    """The facts of an event as it is now, without its places."""
    month, day, weekday = clock.day_parts(event.date)
    return MailFacts(
        title=event.title,
        occasion=_format_occasion(clock.month_name(event.date)),
        month=month,
        day=day,
        weekday=weekday,
        date=calendar_files.when(event),
        location=event.location,
        address=" ".join((event.address or "").split()),
        place=calendar_files.shown_place(event),
        map_link=web_links.map_link(calendar_files.place(event)),
        description=read_parts(event.description or ""),
        speakers=tuple(
            SpeakerFacts(row.name, row.role or "", row.company or "", row.bio or "") for row in event.speakers
        ),
        lunch="Un déjeuner est proposé." if event.has_lunch else "",
        deadline=_describe_deadline(event),
    )


def facts_with_places(session: Session, event: Event) -> MailFacts:
    """The facts of an event, and how many places are left now."""
    facts, limit = facts_of(event), event.max_participants
    if limit is None:
        return facts
    now = clock.now()
    left = limit - session.exec(taken_places, params={"event_id": event.id, "now": now}).one()
    return replace(facts, places=_format_places(left, limit), counted=f"Places comptées le {clock.short_date(now)}.")


def describe_closed_lunch(session: Session, event: Event) -> str:
    """What is said of lunch once the numbers were told, where the club wants it said (D8)."""
    if not (event.has_lunch and settings().lunch_closes):
        return ""
    told = select(EventAnnouncement).where(EventAnnouncement.event_id == event.id)
    for_this_day = (frozen.at for frozen in session.exec(told) if not is_for_another_day(frozen, event))
    first = min(for_this_day, default=None)
    return LUNCH_CLOSED.format(moment=clock.long_date(first)) if first else ""


def is_for_another_day(frozen: EventAnnouncement, event: Event) -> bool:
    """Whether the event has been moved to another day since its numbers were told."""
    told = frozen.facts.get("date")
    return bool(told) and clock.to_local(datetime.fromisoformat(told)).date() != clock.to_local(event.date).date()


def _describe_deadline(event: Event) -> str:
    """Until when an answer is asked for; empty once that is over."""
    is_asked = event.answers_until and event.answers_until > clock.now()
    return f"Réponse avant le {clock.short_day(event.answers_until)}" if is_asked and event.answers_until else ""


def _format_occasion(month: str) -> str:
    """'Rencontre de mai 2025', 'Rencontre d'avril 2025'."""
    return f"Rencontre d’{month}" if month[0] in "ao" else f"Rencontre de {month}"


def _format_places(left: int, limit: int) -> str:
    if left <= 0:
        return FULL
    return f"Il reste {left} place{'s' if left > 1 else ''} sur {limit}"
