"""The club's mails, as administrators look them over: by event, past broadcasts, timing of reminders."""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.models import BroadcastEmail, BroadcastStatus, EmailReminderSetting, Event, ReminderType
from clubapp.services.actors import Actor, require_admin

BROADCASTS_SHOWN = 10
DEFAULT_TEMPLATE = "Template par défaut"

_NAMES = {
    ReminderType.INVITATION: "Invitation",
    ReminderType.FIRST: "1ère relance",
    ReminderType.SECOND: "2ème relance",
}


@dataclass(frozen=True)
class EventMails:
    """The three subjects of an event's mails."""

    event_id: str
    title: str
    date: str
    invitation_sent: bool
    invitation: str
    first_reminder: str
    second_reminder: str


@dataclass(frozen=True)
class BroadcastRow:
    """A broadcast in the history."""

    id: str
    subject: str
    line: str
    is_sent: bool
    content: str


@dataclass(frozen=True)
class Mailings:
    """What the e-mails screen shows."""

    events: tuple[EventMails, ...] = ()
    broadcasts: tuple[BroadcastRow, ...] = ()


@dataclass(frozen=True)
class ReminderRow:
    """When one of the automatic mails goes out."""

    id: str
    name: str
    timing: str
    is_active: bool
    subject: str
    content: str


def overview(session: Session, actor: Actor) -> Mailings:
    """The events to come with their subjects, and the last broadcasts, newest first."""
    require_admin(actor)
    events = session.exec(select(Event).where(col(Event.date) >= clock.now()).order_by(col(Event.date)))
    broadcasts = session.exec(
        select(BroadcastEmail).order_by(col(BroadcastEmail.created_at).desc()).limit(BROADCASTS_SHOWN)
    )
    return Mailings(tuple(_event(event) for event in events), tuple(_broadcast(each) for each in broadcasts))


def reminders(session: Session, actor: Actor) -> tuple[ReminderRow, ...]:
    """The settings of the automatic mails, the earliest first."""
    require_admin(actor)
    query = select(EmailReminderSetting).order_by(col(EmailReminderSetting.days_before).desc())
    return tuple(_reminder(setting) for setting in session.exec(query))


def _event(event: Event) -> EventMails:
    return EventMails(
        event_id=event.id,
        title=event.title,
        date=clock.long_date(event.date),
        invitation_sent=event.invitation_sent,
        invitation=event.email_subject or DEFAULT_TEMPLATE,
        first_reminder=event.reminder_1_subject or DEFAULT_TEMPLATE,
        second_reminder=event.reminder_2_subject or DEFAULT_TEMPLATE,
    )


def _broadcast(broadcast: BroadcastEmail) -> BroadcastRow:
    is_sent = broadcast.status == BroadcastStatus.SENT and broadcast.sent_at is not None
    count = broadcast.sent_count
    return BroadcastRow(
        id=broadcast.id,
        subject=broadcast.subject,
        line=f"Envoyé le {clock.short_date(broadcast.sent_at)} à {count} {'membres' if count > 1 else 'membre'}"
        if is_sent and broadcast.sent_at
        else "Brouillon",
        is_sent=is_sent,
        content=broadcast.content,
    )


def _reminder(setting: EmailReminderSetting) -> ReminderRow:
    days = setting.days_before
    return ReminderRow(
        id=setting.id,
        name=_NAMES[ReminderType(setting.reminder_type)],
        timing=f"{days} {'jours' if days > 1 else 'jour'} avant l'événement",
        is_active=setting.is_active,
        subject=setting.template_subject or DEFAULT_TEMPLATE,
        content=setting.template_content,
    )
