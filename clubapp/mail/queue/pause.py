"""The rest of the whole queue: after errors in a row, or because someone asked for it (M9). One row for all workers.

After errors it lasts a little longer each time, until a message leaves again. What a person asked for lasts until a
person ends it, and lets sign-in mails through.
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
AFTER_ERRORS = "Plusieurs envois de suite ont échoué. Dernière réponse : {answer}."


def current_pause(session: Session) -> MailPause | None:
    """The pause that lasts, if one does. A rest that would last longer than any was begun by a wrong date."""
    row, now = session.exec(select(MailPause)).first(), clock.now()
    return row if row is not None and (row.until is None or now < row.until <= now + LONGEST) else None


def is_resting(session: Session) -> bool:
    """Whether nothing at all goes out: the relay had errors in a row a moment ago."""
    found = current_pause(session)
    return found is not None and found.until is not None


def is_held(session: Session) -> bool:
    """Whether a person holds the mail back, or a restored backup waits to be confirmed."""
    found = current_pause(session)
    return found is not None and found.until is None


def seconds_left(session: Session) -> float:
    """How long a rest after errors still lasts."""
    found = current_pause(session)
    return (found.until - clock.now()).total_seconds() if found and found.until else 0.0


def rest_after_errors(session: Session, answer: str) -> datetime | None:
    """Rest, twice as long as the last time; what a person holds stays held.

    Returns:
        Until when.
    """
    now, row = clock.now(), session.exec(select(MailPause).with_for_update()).first()
    if row is not None and row.until is None:
        return None
    last = row.until - row.since if row is not None and row.until is not None else STEP / 2
    until = now + min(2 * last, LONGEST)
    _keep(session, since=now, until=until, reason=AFTER_ERRORS.format(answer=answer.strip().rstrip(".")), by=SYSTEM)
    return until


def end_rest(session: Session) -> None:
    """A message has left: the next rest is a short one again."""
    row = session.exec(select(MailPause)).first()
    if row is not None and row.until is not None:
        session.delete(row)


def begin_pause(session: Session, by: str, reason: str) -> None:
    """Hold the mail back until a person resumes it."""
    _keep(session, since=clock.now(), until=None, reason=reason, by=by)


def end_pause(session: Session) -> None:
    """End whatever pause there is."""
    for row in session.exec(select(MailPause)):
        session.delete(row)


def _keep(session: Session, *, since: datetime, until: datetime | None, reason: str, by: str) -> None:
    """Write the one row, whoever else writes it at this instant; a rest after errors never ends a person's hold."""
    written = {"since": since, "until": until, "reason": reason, "by": by}
    made = insert_statement(session.get_bind().dialect.name, MailPause).values(id=1, **written)
    may = col(MailPause.until).is_not(None) if until else None
    session.execute(made.on_conflict_do_update(index_elements=["id"], set_=written, where=may))
    session.expire_all()
