"""Changes of an event, the notices that wait because of them, and their letters."""

from dataclasses import replace
from typing import Any

from sqlmodel import col, select

from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.mail.messages.letter import Letter
from clubapp.models import Event, OutboxMail
from clubapp.services.base.actors import Actor
from clubapp.services.events import editing
from clubapp.services.events.editing import SavedEvent
from clubapp.services.events.form import EventForm, SpeakerForm
from tests.calendars import read as read_calendar

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MOVED: dict[str, Any] = {"date": "2027-01-21T18:30"}


def opened(event_id: str) -> EventForm:
    with reading() as session:
        return replace(editing.open_form(session, HELENE, event_id), speakers=(SpeakerForm("Zoé"),))


def save(event_id: str, *, tell: bool | None = None, **changed: Any) -> SavedEvent:
    with transaction() as session:
        return editing.save(session, HELENE, replace(opened(event_id), **changed), tell)


def stored(event_id: str) -> Event:
    with reading() as session:
        return editing.find_event(session, event_id)


def notes(state: str = "pending") -> list[OutboxMail]:
    with reading() as session:
        query = select(OutboxMail).where(OutboxMail.state == state).order_by(col(OutboxMail.key))
        return [mail for mail in session.exec(query) if mail.kind != "invitation"]


def told() -> list[str]:
    """Whom a notice waits for, by the first letter of their address."""
    return sorted(mail.recipient[0].upper() for mail in notes())


def letter_to(initial: str) -> Letter:
    (mail,) = [mail for mail in notes() if mail.recipient.startswith(initial.lower())]
    return letter(mail)


def letter(mail: OutboxMail) -> Letter:
    with reading() as session:
        return mail_kinds.compose(session, mail)


def calendar_of(found: Letter) -> Any:
    assert found.calendar is not None
    read = read_calendar(found.calendar.content.decode())
    assert read.method.value == found.calendar.method
    return read
