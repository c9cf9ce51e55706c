"""The overview of the club's mails: those of each event, and the last broadcasts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import func
from sqlmodel import Session, col, select

from clubapp import calendar_files, clock
from clubapp.mail.messages import text_choice
from clubapp.mail.messages.broadcast import KIND
from clubapp.mail.messages.event_variables import describe_variables
from clubapp.mail.messages.formatted_text import convert_to_plain
from clubapp.mail.queue.outbox import UNNAMED, Excluded
from clubapp.models import (
    BroadcastEmail,
    BroadcastStatus,
    Event,
    EventStatus,
    MailAttachment,
    MailState,
    Member,
    OutboxMail,
    ReminderType,
)
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events.invitations import SendingProgress, sum_states
from clubapp.services.mailings.audiences import OFFERED, may_have_guests
from clubapp.services.mailings.stored_audience import Selection, parse_audience
from clubapp.text import french
from clubapp.text.collation import sort_by_name

BROADCASTS_SHOWN = 10
EXCERPT = 600  # characters; more than the three lines shown
DEFAULT_TEMPLATE = "Template par défaut"
_MOVING = ("sending", "paused")


@dataclass(frozen=True)
class EventMails:
    """The three subjects of an event's mails."""

    event_id: str
    title: str
    date: str
    status: str
    status_label: str
    invitation_sent: bool
    invitation: str
    first_reminder: str
    second_reminder: str


@dataclass(frozen=True)
class BroadcastRow:
    """A broadcast in the list, with an excerpt. `state` is 'draft', 'sending', 'paused', 'stopped' or 'sent'.

    `opens_writing`: a draft that holds more than the form of this screen shows: people, guests, files.
    """

    id: str
    subject: str
    line: str
    is_sent: bool
    content: str
    state: str
    figures: SendingProgress
    opens_writing: bool = False


@dataclass(frozen=True)
class Mailings:
    """The content of the e-mails screen. `is_sending` while a broadcast of the list has waiting messages."""

    events: tuple[EventMails, ...] = ()
    broadcasts: tuple[BroadcastRow, ...] = ()
    is_sending: bool = False


def read_mailings(session: Session, actor: Actor) -> Mailings:
    """The future events with the subjects of their mails, and the last broadcasts, newest first."""
    require_admin(actor)
    events = session.exec(select(Event).where(col(Event.date) >= clock.now()).order_by(col(Event.date)))
    broadcasts = session.exec(
        select(BroadcastEmail)
        .order_by(col(BroadcastEmail.created_at).desc(), col(BroadcastEmail.id))
        .limit(BROADCASTS_SHOWN)
    ).all()
    figures = _figures(session, [each.id for each in broadcasts])
    with_files = _with_files(session, [each.id for each in broadcasts])
    rows = tuple(
        replace(_broadcast(each, figures[each.id]), opens_writing=_opens_writing(each, with_files))
        for each in broadcasts
    )
    return Mailings(tuple(_event(session, event) for event in events), rows, any(row.state in _MOVING for row in rows))


def _event(session: Session, event: Event) -> EventMails:
    def describe_subject(which: ReminderType) -> str:
        return describe_variables(text_choice.own_subject(session, event, which) or DEFAULT_TEMPLATE, event)

    return EventMails(
        event_id=event.id,
        title=event.title,
        date=calendar_files.when(event),
        status=event.status,
        status_label=EventStatus(event.status).label,
        invitation_sent=event.invitation_sent,
        invitation=describe_subject(ReminderType.INVITATION),
        first_reminder=describe_subject(ReminderType.FIRST),
        second_reminder=describe_subject(ReminderType.SECOND),
    )


def _broadcast(broadcast: BroadcastEmail, figures: SendingProgress) -> BroadcastRow:
    is_sent = broadcast.status == BroadcastStatus.SENT
    count, who = broadcast.sent_count, "destinataire" if may_have_guests(broadcast.audience) else "membre"
    sent_at = broadcast.sent_at or broadcast.created_at
    words = describe_variables(convert_to_plain(broadcast.content))[:EXCERPT]
    return BroadcastRow(
        id=broadcast.id,
        subject=describe_variables(broadcast.subject),
        line=f"Envoyé le {clock.short_date(sent_at)} à {french.count(count, who)}" if is_sent else "Brouillon",
        is_sent=is_sent,
        content="\n".join(filter(str.strip, words.splitlines())),
        state=_state(broadcast, figures),
        figures=figures,
    )


def _opens_writing(broadcast: BroadcastEmail, with_files: set[str]) -> bool:
    found = parse_audience(broadcast.audience) or Selection()
    is_picked = bool(found.members or broadcast.left_off) or found.answer not in (None, *OFFERED)
    return broadcast.status != BroadcastStatus.SENT and (is_picked or broadcast.id in with_files)


def _with_files(session: Session, broadcast_ids: Sequence[str]) -> set[str]:
    files = select(MailAttachment.broadcast_id).where(col(MailAttachment.broadcast_id).in_(broadcast_ids))
    return set(session.exec(files.distinct()))


def _state(broadcast: BroadcastEmail, figures: SendingProgress) -> str:
    if broadcast.status != BroadcastStatus.SENT:
        return "draft"
    if broadcast.stopped_at is not None:
        return "stopped"
    if not figures.pending:
        return "sent"
    return "paused" if broadcast.paused_at is not None else "sending"


def _figures(session: Session, broadcast_ids: Sequence[str]) -> dict[str, SendingProgress]:
    """The figures of several broadcasts, counted from the outbox in two queries."""
    of_these = (col(OutboxMail.broadcast_id).in_(broadcast_ids), col(OutboxMail.kind) == KIND)
    counted = session.execute(
        select(OutboxMail.broadcast_id, OutboxMail.state, func.count())
        .where(*of_these, OutboxMail.state != MailState.EXCLUDED)
        .group_by(col(OutboxMail.broadcast_id), col(OutboxMail.state))
    ).all()
    states: dict[str, dict[str, int]] = {identifier: {} for identifier in broadcast_ids}
    for identifier, state, count in counted:
        states[identifier][state] = count
    left_out = session.execute(
        select(OutboxMail, Member.name)
        .outerjoin(Member, col(OutboxMail.member_id) == col(Member.id))
        .where(*of_these, OutboxMail.state == MailState.EXCLUDED)
        .order_by(col(OutboxMail.id))
    ).all()
    excluded: dict[str, list[Excluded]] = {identifier: [] for identifier in broadcast_ids}
    for mail, name in left_out:
        excluded[mail.broadcast_id].append(Excluded(name or mail.context.get("name", UNNAMED), mail.reason))
    return {
        identifier: replace(sum_states(states[identifier]), excluded=tuple(sort_by_name(excluded[identifier])))
        for identifier in broadcast_ids
    }
