"""How a message passes from hand to hand: every step of the outbox's life, each in its own commit (M8).

    pending -> claimed -> handing_over -> sent | failed | uncertain, or back to pending

A worker holds a message under a lease. A step is taken only by the worker that still holds it, so that two
workers, or one that was thought dead, have one effect. What a dead worker held is given back once its lease
has run out: before the hand-over nothing has left, after it nobody knows.
"""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, or_, select, text, update
from sqlmodel import Session, col

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.outbox import WAITING
from clubapp.models import MailState, OutboxMail
from clubapp.settings import settings

LEASE = timedelta(seconds=60)
HAND_OVER_LEASE = timedelta(minutes=5)  # longer than a relay may take to acknowledge
REPEATABLE = ("sign_in", "sign_in_unknown")  # a second copy does no harm, a missing one locks a person out
CUT = "La liaison a été coupée pendant la remise : le message est peut-être parti."
_PACE_LOCK = 7_301_947


def claim(owner: str, limit: int) -> list[OutboxMail]:
    """Take up to `limit` messages that are due, the most pressing first (M11)."""
    now = clock.now()
    with transaction() as session:
        rows = session.scalars(
            select(OutboxMail)
            .where(*_due(now))
            .order_by(col(OutboxMail.priority), col(OutboxMail.available_at), col(OutboxMail.id))
            .limit(min(limit, _room(session, now)))
            .with_for_update(skip_locked=True)
        ).all()
        for row in rows:
            row.state, row.lease_owner, row.lease_until = MailState.CLAIMED, owner, now + LEASE
            row.attempts += 1
            row.updated_at = now
    return list(rows)


def anything_due() -> bool:
    """Whether a claim would find something. Only looks."""
    return _any(*_due(clock.now()))


def waiting() -> int:
    """How many messages have not met their fate: due, to be retried, or in someone's hands."""
    with reading() as session:
        return session.execute(select(func.count()).where(col(OutboxMail.state).in_(WAITING))).scalar_one()


def hand_over(mail_id: str, owner: str) -> bool:
    """The last commit before the relay receives the message; False when the claim was lost."""
    return _move(
        mail_id, owner, MailState.CLAIMED, state=MailState.HANDING_OVER, lease_until=clock.now() + HAND_OVER_LEASE
    )


def sent(mail_id: str, owner: str, answer: str) -> None:
    """The relay said 250. True even of a message that was given up as uncertain meanwhile."""
    _move(
        mail_id, owner, MailState.HANDING_OVER, MailState.UNCERTAIN,
        state=MailState.SENT, sent_at=clock.now(), relay_answer=answer, reason="", lease_until=None,
    )  # fmt: skip


def later(mail_id: str, owner: str, at: datetime, answer: str) -> None:
    """To be tried again from `at` on."""
    _end(mail_id, owner, MailState.PENDING, available_at=at, relay_answer=answer)


def failed(mail_id: str, owner: str, reason: str, answer: str = "") -> None:
    """Refused for good; `reason` is the sentence administrators read."""
    _end(mail_id, owner, MailState.FAILED, reason=reason, relay_answer=answer)


def uncertain(mail_id: str, owner: str, answer: str) -> None:
    """Cut while being handed over."""
    _end(mail_id, owner, MailState.UNCERTAIN, reason=CUT, relay_answer=answer)


def withdrawn(mail_id: str, owner: str, reason: str) -> None:
    """No longer true when its turn came (M10)."""
    _end(mail_id, owner, MailState.WITHDRAWN, reason=reason)


def release(owner: str) -> None:
    """Give back what a worker claimed and did not try."""
    _give_back(OutboxMail.lease_owner == owner, attempts=OutboxMail.attempts - 1)


def recover() -> None:
    """Take over what the dead held: their leases have run out."""
    expired = col(OutboxMail.lease_until) < clock.now()
    if not _any(expired):
        return
    _give_back(expired)
    with transaction() as session:
        cut = update(OutboxMail).where(expired, col(OutboxMail.state) == MailState.HANDING_OVER)
        repeatable = col(OutboxMail.kind).in_(REPEATABLE)
        session.execute(cut.where(repeatable).values(**_idle(MailState.PENDING)))
        session.execute(cut.where(~repeatable).values(**_idle(MailState.UNCERTAIN, keep_owner=True), reason=CUT))


def _due(now: datetime) -> tuple[Any, ...]:
    return (col(OutboxMail.state) == MailState.PENDING, col(OutboxMail.available_at) <= now)


def _any(*which: Any) -> bool:
    with reading() as session:
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


def _end(mail_id: str, owner: str, state: MailState, **values: Any) -> None:
    _move(mail_id, owner, MailState.CLAIMED, MailState.HANDING_OVER, **_idle(state, keep_owner=True), **values)


def _idle(state: MailState, *, keep_owner: bool = False) -> dict[str, Any]:
    """In nobody's hands. The last owner of an uncertain message may still learn its fate."""
    return {"state": state, "lease_until": None, "updated_at": clock.now()} | (
        {} if keep_owner else {"lease_owner": ""}
    )


def _give_back(which: Any, **values: Any) -> None:
    with transaction() as session:
        held = update(OutboxMail).where(which, col(OutboxMail.state) == MailState.CLAIMED)
        session.execute(held.values(**_idle(MailState.PENDING), **values))


def _move(mail_id: str, owner: str, *from_states: MailState, **values: Any) -> bool:
    """One step of one message, taken only by the worker that holds it."""
    values.setdefault("updated_at", clock.now())
    with transaction() as session:
        mine = update(OutboxMail).where(
            col(OutboxMail.id) == mail_id,
            col(OutboxMail.lease_owner) == owner,
            col(OutboxMail.state).in_(from_states),
        )
        return session.execute(mine.values(**values).returning(col(OutboxMail.id))).first() is not None
