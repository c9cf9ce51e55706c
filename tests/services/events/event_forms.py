"""An event as an administrator types it, saves it and opens it again."""

from clubapp.database import reading, transaction
from clubapp.models import Event
from clubapp.services.base.actors import Actor
from clubapp.services.events import editing
from clubapp.services.events.form import EventForm, SpeakerForm

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
TYPED = EventForm(
    title="Matinale d'hiver",
    date="2027-01-14T12:00",
    location="Valenciennes",
    speakers=(SpeakerForm(name="Zoé Fauconnier"),),
)


def save(typed: EventForm, actor: Actor = HELENE) -> str:
    with transaction() as session:
        return editing.save(session, actor, typed).id


def reopened(event_id: str) -> EventForm:
    with reading() as session:
        return editing.open_form(session, HELENE, event_id)


def stored(event_id: str) -> Event:
    with reading() as session:
        return editing.find_event(session, event_id)
