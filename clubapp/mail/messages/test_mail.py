"""Test mails: a mail as members will read it, sent to a typed address, without personal links (M13)."""

from dataclasses import replace

from sqlmodel import Session

from clubapp import routes
from clubapp.mail.messages import broadcast, invitation_and_reminders, text_choice
from clubapp.mail.messages.broadcast import BroadcastText
from clubapp.mail.messages.built_in_event_texts import EventTemplate
from clubapp.mail.messages.letter import Letter, Withdrawn
from clubapp.mail.messages.recipients_now import EVENT_GONE
from clubapp.models import BroadcastEmail, EmailSignature, Event, EventGuest, Member, OutboxMail, ReminderType
from clubapp.settings import settings

KIND = "test"
BROADCAST = broadcast.KIND
SIGNATURE_EXAMPLE = "Bonjour,\n\nVoici comment chaque e-mail du club se terminera."
# The type of each of an event's three mails, by its kind.
TYPES = {name: which for which, name in invitation_and_reminders.KINDS.items()}


def compose_test(session: Session, mail: OutboxMail) -> Letter:
    """The test of a broadcast or of one of an event's mails, with the text in the row's context if there is one."""
    compose = _compose_broadcast_test if mail.context["type"] == BROADCAST else _compose_event_test
    return replace(compose(session, mail), is_trial=True, unsubscribe="")


def event_letter(
    session: Session,
    event: Event,
    which: ReminderType,
    text: EventTemplate | None = None,
    *,
    reader: Member | None = None,
    is_asked: bool = False,
) -> Letter:
    """One of an event's mails as an example: its links lead to a page that explains them, and record no answer.

    With `is_asked` a reminder is the one for those who have not answered; an invitation always asks.
    """
    is_asked = is_asked or which is ReminderType.INVITATION
    return invitation_and_reminders.build_letter(
        session,
        event,
        which,
        answer=example_link(),
        calendar_file=example_link(),
        reader=reader,
        unsubscribe=example_link() if is_asked else "",
        is_asked=is_asked,
        text=text,
    )


def broadcast_letter(session: Session, text: BroadcastText, *, reader: Member | EventGuest | None = None) -> Letter:
    """A broadcast as an example, with an unsubscribe link that leads to an explanation."""
    return broadcast.build_letter(session, text, reader=reader, unsubscribe=example_link())


def signature_letter(session: Session, row: EmailSignature) -> Letter:
    """A mail that shows a signature, saved or not."""
    letter = broadcast.build_letter(session, BroadcastText("Votre signature", SIGNATURE_EXAMPLE))
    return replace(letter, context={**letter.context, "signature": text_choice.signature_of_row(row)})


def example_link() -> str:
    """The address that replaces personal links: it explains them."""
    return f"{settings().public_url}{routes.TRIAL_LINK}?mode=test"


def _compose_event_test(session: Session, mail: OutboxMail) -> Letter:
    event = session.get(Event, mail.event_id) if mail.event_id else None
    if event is None:
        raise Withdrawn(EVENT_GONE)
    typed = mail.context.get("text")
    return event_letter(session, event, TYPES[mail.context["type"]], EventTemplate(*typed) if typed else None)


def _compose_broadcast_test(session: Session, mail: OutboxMail) -> Letter:
    tested = session.get(BroadcastEmail, mail.broadcast_id) if mail.broadcast_id else None
    if tested is None:
        raise Withdrawn(broadcast.DELETED)
    return broadcast_letter(session, broadcast.read_text(session, tested, mail.event_id))
