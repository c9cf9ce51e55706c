"""The steps of an outbox message through its states (M8). The caller commits each step before acting on it.

    pending -> claimed -> handing_over -> sent | failed | uncertain, or back to pending

A worker holds a message under a lease, and only the worker that still holds it takes its next step: several
workers, one of them wrongly taken for dead, have the effect of one. When the lease of a dead worker has run out,
a claimed message is pending again, for nothing had left; one that was being handed over is uncertain.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import bindparam, func, inspect, or_, select, text, update
from sqlmodel import Session, col

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages.mail_kinds import REPEATABLE, WARNINGS
from clubapp.mail.queue import pause
from clubapp.mail.queue.outbox import WAITING
from clubapp.models import BroadcastEmail, MailState, Member, OutboxMail
from clubapp.settings import settings

LEASE = timedelta(seconds=60)
HAND_OVER_LEASE = timedelta(minutes=5)  # longer than a relay may take to acknowledge
RESENT_AT = "resent_at"  # key in the context of a message that an administrator sent again: the ISO instant
CUT = "La liaison a été coupée pendant la remise\u00a0: le message est peut-être parti."
_PACE_LOCK = 7_301_947


def claim(session: Session, owner: str, limit: int) -> list[OutboxMail]:
    """Claim up to `limit` messages that are due, in the order of their priority (M11)."""
    now = clock.now()
    room = min(limit, _count_room(session, now))
    if room < 1 or pause.is_resting(session):
        return []
    due = (
        select(col(OutboxMail.id))
        .where(*_is_due(now), *_unpaused(session))
        .order_by(*_URGENCY)
        .limit(room)
        .with_for_update(skip_locked=True)
        .cte("due")  # evaluated once; PostgreSQL may evaluate a subquery for each row, and so claim more than `room`
    )
    claimed = (
        update(OutboxMail)
        .where(col(OutboxMail.id).in_(select(due.c.id)))
        .values(
            state=MailState.CLAIMED,
            lease_owner=owner,
            lease_until=now + LEASE,
            attempts=OutboxMail.attempts + 1,
            updated_at=now,
        )
        .returning(OutboxMail)
        .execution_options(synchronize_session=False)
    )
    return sorted(session.scalars(claimed), key=lambda mail: (mail.priority, mail.available_at, mail.id))


def has_due() -> bool:
    """Whether a claim would return a message, apart from `mail_per_minute`."""
    with reading() as session:
        return not pause.is_resting(session) and _exists(session, *_is_due(clock.now()), *_unpaused(session))


def count_waiting() -> int:
    """How many messages are due, to be retried or held by a worker; those that a pause holds back do not count."""
    with reading() as session:
        held = col(OutboxMail.broadcast_id).in_(_paused_broadcasts())
        query = select(func.count()).where(col(OutboxMail.state).in_(WAITING), ~func.coalesce(held, False))
        return session.execute(query.where(*_unpaused(session))).scalar_one()


@dataclass(frozen=True)
class QueueWait:
    """Since when the longest-waiting messages wait: of those never tried, and of those tried. None without one."""

    untried: datetime | None = None
    tried: datetime | None = None

    @property
    def oldest(self) -> datetime | None:
        """The earlier of the two instants."""
        return min(filter(None, (self.untried, self.tried)), default=None)


def longest_wait(session: Session) -> QueueWait:
    """Since when messages wait that are due, to be retried or held by a worker, without those of paused broadcasts.

    A message that an administrator sent again waits since that moment.
    """
    resent = col(OutboxMail.context)[RESENT_AT].as_string()
    tried = col(OutboxMail.attempts) > 0
    held = func.coalesce(col(OutboxMail.broadcast_id).in_(_paused_broadcasts()), False)
    query = select(
        func.min(col(OutboxMail.available_at)).filter(~tried),
        func.min(col(OutboxMail.created_at)).filter(tried, resent.is_(None)),
        func.min(resent).filter(tried),
    ).where(col(OutboxMail.state).in_(WAITING), or_(tried, col(OutboxMail.available_at) <= clock.now()), ~held)
    untried, retried, again = session.execute(query).one()
    return QueueWait(untried, min(filter(None, (retried, again and datetime.fromisoformat(again))), default=None))


def hand_over(session: Session, given: Sequence[tuple[str, str]]) -> list[bool]:
    """Mark claimed messages, given as (id, owner), as being handed over: the last commit before the relay gets them.

    Returns:
        For each, False when the claim was lost to another worker.
    """
    taken: set[str] = set()
    for owner, group in groupby(given, key=itemgetter(1)):
        values = {"ids": [mail_id for mail_id, _ in group], "its_owner": owner, "updated_at": clock.now()}
        held = session.connection().execute(_HAND_OVER, {**values, "lease_until": clock.now() + HAND_OVER_LEASE})
        taken |= set(held.scalars())
    return [mail_id in taken for mail_id, _ in given]


def mark_sent(session: Session, given: Sequence[tuple[str, str, str]]) -> list[None]:
    """Record that the relay accepted messages, given as (id, owner, answer); one marked uncertain meanwhile too.

    Returns:
        None for each.
    """
    now = clock.now()
    session.connection().execute(
        _SENT,
        [
            {"its_id": mail_id, "its_owner": owner, "relay_answer": answer, "sent_at": now, "updated_at": now}
            for mail_id, owner, answer in given
        ],
    )
    return [None] * len(given)


def schedule_retry(session: Session, mail_id: str, owner: str, at: datetime, answer: str) -> None:
    """Put a message back into the queue, due again from `at` on."""
    _take_step(session, _RETRY, mail_id, owner, available_at=at, relay_answer=answer)


def mark_failed(session: Session, mail_id: str, owner: str, reason: str, answer: str = "") -> None:
    """Record that a message is refused for good or given up; `reason` is the French sentence administrators read."""
    _take_step(session, _FAILED, mail_id, owner, reason=reason, relay_answer=answer)


def mark_uncertain(session: Session, mail_id: str, owner: str, answer: str) -> None:
    """Record that the connection was lost during the hand-over: the message may have been accepted."""
    _take_step(session, _UNCERTAIN, mail_id, owner, reason=CUT, relay_answer=answer)


def mark_withdrawn(session: Session, mail_id: str, owner: str, reason: str) -> None:
    """Record that a message was no longer true when its turn came (M10); `reason` is in French."""
    _take_step(session, _WITHDRAWN, mail_id, owner, reason=reason)


def flag_address(session: Session, mail: OutboxMail, answer: str) -> None:
    """Record on a member that their address was refused for good (M9), unless they have changed it since."""
    theirs = update(Member).where(col(Member.id) == mail.member_id, col(Member.email) == mail.recipient)
    session.execute(theirs.values(email_failed_at=clock.now(), email_failure=answer))


def clear_flags(session: Session) -> None:
    """Remove the flag of every address that has accepted a mail since it was set."""
    accepted = select(col(OutboxMail.id)).where(
        col(OutboxMail.member_id) == col(Member.id),
        col(OutboxMail.recipient) == col(Member.email),
        col(OutboxMail.sent_at) > col(Member.email_failed_at),
    )
    flagged = update(Member).where(col(Member.email_failed_at).is_not(None), accepted.exists())
    session.execute(flagged.values(email_failed_at=None, email_failure=""), execution_options=_PLAIN)


def release_claims(owner: str) -> None:
    """Put back what a worker claimed and did not try; the claim does not count as an attempt."""
    with transaction() as session:
        _release(session, OutboxMail.lease_owner == owner, attempts=OutboxMail.attempts - 1)


def recover_expired() -> None:
    """Put back the claimed messages of dead workers, whose leases have run out.

    Those that were being handed over become uncertain; repeatable ones are pending again.
    """
    expired = col(OutboxMail.lease_until) < clock.now()
    with reading() as session:
        if not _exists(session, expired):
            return
    with transaction() as session:
        _release(session, expired)
        handing_over = update(OutboxMail).where(expired, col(OutboxMail.state) == MailState.HANDING_OVER)
        repeatable = col(OutboxMail.kind).in_(REPEATABLE)
        session.execute(handing_over.where(repeatable).values(**_unleased(MailState.PENDING)), execution_options=_PLAIN)
        uncertain = {**_unleased(MailState.UNCERTAIN, keep_owner=True), "reason": CUT}
        session.execute(handing_over.where(~repeatable).values(**uncertain), execution_options=_PLAIN)


_URGENCY = (col(OutboxMail.priority), col(OutboxMail.available_at), col(OutboxMail.id))
_PLAIN = {"synchronize_session": False}


def _is_due(now: datetime) -> tuple[Any, ...]:
    return (
        col(OutboxMail.state) == MailState.PENDING,
        col(OutboxMail.available_at) <= now,
        or_(col(OutboxMail.broadcast_id).is_(None), col(OutboxMail.broadcast_id).not_in(_paused_broadcasts())),
    )


def _paused_broadcasts() -> Any:
    """Broadcasts that an administrator has paused. Mails of a stopped one may be claimed: composing withdraws them."""
    return select(col(BroadcastEmail.id)).where(
        col(BroadcastEmail.paused_at).is_not(None), col(BroadcastEmail.stopped_at).is_(None)
    )


def _unpaused(session: Session) -> tuple[Any, ...]:
    """While a person pauses the queue, sign-in mails and warnings leave; while the clock is implausible, the former."""
    if not clock.is_plausible():
        return (col(OutboxMail.kind).in_(REPEATABLE),)
    return (col(OutboxMail.kind).in_(REPEATABLE + WARNINGS),) if pause.is_held(session) else ()


def _exists(session: Session, *which: Any) -> bool:
    return session.execute(select(1).select_from(OutboxMail).where(*which).limit(1)).first() is not None


def _count_room(session: Session, now: datetime) -> int:
    """How many more messages may leave within this minute under `mail_per_minute`, over all workers (M11)."""
    pace = settings().mail_per_minute
    if not pace:
        return 1_000_000
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _PACE_LOCK})
    is_counted = or_(
        col(OutboxMail.sent_at) > now - timedelta(minutes=1),
        col(OutboxMail.state).in_((MailState.CLAIMED, MailState.HANDING_OVER)),
    )
    return max(0, pace - session.execute(select(func.count()).select_from(OutboxMail).where(is_counted)).scalar_one())


def _unleased(state: MailState, *, keep_owner: bool = False) -> dict[str, Any]:
    """The values of a message that no worker holds. The owner of an uncertain one may still record an answer."""
    return {"state": state, "lease_until": None, "updated_at": clock.now()} | (
        {} if keep_owner else {"lease_owner": ""}
    )


def _release(session: Session, which: Any, **values: Any) -> None:
    held = update(OutboxMail).where(which, col(OutboxMail.state) == MailState.CLAIMED)
    session.execute(held.values(**_unleased(MailState.PENDING), **values), execution_options=_PLAIN)


_ROWS: Any = inspect(OutboxMail).local_table
_HELD = (MailState.CLAIMED, MailState.HANDING_OVER)


def _build_step(state: MailState, *from_states: MailState, **fixed: Any) -> Any:
    """The statement of a step, built once: it changes one message, and only for the worker that holds it."""
    mine = (_ROWS.c.id == bindparam("its_id"), _ROWS.c.lease_owner == bindparam("its_owner"))
    held = or_(*(_ROWS.c.state == held_in for held_in in from_states))
    return update(_ROWS).where(*mine, held).values(state=state, **fixed)


_HAND_OVER = (
    update(_ROWS)
    .where(
        _ROWS.c.id.in_(bindparam("ids", expanding=True)),
        _ROWS.c.lease_owner == bindparam("its_owner"),
        _ROWS.c.state == MailState.CLAIMED,
    )
    .values(state=MailState.HANDING_OVER)
    .returning(_ROWS.c.id)
)
_SENT = _build_step(MailState.SENT, MailState.HANDING_OVER, MailState.UNCERTAIN, reason="", lease_until=None)
_RETRY = _build_step(MailState.PENDING, *_HELD, lease_until=None)
_FAILED = _build_step(MailState.FAILED, *_HELD, lease_until=None)
_UNCERTAIN = _build_step(MailState.UNCERTAIN, *_HELD, lease_until=None)
_WITHDRAWN = _build_step(MailState.WITHDRAWN, *_HELD, lease_until=None)


def _take_step(session: Session, step: Any, mail_id: str, owner: str, **values: Any) -> None:
    given = {"its_id": mail_id, "its_owner": owner, "updated_at": clock.now(), **values}
    session.connection().execute(step, given)


# Steps that take a list of messages. The other ones take one message each.
BATCHED_STEPS = (hand_over, mark_sent)
