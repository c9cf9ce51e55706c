"""The pause of the whole mail queue: reading, beginning and ending it (M9)."""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.queue import after_restore, pause
from clubapp.models import Act, OutboxMail
from clubapp.services.answers import waiting_list
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_admin, require_fresh_admin

RESUMED = "mail.resumed"
BY_HAND = "Les envois ont été suspendus par {who}."
WHAT_GOES = "Seuls les liens de connexion et les alertes de sécurité continuent de partir."


@dataclass(frozen=True)
class DeliveryPause:
    """The pause in French; all empty when there is none. `is_by_hand` says that it lasts until someone ends it.

    `words` are the last reply of the relay, of a pause after errors.

    After a restored backup, `doubtful` waiting messages may already have been sent; `question` asks about them.
    """

    is_on: bool = False
    is_by_hand: bool = False
    reason: str = ""
    words: str = ""
    until: str = ""
    doubtful: int = 0
    question: str = ""


def read_pause(session: Session, actor: Actor) -> DeliveryPause:
    """The present pause and its reason."""
    require_admin(actor)
    found = pause.current_pause(session)
    if found is None:
        return DeliveryPause()
    until = f"Nouvel essai à {clock.hour(found.until)}." if found.until else WHAT_GOES
    doubtful = after_restore.count_doubtful(session)
    words = _last_answer(session) if found.until else ""
    return DeliveryPause(True, found.until is None, found.reason, words, until, doubtful, _question(doubtful))


def pause_queue(session: Session, actor: Actor) -> DeliveryPause:
    """Hold all mail but sign-in mails and warnings until someone ends the pause."""
    require_admin(actor)
    if not pause.is_held(session):
        pause.begin_pause(session, actor.email, BY_HAND.format(who=actor.email))
        audit.record(session, actor, "mail.paused")
        session.flush()
    return read_pause(session, actor)


def end_pause(session: Session, actor: Actor, *, with_doubtful: bool = False) -> DeliveryPause:
    """End the pause, whatever its cause. Idempotent.

    After a restored backup, messages that waited in it are sent only `with_doubtful`; otherwise they become uncertain.

    Raises:
        ProofRequired: when the actor's last proof is too old (S13): what waited, perhaps for everybody, leaves.
    """
    require_fresh_admin(actor)
    if pause.current_pause(session) is not None:
        waiting_list.offer_anew(session)
        left = 0 if with_doubtful else after_restore.mark_doubtful_uncertain(session)
        audit.record(session, actor, RESUMED, left=left)
    pause.end_pause(session)
    session.flush()
    return read_pause(session, actor)


def count_left(session: Session, actor: Actor) -> int:
    """How many messages of a restored backup were left unsent when the last pause ended."""
    require_admin(actor)
    resumed = select(Act.detail).where(Act.action == RESUMED).order_by(col(Act.number).desc()).limit(1)
    return int((session.exec(resumed).first() or {}).get("left", 0))


def _last_answer(session: Session) -> str:
    answered = select(OutboxMail.relay_answer).where(OutboxMail.relay_answer != "")
    return session.exec(answered.order_by(col(OutboxMail.updated_at).desc()).limit(1)).first() or ""


def _question(doubtful: int) -> str:
    if not doubtful:
        return ""
    if doubtful == 1:
        return (
            "1 message attendait quand la sauvegarde a été faite. S’il est parti depuis, l’envoyer maintenant "
            "le ferait arriver deux fois. Laissé, il reste dans le journal, comme incertain."
        )
    return (
        f"{doubtful} messages attendaient quand la sauvegarde a été faite. S’ils sont partis depuis, les envoyer "
        "maintenant les ferait arriver deux fois. Laissés, ils restent dans le journal, comme incertains."
    )
