"""The upload limit of a person, counted in the journal of acts and so shared by all processes (W8)."""

from datetime import timedelta

from sqlalchemy import func, select, text
from sqlmodel import Session, col

from clubapp import clock
from clubapp.models import Act
from clubapp.refusals import TooMany
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor

MOST, WINDOW = 40, timedelta(minutes=10)
TOO_MANY = "Trop de fichiers envoyés\u00a0: réessayez dans dix minutes."
_SENT = "file.sent"


def count_upload(session: Session, actor: Actor, kind: str) -> None:
    """Count one upload of the actor, whether or not the file is accepted later.

    Raises:
        TooMany: over the limit of the window.
    """
    _one_at_a_time(session, actor)
    since = clock.now() - WINDOW
    person = audit.find_person(session, actor.email, actor.member_id)
    mine = (col(Act.actor_id) == person, col(Act.action) == _SENT, col(Act.at) > since)
    if session.execute(select(func.count()).select_from(Act).where(*mine)).scalar_one() >= MOST:
        raise TooMany(TOO_MANY, retry_after=int(WINDOW.total_seconds()))
    audit.record(session, actor, _SENT, kind=kind)


def _one_at_a_time(session: Session, actor: Actor) -> None:
    """Lock the count of a person, so that concurrent uploads cannot exceed the limit; SQLite does anyway."""
    if session.get_bind().dialect.name == "postgresql":
        lock = text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))")
        session.execute(lock, {"name": f"files of {actor.email}"})
