"""The mails of one event in one place: its three texts with their moments, what left, and what became of it."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, func, select

from clubapp import clock
from clubapp.mail.messages import text_choice
from clubapp.mail.messages.event_variables import describe_variables
from clubapp.mail.messages.invitation_and_reminders import INVITATION, REMINDER_1, REMINDER_2
from clubapp.mail.messages.mail_kinds import MAIL_KINDS
from clubapp.mail.queue.outbox import WAITING
from clubapp.models import (
    Event,
    MailState,
    OutboxMail,
    PlannedMailing,
    PlannedState,
    ReminderType,
)
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events import mailing_schedule
from clubapp.services.events.editing import find_event
from clubapp.services.reminders.recipients import find_recipients
from clubapp.services.reminders.upcoming_mailings import CONDITIONAL, NAMES, describe_condition

CLUB_TEXT = "Texte habituel du club"
_KIND = {ReminderType.INVITATION: INVITATION, ReminderType.FIRST: REMINDER_1, ReminderType.SECOND: REMINDER_2}
_WORDS = {
    PlannedState.PLANNED: ("Prévu", "green"),
    PlannedState.SUSPENDED: ("Suspendu", "amber"),
    PlannedState.DONE: ("Parti", "indigo"),
    PlannedState.DROPPED: ("Rien ne part", "neutral"),
}
_OPEN = (PlannedState.PLANNED, PlannedState.SUSPENDED)


@dataclass(frozen=True)
class SentMailing:
    """What left of one kind: `counts` is '58 remis, 2 refusés', `failed` how many were refused."""

    kind: str
    label: str
    counts: str
    last: str
    failed: int = 0


@dataclass(frozen=True)
class EventText:
    """One of the three texts: its subject, its state in a word, when it leaves or left, and to how many."""

    key: str
    name: str
    subject: str
    state: str
    state_label: str
    tone: str
    moment: str
    detail: str


@dataclass(frozen=True)
class MeetingMails:
    """The mails of an event. `sent` are the other kinds that left, the latest first."""

    event_id: str = ""
    texts: tuple[EventText, ...] = ()
    sent: tuple[SentMailing, ...] = ()
    failed: int = 0


@dataclass(frozen=True)
class _Tally:
    """The messages of one kind by state, and the moment of the latest."""

    states: dict[str, int]
    first: datetime
    last: datetime

    @property
    def words(self) -> str:
        """'58 remis, 2 refusés, 1 en attente'."""
        parts = (
            (self.states.get(MailState.SENT, 0), "remis", "remis"),
            (sum(self.states.get(state, 0) for state in WAITING), "en attente", "en attente"),
            (self.states.get(MailState.FAILED, 0), "refusé", "refusés"),
            (self.states.get(MailState.UNCERTAIN, 0), "incertain", "incertains"),
            (self.states.get(MailState.WITHDRAWN, 0), "retiré", "retirés"),
        )
        return ", ".join(f"{count} {several if count > 1 else one}" for count, one, several in parts if count)


def read_mails(session: Session, actor: Actor, event_id: str) -> MeetingMails:
    """The mails of one event.

    Raises:
        NotFound: when it was deleted.
    """
    require_admin(actor)
    event = find_event(session, event_id)
    tallies = _count(session, event_id)
    planned = session.exec(select(PlannedMailing).where(PlannedMailing.event_id == event_id)).all()
    by_type = {ReminderType(row.reminder_type): row for row in planned}
    others = [kind for kind in tallies if kind not in _KIND.values()]
    return MeetingMails(
        event_id=event_id,
        texts=tuple(_text(session, event, which, by_type.get(which), tallies.get(_KIND[which])) for which in NAMES),
        sent=tuple(_sent(kind, tallies[kind]) for kind in sorted(others, key=lambda kind: tallies[kind].last)[::-1]),
        failed=sum(tally.states.get(MailState.FAILED, 0) for tally in tallies.values()),
    )


def _count(session: Session, event_id: str) -> dict[str, _Tally]:
    moment = func.coalesce(OutboxMail.sent_at, OutboxMail.created_at)
    columns: Any = (OutboxMail.kind, OutboxMail.state, func.count(), func.min(OutboxMail.created_at), func.max(moment))
    rows = session.exec(
        select(*columns)
        .where(OutboxMail.event_id == event_id, OutboxMail.state != MailState.EXCLUDED)
        .group_by(col(OutboxMail.kind), col(OutboxMail.state))
    ).all()
    found: defaultdict[str, list[Any]] = defaultdict(list)
    for row in rows:
        found[row[0]].append(row)
    return {
        kind: _Tally(
            {row[1]: row[2] for row in of_kind}, min(row[3] for row in of_kind), max(row[4] for row in of_kind)
        )
        for kind, of_kind in found.items()
    }


def _text(
    session: Session, event: Event, which: ReminderType, planned: PlannedMailing | None, tally: _Tally | None
) -> EventText:
    has_left = tally or (which == ReminderType.INVITATION and event.invitation_sent)
    state = PlannedState.DONE if has_left else PlannedState(planned.state) if planned else PlannedState.DROPPED
    if planned and state == PlannedState.MISSED:
        label, tone = mailing_schedule.describe_missed(planned, event)
    elif state == PlannedState.PLANNED and describe_condition(event, which):
        label, tone = CONDITIONAL
    else:
        label, tone = _WORDS[state]
    return EventText(
        key=_KIND[which],
        name=NAMES[which],
        subject=describe_variables(text_choice.own_subject(session, event, which), event) or CLUB_TEXT,
        state=state.value,
        state_label=label,
        tone=tone,
        moment=_moment(event, which, state, planned, tally),
        detail=_detail(session, event, which, planned, tally),
    )


def _moment(
    event: Event, which: ReminderType, state: PlannedState, planned: PlannedMailing | None, tally: _Tally | None
) -> str:
    if tally:
        return clock.recent_moment(tally.first)
    if planned is None or state is PlannedState.DROPPED:
        return ""
    if state not in _OPEN:
        return f"le {clock.day_and_month(planned.due_at)}"
    moment = clock.near_moment(planned.due_at)
    waits = state is PlannedState.SUSPENDED or describe_condition(event, which)
    return moment if waits else mailing_schedule.describe_due(planned.due_at, moment)


def _detail(
    session: Session, event: Event, which: ReminderType, planned: PlannedMailing | None, tally: _Tally | None
) -> str:
    if tally:
        return tally.words
    if which == ReminderType.INVITATION and event.invitation_sent:
        return ""
    if planned is None:
        return "Rien n’est prévu."
    if planned.state not in _OPEN:
        return planned.reason
    if condition := describe_condition(event, which):
        return condition
    return find_recipients(session, event, which, mailing_schedule.read_timings(session)[which]).sentence


def _sent(kind: str, tally: _Tally) -> SentMailing:
    label = MAIL_KINDS[kind].label if kind in MAIL_KINDS else kind
    failed = tally.states.get(MailState.FAILED, 0)
    return SentMailing(kind, label, tally.words, clock.recent_moment(tally.last), failed)
