"""The numbers of an event are frozen and told to its caterer and host, once and again when they change (D8).

All is read and written while the event is held: the numbers are those of one instant, and a freeze that did not come
to its end leaves neither a row nor a mail.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, time
from typing import Any

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages.announcement.letters import CATERER, HOST
from clubapp.mail.queue import outbox
from clubapp.models import Company, Event, EventAnnouncement, EventStatus
from clubapp.refusals import Conflict
from clubapp.services.answers import capacity
from clubapp.services.attendance.meals import count_meals
from clubapp.services.attendance.people import Person, list_people
from clubapp.services.base import audit
from clubapp.services.base.actors import SYSTEM, Actor, require_admin, require_fresh_admin
from clubapp.services.events.editing import find_event
from clubapp.services.events.mailing_schedule import compute_due_at
from clubapp.settings import settings
from clubapp.text.collation import fold

NOBODY_TO_TELL = "Indiquez d’abord l’adresse du traiteur ou de l’hôte dans la fiche de l’événement."
NOTHING_NEW = "Rien n’a changé depuis le dernier envoi."
NOT_BY_THEMSELVES = "Ils partiront d’eux-mêmes une fois l’événement confirmé."
FIRST, AGAIN = "Envoyer les nombres", "Envoyer la différence"


@dataclass(frozen=True)
class Numbers:
    """How many members and guests come, how many meals they need, and what they wish, counted."""

    present: int = 0
    guests: int = 0
    meals: int = 0
    wishes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class AnnouncementView:
    """What an administrator sees. `told` says what was announced, `changes` what is different since.

    `due` says when the numbers leave by themselves, as long as they have not. `label` is that of the press, empty when
    there is nobody to tell or nothing to say.
    """

    told: str = ""
    due: str = ""
    changes: str = ""
    label: str = ""


def count_numbers(people: tuple[Person, ...], *, has_lunch: bool) -> Numbers:
    """The numbers of those who are expected. Equal wishes are counted together, whatever their case; those of who does
    not eat ask for nothing.
    """
    guests = sum(person.is_guest for person in people)
    eating = (person for person in people if has_lunch and person.with_lunch)
    wishes = Counter(wish for person in eating if (wish := person.meal_wish.strip().lower()))
    meals = count_meals(people).total if has_lunch else 0
    return Numbers(len(people) - guests, guests, meals, dict(sorted(wishes.items())))


def announce(session: Session, actor: Actor, event_id: str) -> str:
    """Freeze the numbers, and tell them to whoever has an address.

    Returns:
        The sentence of what was told.

    Raises:
        NotFound: when the event was deleted.
        Conflict: when it has begun or is cancelled, nobody is to be told, or nothing has changed since.
        ProofRequired: when the actor's last proof is too old (S13): the host is sent names.
    """
    require_fresh_admin(actor)
    event = find_event(session, event_id, lock=True)
    if reason := _why_not(event):
        raise Conflict(reason)
    people = list_people(session, event_id)
    numbers, last = count_numbers(people, has_lunch=event.has_lunch), find_last(session, event_id)
    if last is not None and not _has_news(event, numbers, last):
        raise Conflict(NOTHING_NEW)
    frozen = EventAnnouncement(
        event_id=event.id,
        number=last.number + 1 if last else 1,
        at=clock.now(),
        announced_by="" if actor == SYSTEM else actor.email,
        people=[_named(person) for person in people],
        host_email=event.host_email,
        caterer_email=event.caterer_email,
        **vars(numbers),
    )
    session.add(frozen)
    session.flush()
    _queue(session, frozen)
    audit.record(session, actor, "numbers.sent", event.id, count=numbers.present + numbers.guests)
    return describe_told(event, frozen)


def list_host_names(session: Session, actor: Actor) -> tuple[str, ...]:
    """The companies of the club by name, as proposals for the host."""
    require_admin(actor)
    return tuple(sorted(session.exec(select(Company.name)), key=fold))


def list_due(session: Session) -> list[str]:
    """The events whose numbers are to leave by now."""
    return [event.id for due, event in list_coming(session) if due <= clock.now()]


def list_coming(session: Session) -> list[tuple[datetime, Event]]:
    """The confirmed events whose numbers were never told, each with the moment at which they leave, soonest first."""
    told = select(EventAnnouncement.event_id)
    coming = select(Event).where(
        col(Event.date) > clock.now(),
        Event.status == EventStatus.CONFIRMED,
        (col(Event.caterer_email) != "") | (col(Event.host_email) != ""),
        col(Event.id).not_in(told),
    )
    return sorted(((_due_at(event), event) for event in session.exec(coming)), key=lambda each: each[0])


def describe_recipients(event: Event) -> str:
    """'traiteur et hôte': who is told the numbers of an event."""
    return " et ".join(
        who for who, address in (("traiteur", event.caterer_email), ("hôte", event.host_email)) if address
    )


def announce_due(session: Session, event_id: str) -> None:
    """Tell the numbers of an event that is due; does nothing when another worker has."""
    event = find_event(session, event_id, lock=True)
    if find_last(session, event_id) is None and not _why_not(event):
        announce(session, SYSTEM, event_id)


def read_announcement(session: Session, event: Event) -> AnnouncementView:
    """What was told of an event, and what has changed since."""
    if not (event.host_email or event.caterer_email):
        return AnnouncementView()
    last, can_tell = find_last(session, event.id), not _why_not(event)
    if last is None:
        return AnnouncementView(due=_describe_due(event), label=FIRST) if can_tell else AnnouncementView()
    numbers = count_numbers(list_people(session, event.id), has_lunch=event.has_lunch)
    changes = describe_changes(event, numbers, last) if event.date > clock.now() else ""
    return AnnouncementView(
        told=describe_told(event, last),
        changes=changes,
        label=AGAIN if can_tell and _has_news(event, numbers, last) else "",
    )


def describe_told(event: Event, frozen: EventAnnouncement) -> str:
    """'Nombres envoyés le 11/01/2027 à 09:00 : 32 présents, 8 invités, 36 déjeuners.'"""
    parts = [_count(frozen.present, "présent"), _count(frozen.guests, "invité")]
    parts += [_count(frozen.meals, "déjeuner")] if event.has_lunch else []
    return f"Nombres envoyés le {clock.short_date(frozen.at)}\u00a0: {', '.join(parts)}."


def describe_changes(event: Event, now: Numbers, then: EventAnnouncement) -> str:
    """'+2 déjeuners, -1 invité depuis l’envoi'; empty when the numbers are the same."""
    pairs = [(now.present - then.present, "présent"), (now.guests - then.guests, "invité")]
    pairs += [(now.meals - then.meals, "déjeuner")] if event.has_lunch else []
    changed = [f"{more:+d} {noun}{'s' if abs(more) > 1 else ''}" for more, noun in pairs if more]
    if not changed and now.wishes != then.wishes:
        changed = ["D’autres souhaits pour le repas"]
    return f"{', '.join(changed)} depuis l’envoi" if changed else ""


def find_last(session: Session, event_id: str) -> EventAnnouncement | None:
    """The newest announcement of an event."""
    query = select(EventAnnouncement).where(EventAnnouncement.event_id == event_id)
    return session.exec(query.order_by(col(EventAnnouncement.number).desc()).limit(1)).first()


def _why_not(event: Event) -> str:
    if event.status == EventStatus.CANCELLED or capacity.has_begun(event):
        return capacity.why_answers_closed(event)
    return "" if event.caterer_email or event.host_email else NOBODY_TO_TELL


def _has_news(event: Event, now: Numbers, then: EventAnnouncement) -> bool:
    """Whether a number has changed, or somebody else is to be told."""
    addresses = (event.host_email, event.caterer_email) != (then.host_email, then.caterer_email)
    return addresses or any(getattr(then, name) != value for name, value in vars(now).items())


def _due_at(event: Event) -> datetime:
    return compute_due_at(event, settings().announce_days, time(settings().announce_hour))


def _describe_due(event: Event) -> str:
    if event.status != EventStatus.CONFIRMED:
        return NOT_BY_THEMSELVES
    due = _due_at(event)
    return f"Ils partent d’eux-mêmes le {clock.long_date(due)}." if due > clock.now() else ""


def _named(person: Person) -> dict[str, Any]:
    return {"id": person.id, "host_id": person.host_id, "name": person.name, "company": person.company}


def _queue(session: Session, frozen: EventAnnouncement) -> None:
    for kind, address in ((CATERER, frozen.caterer_email), (HOST, frozen.host_email)):
        if address:
            outbox.queue_mail(
                session,
                kind=kind,
                key=f"{kind}:{frozen.id}",
                recipient=address,
                event_id=frozen.event_id,
                context={"announcement_id": frozen.id},
            )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number > 1 else ''}"
