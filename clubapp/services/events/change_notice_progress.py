"""How far the last notice of an event has come: the messages that told those invited of a change or a cancellation."""

from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import bindparam, func
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages.event_change import CANCELLED, KINDS
from clubapp.mail.queue.outbox import UNNAMED, Excluded
from clubapp.models import MailState, Member, OutboxMail
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events.invitations import Sending, added_up
from clubapp.text.collation import by_name

_IS_NOTICE = col(OutboxMail.kind).in_(KINDS)
# Built once: open screens ask it every second.
_NEWEST = (
    select(OutboxMail)
    .where(col(OutboxMail.event_id) == bindparam("event_id"), _IS_NOTICE)
    .order_by(col(OutboxMail.created_at).desc(), col(OutboxMail.id))
    .limit(1)
)


@dataclass(frozen=True)
class LastNotice:
    """What was told and when, and what became of its messages; `title` is empty when nothing was told yet."""

    title: str = ""
    when: str = ""
    sending: Sending = field(default_factory=Sending)


def last_notice(session: Session, actor: Actor, event_id: str) -> LastNotice:
    """The last notice of an event, read from the outbox: one message a person, all with the event's SEQUENCE then."""
    require_admin(actor)
    newest = session.exec(_NEWEST, params={"event_id": event_id}).first()
    if newest is None:
        return LastNotice()
    same = (
        col(OutboxMail.event_id) == event_id,
        _IS_NOTICE,
        col(OutboxMail.key).endswith(f":{newest.key.rpartition(':')[2]}"),
    )
    counted = select(col(OutboxMail.state), func.count()).where(*same, OutboxMail.state != MailState.EXCLUDED)
    states = dict(session.exec(counted.group_by(col(OutboxMail.state))).all())
    return LastNotice(
        title="Annulation annoncée" if newest.kind == CANCELLED else "Changement annoncé",
        when=clock.short_date(newest.created_at),
        sending=replace(added_up(states), excluded=_left_out(session, *same)),
    )


def _left_out(session: Session, *same: Any) -> tuple[Excluded, ...]:
    rows = session.exec(
        select(OutboxMail, Member.name)
        .outerjoin(Member, col(OutboxMail.member_id) == col(Member.id))
        .where(*same, OutboxMail.state == MailState.EXCLUDED)
        .order_by(col(OutboxMail.id))
    )
    return tuple(by_name(Excluded(name or mail.context.get("name", UNNAMED), mail.reason) for mail, name in rows))
