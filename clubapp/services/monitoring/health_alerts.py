"""Mails to the administrators when something goes wrong, and when it is well again (T2).

What was told last is the last act `alert` of the journal: several processes that look tell it once.
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta

from sqlalchemy import text
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages.health import HEALTH_ALERT
from clubapp.mail.queue import outbox
from clubapp.models import Act, Admin
from clubapp.services.base import audit
from clubapp.services.base.actors import SYSTEM

PAUSE = timedelta(hours=1)
REFUSALS_WITHIN, MANY_REFUSALS = timedelta(hours=1), 500
_LOCK = 0x41C7
ALERT, REFUSALS = "alert", "refusals"


@dataclass(frozen=True)
class Finding:
    """Something that is wrong: its name, which identifies it, what is wrong and the remedy, in French."""

    name: str
    text: str
    mend: str


def tell_changes(session: Session, wrong: Sequence[Finding], doubtful: Collection[str] = ()) -> int:
    """Mail what has become wrong or well since the last mail; at most one mail an hour to each administrator.

    `doubtful` are the names of what may be wrong still: it neither begins nor ends.

    Returns:
        How many messages were queued.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.connection().execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    last = session.exec(select(Act).where(Act.action == ALERT).order_by(col(Act.number).desc()).limit(1)).first()
    told = set(last.detail["open"]) if last else set()
    begun = [finding for finding in wrong if finding.name not in told]
    ended = sorted(told - {finding.name for finding in wrong} - set(doubtful))
    if not (begun or ended) or (last and clock.now() - last.at < PAUSE):
        return 0
    lasting = sorted((told - set(ended)) | {finding.name for finding in begun})
    context = {"begun": [asdict(finding) for finding in begun], "ended": ended}
    admins = session.exec(select(Admin.email).order_by(Admin.email)).all()
    moment = clock.now().isoformat()
    for email in admins:
        outbox.queue_mail(
            session, kind=HEALTH_ALERT, key=f"{HEALTH_ALERT}:{moment}:{email}", recipient=email, context=context
        )
    audit.record(session, SYSTEM, ALERT, open=lasting, begun=len(begun), ended=len(ended))
    return len(admins)


def count_refusals(session: Session) -> int:
    """The refusals of the last hour, of all processes."""
    since = clock.now() - REFUSALS_WITHIN
    found = session.exec(select(Act.detail).where(Act.action == REFUSALS, col(Act.at) > since))
    return sum(sum(detail.values()) for detail in found)
