"""The journal as an administrator reads it, and two people whom it names."""

from typing import Any

from clubapp.database import reading
from clubapp.services.base.actors import Actor
from clubapp.services.mail_log import listing
from clubapp.services.mail_log.listing import MailLog, MailLogEntry, MailLogQuery

ADMIN = Actor(email="helene@beffroi.example", is_admin=True)
MARIE, ZOE = "marie.durand@invites.example", "zoe.lefebvre@invites.example"


def opened(**asked: Any) -> MailLog:
    with reading() as session:
        return listing.read_page(session, ADMIN, MailLogQuery(**asked))


def only(**asked: object) -> MailLogEntry:
    (found,) = opened(**asked).messages
    return found
