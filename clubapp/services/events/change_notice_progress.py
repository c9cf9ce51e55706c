"""The progress of an event's latest change notice, counted from its messages."""

from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import bindparam, func
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages.event_change import CANCELLED, KINDS
from clubapp.mail.queue.outbox import UNNAMED, Excluded
from clubapp.models import MailState, Member, OutboxMail
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events.invitations import SendingProgress, sum_states
from clubapp.text.collation import sort_by_name

_IS_NOTICE = col(OutboxMail.kind).in_(KINDS)
# Built once, since open screens poll it every second.
_NEWEST = (
    select(OutboxMail)
    .where(col(OutboxMail.event_id) == bindparam("event_id"), _IS_NOTICE)
    .order_by(col(OutboxMail.created_at).desc(), col(OutboxMail.id))
    .limit(1)
)


@dataclass(frozen=True)
class LastNotice:
    """The latest notice and the state of its messages; `title` is empty when there is none."""

    title: str = ""
    when: str = ""
    sending: SendingProgress = field(default_factory=SendingProgress)


def read_last_notice(session: Session, actor: Actor, event_id: str) -> LastNotice:
    """The latest notice of an event: the messages in the outbox whose key ends with the same SEQUENCE."""
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
        sending=replace(sum_states(states), excluded=_left_out(session, *same)),
    )


def _left_out(session: Session, *same: Any) -> tuple[Excluded, ...]:
    rows = session.exec(
        select(OutboxMail, Member.name)
        .outerjoin(Member, col(OutboxMail.member_id) == col(Member.id))
        .where(*same, OutboxMail.state == MailState.EXCLUDED)
        .order_by(col(OutboxMail.id))
    )
    return tuple(sort_by_name(Excluded(name or mail.context.get("name", UNNAMED), mail.reason) for mail, name in rows))
