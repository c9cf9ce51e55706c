"""The end of the reception: the doors of an event are closed, which settles who came (D6)."""

from dataclasses import dataclass

from sqlmodel import Session

from clubapp import clock
from clubapp.models import Event, EventStatus, TouchKind, new_id
from clubapp.refusals import Conflict
from clubapp.services.answers.capacity import CANCELLED
from clubapp.services.attendance.arrivals import TOO_MANY_TOUCHES, Touch, record_arrivals
from clubapp.services.attendance.turnout import Turnout, count_turnout, list_arrived
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events.editing import find_event

TOO_EARLY = "L’accueil se clôt à partir du début de la rencontre, {moment}."
NOT_YET = "La rencontre n’a pas commencé\u00a0: les venues se notent à partir de son début, {moment}."


@dataclass(frozen=True)
class ClosingPreview:
    """What closing the doors settles, or in `refusal` why they cannot be closed."""

    event_id: str = ""
    title: str = ""
    sentence: str = ""
    refusal: str = ""
    is_closed: bool = False


def preview_closing(session: Session, actor: Actor, event_id: str) -> ClosingPreview:
    """The numbers that the question before closing shows.

    Raises:
        NotFound: when the event was deleted.
    """
    require_admin(actor)
    event = find_event(session, event_id)
    refusal = why_not_closable(event)
    sentence = "" if refusal else describe(count_turnout(session, event, as_closed=True))
    return ClosingPreview(event.id, event.title, sentence, refusal, event.doors_closed_at is not None)


def close_doors(session: Session, actor: Actor, event_id: str) -> Turnout:
    """Close the doors of an event: it is completed, and whoever was expected and did not arrive was absent.

    A second press changes nothing.

    Raises:
        NotFound: when the event was deleted.
        Conflict: before the event begins, or when it is cancelled.
    """
    require_admin(actor)
    event = find_event(session, event_id, lock=True)
    if reason := why_not_closable(event):
        raise Conflict(reason)
    if event.doors_closed_at is None:
        _write(session, actor, event, "doors.closed", EventStatus.COMPLETED)
    return count_turnout(session, event)


def reopen_doors(session: Session, actor: Actor, event_id: str) -> None:
    """Take the closing back: the event is confirmed again, and its arrivals are as they were.

    Raises:
        NotFound: when the event was deleted.
    """
    require_admin(actor)
    event = find_event(session, event_id, lock=True)
    if event.doors_closed_at is not None:
        _write(session, actor, event, "doors.reopened", EventStatus.CONFIRMED)


def mark_arrival(session: Session, actor: Actor, event_id: str, person: str, came: bool) -> None:
    """Write down by hand that somebody came, or did not, from the beginning of the event on.

    `person` is the id of a `Person`; nothing happens for one who is unknown.

    Raises:
        NotFound: when the event was deleted.
        Conflict: before the event begins, when it is cancelled, or after MOST_TOUCHES of theirs by the actor.
    """
    require_admin(actor)
    event = find_event(session, event_id, lock=True)
    if reason := _why_not_begun(event, NOT_YET):
        raise Conflict(reason)
    if (person in list_arrived(session, event_id)) == came:
        return
    kind = TouchKind.ARRIVED if came else TouchKind.UNDONE
    refused = record_arrivals(session, event_id, [Touch(new_id(), person, kind, clock.now())], actor.email)
    if any(touch.is_known for touch in refused):
        raise Conflict(f"{TOO_MANY_TOUCHES[:1].upper()}{TOO_MANY_TOUCHES[1:]}")
    if (person in list_arrived(session, event_id)) == came:
        audit.record(session, actor, "arrival.corrected", event_id, changes={"came": (not came, came)}, person=person)


def why_not_closable(event: Event) -> str:
    """Why the doors of an event cannot be closed; empty when they can, or are."""
    return _why_not_begun(event, TOO_EARLY)


def describe(turnout: Turnout) -> str:
    """'41 personnes sont arrivées, 3 sont absentes malgré leur réponse.'"""
    absent = turnout.no_show
    whose = "leur" if absent > 1 else "sa"
    if not turnout.arrived:
        if not absent:
            return "Aucune arrivée n’est notée, et personne n’était attendu."
        who = f"{absent} personnes attendues seront absentes" if absent > 1 else "1 personne attendue sera absente"
        return f"Aucune arrivée n’est notée\u00a0: {who} malgré {whose} réponse."
    came = f"{turnout.arrived} personnes sont arrivées" if turnout.arrived > 1 else "1 personne est arrivée"
    gone = f"{absent} sont absentes" if absent > 1 else "1 est absente" if absent else "aucune n’est absente"
    return f"{came}, {gone} malgré {whose} réponse."


def _why_not_begun(event: Event, sentence: str) -> str:
    if event.status == EventStatus.CANCELLED:
        return CANCELLED
    return sentence.format(moment=clock.long_date(event.date)) if event.date > clock.now() else ""


def _write(session: Session, actor: Actor, event: Event, action: str, status: EventStatus) -> None:
    before = audit.read_columns(event)
    now = clock.now()
    event.doors_closed_at = now if status is EventStatus.COMPLETED else None
    event.status, event.updated_at, event.sequence = status, now, event.sequence + 1
    session.add(event)
    session.flush()
    audit.record(session, actor, action, event.id, changes=audit.compare(before, audit.read_columns(event)))
