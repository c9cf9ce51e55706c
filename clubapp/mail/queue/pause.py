"""The pause of the whole queue, after errors in a row or because someone asked for it (M9). One row for all workers.

A pause after errors, called a rest, is twice as long each time, until a message leaves again. A pause that a person
asked for, or that follows a restoration, lasts until a person ends it, and lets sign-in mails and warnings through.
"""

from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.database import insert_statement
from clubapp.models import MailPause

SYSTEM = "system"
RESTORED = "restored"
STEP = timedelta(seconds=5)
LONGEST = timedelta(minutes=1)
AFTER_ERRORS = "Plusieurs envois de suite ont échoué."


def current_pause(session: Session) -> MailPause | None:
    """The pause in force, if any. A rest that ends further ahead than LONGEST was begun under a wrong date: ignored."""
    row, now = session.exec(select(MailPause)).first(), clock.now()
    return row if row is not None and (row.until is None or now < row.until <= now + LONGEST) else None


def is_resting(session: Session) -> bool:
    """Whether no message at all leaves, because the relay had errors in a row a moment ago."""
    current = current_pause(session)
    return current is not None and current.until is not None


def is_held(session: Session) -> bool:
    """Whether sign-in mails and warnings alone leave: a person paused the queue, or is to confirm a restoration."""
    current = current_pause(session)
    return current is not None and current.until is None


def seconds_left(session: Session) -> float:
    """The seconds until the rest after errors ends; 0 without one."""
    current = current_pause(session)
    return (current.until - clock.now()).total_seconds() if current and current.until else 0.0


def rest_after_errors(session: Session) -> datetime | None:
    """Begin a rest twice as long as the last one. A pause that a person asked for stays as it is.

    Returns:
        When the rest ends; None when a person has paused the queue.
    """
    now, row = clock.now(), session.exec(select(MailPause).with_for_update()).first()
    if row is not None and row.until is None:
        return None
    last = row.until - row.since if row is not None and row.until is not None else STEP / 2
    until = now + min(2 * last, LONGEST)
    _upsert(session, since=now, until=until, reason=AFTER_ERRORS, by=SYSTEM)
    return until


def end_rest(session: Session) -> None:
    """End the rest after errors, so that the next one is short again; called when a message has left."""
    row = session.exec(select(MailPause)).first()
    if row is not None and row.until is not None:
        session.delete(row)


def begin_pause(session: Session, by: str, reason: str) -> None:
    """Pause the queue until a person ends the pause. `by` is their address or RESTORED; `reason` is in French."""
    _upsert(session, since=clock.now(), until=None, reason=reason, by=by)


def end_pause(session: Session) -> None:
    """End any pause, a rest after errors included."""
    for row in session.exec(select(MailPause)):
        session.delete(row)


def _upsert(session: Session, *, since: datetime, until: datetime | None, reason: str, by: str) -> None:
    """Write the one row, safe against a concurrent write; a rest after errors never replaces a person's pause."""
    values = {"since": since, "until": until, "reason": reason, "by": by}
    statement = insert_statement(session.get_bind().dialect.name, MailPause).values(id=1, **values)
    condition = col(MailPause.until).is_not(None) if until else None
    session.execute(statement.on_conflict_do_update(index_elements=["id"], set_=values, where=condition))
    session.expire_all()
