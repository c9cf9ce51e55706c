"""The free-form mail to all active members (M3)."""

from sqlmodel import Session

from clubapp.mail.messages import batch_cache, texts
from clubapp.mail.messages.event_variables import NAMES_OF_READER, fill_subject, fill_variables
from clubapp.mail.messages.letter import Letter, Withdrawn
from clubapp.mail.messages.recipients_now import names_of, require_member, unsubscribe_link
from clubapp.models import BroadcastEmail, Member, OutboxMail

KIND = "broadcast"
DELETED = "Le message a été supprimé."
STOPPED = "L’envoi a été arrêté."


def compose_broadcast(session: Session, mail: OutboxMail) -> Letter:
    """A broadcast to one member, with their unsubscribe link."""
    broadcast = session.get(BroadcastEmail, mail.broadcast_id) if mail.broadcast_id else None
    if broadcast is None:
        raise Withdrawn(DELETED)
    if broadcast.stopped_at is not None:
        raise Withdrawn(STOPPED)
    member = require_member(session, mail)
    return build_letter(
        session, broadcast.subject, broadcast.content, reader=member, unsubscribe=unsubscribe_link(member)
    )


def build_letter(
    session: Session, subject: str, content: str, *, reader: Member | None = None, unsubscribe: str = ""
) -> Letter:
    """The letter of a broadcast; previews and test mails use it too.

    {{PRENOM}} and {{NOM}} are the reader's. Blank lines in `content` separate paragraphs, and web addresses become
    links.
    """
    return Letter(
        KIND,
        {
            "subject": fill_subject(subject, NAMES_OF_READER),
            "body": fill_variables(content, NAMES_OF_READER),
            "signature": batch_cache.read_once(session, KIND, lambda: texts.signature(session)),
            "has_unsubscribe_link": bool(unsubscribe),
        },
        to_name=reader.name if reader else "",
        unsubscribe=unsubscribe,
        personal={"unsubscribe": unsubscribe, **names_of(reader)},
    )
