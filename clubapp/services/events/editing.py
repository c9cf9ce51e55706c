"""Creation, change and deletion of events."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any

from sqlalchemy import delete as delete_rows
from sqlalchemy import func
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages import text_choice
from clubapp.mail.messages.event_change import AnnouncedFacts
from clubapp.models import Event, EventReservation, EventSpeaker, EventStatus, invited
from clubapp.refusals import Conflict, NotFound
from clubapp.services.answers import added_lunch, recording
from clubapp.services.answers.recording import SeatedWaiting
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin, require_fresh
from clubapp.services.base.edit_conflicts import TextChanged
from clubapp.services.base.form_fields import InvalidForm
from clubapp.services.events import change_notices, mailing_schedule
from clubapp.services.events.change_notices import NoticePlan
from clubapp.services.events.form import CheckedEvent, EventForm, SpeakerForm, check_event, parse_local_time

MONTH_TAKEN = "Un événement existe déjà pour ce mois. Vous ne pouvez créer qu'un événement par mois."
MONTH_HELD = "Un événement existe déjà pour {}. Vous ne pouvez créer qu'un événement par mois."
NOBODY_IS_TOLD = "Cette date est passée\u00a0: personne n’en serait prévenu."
INTO_THE_PAST = (
    "Cette date est passée\u00a0: les personnes invitées ne verraient plus la rencontre. "
    "Vérifiez le jour et l’année\u00a0; si elle n’a pas lieu, annulez-la."
)
DEADLINE_FOLLOWS = "La date limite de réponse suit\u00a0: {}."
GONE = "Cet événement n’existe plus\u00a0: il a été supprimé entre-temps."
STALE = (
    "Cet événement a été modifié par une autre personne depuis que vous l’avez ouvert. "
    "Votre saisie est conservée\u00a0: enregistrez à nouveau pour remplacer sa version par la vôtre, "
    "ou annulez pour garder la sienne."
)


_NOT_IN_MAILS = {"max_participants", "host", "host_email", "caterer_email"}


@dataclass(frozen=True)
class DeletionPreview:
    """What deleting an event removes, and who could get a notice. `loss` is empty when nobody was invited."""

    event_id: str = ""
    title: str = ""
    loss: str = ""
    plan: change_notices.NoticePlan = field(default_factory=change_notices.NoticePlan)


@dataclass(frozen=True)
class MonthConflict:
    """Why a month is not free, and the event that holds it; empty when it is free."""

    text: str = ""
    event_id: str = ""
    title: str = ""


@dataclass(frozen=True)
class SavedEvent:
    """The event that was saved, what became of its waiting list, and the notices of the change that leave.

    `deadline` says that the deadline for answers moved with the date; empty when it did not.
    """

    id: str
    waiting: SeatedWaiting
    notices: NoticePlan
    deadline: str = ""


class MonthTaken(Conflict):
    """The month already has an event."""

    def __init__(self) -> None:
        super().__init__(MONTH_TAKEN, field="date")


def open_form(session: Session, actor: Actor, event_id: str) -> EventForm:
    """The form of an event.

    Raises:
        NotFound: when it was deleted.
    """
    require_admin(actor)
    event = find_event(session, event_id)
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
        ends_at=clock.hour(event.ends_at) if event.ends_at else "",
        host=event.host,
        host_email=event.host_email,
        caterer_email=event.caterer_email,
        speakers=tuple(_speaker_form(speaker) for speaker in event.speakers) or (SpeakerForm(),),
    )


def open_confirmation(session: Session, actor: Actor, event_id: str) -> EventForm:
    """The form of a draft that is read once more: it is confirmed when saved. Of another event, its form.

    Raises:
        NotFound: when it was deleted.
    """
    form = open_form(session, actor, event_id)
    return replace(form, status=EventStatus.CONFIRMED) if form.status == EventStatus.DRAFT else form


def open_postponement(session: Session, actor: Actor, event_id: str) -> tuple[EventForm, NoticePlan]:
    """The form of an event that gets another date, and who is told of it.

    Raises:
        NotFound: when it was deleted.
    """
    form = open_form(session, actor, event_id)
    return form, change_notices.plan_postponement_notices(session, find_event(session, event_id))


def find_month_conflict(
    session: Session, actor: Actor, moment: str, *, status: str = "", but: str = ""
) -> MonthConflict:
    """The event that holds the month of a local time such as '2027-01-14T12:00', unless its id is `but`.

    An event of the status cancelled needs no month.

    Raises:
        Invalid: when the text is not a time.
    """
    require_admin(actor)
    instant = parse_local_time(moment)
    holder = session.exec(
        select(Event.id, Event.title).where(
            Event.month == clock.month_of(instant), Event.status != EventStatus.CANCELLED, Event.id != but
        )
    ).first()
    if holder is None or status == EventStatus.CANCELLED:
        return MonthConflict()
    return MonthConflict(MONTH_HELD.format(clock.month_name(instant)), *holder)


def save(session: Session, actor: Actor, typed: EventForm, tell: bool | None = None) -> SavedEvent:
    """Create the event, or update the one whose id the form holds; its speakers are replaced as a whole.

    `tell` says whether invitees get a notice of a change of date, place or status. Who comes is asked for a lunch that
    is added. A new event that is a copy takes the mail texts of its original, unless that was deleted since.

    Raises:
        InvalidForm: when fields are wrong, when somebody is to be told of a date that is over, or when an event to come
            to which people are invited gets one.
        TextChanged: when someone saved it since the form was opened.
        MonthTaken: when its month already holds an event.
        NotFound: when it was deleted.
        NoticeDecisionRequired: when there are notices to send and `tell` is None.
        ProofRequired: when they or an automatic mailing will tell everybody, and the last proof is too old (S13).
    """
    require_admin(actor)
    checked = check_event(typed)
    event = _locked(session, typed) if typed.id else _fresh(session, actor, typed.copy_of)
    before, end, limit = AnnouncedFacts.of(event), event.ends_at, event.max_participants
    columns = _read_columns(session, event) if typed.id else {}
    checked = _fit(event, typed, checked, tell=tell)
    follows = _tell_deadline(event, typed, checked)
    _write(session, event, checked)
    _replace_speakers(session, event, checked)
    waiting, notices = SeatedWaiting(), NoticePlan()
    if typed.id:
        if event.ends_at != end and before == AnnouncedFacts.of(event):
            event.sequence += 1  # a new end alone needs no notice, but replaces the entry in calendars (C5)
        notices = change_notices.queue_notices(session, actor, event, before, tell)
        if event.max_participants != limit:
            waiting = recording.seat_waiting(session, event.id)
    mailing_schedule.plan_mailings(session, event)
    changes = audit.compare(columns, _read_columns(session, event))
    _require_proof(session, actor, event, changes)
    action = "event.updated" if typed.id else "event.created"
    audit.record(session, actor, action, event.id, changes=changes, title=event.title)
    return SavedEvent(event.id, waiting, notices, follows)


def preview_deletion(session: Session, actor: Actor, event_id: str) -> DeletionPreview:
    """What deleting an event would remove.

    Raises:
        NotFound: when it was already deleted.
    """
    require_admin(actor)
    event = find_event(session, event_id)
    counted = select(func.count(), func.count(col(EventReservation.will_attend)))
    invitations, answers = session.exec(counted.where(EventReservation.event_id == event_id, invited())).one()
    return DeletionPreview(
        event.id, event.title, _loss(answers, invitations), change_notices.plan_deletion_notices(session, event)
    )


def delete(session: Session, actor: Actor, event_id: str, tell: bool = False) -> None:
    """Delete an event with its speakers and answers; its waiting mails are withdrawn when they become due (M10).

    With `tell`, the invitees of a future event get its cancellation. One that waits already leaves all the same.

    Raises:
        NotFound: when it was already deleted.
        ProofRequired: when invitees are told and the actor's last proof is too old (S13).
    """
    require_admin(actor)
    event = find_event(session, event_id, lock=True)
    if tell and change_notices.plan_deletion_notices(session, event).message_count:
        require_fresh(actor)
        change_notices.queue_deletion_notices(session, event)
    change_notices.keep_cancellation(session, event)
    session.delete(event)
    audit.record(session, actor, "event.deleted", event_id, title=event.title, told=tell)


def find_event(session: Session, event_id: str, *, lock: bool = False) -> Event:
    """The event; with `lock`, its row is locked.

    Raises:
        NotFound: when it was deleted.
    """
    event = session.get(Event, event_id, with_for_update=lock or None)
    if event is None:
        raise NotFound(GONE)
    return event


def _locked(session: Session, typed: EventForm) -> Event:
    event = find_event(session, typed.id, lock=True)
    if typed.seen != _version(event):
        raise TextChanged(_version(event), STALE)
    return event


def _fresh(session: Session, actor: Actor, copy_of: str) -> Event:
    now, copied = clock.now(), session.get(Event, copy_of) if copy_of else None
    event = Event(title="", date=now, month="", location="", created_by=actor.email, created_at=now, updated_at=now)
    for name in chain.from_iterable(text_choice.COLUMNS.values()):
        setattr(event, name, copied and getattr(copied, name))
    return event


def _require_proof(session: Session, actor: Actor, event: Event, changes: audit.Changes) -> None:
    """Require a recent proof when a mailing that leaves by itself to everybody will carry what changed."""
    if changes.keys() - _NOT_IN_MAILS and mailing_schedule.reaches_everybody(session, event):
        require_fresh(actor)


def _read_columns(session: Session, event: Event) -> dict[str, Any]:
    """What the journal shows of an event, its speakers included."""
    query = select(EventSpeaker).where(EventSpeaker.event_id == event.id).order_by(col(EventSpeaker.display_order))
    speakers = list(session.exec(query))
    named = [", ".join(filter(None, (one.name, one.role, one.company))) for one in speakers]
    return audit.read_columns(event) | {"speakers": named, "speaker_bios": [one.bio or "" for one in speakers]}


def _is_untouched(stored: datetime | None, typed: str) -> datetime | None:
    """Whether the form still shows the stored minute; the stored instant, with its seconds, is kept then (C1)."""
    return stored if stored and typed == clock.to_form(stored) else None


def _fit(event: Event, typed: EventForm, checked: CheckedEvent, *, tell: bool | None) -> CheckedEvent:
    """What the form holds, fitted to the event as it is: moments that were not touched are those that are stored."""
    fitted = replace(
        checked,
        date=_is_untouched(event.date, typed.date) or checked.date,
        answers_until=_choose_deadline(event, typed, checked),
    )
    _refuse_past(event, fitted, tell=tell)
    return fitted


def _refuse_past(event: Event, checked: CheckedEvent, *, tell: bool | None) -> None:
    """Refuse a date that is over where people wait for the event, or are to be told of it. It may be completed."""
    if checked.date > clock.now():
        return
    if tell:
        raise InvalidForm({"date": NOBODY_IS_TOLD})
    ends = EventStatus.CANCELLED, EventStatus.COMPLETED
    is_awaited = event.invitation_sent and event.date > clock.now() and event.status not in ends
    if is_awaited and checked.columns["status"] not in ends:
        raise InvalidForm({"date": INTO_THE_PAST})


def _tell_deadline(event: Event, typed: EventForm, checked: CheckedEvent) -> str:
    moved = checked.answers_until if _is_untouched(event.answers_until, typed.answers_until) else None
    return DEADLINE_FOLLOWS.format(clock.long_date(moved)) if moved and moved != event.answers_until else ""


def _choose_deadline(event: Event, typed: EventForm, checked: CheckedEvent) -> datetime | None:
    """The deadline for answers. One that the form still shows as it was moves with an event that is postponed: by as
    many days, or by less when the event begins at an earlier hour."""
    kept = _is_untouched(event.answers_until, typed.answers_until)
    if kept is None:
        return checked.answers_until
    old, new = clock.to_local(event.date), clock.to_local(checked.date)
    days = new.date() - old.date()
    later = min(days, new.replace(tzinfo=None) - old.replace(tzinfo=None))
    return (clock.to_local(kept) + later).astimezone(UTC) if days > timedelta(0) else kept


def _write(session: Session, event: Event, checked: CheckedEvent) -> None:
    adds_lunch = checked.columns["has_lunch"] and not event.has_lunch
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
    if adds_lunch:
        added_lunch.ask_for_lunch(session, event.id)


def _is_month_taken(error: IntegrityError) -> bool:
    diagnosis = getattr(error.orig, "diag", None)  # PostgreSQL names the constraint, SQLite the column
    return diagnosis.constraint_name == "uq_events_month" if diagnosis else "events.month" in str(error.orig)


def _replace_speakers(session: Session, event: Event, checked: CheckedEvent) -> None:
    session.connection().execute(delete_rows(EventSpeaker).where(col(EventSpeaker.event_id) == event.id))
    session.add_all(
        EventSpeaker(event_id=event.id, display_order=order, **vars(speaker))
        for order, speaker in enumerate(checked.speakers)
    )
    session.flush()
    session.expire(event, ["speakers"])


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
