"""The journal as an administrator reads it, and two people whom it names."""

from clubapp.database import reading
from clubapp.services import journal
from clubapp.services.base.actors import Actor
from clubapp.services.journal import Entry, Journal, Search

ADMIN = Actor(email="helene@beffroi.example", is_admin=True)
MARIE, ZOE = "marie.durand@invites.example", "zoe.lefebvre@invites.example"


def opened(**asked: object) -> Journal:
    with reading() as session:
        return journal.read(session, ADMIN, Search(**asked))  # type: ignore[arg-type]


def only(**asked: object) -> Entry:
    (found,) = opened(**asked).messages
    return found
