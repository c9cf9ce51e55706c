"""The pause of the whole mail queue, as administrators see it and end it (M9)."""

from dataclasses import dataclass

from sqlmodel import Session

from clubapp import clock
from clubapp.mail import pause
from clubapp.services import audit
from clubapp.services.actors import Actor, require_admin

BY_HAND = "Les envois ont été suspendus par {who}."
WHAT_GOES = "Seuls les liens de connexion continuent de partir."


@dataclass(frozen=True)
class DeliveryPause:
    """The pause, in words; all empty while mail flows. `is_by_hand` says that it lasts until somebody ends it."""

    is_on: bool = False
    is_by_hand: bool = False
    reason: str = ""
    until: str = ""


def state(session: Session, actor: Actor) -> DeliveryPause:
    """Whether mail rests, and why."""
    require_admin(actor)
    found = pause.current(session)
    if found is None:
        return DeliveryPause()
    until = f"Nouvel essai à {clock.hour(found.until)}." if found.until else WHAT_GOES
    return DeliveryPause(True, found.until is None, found.reason, until)


def hold(session: Session, actor: Actor) -> DeliveryPause:
    """Hold everything back but sign-in mails, until somebody resumes."""
    require_admin(actor)
    pause.hold(session, actor.email, BY_HAND.format(who=actor.email))
    audit.record(session, actor, "mail.paused")
    session.flush()
    return state(session, actor)


def resume(session: Session, actor: Actor) -> DeliveryPause:
    """End the pause, whoever began it. A second time changes nothing."""
    require_admin(actor)
    if pause.current(session) is not None:
        audit.record(session, actor, "mail.resumed")
    pause.resume(session)
    session.flush()
    return state(session, actor)
