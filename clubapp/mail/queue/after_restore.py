"""The mail of a club that came back from a backup: nothing may leave twice (R8).

What waited when the backup was made may have left since. It stays where it is until somebody says which it is: left
alone, and shown as uncertain, or sent.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import func, select, update
from sqlmodel import Session, col

from clubapp import clock
from clubapp.mail.messages.registry import REPEATABLE
from clubapp.mail.queue import pause
from clubapp.mail.queue.claims import CUT
from clubapp.mail.queue.outbox import WAITING
from clubapp.models import MailPause, MailState, OutboxMail

RESTORED = "Le club a été restauré depuis sa sauvegarde du {made_at}."
OVER = "Le club a été restauré avant l'envoi de ce message."
DOUBTFUL = "Ce message attendait quand la sauvegarde a été faite : il est peut-être parti depuis."


def hold_queue(session: Session, made_at: datetime) -> None:
    """Hold all mail of a club whose rows are of `made_at`, and take it out of the hands it was in."""
    now, waiting = clock.now(), col(OutboxMail.state).in_(WAITING)
    nobody = {"lease_owner": "", "lease_until": None, "updated_at": now}
    to_sign_in = (waiting, col(OutboxMail.kind).in_(REPEATABLE))
    _update_state(session, *to_sign_in, state=MailState.WITHDRAWN, reason=OVER, **nobody)
    cut = col(OutboxMail.state) == MailState.HANDING_OVER
    _update_state(session, cut, state=MailState.UNCERTAIN, reason=CUT, **nobody)
    _update_state(session, waiting, state=MailState.PENDING, **nobody)
    pause.begin_pause(session, pause.RESTORED, RESTORED.format(made_at=clock.short_date(made_at)))


def count_doubtful(session: Session) -> int:
    """How many messages wait since before the backup, and for a word about them."""
    which = _doubtful(pause.current_pause(session))
    return session.execute(select(func.count()).select_from(OutboxMail).where(*which)).scalar_one() if which else 0


def mark_doubtful_uncertain(session: Session) -> int:
    """Send none of them: they may have arrived. Each can be sent from the journal. How many there were."""
    which = _doubtful(pause.current_pause(session))
    fate = {"state": MailState.UNCERTAIN, "reason": DOUBTFUL, "updated_at": clock.now()}
    return _update_state(session, *which, **fate) if which else 0


def _doubtful(held: MailPause | None) -> tuple[Any, ...]:
    """Those that nobody has touched since the club was restored; nothing when it was not."""
    if held is None or held.by != pause.RESTORED:
        return ()
    return col(OutboxMail.state) == MailState.PENDING, col(OutboxMail.updated_at) <= held.since


def _update_state(session: Session, *which: Any, **values: Any) -> int:
    turned = update(OutboxMail).where(*which).values(**values).returning(col(OutboxMail.id))
    return len(session.execute(turned, execution_options={"synchronize_session": False}).all())
