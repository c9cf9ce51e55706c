"""A lunch with a caterer and a host, and what they are told of it."""

from base64 import b64decode
from collections.abc import Callable
from datetime import datetime
from io import BytesIO
from typing import Any

from pypdf import PdfReader
from sqlmodel import col, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.mail.messages.letter import Letter
from clubapp.models import Event, EventAnnouncement, EventReservation, Member, OutboxMail
from clubapp.services.base.actors import Actor
from clubapp.services.events import announcement
from clubapp.services.events.announcement import AnnouncementView
from tests.factories import add_event, add_member, add_reservation

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
COOK, HOST = "chef@traiteur.example", "accueil@hote.example"
Move = Callable[[str], datetime]


def add_lunch() -> str:
    """A lunch on 14 January: Marie comes with two guests and Paul alone, who does not eat; Luc is silent."""
    with transaction() as session:
        event = add_event(
            session,
            "Déjeuner d’hiver",
            clock.from_local("2027-01-14T12:00"),
            status="confirmed",
            host="Œuvre & Fils",
            host_email=HOST,
            caterer_email=COOK,
        )
        marie = add_member(session, "Marie Durand", None, company="Atelier Lefèbvre")
        yes: dict[str, Any] = {"will_attend": True, "with_lunch": True, "guest_count": 2, "meal_wish": "Végétarien"}
        add_reservation(session, event, marie, **yes)
        add_reservation(session, event, add_member(session, "Paul Roy", None), will_attend=True, with_lunch=False)
        add_reservation(session, event, add_member(session, "Luc Ory", None))
        return event.id


def tell(event_id: str, actor: Actor = HELENE) -> str:
    with transaction() as session:
        return announcement.announce(session, actor, event_id)


def change(name: str, **columns: Any) -> None:
    with transaction() as session:
        query = select(EventReservation).join(Member).where(Member.name == name)
        session.exec(query).one().sqlmodel_update(columns)


def change_event(**columns: Any) -> None:
    with transaction() as session:
        session.exec(select(Event)).one().sqlmodel_update({"updated_at": clock.now(), **columns})


def shown(event_id: str) -> AnnouncementView:
    with reading() as session:
        return announcement.read_announcement(session, session.exec(select(Event).where(Event.id == event_id)).one())


def frozen() -> list[EventAnnouncement]:
    with reading() as session:
        return list(session.exec(select(EventAnnouncement).order_by(col(EventAnnouncement.number))))


def letters(kind: str) -> list[tuple[str, Letter]]:
    """Each with whom it is for, in the order of the numbers: where the time stands still all are of one moment."""
    number = {row.id: row.number for row in frozen()}
    with reading() as session:
        mails = session.exec(select(OutboxMail).where(OutboxMail.kind == kind).order_by(col(OutboxMail.created_at)))
        told = sorted(mails, key=lambda mail: number.get(mail.context.get("announcement_id", ""), 0))
        return [(mail.recipient, mail_kinds.compose(session, mail)) for mail in told]


def due() -> list[str]:
    with reading() as session:
        return announcement.list_due(session)


def let_leave() -> None:
    """As if what waits had been sent."""
    with transaction() as session:
        for mail in session.exec(select(OutboxMail).where(OutboxMail.state == "pending")):
            mail.state = "sent"


def announce_by_itself(event_id: str) -> None:
    with transaction() as session:
        announcement.announce_due(session, event_id)


def read_pdf(letter: Letter) -> str:
    (file,) = letter.files
    return "\n".join(page.extract_text() for page in PdfReader(BytesIO(b64decode(file.encoded))).pages)
