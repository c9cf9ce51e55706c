"""The automatic mailings of the events to come, each with its moment (C2, C4; decision 0009).

A mailing is a row with the moment it is due: 09:00 on the club's clock, so many days before the event. The row follows
its event and the settings until it is settled. What becomes of it then is in `dispatch`.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.database import insertion
from clubapp.mail.messages.default_texts import STARTING_TIMING, Timing
from clubapp.models import EmailReminderSetting, Event, EventStatus, PlannedMailing, PlannedState, ReminderType

HOUR = time(9)
WINDOW = timedelta(days=2)

CANCELLED = "L'événement est annulé."
COMPLETED = "L'événement est terminé."
PAST = "L'événement a commencé."
INACTIVE = "Cet envoi automatique est désactivé."
TOO_EARLY = "L'événement commence avant l'heure de cet envoi."
INVITED = "Les invitations sont déjà parties."
CREATED_AFTER = "L'événement a été créé après la date de cet envoi."
MOVED_PAST = "La date de cet envoi était déjà passée quand l'événement ou les réglages ont changé."

_OPEN = (PlannedState.PLANNED, PlannedState.SUSPENDED)


@dataclass(frozen=True)
class Slot:
    """When a mailing is due, and until when it may still go out after an outage."""

    due_at: datetime
    ends_at: datetime


def plan_mailings(session: Session, event: Event) -> None:
    """Plan, move or drop the mailings of an event, after any change of it; what has gone out stays."""
    _follow(session, event, timings(session))


def plan_all_mailings(session: Session, *, late: bool = False) -> None:
    """The same for every event to come, after a change of the settings.

    With `late`, an event that had no plan yet is not held to have missed what was due before now: its window decides.
    """
    chosen = timings(session)
    to_come = select(Event).where(col(Event.date) > clock.now()).order_by(col(Event.id))
    for event in session.exec(to_come.with_for_update(key_share=True)).all():  # none is moved meanwhile
        _follow(session, event, chosen, late=late)


def timings(session: Session) -> dict[ReminderType, Timing]:
    """The settings of the three mails; those a club has not touched are as it started."""
    rows = session.exec(select(EmailReminderSetting)).all()
    kept = {ReminderType(row.reminder_type): _timing(row) for row in rows}
    return STARTING_TIMING | kept


def slot(event: Event, which: ReminderType, chosen: dict[ReminderType, Timing]) -> Slot:
    """When one mail of an event is due. Its window ends two days later, with the next mail or with the event."""
    due = moment(event, chosen[which].days_before)
    others = (moment(event, timing.days_before) for timing in chosen.values() if timing.is_active)
    return Slot(due, min([due + WINDOW, event.date, *(other for other in others if other > due)]))


def moment(event: Event, days_before: int) -> datetime:
    """09:00 on the club's clock, so many days before the event's day: right over both changes of hour (C2)."""
    day = clock.to_local(event.date).date() - timedelta(days=days_before)
    return datetime.combine(day, HOUR, tzinfo=clock.zone()).astimezone(UTC)


def unwanted(event: Event, which: ReminderType, chosen: dict[ReminderType, Timing]) -> str:
    """Why a mail of an event is not to go out, whatever the hour; empty when it is."""
    reasons = {
        CANCELLED: event.status == EventStatus.CANCELLED,
        COMPLETED: event.status == EventStatus.COMPLETED,
        INACTIVE: not chosen[which].is_active,
        INVITED: which == ReminderType.INVITATION and event.invitation_sent,
        TOO_EARLY: moment(event, chosen[which].days_before) >= event.date,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _timing(row: EmailReminderSetting) -> Timing:
    return Timing(row.days_before, row.is_active, row.to_unanswered)


def _follow(session: Session, event: Event, chosen: dict[ReminderType, Timing], *, late: bool = False) -> None:
    rows = session.exec(select(PlannedMailing).where(PlannedMailing.event_id == event.id).with_for_update())
    kept = {row.reminder_type: row for row in rows}
    for which in ReminderType:
        row, due = kept.get(which), moment(event, chosen[which].days_before)
        reason = PAST if event.date <= clock.now() else unwanted(event, which, chosen)
        if row is None and not reason:
            _insert(session, _planned(event, which, due, late=late))
        elif row is not None and row.state != PlannedState.DONE:
            _move(row, due, reason)
    session.flush()


def _insert(session: Session, row: PlannedMailing) -> None:
    """Add a mailing unless it was added a moment ago by someone else: the unique index decides."""
    made = insertion(session.get_bind().dialect.name, PlannedMailing)
    session.execute(made.values(row.model_dump()).on_conflict_do_nothing())


def _planned(event: Event, which: ReminderType, due: datetime, *, late: bool) -> PlannedMailing:
    now = clock.now()
    is_missed = due <= (event.created_at if late else now)
    return PlannedMailing(
        event_id=event.id,
        reminder_type=which,
        due_at=due,
        state=PlannedState.MISSED if is_missed else PlannedState.PLANNED,
        reason=CREATED_AFTER if is_missed else "",
        settled_at=now if is_missed else None,
        updated_at=now,
    )


def _move(row: PlannedMailing, due: datetime, unwanted_because: str) -> None:
    """Bring an unsent mailing in line with its event and its setting."""
    has_moved = due != row.due_at
    row.due_at = due
    if unwanted_because:
        if row.state in _OPEN:
            close_mailing(row, PlannedState.DROPPED, unwanted_because)
    elif due > clock.now():
        if has_moved or row.state not in _OPEN:
            reopen_mailing(row)
    elif has_moved or row.state == PlannedState.DROPPED:
        close_mailing(row, PlannedState.MISSED, MOVED_PAST)


def close_mailing(row: PlannedMailing, state: PlannedState, reason: str = "") -> None:
    """Write down what became of a mailing."""
    row.state, row.reason, row.settled_at, row.updated_at = state, reason, clock.now(), clock.now()


def reopen_mailing(row: PlannedMailing) -> None:
    """Plan it again; a suspended one stays so."""
    if row.state != PlannedState.SUSPENDED:
        row.state = PlannedState.PLANNED
    row.reason, row.settled_at, row.updated_at = "", None, clock.now()
