"""How a message passes from hand to hand: every step of the outbox's life (M8). The caller commits each before it acts.

    pending -> claimed -> handing_over -> sent | failed | uncertain, or back to pending

A worker holds a message under a lease. A step is taken only by the worker that still holds it, so that two
workers, or one that was thought dead, have one effect. What a dead worker held is given back once its lease
has run out: before the hand-over nothing has left, after it nobody knows.
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
from clubapp.mail.messages.registry import REPEATABLE
from clubapp.mail.queue import pause
from clubapp.mail.queue.outbox import WAITING
from clubapp.models import BroadcastEmail, MailState, Member, OutboxMail
from clubapp.settings import settings

LEASE = timedelta(seconds=60)
HAND_OVER_LEASE = timedelta(minutes=5)  # longer than a relay may take to acknowledge
RESENT_AT = "resent_at"  # in the context of a message that an administrator sent again
CUT = "La liaison a été coupée pendant la remise : le message est peut-être parti."
_PACE_LOCK = 7_301_947


def claim(session: Session, owner: str, limit: int) -> list[OutboxMail]:
    """Take up to `limit` messages that are due, the most pressing first (M11)."""
    now = clock.now()
    room = min(limit, _room(session, now))
    if room < 1 or pause.is_resting(session):
        return []
    chosen = (
        select(col(OutboxMail.id))
        .where(*_due(now), *_allowed(session))
        .order_by(*_URGENCY)
        .limit(room)
        .with_for_update(skip_locked=True)
        .cte("chosen")  # read once; as a subquery, PostgreSQL may read it for each message, past what it has locked
    )
    taken = (
        update(OutboxMail)
        .where(col(OutboxMail.id).in_(select(chosen.c.id)))
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
    return sorted(session.scalars(taken), key=lambda mail: (mail.priority, mail.available_at, mail.id))


def has_due() -> bool:
    """Whether a claim would find something. Only looks."""
    with reading() as session:
        return not pause.is_resting(session) and _exists(session, *_due(clock.now()), *_allowed(session))


def count_waiting() -> int:
    """How many messages have not met their fate: due, to be retried, or in someone's hands. The held back are not."""
    with reading() as session:
        held = col(OutboxMail.broadcast_id).in_(_paused_broadcasts())
        query = select(func.count()).where(col(OutboxMail.state).in_(WAITING), ~func.coalesce(held, False))
        return session.execute(query.where(*_allowed(session))).scalar_one()


@dataclass(frozen=True)
class QueueWait:
    """Since when the messages wait that have waited longest: one that was never tried, and one that was."""

    untried: datetime | None = None
    tried: datetime | None = None

    @property
    def oldest(self) -> datetime | None:
        """The longer of the two."""
        return min(filter(None, (self.untried, self.tried)), default=None)


def longest_wait(session: Session) -> QueueWait:
    """What is due, to be retried, or in someone's hands; the held back count as little as in `waiting`.

    A message that was sent again waits from then on.
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
    """The last commit before the relay receives messages, as (id, owner); False for a claim that was lost."""
    taken: set[str] = set()
    for owner, group in groupby(given, key=itemgetter(1)):
        values = {"ids": [mail_id for mail_id, _ in group], "its_owner": owner, "updated_at": clock.now()}
        held = session.connection().execute(_HAND_OVER, {**values, "lease_until": clock.now() + HAND_OVER_LEASE})
        taken |= set(held.scalars())
    return [mail_id in taken for mail_id, _ in given]


def mark_sent(session: Session, given: Sequence[tuple[str, str, str]]) -> list[None]:
    """The relay said 250 to messages, as (id, owner, answer). True even of one given up as uncertain meanwhile."""
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
    """To be tried again from `at` on."""
    _move(session, _RETRY, mail_id, owner, available_at=at, relay_answer=answer)


def mark_failed(session: Session, mail_id: str, owner: str, reason: str, answer: str = "") -> None:
    """Refused for good; `reason` is the sentence administrators read."""
    _move(session, _FAILED, mail_id, owner, reason=reason, relay_answer=answer)


def mark_uncertain(session: Session, mail_id: str, owner: str, answer: str) -> None:
    """Cut while being handed over."""
    _move(session, _UNCERTAIN, mail_id, owner, reason=CUT, relay_answer=answer)


def mark_withdrawn(session: Session, mail_id: str, owner: str, reason: str) -> None:
    """No longer true when its turn came (M10)."""
    _move(session, _WITHDRAWN, mail_id, owner, reason=reason)


def flag_address(session: Session, mail: OutboxMail, answer: str) -> None:
    """Note that a member's address was refused for good (M9), as long as it is still theirs."""
    theirs = update(Member).where(col(Member.id) == mail.member_id, col(Member.email) == mail.recipient)
    session.execute(theirs.values(email_failed_at=clock.now(), email_failure=answer))


def clear_flags(session: Session) -> None:
    """An address that takes mail again is no longer flagged."""
    accepted = select(col(OutboxMail.id)).where(
        col(OutboxMail.member_id) == col(Member.id),
        col(OutboxMail.recipient) == col(Member.email),
        col(OutboxMail.sent_at) > col(Member.email_failed_at),
    )
    flagged = update(Member).where(col(Member.email_failed_at).is_not(None), accepted.exists())
    session.execute(flagged.values(email_failed_at=None, email_failure=""), execution_options=_PLAIN)


def release_claims(owner: str) -> None:
    """Give back what a worker claimed and did not try."""
    with transaction() as session:
        _give_back(session, OutboxMail.lease_owner == owner, attempts=OutboxMail.attempts - 1)


def recover_expired() -> None:
    """Take over what the dead held: their leases have run out."""
    expired = col(OutboxMail.lease_until) < clock.now()
    with reading() as session:
        if not _exists(session, expired):
            return
    with transaction() as session:
        _give_back(session, expired)
        cut = update(OutboxMail).where(expired, col(OutboxMail.state) == MailState.HANDING_OVER)
        repeatable = col(OutboxMail.kind).in_(REPEATABLE)
        session.execute(cut.where(repeatable).values(**_idle(MailState.PENDING)), execution_options=_PLAIN)
        lost = {**_idle(MailState.UNCERTAIN, keep_owner=True), "reason": CUT}
        session.execute(cut.where(~repeatable).values(**lost), execution_options=_PLAIN)


_URGENCY = (col(OutboxMail.priority), col(OutboxMail.available_at), col(OutboxMail.id))
_PLAIN = {"synchronize_session": False}


def _due(now: datetime) -> tuple[Any, ...]:
    return (
        col(OutboxMail.state) == MailState.PENDING,
        col(OutboxMail.available_at) <= now,
        or_(col(OutboxMail.broadcast_id).is_(None), col(OutboxMail.broadcast_id).not_in(_paused_broadcasts())),
    )


def _paused_broadcasts() -> Any:
    """Those an administrator holds back. One that was stopped is let through, to be withdrawn."""
    return select(col(BroadcastEmail.id)).where(
        col(BroadcastEmail.paused_at).is_not(None), col(BroadcastEmail.stopped_at).is_(None)
    )


def _allowed(session: Session) -> tuple[Any, ...]:
    """While a person holds the mail back, or the date is wrong, people can still sign in."""
    only_sign_in = pause.is_held(session) or not clock.is_plausible()
    return (col(OutboxMail.kind).in_(REPEATABLE),) if only_sign_in else ()


def _exists(session: Session, *which: Any) -> bool:
    return session.execute(select(1).select_from(OutboxMail).where(*which).limit(1)).first() is not None


def _room(session: Session, now: datetime) -> int:
    """How many more messages the pace lets out in this minute, over all workers (M11)."""
    pace = settings().mail_per_minute
    if not pace:
        return 1_000_000
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _PACE_LOCK})
    out = or_(
        col(OutboxMail.sent_at) > now - timedelta(minutes=1),
        col(OutboxMail.state).in_((MailState.CLAIMED, MailState.HANDING_OVER)),
    )
    return max(0, pace - session.execute(select(func.count()).select_from(OutboxMail).where(out)).scalar_one())


def _idle(state: MailState, *, keep_owner: bool = False) -> dict[str, Any]:
    """In nobody's hands. The last owner of an uncertain message may still learn its fate."""
    return {"state": state, "lease_until": None, "updated_at": clock.now()} | (
        {} if keep_owner else {"lease_owner": ""}
    )


def _give_back(session: Session, which: Any, **values: Any) -> None:
    held = update(OutboxMail).where(which, col(OutboxMail.state) == MailState.CLAIMED)
    session.execute(held.values(**_idle(MailState.PENDING), **values), execution_options=_PLAIN)


_ROWS: Any = inspect(OutboxMail).local_table
_HELD = (MailState.CLAIMED, MailState.HANDING_OVER)


def _step(state: MailState, *from_states: MailState, **fixed: Any) -> Any:
    """A statement made once: one step of one message, taken only by the worker that holds it."""
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
_SENT = _step(MailState.SENT, MailState.HANDING_OVER, MailState.UNCERTAIN, reason="", lease_until=None)
_RETRY = _step(MailState.PENDING, *_HELD, lease_until=None)
_FAILED = _step(MailState.FAILED, *_HELD, lease_until=None)
_UNCERTAIN = _step(MailState.UNCERTAIN, *_HELD, lease_until=None)
_WITHDRAWN = _step(MailState.WITHDRAWN, *_HELD, lease_until=None)


def _move(session: Session, step: Any, mail_id: str, owner: str, **values: Any) -> None:
    given = {"its_id": mail_id, "its_owner": owner, "updated_at": clock.now(), **values}
    session.connection().execute(step, given)


# Steps that take all that is ready at once.
BATCHED_STEPS = (hand_over, mark_sent)
