"""The free-form mail to members, and to guests of an event (M3)."""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from clubapp.mail.messages import batch_cache, text_choice
from clubapp.mail.messages.event_facts import facts_of
from clubapp.mail.messages.event_variables import (
    NAMES_OF_READER,
    fill_subject,
    find_event_variables,
    values_of,
)
from clubapp.mail.messages.formatted_text import fill_text
from clubapp.mail.messages.guest_notice import GUEST_GONE
from clubapp.mail.messages.letter import AttachedFile, Letter, Withdrawn
from clubapp.mail.messages.recipients_now import (
    EVENT_GONE,
    MEMBER_OPTED_OUT,
    names_of,
    require_member,
    unsubscribe_link,
)
from clubapp.models import BroadcastEmail, Event, EventGuest, MailAttachment, Member, OutboxMail
from clubapp.text import person_names

KIND = "broadcast"
HAS_EVENT = "has_event"  # key in the context of a message whose text may hold the variables of its event
DELETED = "Le message a été supprimé."
STOPPED = "L’envoi a été arrêté."
_UNNAMED = "à vous"  # 'Bonjour à vous'


@dataclass(frozen=True)
class BroadcastText:
    """Subject and content as typed. `event_id` is the event whose variables they may hold, `files` are attached."""

    subject: str
    content: str
    event_id: str | None = None
    files: tuple[AttachedFile, ...] = ()


def compose_broadcast(session: Session, mail: OutboxMail) -> Letter:
    """A broadcast to one person, with their unsubscribe link."""
    broadcast = session.get(BroadcastEmail, mail.broadcast_id) if mail.broadcast_id else None
    if broadcast is None:
        raise Withdrawn(DELETED)
    if broadcast.stopped_at is not None:
        raise Withdrawn(STOPPED)
    reader = _require_guest(session, mail) if "guest_id" in mail.context else require_member(session, mail)
    text = read_text(session, broadcast, mail.event_id)
    if HAS_EVENT in mail.context and mail.event_id is None and find_event_variables(text.subject + text.content):
        raise Withdrawn(EVENT_GONE)
    return build_letter(session, text, reader=reader, unsubscribe=unsubscribe_link(reader))


def read_text(session: Session, broadcast: BroadcastEmail, event_id: str | None) -> BroadcastText:
    """The text of a broadcast with its files."""
    files = batch_cache.read_once(session, (KIND, "files", broadcast.id), lambda: read_files(session, broadcast.id))
    return BroadcastText(broadcast.subject, broadcast.content, event_id, files)


def read_files(session: Session, broadcast_id: str) -> tuple[AttachedFile, ...]:
    """The files of a broadcast, in their order."""
    kept = select(MailAttachment).where(MailAttachment.broadcast_id == broadcast_id)
    rows = session.exec(kept.order_by(col(MailAttachment.position)))
    return tuple(AttachedFile(row.name, row.media_type, row.content.encode("ascii")) for row in rows)


def build_letter(
    session: Session, text: BroadcastText, *, reader: Member | EventGuest | None = None, unsubscribe: str = ""
) -> Letter:
    """The letter of a broadcast; previews and test mails use it too.

    {{PRENOM}} and {{NOM}} are the reader's. Blank lines in a plain content separate paragraphs, and web addresses
    become links.
    """
    is_guest = isinstance(reader, EventGuest)
    values = batch_cache.read_once(session, (KIND, "values", text.event_id), lambda: _values(session, text.event_id))
    return Letter(
        KIND,
        {
            "subject": fill_subject(text.subject, values),
            "body": fill_text(text.content, values),
            "signature": batch_cache.read_once(session, KIND, lambda: text_choice.signature(session)),
            "has_unsubscribe_link": bool(unsubscribe),
            "is_for_guest": is_guest,
        },
        to_name=reader.name if reader else "",
        files=text.files,
        unsubscribe=unsubscribe,
        personal={"unsubscribe": unsubscribe, **(_names_of_guest(reader) if is_guest else names_of(reader))},
    )


def _values(session: Session, event_id: str | None) -> dict[str, str]:
    event = session.get(Event, event_id) if event_id else None
    return values_of(session, event, facts_of(event)) if event else NAMES_OF_READER


def _names_of_guest(guest: EventGuest) -> dict[str, str]:
    if not guest.name:
        return {"PRENOM": _UNNAMED, "NOM": ""}
    return {"PRENOM": person_names.first_name(guest.name), "NOM": person_names.last_name(guest.name)}


def _require_guest(session: Session, mail: OutboxMail) -> EventGuest:
    """The guest a mail is for, still at the address it was queued for."""
    guest = session.get(EventGuest, mail.context["guest_id"])
    if guest is None or guest.email != mail.recipient:
        raise Withdrawn(GUEST_GONE)
    if guest.opted_out_at is not None:
        raise Withdrawn(MEMBER_OPTED_OUT)
    return guest
