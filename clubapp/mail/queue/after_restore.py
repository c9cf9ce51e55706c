"""The mail queue after a restoration: no message may leave twice (R8).

A message that waited when the backup was made may have left since. Such doubtful messages are held until an
administrator decides: they are sent, or marked as uncertain.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import func, select, update
from sqlmodel import Session, col

from clubapp import clock
from clubapp.mail.messages.mail_kinds import REPEATABLE, WARNINGS
from clubapp.mail.queue import pause
from clubapp.mail.queue.claims import CUT
from clubapp.mail.queue.outbox import WAITING
from clubapp.models import MailPause, MailState, OutboxMail

RESTORED = "Le club a été restauré depuis sa sauvegarde du {made_at}."
OVER = "Le club a été restauré avant l’envoi de ce message."
DOUBTFUL = "Ce message attendait quand la sauvegarde a été faite\u00a0: il est peut-être parti depuis."


def hold_queue(session: Session, made_at: datetime) -> None:
    """Pause the queue of a club restored from a backup of `made_at`, and end every lease.

    Sign-in mails that waited are withdrawn. Messages that were being handed over become uncertain, and so do warnings,
    which the pause would let leave a second time.
    """
    now, is_waiting = clock.now(), col(OutboxMail.state).in_(WAITING)
    no_lease = {"lease_owner": "", "lease_until": None, "updated_at": now}
    is_repeatable = col(OutboxMail.kind).in_(REPEATABLE)
    _update_state(session, is_waiting, is_repeatable, state=MailState.WITHDRAWN, reason=OVER, **no_lease)
    is_warning = col(OutboxMail.kind).in_(WARNINGS)
    _update_state(session, is_waiting, is_warning, state=MailState.UNCERTAIN, reason=DOUBTFUL, **no_lease)
    is_handing_over = col(OutboxMail.state) == MailState.HANDING_OVER
    _update_state(session, is_handing_over, state=MailState.UNCERTAIN, reason=CUT, **no_lease)
    _update_state(session, is_waiting, state=MailState.PENDING, **no_lease)
    pause.begin_pause(session, pause.RESTORED, RESTORED.format(made_at=clock.short_date(made_at)))


def count_doubtful(session: Session) -> int:
    """The number of doubtful messages on which no administrator has decided yet."""
    criteria = _is_doubtful(pause.current_pause(session))
    if not criteria:
        return 0
    return session.execute(select(func.count()).select_from(OutboxMail).where(*criteria)).scalar_one()


def mark_doubtful_uncertain(session: Session) -> int:
    """Mark the doubtful messages as uncertain instead of sending them; each can be sent again from the mail log.

    Returns:
        How many there were.
    """
    criteria = _is_doubtful(pause.current_pause(session))
    values = {"state": MailState.UNCERTAIN, "reason": DOUBTFUL, "updated_at": clock.now()}
    return _update_state(session, *criteria, **values) if criteria else 0


def _is_doubtful(current: MailPause | None) -> tuple[Any, ...]:
    """Selects what is pending and unchanged since the restoration; empty unless one caused the current pause."""
    if current is None or current.by != pause.RESTORED:
        return ()
    return col(OutboxMail.state) == MailState.PENDING, col(OutboxMail.updated_at) <= current.since


def _update_state(session: Session, *criteria: Any, **values: Any) -> int:
    statement = update(OutboxMail).where(*criteria).values(**values).returning(col(OutboxMail.id))
    return len(session.execute(statement, execution_options={"synchronize_session": False}).all())
