"""The variables administrators may write in a template, such as {{EVENT_TITLE}}.

They are replaced in one pass over the template, so that a value that looks like a variable stays as it is. Values
are plain text; the HTML part escapes the whole text afterwards, template and values alike (M5).
"""

import re
from collections import defaultdict

from sqlalchemy import column, func, or_, select
from sqlmodel import Session, col
from sqlmodel import select as select_row

from clubapp import calendar_files, clock
from clubapp.mail.messages.event_facts import MailFacts
from clubapp.mail.messages.letter import placeholder
from clubapp.models import (
    Arrival,
    Event,
    EventGuest,
    EventReservation,
    EventStatus,
    Member,
    choose_lunch,
    coming,
    event_stats,
    taken_positions,
)

# What each variable stands for, as the editor of a template shows it.
MEANINGS = {
    "EVENT_TITLE": "Titre de l’événement",
    "EVENT_DATE": "Jour de l’événement, par exemple «\u00a0lundi 5 mai 2025\u00a0»",
    "EVENT_TIME": "Heure de début, par exemple «\u00a014:00\u00a0»",
    "EVENT_LOCATION": "Lieu court",
    "EVENT_ADDRESS": "Adresse complète",
    "SPEAKERS_LIST": "Intervenants, un par ligne",
    "ATTENDING_COUNT": "Nombre de membres qui ont dit oui",
    "LUNCH_COUNT": "Nombre de déjeuners demandés, invités compris",
    "DAYS_UNTIL": "Nombre de jours avant l’événement, le jour de l’envoi",
    "NEXT_EVENT": "L’événement confirmé suivant\u00a0: titre, date et lieu",
    "LAST_EVENT_STATS": "Le dernier événement passé\u00a0: présents et invités",
    "PRENOM": "Prénom de la personne qui reçoit l’e-mail",
    "NOM": "Nom de famille de la personne qui reçoit l’e-mail",
}
# What the editor shows in place of a variable.
LABELS = {
    "EVENT_TITLE": "Titre",
    "EVENT_DATE": "Date",
    "EVENT_TIME": "Heure",
    "EVENT_LOCATION": "Lieu",
    "EVENT_ADDRESS": "Adresse",
    "SPEAKERS_LIST": "Intervenants",
    "ATTENDING_COUNT": "Nombre de présents",
    "LUNCH_COUNT": "Nombre de déjeuners",
    "DAYS_UNTIL": "Jours restants",
    "NEXT_EVENT": "Rencontre suivante",
    "LAST_EVENT_STATS": "Dernière rencontre",
    "PRENOM": "Prénom",
    "NOM": "Nom",
}
NAMES = tuple(MEANINGS)
# A mailing is rendered once: its readers' names are inserted afterwards.
NAMES_OF_READER = {name: placeholder(name) for name in ("PRENOM", "NOM")}
_VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_BRACED = re.compile(r"\{\{([^{}]*)\}\}")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def fill_variables(template: str, values: dict[str, str]) -> str:
    """The template with its variables replaced; an unknown name between braces stays as typed."""
    return _VARIABLE.sub(lambda found: values.get(found[1], found[0]), template)


def fill_subject(template: str, values: dict[str, str]) -> str:
    """Like `fill_variables`, on a single line, so that a value cannot add a header (M1)."""
    return one_line(fill_variables(template, values))


def describe_variables(template: str, event: Event | None = None) -> str:
    """A text as a list shows it: what the event says is filled in, of the rest stands the French name."""
    known = {name: f"[{label}]" for name, label in LABELS.items()}
    return fill_variables(template, known | (_facts_of(event) if event else {}))


def find_unknown(template: str) -> tuple[str, ...]:
    """The names between double braces that are not variables, in their order: they would be sent as typed (M5)."""
    return tuple(dict.fromkeys(name for name in map(str.strip, _BRACED.findall(template)) if name not in NAMES))


def find_event_variables(template: str) -> tuple[str, ...]:
    """The variables in a text that only an event gives, in their order."""
    return tuple(
        dict.fromkeys(name for name in _VARIABLE.findall(template) if name in NAMES and name not in NAMES_OF_READER)
    )


def one_line(text: str) -> str:
    """The text with each run of control characters and line breaks replaced by one space."""
    return _CONTROLS.sub(" ", text).strip()


def values_of(session: Session, event: Event, facts: MailFacts) -> dict[str, str]:
    """The value of each variable for an event, as of now; empty when there is nothing to say."""
    attending, _ = _count_attendees(session, event)
    return {
        **_facts_of(event),
        "SPEAKERS_LIST": "\n".join(f"- {speaker.line}" for speaker in facts.speakers),
        "ATTENDING_COUNT": str(attending),
        "LUNCH_COUNT": str(_count_lunches(session, event)),
        "DAYS_UNTIL": str((clock.to_local(event.date).date() - clock.to_local(clock.now()).date()).days),
        "NEXT_EVENT": _describe_next_event(session, event),
        "LAST_EVENT_STATS": _describe_last_event(session, event),
        **NAMES_OF_READER,
    }


def _facts_of(event: Event) -> dict[str, str]:
    """What the event says without a question to the database."""
    return {
        "EVENT_TITLE": event.title,
        "EVENT_DATE": clock.long_day(event.date),
        "EVENT_TIME": clock.hour(event.date),
        "EVENT_LOCATION": event.location,
        "EVENT_ADDRESS": event.address or "",
    }


def _count_attendees(session: Session, event: Event) -> tuple[int, int]:
    """How many members come, and how many guests."""
    columns = (event_stats.c.total_attending, event_stats.c.total_guests)
    row = session.execute(select(*columns).where(column("event_id") == event.id)).first()
    return (row[0], row[1]) if row else (0, 0)


def _count_lunches(session: Session, event: Event) -> int:
    """How many meals were asked for, those of guests included: what the screens show and the caterer is told."""
    if not event.has_lunch:
        return 0
    named: defaultdict[str | None, dict[int, bool | None]] = defaultdict(dict)
    for guest in session.exec(select_row(EventGuest).where(EventGuest.event_id == event.id)):
        if guest.position:
            named[guest.reservation_id][guest.position] = guest.with_lunch
    count = 0
    for answer in session.exec(select_row(EventReservation).where(EventReservation.event_id == event.id, coming())):
        chosen = named[answer.id]
        guests = taken_positions(chosen.keys(), answer.guest_count)
        wanted = [answer.with_lunch, *(choose_lunch(answer.with_lunch, chosen.get(each)) for each in guests)]
        count += wanted.count(True)
    return count


def _count_arrived(session: Session, event: Event) -> tuple[int, int]:
    """How many members came, and how many who are none. Of a member who was deleted since, an arrival has the id of the
    reservation, or its own.
    """
    reserved = select(col(EventReservation.id)).where(col(EventReservation.event_id) == event.id)
    of_member = or_(
        col(Arrival.person).in_(select(col(Member.id))),
        col(Arrival.person).in_(reserved),
        col(Arrival.person) == col(Arrival.id),
    )
    counts = select(func.count(), func.count().filter(of_member)).where(col(Arrival.event_id) == event.id)
    arrived, members = session.execute(counts).one()
    return members, arrived - members


def _describe_next_event(session: Session, event: Event) -> str:
    following = session.exec(
        select_row(Event)
        .where(Event.date > event.date, Event.status == EventStatus.CONFIRMED)
        .order_by(col(Event.date))
        .limit(1)
    ).first()
    if following is None:
        return ""
    return f"{following.title}, {calendar_files.when(following)}, {following.location}"


def _describe_last_event(session: Session, event: Event) -> str:
    held = (EventStatus.CONFIRMED, EventStatus.COMPLETED)
    last = session.exec(
        select_row(Event)
        .where(Event.date <= event.date, Event.date < clock.now(), col(Event.status).in_(held))
        .order_by(col(Event.date).desc())
        .limit(1)
    ).first()
    if last is None:
        return ""
    attending, guests = _count_attendees(session, last)
    if last.doors_closed_at:
        attending, guests = _count_arrived(session, last)
    return f"{last.title}\u00a0: {_format_count(attending, 'présent')}, {_format_count(guests, 'invité')}"


def _format_count(count: int, word: str) -> str:
    """0 and 1 are singular in French (C6)."""
    return f"{count} {word}{'s' if count > 1 else ''}"
