"""The free-form mail to all active members (M3)."""

from sqlmodel import Session

from clubapp.mail.messages import batch_cache, texts
from clubapp.mail.messages.event_variables import one_line
from clubapp.mail.messages.letter import Letter, Withdrawn
from clubapp.mail.messages.recipients_now import require_member, unsubscribe_link
from clubapp.models import BroadcastEmail, OutboxMail

KIND = "broadcast"
DELETED = "Le message a été supprimé."
STOPPED = "L'envoi a été arrêté."


def compose_broadcast(session: Session, mail: OutboxMail) -> Letter:
    """A broadcast to one member, with the way out of the next ones."""
    sent = session.get(BroadcastEmail, mail.broadcast_id) if mail.broadcast_id else None
    if sent is None:
        raise Withdrawn(DELETED)
    if sent.stopped_at is not None:
        raise Withdrawn(STOPPED)
    member = require_member(session, mail)
    return build_letter(session, sent.subject, sent.content, to_name=member.name, unsubscribe=unsubscribe_link(member))


def build_letter(session: Session, subject: str, content: str, *, to_name: str = "", unsubscribe: str = "") -> Letter:
    """The mail made of a subject and a text; previews and test mails are made here too.

    Blank lines of the text part its paragraphs, and web addresses in it become links.
    """
    return Letter(
        KIND,
        {
            "subject": one_line(subject),
            "body": content,
            "signature": batch_cache.read_once(session, KIND, lambda: texts.signature(session)),
            "has_way_out": bool(unsubscribe),
        },
        to_name=to_name,
        unsubscribe=unsubscribe,
        personal={"unsubscribe": unsubscribe},
    )
