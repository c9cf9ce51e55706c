"""The numbers of an event are frozen and told to its caterer and host, once and again when they change (D8).

All is read and written while the event is held: the numbers are those of one instant, and a freeze that did not come
to its end leaves neither a row nor a mail.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages.announcement.letters import (
    CATERER,
    HOST,
    find_last_announcement,
    list_name_changes,
    list_untold,
)
from clubapp.mail.messages.event_change import DATE, PLACE, AnnouncedFacts, Change, find_before
from clubapp.mail.messages.event_facts import is_for_another_day
from clubapp.mail.queue import outbox
from clubapp.models import Company, Event, EventAnnouncement, EventStatus
from clubapp.refusals import Conflict
from clubapp.services.answers import capacity
from clubapp.services.attendance.meals import count_meals, count_undecided
from clubapp.services.attendance.people import Person, list_expected
from clubapp.services.base import audit
from clubapp.services.base.actors import SYSTEM, Actor, require_admin, require_fresh_admin
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.events import partner_notices
from clubapp.services.events.editing import find_event
from clubapp.services.events.form import check_caterer
from clubapp.services.events.mailing_schedule import compute_due_at
from clubapp.services.events.partner_notices import list_addresses
from clubapp.settings import settings
from clubapp.text.collation import fold

QUIET = timedelta(minutes=15)  # nothing leaves by itself so soon after a change: what was put wrong may be put right
NOBODY_TO_TELL = "Indiquez d’abord l’adresse du traiteur ou de l’hôte dans la fiche de l’événement."
OTHER_CATERER = (
    "Le traiteur a déjà une adresse, enregistrée entre-temps\u00a0: {}. Changez-la par «\u00a0Modifier\u00a0»."
)
NOTHING_NEW = "Rien n’a changé depuis le dernier envoi."
# When the numbers leave by themselves: of a confirmed event, and of one that is not.
BY_THEMSELVES = "Ils partent d’eux-mêmes le {}.", "Ils partiront d’eux-mêmes une fois l’événement confirmé."
AGAIN_BY_THEMSELVES = "Ils repartent d’eux-mêmes le {}.", "Ils repartiront d’eux-mêmes une fois l’événement confirmé."
FIRST, AGAIN, NAMES = "Envoyer les nombres", "Envoyer la différence", "Envoyer les noms"
NEW_DATE, NEW_PLACE = "Envoyer les nombres pour la nouvelle date", "Envoyer les nombres avec le nouveau lieu"
_TO = {CATERER: "au traiteur", HOST: "à l’hôte"}
_FORMER = {CATERER: "l’ancien traiteur", HOST: "l’ancien hôte"}


@dataclass(frozen=True)
class Numbers:
    """How many members and guests come, how many meals they need, and what they wish, counted."""

    present: int = 0
    guests: int = 0
    meals: int = 0
    wishes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class AnnouncementView:
    """What an administrator sees. `told` says what was announced, `recipients` to whom, `changes` what is different
    since.

    `due` says when the numbers leave by themselves, as long as they have not. `label` is that of the press, empty when
    there is nobody to tell or nothing to say.
    """

    told: str = ""
    recipients: str = ""
    due: str = ""
    changes: str = ""
    label: str = ""


@dataclass(frozen=True)
class AnnouncementNews:
    """What an announcement would tell, each as CATERER or HOST with an address: who is `new` gets all, who `hears` what
    has changed, who is `released` that the event is no longer theirs.

    `facts` are those of DATE and PLACE that changed; `has_numbers` says whether a number did.
    """

    new: tuple[tuple[str, str], ...] = ()
    hears: tuple[tuple[str, str], ...] = ()
    released: tuple[tuple[str, str], ...] = ()
    facts: frozenset[str] = frozenset()
    has_numbers: bool = False

    @property
    def tells(self) -> tuple[tuple[str, str], ...]:
        """Who gets the numbers."""
        return (*self.hears, *self.new)


def count_numbers(people: tuple[Person, ...], *, has_lunch: bool) -> Numbers:
    """The numbers of those who are expected. Equal wishes are counted together, whatever their case; those of who does
    not eat ask for nothing.
    """
    guests = sum(person.is_guest for person in people)
    eating = (person for person in people if has_lunch and person.eats)
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
    last = find_last_announcement(session, event_id)
    if reason := _why_not(event, last):
        raise Conflict(reason)
    people = list_expected(session, event.id)
    frozen = _count(event, people)
    news = _find_news(session, event, frozen, last)
    if not (news.tells or news.released):
        raise Conflict(NOTHING_NEW)
    frozen.number = last.number + 1 if last else 1
    frozen.announced_by = "" if actor == SYSTEM else actor.email
    session.add(frozen)
    session.flush()
    _queue(session, event, frozen, news, count_undecided(people))
    audit.record(session, actor, "numbers.sent", event.id, count=frozen.present + frozen.guests)
    return describe_told(event, frozen)


def announce_to_caterer(session: Session, actor: Actor, event_id: str, email: str) -> str:
    """Keep the address of the caterer, then `announce`: both or neither.

    Raises:
        InvalidForm: when the address cannot be written to, or somebody has given another one meanwhile.
    """
    require_fresh_admin(actor)
    address = check_caterer(email)
    event = find_event(session, event_id, lock=True)
    if event.caterer_email not in ("", address):
        raise InvalidForm({"caterer_email": OTHER_CATERER.format(event.caterer_email)})
    changes = audit.compare({"caterer_email": event.caterer_email}, {"caterer_email": address})
    event.caterer_email, event.updated_at = address, clock.now()
    session.add(event)
    audit.record(session, actor, "event.updated", event.id, changes=changes, title=event.title)
    return announce(session, actor, event_id)


def list_host_names(session: Session, actor: Actor) -> tuple[str, ...]:
    """The companies of the club by name, as proposals for the host."""
    require_admin(actor)
    return tuple(sorted(session.exec(select(Company.name)), key=fold))


def list_due(session: Session) -> list[str]:
    """The events whose numbers are to leave by now."""
    return [event.id for due, event in list_coming(session) if due <= clock.now()]


def list_coming(session: Session) -> list[tuple[datetime, Event]]:
    """The confirmed events whose numbers will leave by themselves, each with the moment of it, soonest first."""
    coming = select(Event).where(
        col(Event.date) > clock.now(),
        Event.status == EventStatus.CONFIRMED,
        (col(Event.caterer_email) != "") | (col(Event.host_email) != ""),
    )
    waiting = (
        event
        for event in session.exec(coming).all()
        if not _was_told(session, event, find_last_announcement(session, event.id))
    )
    return sorted(((_due_at(event), event) for event in waiting), key=lambda each: each[0])


def describe_recipients(event: Event) -> str:
    """'traiteur et hôte': who is told the numbers of an event."""
    return " et ".join(
        who for who, address in (("traiteur", event.caterer_email), ("hôte", event.host_email)) if address
    )


def announce_due(session: Session, event_id: str) -> None:
    """Tell the numbers of an event that is due; does nothing when another worker has."""
    event = find_event(session, event_id, lock=True)
    last = find_last_announcement(session, event_id)
    if not (_was_told(session, event, last) or _why_not(event, last) or _due_at(event) > clock.now()):
        announce(session, SYSTEM, event_id)


def read_announcement(session: Session, event: Event) -> AnnouncementView:
    """What was told of an event, and what has changed since."""
    last = find_last_announcement(session, event.id)
    can_tell, told = not _why_not(event, last), _find_last_told(session, event.id)
    if last is None or told is None:
        return (
            AnnouncementView(due=_describe_due(event, BY_THEMSELVES), label=FIRST) if can_tell else AnnouncementView()
        )
    if not (can_tell or list_addresses(event)):
        return AnnouncementView()
    now = _count(event, list_expected(session, event.id))
    return AnnouncementView(
        told=describe_told(event, told),
        recipients=_describe_addresses(told),
        due="" if _was_told(session, event, last) or not can_tell else _describe_due(event, AGAIN_BY_THEMSELVES),
        changes=describe_changes(event, now, told) if event.date > clock.now() else "",
        label=_describe_press(_find_news(session, event, now, last)) if can_tell else "",
    )


def describe_told(event: Event, frozen: EventAnnouncement) -> str:
    """'Nombres envoyés le 11/01/2027 à 09:00 : 32 présents, 8 invités, 36 déjeuners.'"""
    parts = [_format_count(frozen.present, "présent"), _format_count(frozen.guests, "invité")]
    parts += [_format_count(frozen.meals, "déjeuner")] if event.has_lunch else []
    former = find_before(_list_fact_changes(event, frozen), DATE)
    about = f", pour l’ancienne date ({former})" if former else ""
    return f"Nombres envoyés le {clock.short_date(frozen.at)}\u00a0: {', '.join(parts)}{about}."


def _find_last_told(session: Session, event_id: str) -> EventAnnouncement | None:
    """The newest announcement, but for those of which every mail was withdrawn before it left."""
    query = select(EventAnnouncement).where(EventAnnouncement.event_id == event_id)
    for one in session.exec(query.order_by(col(EventAnnouncement.number).desc())).all():
        if {kind for kind, _ in list_addresses(one)} - list_untold(session, one) or not list_addresses(one):
            return one
    return None


def _describe_addresses(frozen: EventAnnouncement) -> str:
    """'Au traiteur (chef@traiteur.example) et à l’hôte (accueil@hote.example).'"""
    told = " et ".join(f"{_TO[kind]} ({address})" for kind, address in list_addresses(frozen))
    return f"{told[:1].upper()}{told[1:]}." if told else ""


def describe_changes(event: Event, now: EventAnnouncement, then: EventAnnouncement) -> str:
    """'+2 déjeuners, -1 invité, 1 nom a changé depuis l’envoi'; empty when nothing has.

    A name counts where another one took its place: what came or went is in the numbers.
    """
    pairs = [(now.present - then.present, "présent"), (now.guests - then.guests, "invité")]
    pairs += [(now.meals - then.meals, "déjeuner")] if event.has_lunch else []
    changed = [f"{more:+d} {noun}{'s' if abs(more) > 1 else ''}" for more, noun in pairs if more]
    if not changed and now.wishes != then.wishes:
        changed = ["D’autres souhaits pour le repas"]
    facts = {change.aspect for change in _list_fact_changes(event, then)}
    changed = [label for aspect, label in ((DATE, "Autre date"), (PLACE, "Autre lieu")) if aspect in facts] + changed
    if then.host_email:
        names = min(map(len, list_name_changes(now.people, then.people)))
        changed += [f"{names} noms ont changé" if names > 1 else "1 nom a changé"] if names else []
    return f"{', '.join(changed)} depuis l’envoi" if changed else ""


def _why_not(event: Event, last: EventAnnouncement | None) -> str:
    if event.status == EventStatus.CANCELLED or capacity.has_begun(event):
        return capacity.why_answers_closed(event)
    return "" if list_addresses(event) or list_addresses(last) else NOBODY_TO_TELL


def _count(event: Event, people: tuple[Person, ...]) -> EventAnnouncement:
    """The numbers of those who come, as they would be frozen at this instant."""
    return EventAnnouncement(
        event_id=event.id,
        number=0,
        at=clock.now(),
        people=[_named(person) for person in people],
        facts=AnnouncedFacts.of(event).to_context(),
        host_email=event.host_email,
        caterer_email=event.caterer_email,
        **vars(count_numbers(people, has_lunch=event.has_lunch)),
    )


def _find_news(
    session: Session, event: Event, now: EventAnnouncement, then: EventAnnouncement | None
) -> AnnouncementNews:
    """Whom something changes, and what. Names are news for the host alone; whose mail was withdrawn was not told."""
    current, former = list_addresses(now), list_addresses(then)
    if then is None:
        return AnnouncementNews(new=tuple(current))
    facts = frozenset(change.aspect for change in _list_fact_changes(event, then))
    has_numbers = any(getattr(now, name) != getattr(then, name) for name in ("present", "guests", "meals", "wishes"))
    has_names = any(list_name_changes(now.people, then.people))
    untold = list_untold(session, then)
    known = [each for each in current if each in former and each[0] not in untold]
    return AnnouncementNews(
        new=tuple(each for each in current if each not in known),
        hears=tuple(each for each in known if facts or has_numbers or (has_names and each[0] == HOST)),
        released=tuple(each for each in former if each not in current),
        facts=facts,
        has_numbers=has_numbers,
    )


def _describe_press(news: AnnouncementNews) -> str:
    """'Envoyer la différence', 'Envoyer les noms à l’hôte et prévenir l’ancien traiteur'; empty without news."""
    released = " et ".join(_FORMER[kind] for kind, _ in news.released)
    if not news.tells:
        return f"Prévenir {released}" if released else ""
    if news.facts and news.hears:
        press = NEW_DATE if DATE in news.facts else NEW_PLACE
    elif news.has_numbers and news.hears:
        press = AGAIN
    else:
        to = " et ".join(_TO[kind] for kind, _ in news.tells)
        press = f"{FIRST if news.new else NAMES} {to}"
    return f"{press} et prévenir {released}" if released else press


def _list_fact_changes(event: Event, then: EventAnnouncement) -> tuple[Change, ...]:
    """How the date and the place differ from those that were told."""
    changes = AnnouncedFacts.from_context(then.facts).changes(event) if then.facts else ()
    return tuple(change for change in changes if change.aspect in (DATE, PLACE))


def _due_at(event: Event) -> datetime:
    days, hour = settings().announce_days, time(settings().announce_hour)
    planned = compute_due_at(event, days, hour)
    if planned >= event.date:  # on its day, at an hour at which it has begun
        planned = compute_due_at(event, days + 1, hour)
    return max(planned, event.updated_at + QUIET)


def _was_told(session: Session, event: Event, last: EventAnnouncement | None) -> bool:
    """Whether the numbers were told for the day of the event: what changes since leaves at a press."""
    if last is None or is_for_another_day(last, event):
        return False
    untold = list_untold(session, last)
    return not any(kind in untold for kind, _ in set(list_addresses(last)) & set(list_addresses(event)))


def _describe_due(event: Event, words: tuple[str, str]) -> str:
    planned, once_confirmed = words
    if event.status != EventStatus.CONFIRMED:
        return once_confirmed
    due = _due_at(event)
    return planned.format(clock.long_date(due)) if due > clock.now() else ""


def _named(person: Person) -> dict[str, Any]:
    return {"id": person.id, "host_id": person.host_id, "name": person.name, "company": person.company}


def _queue(session: Session, event: Event, frozen: EventAnnouncement, news: AnnouncementNews, undecided: int) -> None:
    for kind, address in news.tells:
        outbox.queue_mail(
            session,
            kind=kind,
            key=f"{kind}:{frozen.id}",
            recipient=address,
            event_id=frozen.event_id,
            context={"announcement_id": frozen.id, "undecided": undecided},
        )
    for kind, address in news.released:
        partner_notices.queue_release(session, event, frozen, kind, address)


def _format_count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number > 1 else ''}"
