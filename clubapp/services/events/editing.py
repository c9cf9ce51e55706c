"""Creating, changing and deleting the club's events."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain

from sqlalchemy import delete as delete_rows
from sqlalchemy import func
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages import texts
from clubapp.mail.messages.event_change import Told
from clubapp.models import Event, EventReservation, EventSpeaker, EventStatus
from clubapp.refusals import Conflict, NotFound
from clubapp.services.answers import waiting_list
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.edit_conflicts import TextChanged
from clubapp.services.events import change_notices, mailing_schedule
from clubapp.services.events.form import CheckedEvent, EventForm, SpeakerForm, check, local_time

MONTH_TAKEN = "Un événement existe déjà pour ce mois. Vous ne pouvez créer qu'un événement par mois."
GONE = "Cet événement n'existe plus : il a été supprimé entre-temps."
STALE = (
    "Cet événement a été modifié par une autre personne depuis que vous l'avez ouvert. "
    "Votre saisie est conservée : enregistrez à nouveau pour remplacer sa version par la vôtre, "
    "ou annulez pour garder la sienne."
)


@dataclass(frozen=True)
class Deletion:
    """What goes with an event when it is deleted, and who could be told. `loss` is empty when nobody was invited."""

    event_id: str = ""
    title: str = ""
    loss: str = ""
    plan: change_notices.NoticePlan = field(default_factory=change_notices.NoticePlan)


class MonthTaken(Conflict):
    """Another event is held in that month."""

    def __init__(self) -> None:
        super().__init__(MONTH_TAKEN, field="date")


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
        answers_until=clock.to_form(event.answers_until) if event.answers_until else "",
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


def save(session: Session, actor: Actor, typed: EventForm, tell: bool | None = None) -> str:
    """Create the event, or update it when the form names one; its speakers are replaced as a whole.

    `tell` says whether those invited are told of a change of date, place or status. A new event that is a copy begins
    with the words of the other's mails, unless that was deleted since.

    Returns:
        The event's id.

    Raises:
        InvalidForm: when fields are wrong.
        TextChanged: when someone saved it since the form was opened.
        MonthTaken: when its month already holds an event.
        NotFound: when it was deleted.
        NoticeWanted: when there is somebody to tell and `tell` is None.
    """
    require_admin(actor)
    checked = check(typed)
    event = _locked(session, typed) if typed.id else _fresh(session, actor, typed.copy_of)
    before = Told.of(event)
    checked = replace(
        checked,
        date=_untouched(event.date, typed.date) or checked.date,
        answers_until=_untouched(event.answers_until, typed.answers_until) or checked.answers_until,
    )
    _write(session, event, checked)
    _replace_speakers(session, event.id, checked)
    if typed.id:
        change_notices.queue_notices(session, actor, event, before, tell)
        waiting_list.offer_free_places(session, event.id)
    mailing_schedule.plan_mailings(session, event)
    audit.record(session, actor, "event.updated" if typed.id else "event.created", event.id, title=event.title)
    return event.id


def deletion(session: Session, actor: Actor, event_id: str) -> Deletion:
    """What deleting an event would take along.

    Raises:
        NotFound: when it was deleted before.
    """
    require_admin(actor)
    event = find(session, event_id)
    counted = select(func.count(), func.count(col(EventReservation.will_attend)))
    invitations, answers = session.exec(counted.where(EventReservation.event_id == event_id)).one()
    return Deletion(event.id, event.title, _loss(answers, invitations), change_notices.deletion_plan(session, event))


def delete(session: Session, actor: Actor, event_id: str, tell: bool = False) -> None:
    """Delete an event with its speakers and answers; its waiting mails are withdrawn at their turn (M10).

    With `tell`, those invited to an event that was still to come get its cancellation.

    Raises:
        NotFound: when it was deleted before.
    """
    require_admin(actor)
    event = find(session, event_id, lock=True)
    if tell and change_notices.deletion_plan(session, event).told:
        change_notices.queue_deletion_notices(session, event)
    session.delete(event)
    audit.record(session, actor, "event.deleted", event_id, title=event.title, told=tell)


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
        raise TextChanged(_version(event), STALE)
    return event


def _fresh(session: Session, actor: Actor, copy_of: str) -> Event:
    now, copied = clock.now(), session.get(Event, copy_of) if copy_of else None
    event = Event(title="", date=now, month="", location="", created_by=actor.email, created_at=now, updated_at=now)
    for name in chain.from_iterable(texts.COLUMNS.values()):
        setattr(event, name, copied and getattr(copied, name))
    return event


def _untouched(stored: datetime | None, typed: str) -> datetime | None:
    """The stored instant when the form still says the same minute: it stays, to the second (C1)."""
    return stored if stored and typed == clock.to_form(stored) else None


def _write(session: Session, event: Event, checked: CheckedEvent) -> None:
    try:
        with session.begin_nested():
            for name, value in checked.columns.items():
                setattr(event, name, value)
            event.updated_at = clock.now()
            session.add(event)
    except IntegrityError as error:
        if _is_month_taken(error):
            raise MonthTaken from None
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


def _loss(answers: int, invitations: int) -> str:
    if not invitations:
        return ""
    return (
        f"{answers} {'réponses' if answers > 1 else 'réponse'} et "
        f"{invitations} {'invitations' if invitations > 1 else 'invitation'} seront supprimées avec cet événement, "
        "et les liens de réponse cesseront de fonctionner."
    )


def _version(event: Event) -> str:
    return event.updated_at.isoformat()


def _speaker_form(speaker: EventSpeaker) -> SpeakerForm:
    return SpeakerForm(speaker.name, speaker.company or "", speaker.role or "", speaker.bio or "")
