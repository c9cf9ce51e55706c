"""Who did what to what, and when: one entry in the same transaction as the act."""

from typing import Any

from sqlmodel import Session

from clubapp import clock
from clubapp.models import AuditEntry
from clubapp.services.base.actors import Actor


def record(session: Session, actor: Actor, action: str, subject: str = "", **detail: Any) -> None:
    """Write down an act. `action` reads 'noun.verb'; `subject` is an identifier; `detail` holds no secret."""
    session.add(AuditEntry(at=clock.now(), actor=actor.email, action=action, subject=subject, detail=detail))
