"""The schedule of the automatic mailings of future events (C2, C4; decision 0009).

A mailing is a row with its due time: 09:00 club time, a number of days before the event. The row follows its event and
the settings until it has a final state. It is sent by `reminders.dispatch`.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.database import insert_statement
from clubapp.mail.messages.built_in_event_texts import STARTING_TIMING, Timing
from clubapp.models import EmailReminderSetting, Event, EventStatus, PlannedMailing, PlannedState, ReminderType

HOUR = time(9)
WINDOW = timedelta(days=2)
SENT_WITHIN = timedelta(minutes=3)  # what is due leaves by then, unless something is wrong

CANCELLED = "L’événement est annulé."
COMPLETED = "L’événement est terminé."
PAST = "L’événement a commencé."
INACTIVE = "Cet envoi automatique est désactivé."
TOO_EARLY = "L’événement commence avant l’heure de cet envoi."
INVITED = "Les invitations sont déjà parties."
CREATED_AFTER = "L’événement a été créé après la date de cet envoi."
MOVED_PAST = "La date de cet envoi était déjà passée quand l’événement ou les réglages ont changé."

_OPEN = (PlannedState.PLANNED, PlannedState.SUSPENDED)


@dataclass(frozen=True)
class Slot:
    """When a mailing is due, and until when it may still be sent after an outage."""

    due_at: datetime
    ends_at: datetime


def plan_mailings(session: Session, event: Event) -> None:
    """Plan, move or drop the unsent mailings of an event after a change of it."""
    _follow(session, event, read_timings(session))


def plan_all_mailings(session: Session, *, late: bool = False) -> None:
    """Plan, move or drop the unsent mailings of every future event, after a change of the settings.

    With `late`, mailings of an event without a plan that were due before now are not marked as missed: their window
    decides.
    """
    chosen = read_timings(session)
    to_come = select(Event).where(col(Event.date) > clock.now()).order_by(col(Event.id))
    for event in session.exec(to_come.with_for_update(key_share=True)).all():  # none is moved meanwhile
        _follow(session, event, chosen, late=late)


def read_timings(session: Session) -> dict[ReminderType, Timing]:
    """The settings of the three mails, with the defaults of those the club has not set."""
    rows = session.exec(select(EmailReminderSetting)).all()
    kept = {ReminderType(row.reminder_type): _timing(row) for row in rows}
    return STARTING_TIMING | kept


def compute_slot(event: Event, which: ReminderType, chosen: dict[ReminderType, Timing]) -> Slot:
    """When a mail of an event is due. Its window ends after two days, with the next mail or with the event."""
    due = compute_due_at(event, chosen[which].days_before)
    others = (compute_due_at(event, timing.days_before) for timing in chosen.values() if timing.is_active)
    return Slot(due, min([due + WINDOW, event.date, *(other for other in others if other > due)]))


def compute_due_at(event: Event, days_before: int, hour: time = HOUR) -> datetime:
    """09:00 club time, or another hour, `days_before` days before the event, whatever the daylight saving time (C2)."""
    day = clock.to_local(event.date).date() - timedelta(days=days_before)
    return datetime.combine(day, hour, tzinfo=clock.zone()).astimezone(UTC)


def why_unwanted(event: Event, which: ReminderType, chosen: dict[ReminderType, Timing]) -> str:
    """Why a mail of an event is not to be sent, whatever the time; empty when it is."""
    reasons = {
        CANCELLED: event.status == EventStatus.CANCELLED,
        COMPLETED: event.status == EventStatus.COMPLETED,
        INACTIVE: not chosen[which].is_active,
        INVITED: which == ReminderType.INVITATION and event.invitation_sent,
        TOO_EARLY: compute_due_at(event, chosen[which].days_before) >= event.date,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def may_stay_suspended(event: Event, which: ReminderType, at: datetime | None = None) -> bool:
    """Whether a suspended mailing stays so while it is not wanted, since it may be wanted again before the event."""
    is_sent = which == ReminderType.INVITATION and event.invitation_sent
    return not is_sent and (at or clock.now()) < event.date


def leaves_as_it_stands(event: Event, which: ReminderType) -> bool:
    """Whether a planned mailing leaves at its moment as the event stands.

    An invitation leaves of a confirmed event only, a reminder only once people are invited.
    """
    return event.status == EventStatus.CONFIRMED if which == ReminderType.INVITATION else event.invitation_sent


def list_automatic(session: Session, event: Event) -> set[ReminderType]:
    """The mailings of an event that will leave by themselves; reminders only once its invitations have been sent."""
    own = PlannedMailing.event_id == event.id, col(PlannedMailing.state).in_(_OPEN)
    planned = {ReminderType(which) for which in session.exec(select(PlannedMailing.reminder_type).where(*own))}
    is_known = event.invitation_sent or ReminderType.INVITATION in planned
    return planned if is_known else set()


def reaches_everybody(session: Session, event: Event) -> bool:
    """Whether a mailing that will leave by itself goes to more people than those who come."""
    chosen = read_timings(session)
    return any(
        which is ReminderType.INVITATION or chosen[which].to_unanswered for which in list_automatic(session, event)
    )


def _timing(row: EmailReminderSetting) -> Timing:
    return Timing(row.days_before, row.is_active, row.to_unanswered)


def _follow(session: Session, event: Event, chosen: dict[ReminderType, Timing], *, late: bool = False) -> None:
    rows = session.exec(select(PlannedMailing).where(PlannedMailing.event_id == event.id).with_for_update())
    kept = {row.reminder_type: row for row in rows}
    for which in ReminderType:
        row, due = kept.get(which), compute_due_at(event, chosen[which].days_before)
        reason = PAST if event.date <= clock.now() else why_unwanted(event, which, chosen)
        if row is None and not reason:
            _insert(session, _planned(event, which, due, late=late))
        elif row is not None and row.state != PlannedState.DONE:
            _move(row, due, reason, may_stay=may_stay_suspended(event, which))
    session.flush()


def describe_due(due_at: datetime, moment: str, before: str = "") -> str:
    """When a planned mailing leaves: 'prévu demain à 09:00' for the `moment` 'demain à 09:00' and what stands `before`.

    Once it is due, 'en cours d’envoi', then 'devait partir aujourd’hui à 09:00'.
    """
    late = clock.now() - due_at
    if late < timedelta(0):
        return f"{before} {moment}".strip()
    return "en cours d’envoi" if late < SENT_WITHIN else f"devait partir {moment}"


def describe_missed(mailing: PlannedMailing, event: Event) -> tuple[str, str]:
    """The word for a missed mailing and its tone."""
    return ("Manqué", "red") if is_fault(mailing, event) else ("Date déjà passée", "neutral")


def is_fault(mailing: PlannedMailing, event: Event) -> bool:
    """Whether a missed mailing should have left: at its date its event was there, and it was wanted."""
    was_unwanted = mailing.settled_at is not None and mailing.settled_at < mailing.due_at
    return mailing.due_at >= event.created_at and not was_unwanted


def _insert(session: Session, row: PlannedMailing) -> None:
    """Insert a mailing unless a concurrent call did: the unique index decides."""
    made = insert_statement(session.get_bind().dialect.name, PlannedMailing)
    session.execute(made.values(row.model_dump()).on_conflict_do_nothing())


def _planned(event: Event, which: ReminderType, due: datetime, *, late: bool) -> PlannedMailing:
    now = clock.now()
    is_missed = due <= (event.created_at if late else now)
    reason = CREATED_AFTER if due <= event.created_at else MOVED_PAST
    return PlannedMailing(
        event_id=event.id,
        reminder_type=which,
        due_at=due,
        state=PlannedState.MISSED if is_missed else PlannedState.PLANNED,
        reason=reason if is_missed else "",
        settled_at=event.created_at if is_missed else None,  # it was never to leave
        updated_at=now,
    )


def _move(row: PlannedMailing, due: datetime, unwanted_because: str, *, may_stay: bool) -> None:
    """Update an unsent mailing after a change of its event or setting."""
    has_moved = due != row.due_at
    row.due_at = due
    stays_suspended = row.state == PlannedState.SUSPENDED and may_stay
    if stays_suspended:
        row.reason = unwanted_because
    if unwanted_because:
        if row.state in _OPEN and not stays_suspended:
            close_mailing(row, PlannedState.DROPPED, unwanted_because)
    elif due > clock.now():
        if has_moved or row.state not in _OPEN:
            reopen_mailing(row)
    elif has_moved or row.state == PlannedState.DROPPED:
        unwanted_since = row.settled_at
        close_mailing(row, PlannedState.MISSED, MOVED_PAST)
        row.settled_at = unwanted_since or row.settled_at


def close_mailing(row: PlannedMailing, state: PlannedState, reason: str = "") -> None:
    """Set the final state of a mailing."""
    row.state, row.reason, row.settled_at, row.updated_at = state, reason, clock.now(), clock.now()


def reopen_mailing(row: PlannedMailing) -> None:
    """Return a mailing to its planned state; a suspended one stays suspended."""
    if row.state != PlannedState.SUSPENDED:
        row.state = PlannedState.PLANNED
    row.reason, row.settled_at, row.updated_at = "", None, clock.now()
