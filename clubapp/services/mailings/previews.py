"""Previews of mails, composed by the code that composes the sent ones (M5)."""

from dataclasses import dataclass, replace
from datetime import timedelta

from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.mail.messages import test_mail
from clubapp.mail.messages.broadcast import BroadcastText
from clubapp.mail.messages.built_in_event_texts import EventTemplate
from clubapp.mail.messages.letter import Letter
from clubapp.mail.transport import mime
from clubapp.models import EmailSignature, Event, EventGuest, EventStatus, Member, ReminderType
from clubapp.refusals import Invalid
from clubapp.services.base.actors import Actor, require_admin
from clubapp.services.base.form_fields import LONGEST_BLOCK, LONGEST_LINE, clean_block, clean_line
from clubapp.services.events import mailing_schedule
from clubapp.services.events.editing import find_event
from clubapp.services.mailings import signatures, stored_audience
from clubapp.services.mailings.signatures import SignatureForm
from clubapp.services.mailings.test_mails import UNKNOWN_TYPE
from clubapp.services.reminders.recipients import find_recipients
from clubapp.text.collation import sort_by_name

READERS_SHOWN = 500
EXAMPLE, EXAMPLE_PLACE, EXAMPLE_IN = "Exemple de rencontre", "Lieu de la rencontre", timedelta(days=14)
_HEAD = "<head>"
# In the sandboxed frame of a preview no link can be followed.
_INERT = '<head><base target="_blank">'


@dataclass(frozen=True)
class Reader:
    """A member a mail can be previewed as."""

    id: str
    name: str


@dataclass(frozen=True)
class Preview:
    """A preview. `html` is a whole document for a sandboxed frame, `about` names the event of the mail."""

    addressee: str = ""
    about: str = ""
    subject: str = ""
    text: str = ""
    html: str = ""


def list_readers(session: Session, actor: Actor) -> tuple[Reader, ...]:
    """The active members with an address, by name."""
    require_admin(actor)
    query = select(Member.id, Member.name).where(col(Member.is_active), col(Member.email).is_not(None))
    everyone = [Reader(*row) for row in session.exec(query.order_by(col(Member.id)))]
    return tuple(sort_by_name(everyone)[:READERS_SHOWN])


def find_first_recipient(session: Session, actor: Actor, event_id: str, email_type: str) -> str:
    """The id of the first member by name who would get one of an event's mails now; empty when nobody would."""
    require_admin(actor)
    event, which = session.get(Event, event_id), test_mail.TYPES.get(email_type)
    if event is None or which is None:
        return ""
    found = find_recipients(session, event, which, mailing_schedule.read_timings(session)[which]).recipients
    return found[0].member_id if found else ""


def preview_event_mail(
    session: Session, actor: Actor, event_id: str, email_type: str, words: tuple[str, str], *, reader_id: str = ""
) -> Preview:
    """Preview one of an event's mails as a member reads it; `words` are subject and content. Its links are examples.

    Raises:
        Invalid: when `email_type` is unknown.
        NotFound: when the event was deleted.
    """
    require_admin(actor)
    if email_type not in test_mail.TYPES:
        raise Invalid(UNKNOWN_TYPE)
    event, reader = find_event(session, event_id), _reader(session, reader_id)
    letter = test_mail.event_letter(session, event, test_mail.TYPES[email_type], _event_text(words), reader=reader)
    return _render(letter, reader)


def preview_invitation(session: Session, actor: Actor, event_id: str) -> Preview:
    """Preview the invitation of an event with its saved text, as the first member by name reads it.

    Raises:
        NotFound: when the event was deleted.
    """
    require_admin(actor)
    event = find_event(session, event_id)
    reader = _first_reader(session, actor)
    return _render(test_mail.event_letter(session, event, ReminderType.INVITATION, reader=reader), reader)


def preview_club_mail(
    session: Session, actor: Actor, kind: str, words: tuple[str, str], *, is_asking: bool = False
) -> Preview:
    """Preview one of the club's default texts with its next event or, without one, with an example.

    `kind` is a reminder type; with `is_asking`, the reminder to those who have not answered.

    Raises:
        Invalid: when `kind` is unknown.
    """
    require_admin(actor)
    if kind not in set(ReminderType):
        raise Invalid(UNKNOWN_TYPE)
    event = _next_event(session)
    text, reader = _event_text(words), _first_reader(session, actor)
    letter = test_mail.event_letter(session, event, ReminderType(kind), text, reader=reader, is_asked=is_asking)
    return replace(_render(letter, reader), about=f"{event.title}, {clock.long_day(event.date)}")


def _next_event(session: Session) -> Event:
    coming = (col(Event.date) > clock.now(), col(Event.status) != EventStatus.CANCELLED)
    return session.exec(select(Event).where(*coming).order_by(col(Event.date)).limit(1)).first() or _example()


def _example() -> Event:
    now = clock.now()
    date = now + EXAMPLE_IN
    return Event(
        title=EXAMPLE,
        date=date,
        month=clock.month_of(date),
        location=EXAMPLE_PLACE,
        created_at=now,
        updated_at=now,
    )


def _event_text(words: tuple[str, str]) -> EventTemplate:
    return EventTemplate(clean_line(words[0])[: 5 * LONGEST_LINE], clean_block(words[1])[: 2 * LONGEST_BLOCK])


def preview_broadcast(
    session: Session, actor: Actor, words: tuple[str, str], *, reader_id: str = "", audience: str = ""
) -> Preview:
    """Preview a broadcast as a member or guest reads it; `words` are subject and content."""
    require_admin(actor)
    subject, content = clean_line(words[0])[: 5 * LONGEST_LINE], clean_block(words[1])[: 4 * LONGEST_BLOCK]
    reader = _reader(session, reader_id) or (session.get(EventGuest, reader_id) if reader_id else None)
    text = BroadcastText(subject, content, stored_audience.event_of(audience))
    return _render(test_mail.broadcast_letter(session, text, reader=reader), reader)


def preview_signature(session: Session, actor: Actor, typed: SignatureForm) -> Preview:
    """Preview a signature."""
    require_admin(actor)
    row = EmailSignature(**signatures.signature_columns(signatures.clean_signature(typed)), updated_at=clock.now())
    return _render(test_mail.signature_letter(session, row), None)


def _reader(session: Session, reader_id: str) -> Member | None:
    return session.get(Member, reader_id) if reader_id else None


def _first_reader(session: Session, actor: Actor) -> Member | None:
    readers = list_readers(session, actor)
    return session.get(Member, readers[0].id) if readers else None


def _render(letter: Letter, reader: Member | EventGuest | None) -> Preview:
    subject, text, html = mime.render_parts(letter)
    addressee = f"{reader.name} <{reader.email}>" if reader else ""
    return Preview(addressee, "", subject, text, mime.embed_logo(html).replace(_HEAD, _INERT, 1))
