"""The outbox: services queue messages here, and count what became of them (M7, M12).

Nothing here talks to a mail server. Rows are written in the caller's transaction: a change and the messages it causes
are committed together, or not at all.
"""

from dataclasses import dataclass
from datetime import datetime
from email.utils import parseaddr
from functools import lru_cache
from typing import Any
from uuid import uuid4

from sqlalchemy import func, literal, select
from sqlmodel import Session, col

from clubapp import clock
from clubapp.database import insert_statement
from clubapp.mail.messages.mail_kinds import MAIL_KINDS
from clubapp.models import MailState, Member, OutboxMail
from clubapp.settings import settings

UNNAMED = "Ancien membre"
# Takes the place of a key with an address in it, once the rest of a message is erased.
ERASED_KEY = literal("erased:") + col(OutboxMail.id)
WAITING = (MailState.PENDING, MailState.CLAIMED, MailState.HANDING_OVER)


@dataclass(frozen=True)
class Excluded:
    """Someone left out of a mailing, and why."""

    name: str
    reason: str


def queue_mail(
    session: Session,
    *,
    kind: str,
    key: str,
    recipient: str,
    member_id: str | None = None,
    event_id: str | None = None,
    reservation_id: str | None = None,
    broadcast_id: str | None = None,
    context: dict[str, Any] | None = None,
    available_at: datetime | None = None,
) -> bool:
    """Add one message to one person, due at once or from `available_at`. `context` never holds a secret.

    Returns:
        False when a message of that key was queued before; nothing is added then.

    Raises:
        KeyError: for a kind that MAIL_KINDS does not name.
    """
    return _insert(
        session,
        kind=kind,
        key=key,
        recipient=recipient,
        member_id=member_id,
        event_id=event_id,
        reservation_id=reservation_id,
        broadcast_id=broadcast_id,
        context=context or {},
        message_id=new_message_id(),
        available_at=available_at or clock.now(),
    )


def record_excluded(
    session: Session,
    *,
    kind: str,
    key: str,
    reason: str,
    member_id: str | None = None,
    event_id: str | None = None,
    broadcast_id: str | None = None,
    context: dict[str, Any] | None = None,
) -> None:
    """Record that someone is left out of a mailing, and why in French, so that the list adds up (M12).

    The person's name is kept in `context`, for when the member is deleted.

    Raises:
        KeyError: for a kind that MAIL_KINDS does not name.
    """
    member = session.get(Member, member_id) if member_id else None
    named = {"name": member.name} if member else {}
    _insert(
        session,
        kind=kind,
        key=key,
        reason=reason,
        member_id=member_id,
        event_id=event_id,
        broadcast_id=broadcast_id,
        context={**named, **(context or {})},
        state=MailState.EXCLUDED,
    )


def count_states(session: Session, *which: Any) -> dict[str, int]:
    """The number of messages in each state, 0 included; of those only that the criteria `which` select."""
    rows = session.execute(select(col(OutboxMail.state), func.count()).where(*which).group_by(col(OutboxMail.state)))
    return {state.value: 0 for state in MailState} | {row.state: row[1] for row in rows}


def new_message_id() -> str:
    """A Message-ID on the sender's domain, made once per message and kept over retries (E2)."""
    return f"<{uuid4()}@{sender_address().partition('@')[2]}>"


def sender_address() -> str:
    """The bare address of CLUB_MAIL_FROM."""
    return _parse_address(settings().mail_from)


@lru_cache(maxsize=4)
def _parse_address(sender: str) -> str:
    return parseaddr(sender)[1]


def _insert(session: Session, **given: Any) -> bool:
    """Insert unless the key is taken; the unique index decides between concurrent inserts."""
    now = clock.now()
    priority = MAIL_KINDS[given["kind"]].priority
    row = OutboxMail(**{"available_at": now, **given}, priority=priority, created_at=now, updated_at=now)
    session.flush()  # the rows that the message refers to must be written first
    statement = _insert_statement(session.get_bind().dialect.name)
    return session.connection().execute(statement, row.model_dump()).first() is not None


@lru_cache(maxsize=2)
def _insert_statement(engine: str) -> Any:
    """Cached, because a mailing inserts hundreds of messages."""
    return (
        insert_statement(engine, OutboxMail)
        .on_conflict_do_nothing(index_elements=["key"])
        .returning(col(OutboxMail.id))
    )
