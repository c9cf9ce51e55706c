"""Test mails to an administrator, and their delivery status (M13)."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlmodel import Session, select

from clubapp.mail.messages.built_in_event_texts import EventTemplate
from clubapp.mail.messages.test_mail import BROADCAST, KIND, TYPES
from clubapp.mail.queue import outbox
from clubapp.mail.queue.outbox import WAITING
from clubapp.models import Event, MailPause, MailState, OutboxMail, new_id
from clubapp.refusals import Invalid, NotFound
from clubapp.services.base import audit, quota
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.events import editing
from clubapp.services.mail_log.listing import describe_reason
from clubapp.services.mailings import broadcasts, stored_audience
from clubapp.text import email_addresses

UNKNOWN_TYPE = "Choisissez l’e-mail à tester\u00a0: invitation, reminder_1 ou reminder_2."
NO_ADDRESS = "Indiquez l’adresse qui recevra le test."
FAILED = "Erreur lors de l'envoi"
TOO_MANY = "Trop d’e-mails de test envoyés\u00a0: réessayez dans dix minutes."
MOST, MOST_IN_ALL, WINDOW = 30, 100, timedelta(minutes=10)
_SENT = "test.sent"
GONE = "Ce test n’existe plus."
LATER = "Le serveur d’envoi ne l’a pas encore pris. Un nouvel essai aura lieu."


@dataclass(frozen=True)
class TestMailStatus:
    """The status of a test: 'waiting', 'sent' or 'failed'. `reason` says why it waits or failed, `words` are
    the relay's own.
    """

    state: str = ""
    reason: str = ""
    words: str = ""


def send_event_test(
    session: Session, actor: Actor, *, to: str, event_id: str, email_type: str, text: EventTemplate | None = None
) -> str:
    """Queue a test of one of an event's mails, with an unsaved `text` or the saved one; return its id.

    Raises:
        Invalid: when the address or the type is not valid.
        NotFound: when the event was deleted.
        TooMany: over a limit of tests, of the administrator or of all.
    """
    require_admin(actor)
    recipient = _recipient(to)
    if email_type not in TYPES:
        raise Invalid(UNKNOWN_TYPE, field="emailType")
    event = editing.find_event(session, event_id)
    context = {"type": email_type, **({"text": [text.subject, text.body]} if text else {})}
    return _queue(session, actor, recipient, event_id=event.id, context=context)


def send_broadcast_test(session: Session, actor: Actor, *, to: str, broadcast_id: str) -> str:
    """Queue a test of a broadcast; return its id.

    Raises:
        Invalid: when it is not an e-mail address.
        NotFound: when the broadcast was deleted.
        TooMany: over a limit of tests, of the administrator or of all.
    """
    require_admin(actor)
    recipient = _recipient(to)
    found = broadcasts.find_broadcast(session, broadcast_id)
    event_id = stored_audience.event_of(found.audience)
    known = event_id if event_id and session.get(Event, event_id) else None
    return _queue(session, actor, recipient, broadcast_id=found.id, event_id=known, context={"type": BROADCAST})


def read_status(session: Session, actor: Actor, mail_id: str) -> TestMailStatus:
    """The status of a test mail.

    Raises:
        NotFound: when there is no such test.
    """
    require_admin(actor)
    mail = session.get(OutboxMail, mail_id)
    if mail is None or mail.kind != KIND:
        raise NotFound(GONE)
    if mail.state == MailState.SENT:
        return TestMailStatus("sent")
    if mail.state in WAITING:
        pause = session.get(MailPause, 1)
        return TestMailStatus(
            "waiting", pause.reason if pause else LATER if mail.relay_answer else "", mail.relay_answer
        )
    return TestMailStatus("failed", describe_reason(mail) or FAILED, mail.relay_answer)


def _recipient(typed: str) -> str:
    if not typed.strip():
        raise Invalid(NO_ADDRESS, field="testEmail")
    return email_addresses.normalise(typed, field="testEmail")


def _queue(session: Session, actor: Actor, recipient: str, **given: Any) -> str:
    quota.refuse_beyond(session, actor, _SENT, most=MOST, most_in_all=MOST_IN_ALL, window=WINDOW, sentence=TOO_MANY)
    key = f"{KIND}:{new_id()}"
    outbox.queue_mail(session, kind=KIND, key=key, recipient=recipient, **given)
    mail_id = session.exec(select(OutboxMail.id).where(OutboxMail.key == key)).one()
    audit.record(session, actor, _SENT, mail_id)
    return mail_id
