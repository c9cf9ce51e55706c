"""How many files one person may send: counted from the audit trail, whichever process they reach (W8)."""

from datetime import timedelta

from sqlalchemy import func, select, text
from sqlmodel import Session, col

from clubapp import clock
from clubapp.models import AuditEntry
from clubapp.refusals import TooMany
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor

MOST, WINDOW = 40, timedelta(minutes=10)
TOO_MANY = "Trop de fichiers envoyés\u00a0: réessayez dans dix minutes."
_SENT = "file.sent"


def count(session: Session, actor: Actor, kind: str) -> None:
    """One person cannot fill the disk: each file costs a place in the window, whatever becomes of it.

    Raises:
        TooMany: when none is left.
    """
    _one_at_a_time(session, actor)
    since = clock.now() - WINDOW
    mine = (col(AuditEntry.actor) == actor.email, col(AuditEntry.action) == _SENT, col(AuditEntry.at) > since)
    if session.execute(select(func.count()).select_from(AuditEntry).where(*mine)).scalar_one() >= MOST:
        raise TooMany(TOO_MANY, retry_after=int(WINDOW.total_seconds()))
    audit.record(session, actor, _SENT, kind=kind)


def _one_at_a_time(session: Session, actor: Actor) -> None:
    """A person's files are counted one after the other: a burst would slip under the limit. SQLite does so anyway."""
    if session.get_bind().dialect.name == "postgresql":
        lock = text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))")
        session.execute(lock, {"name": f"files of {actor.email}"})
