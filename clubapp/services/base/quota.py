"""Limits on acts of a kind within some time, of a person and of all, counted in the journal and so by all processes."""

from datetime import timedelta

from sqlalchemy import func, select, text
from sqlmodel import Session, col

from clubapp import clock
from clubapp.models import Act
from clubapp.refusals import TooMany
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor


def refuse_beyond(
    session: Session, actor: Actor, action: str, *, most: int, most_in_all: int, window: timedelta, sentence: str
) -> None:
    """Let the actor do so many of the acts called `action` in the window, and all people together `most_in_all`.

    The caller records the act in the same transaction.

    Raises:
        TooMany: with the sentence, over one of the limits.
    """
    _one_at_a_time(session, action)
    recent = (col(Act.action) == action, col(Act.at) > clock.now() - window)
    mine = (*recent, col(Act.actor_id) == audit.find_person(session, actor.email, actor.member_id))
    for limit, which in ((most, mine), (most_in_all, recent)):
        if session.execute(select(func.count()).select_from(Act).where(*which)).scalar_one() >= limit:
            raise TooMany(sentence, retry_after=int(window.total_seconds()))


def _one_at_a_time(session: Session, action: str) -> None:
    """Lock the count, so that concurrent acts cannot exceed the limit; SQLite does anyway."""
    if session.get_bind().dialect.name == "postgresql":
        lock = text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))")
        session.execute(lock, {"name": f"quota of {action}"})
