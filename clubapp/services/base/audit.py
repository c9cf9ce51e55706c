"""The audit trail: one entry for each action, written in the transaction of that action."""

from typing import Any

from sqlmodel import Session

from clubapp import clock
from clubapp.models import AuditEntry
from clubapp.services.base.actors import Actor


def record(session: Session, actor: Actor, action: str, subject: str = "", **detail: Any) -> None:
    """Add an audit entry. `action` reads 'noun.verb', `subject` is an identifier, `detail` must hold no secret."""
    session.add(AuditEntry(at=clock.now(), actor=actor.email, action=action, subject=subject, detail=detail))
