"""Creating, changing and deleting the club's events (specification, sections 4 and 5)."""

from dataclasses import replace

from sqlalchemy import delete as delete_rows
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import Event, EventSpeaker, EventStatus
from clubapp.refusals import Conflict, NotFound
from clubapp.services import audit
from clubapp.services.actors import Actor, require_admin
from clubapp.services.event_form import CheckedEvent, EventForm, SpeakerForm, check, local_time

MONTH_TAKEN = "Un événement existe déjà pour ce mois. Vous ne pouvez créer qu'un événement par mois."
GONE = "Cet événement n'existe plus : il a été supprimé entre-temps."
STALE = (
    "Cet événement a été modifié par une autre personne depuis que vous l'avez ouvert. "
    "Votre saisie est conservée : enregistrez à nouveau pour remplacer sa version par la vôtre, "
    "ou annulez pour garder la sienne."
)


class Stale(Conflict):
    """Someone saved the event in between; `seen` is its version now."""

    def __init__(self, seen: str) -> None:
        super().__init__(STALE)
        self.seen = seen


def form(session: Session, actor: Actor, event_id: str) -> EventForm:
    """The form filled with an event.

    Raises:
        NotFound: when it was deleted.
    """
    require_admin(actor)
    event = find(session, event_id)
    rows = speakers_of(session, [event_id]).get(event_id, [])
    return EventForm(
        id=event.id,
        seen=_version(event),
        title=event.title,
        date=clock.to_form(event.date),
        status=event.status,
        location=event.location,
        max_participants=str(event.max_participants or ""),
        address=event.address or "",
        description=event.description or "",
        has_lunch=event.has_lunch,
        speakers=tuple(_speaker_form(speaker) for speaker in rows) or (SpeakerForm(),),
    )


def month_refusal(session: Session, actor: Actor, moment: str) -> str:
    """Why no event can be created at a local time such as '2027-01-14T12:00', or nothing.

    Raises:
        Invalid: when the text is not a time.
    """
    require_admin(actor)
    instant = local_time(moment)
    taken = session.exec(
        select(Event.id).where(Event.month == clock.month_of(instant), Event.status != EventStatus.CANCELLED)
    ).first()
    if taken is None:
        return ""
    return f"Un événement existe déjà pour {clock.month_name(instant)}. Vous ne pouvez créer qu'un événement par mois."


def save(session: Session, actor: Actor, typed: EventForm) -> str:
    """Create the event, or update it when the form names one; its speakers are replaced as a whole.

    Returns:
        The event's id.

    Raises:
        InvalidForm: when fields are wrong.
        Stale: when someone saved it since the form was opened.
        Conflict: when its month already holds an event.
        NotFound: when it was deleted.
    """
    require_admin(actor)
    checked = check(typed)
    event = _locked(session, typed) if typed.id else _fresh(actor)
    if typed.date == clock.to_form(event.date):
        checked = replace(checked, date=event.date)  # untouched: the instant stays, to the second (C1)
    _write(session, event, checked)
    _replace_speakers(session, event.id, checked)
    audit.record(session, actor, "event.updated" if typed.id else "event.created", event.id, title=event.title)
    return event.id


def delete(session: Session, actor: Actor, event_id: str) -> None:
    """Delete an event with its speakers and answers; its waiting mails are withdrawn at their turn (M10).

    Raises:
        NotFound: when it was deleted before.
    """
    require_admin(actor)
    event = find(session, event_id)
    session.delete(event)
    audit.record(session, actor, "event.deleted", event_id, title=event.title)


def find(session: Session, event_id: str, *, lock: bool = False) -> Event:
    """The event, held for change when `lock`.

    Raises:
        NotFound: when it was deleted.
    """
    event = session.get(Event, event_id, with_for_update=lock or None)
    if event is None:
        raise NotFound(GONE)
    return event


def speakers_of(session: Session, event_ids: list[str]) -> dict[str, list[EventSpeaker]]:
    """The speakers of some events, by event, in their order."""
    found: dict[str, list[EventSpeaker]] = {}
    query = select(EventSpeaker).where(col(EventSpeaker.event_id).in_(event_ids))
    for speaker in session.exec(query.order_by(col(EventSpeaker.display_order))):
        found.setdefault(speaker.event_id, []).append(speaker)
    return found


def _locked(session: Session, typed: EventForm) -> Event:
    event = find(session, typed.id, lock=True)
    if typed.seen != _version(event):
        raise Stale(_version(event))
    return event


def _fresh(actor: Actor) -> Event:
    now = clock.now()
    return Event(title="", date=now, month="", location="", created_by=actor.email, created_at=now, updated_at=now)


def _write(session: Session, event: Event, checked: CheckedEvent) -> None:
    try:
        with session.begin_nested():
            for name, value in checked.columns.items():
                setattr(event, name, value)
            event.updated_at = clock.now()
            session.add(event)
    except IntegrityError as error:
        if _is_month_taken(error):
            raise Conflict(MONTH_TAKEN, field="date") from None
        raise


def _is_month_taken(error: IntegrityError) -> bool:
    diagnosis = getattr(error.orig, "diag", None)  # PostgreSQL names the constraint, SQLite the column
    return diagnosis.constraint_name == "uq_events_month" if diagnosis else "events.month" in str(error.orig)


def _replace_speakers(session: Session, event_id: str, checked: CheckedEvent) -> None:
    session.connection().execute(delete_rows(EventSpeaker).where(col(EventSpeaker.event_id) == event_id))
    session.add_all(
        EventSpeaker(event_id=event_id, display_order=order, **vars(speaker))
        for order, speaker in enumerate(checked.speakers)
    )
    session.flush()


def _version(event: Event) -> str:
    return event.updated_at.isoformat()


def _speaker_form(speaker: EventSpeaker) -> SpeakerForm:
    return SpeakerForm(speaker.name, speaker.company or "", speaker.role or "", speaker.bio or "")
