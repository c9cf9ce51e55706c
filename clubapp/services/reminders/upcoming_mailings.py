"""The administrators' list of planned mailings: suspending, releasing, sending them now."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from clubapp import calendar_files, clock, routes
from clubapp.mail.messages.invitation_and_reminders import KINDS
from clubapp.models import Event, EventStatus, PlannedMailing, PlannedState, ReminderType
from clubapp.refusals import Conflict, NotFound
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin, require_fresh_admin
from clubapp.services.events import announcement, mailing_schedule
from clubapp.services.events.stages import DAY_TAB
from clubapp.services.reminders import dispatch
from clubapp.services.reminders.recipients import find_recipients

AHEAD = timedelta(days=30)
NAMES = {
    ReminderType.INVITATION: "Invitation",
    ReminderType.FIRST: "1re relance",
    ReminderType.SECOND: "2e relance",
}
CONDITIONAL = "Sous condition", "neutral"  # the word, and its tone, of what waits for more than its moment
GONE = "Cet envoi n’existe plus\u00a0: l’événement a été supprimé."
CHANGED = "Cet envoi vient de changer\u00a0: son état a été mis à jour."
NOT_INVITED = "Les invitations de cet événement ne sont pas encore parties."
OVER = "Cet événement n’est plus à venir\u00a0: rien ne peut plus partir."


@dataclass(frozen=True)
class PlannedRow:
    """One automatic mailing. `sentence` says how many recipients it would have now; `note` is a remark."""

    id: str
    name: str
    event: str
    event_date: str
    due: str
    state: str
    state_label: str
    tone: str
    sentence: str
    note: str
    can_suspend: bool
    can_resume: bool
    can_send: bool
    text_label: str
    text_href: str


@dataclass(frozen=True)
class UpcomingMailings:
    """The mailings of the next thirty days, soonest first, those that were missed, and how many come later."""

    coming: tuple[PlannedRow, ...] = ()
    missed: tuple[PlannedRow, ...] = ()
    later: str = ""


def list_upcoming_mailings(session: Session, actor: Actor) -> UpcomingMailings:
    """All mailings planned for future events."""
    require_admin(actor)
    now = clock.now()
    query = (
        select(PlannedMailing, Event)
        .join(Event, col(Event.id) == col(PlannedMailing.event_id))
        .where(col(Event.date) > now, col(Event.status).not_in((EventStatus.CANCELLED, EventStatus.COMPLETED)))
        .order_by(col(PlannedMailing.due_at), col(PlannedMailing.id))
    )
    rows = session.exec(query).all()
    pending = [row for row in rows if row[0].state in (PlannedState.PLANNED, PlannedState.SUSPENDED)]
    later = [mailing for mailing, _ in pending if mailing.due_at > now + AHEAD]
    mails = [(row[0].due_at, _row(session, *row)) for row in pending if row[0].due_at <= now + AHEAD]
    numbers = [
        (due, _numbers_row(due, event)) for due, event in announcement.list_coming(session) if due <= now + AHEAD
    ]
    return UpcomingMailings(
        tuple(row for _, row in sorted([*mails, *numbers], key=lambda each: each[0])),
        tuple(_row(session, *row) for row in rows if row[0].state == PlannedState.MISSED),
        f"Ensuite, le premier envoi est prévu le {clock.long_date(later[0].due_at)}." if later else "",
    )


def suspend_mailing(session: Session, actor: Actor, mailing_id: str) -> None:
    """Suspend a planned mailing.

    Raises:
        Conflict: when it is no longer planned.
        NotFound: when its event was deleted.
    """
    require_admin(actor)
    _change_state(session, actor, mailing_id, PlannedState.PLANNED, PlannedState.SUSPENDED)


def release_mailing(session: Session, actor: Actor, mailing_id: str) -> None:
    """End a suspension. The mailing is sent when due, or at once when that has just passed, if it is still wanted.

    Raises:
        Conflict: when it is not suspended.
        NotFound: when its event was deleted.
    """
    require_fresh_admin(actor)
    event = _change_state(session, actor, mailing_id, PlannedState.SUSPENDED, PlannedState.PLANNED)
    mailing_schedule.plan_mailings(session, event)


def send_mailing_now(session: Session, actor: Actor, mailing_id: str) -> int:
    """Send a missed or planned mailing now; return how many messages were queued.

    Raises:
        Conflict: when it was sent, or cannot be.
        NotFound: when its event was deleted.
    """
    require_fresh_admin(actor)
    mailing, event = _held(session, actor, mailing_id)
    if mailing.state not in (PlannedState.MISSED, PlannedState.PLANNED, PlannedState.SUSPENDED):
        raise Conflict(CHANGED)
    if event.date <= clock.now() or event.status in (EventStatus.CANCELLED, EventStatus.COMPLETED):
        raise Conflict(OVER)
    if mailing.reminder_type != ReminderType.INVITATION and not event.invitation_sent:
        raise Conflict(NOT_INVITED)
    outcome = dispatch.dispatch_now(session, actor, mailing, event)
    if outcome.state != PlannedState.DONE:
        raise Conflict(outcome.reason)
    if mailing.reminder_type != ReminderType.INVITATION:  # invitations are an act of their own
        counts = {"mail": mailing.reminder_type, "queued": outcome.queued}
        audit.record(session, actor, "planned.sent_by_hand", event.id, **counts)
    return outcome.queued


def _change_state(session: Session, actor: Actor, mailing_id: str, before: PlannedState, after: PlannedState) -> Event:
    mailing, event = _held(session, actor, mailing_id)
    if mailing.state != before:
        raise Conflict(CHANGED)
    mailing.state, mailing.reason, mailing.updated_at = after, "", clock.now()
    session.add(mailing)
    audit.record(session, actor, f"planned.{after}", event.id, mail=mailing.reminder_type)
    return event


def _held(session: Session, actor: Actor, mailing_id: str) -> tuple[PlannedMailing, Event]:
    """The mailing and its event, locked in the order that saving an event uses."""
    require_admin(actor)
    mailing = session.get(PlannedMailing, mailing_id)
    event = session.get(Event, mailing.event_id, with_for_update=True) if mailing else None
    if mailing is None or event is None:
        raise NotFound(GONE)
    session.refresh(mailing, with_for_update=True)
    return mailing, event


_STATES = {
    PlannedState.PLANNED: ("Prévu", "green"),
    PlannedState.SUSPENDED: ("Suspendu", "amber"),
}


def _describe_planned(due: datetime) -> tuple[str, str]:
    """The word for what leaves by itself, and its tone."""
    late = clock.now() - due
    if late < timedelta(0):
        return _STATES[PlannedState.PLANNED]
    return ("En cours d’envoi", "green") if late < mailing_schedule.SENT_WITHIN else ("En retard", "amber")


def _row(session: Session, mailing: PlannedMailing, event: Event) -> PlannedRow:
    which, state = ReminderType(mailing.reminder_type), PlannedState(mailing.state)
    is_missed = state == PlannedState.MISSED
    condition = describe_condition(event, which)
    label, tone = mailing_schedule.describe_missed(mailing, event) if is_missed else _STATES[state]
    if state == PlannedState.PLANNED:
        label, tone = CONDITIONAL if condition else _describe_planned(mailing.due_at)
    is_invited = event.invitation_sent or which == ReminderType.INVITATION
    found = find_recipients(session, event, which, mailing_schedule.read_timings(session)[which])
    return PlannedRow(
        id=mailing.id,
        name=NAMES[which],
        event=event.title,
        event_date=calendar_files.when(event),
        due=clock.long_date(mailing.due_at),
        state=state,
        state_label=label,
        tone=tone,
        sentence=found.sentence if is_invited else "",
        note=mailing.reason or condition,
        can_suspend=state == PlannedState.PLANNED,
        can_resume=state == PlannedState.SUSPENDED,
        can_send=is_invited
        and bool(found.recipients)
        and not (which == ReminderType.INVITATION and event.invitation_sent),
        text_label="Lire le message",
        text_href=routes.event_texts(event.id, KINDS[which]),
    )


def _numbers_row(due: datetime, event: Event) -> PlannedRow:
    """What the caterer and the host are told; it is changed or sent from the page of the event."""
    label, tone = _describe_planned(due)
    return PlannedRow(
        id=f"numbers-{event.id}",
        name="Nombres",
        event=event.title,
        event_date=calendar_files.when(event),
        due=clock.long_date(due),
        state=PlannedState.PLANNED,
        state_label=label,
        tone=tone,
        sentence=f"Destinataires\u00a0: {announcement.describe_recipients(event)}",
        note="",
        can_suspend=False,
        can_resume=False,
        can_send=False,
        text_label="Voir les nombres",
        text_href=routes.event_tab(event.id, DAY_TAB),
    )


def describe_condition(event: Event, which: ReminderType) -> str:
    """What a planned mailing waits for beside its moment; empty when for nothing."""
    if event.status == EventStatus.CANCELLED:
        return mailing_schedule.CANCELLED
    if mailing_schedule.leaves_as_it_stands(event, which):
        return ""
    if which == ReminderType.INVITATION:
        return "Partira seulement si l’événement est confirmé d’ici là."
    return "Partira seulement si les invitations sont envoyées d’ici là."
