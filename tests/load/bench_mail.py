"""How fast a mailing leaves, beside the same messages handed to the same relay without an outbox."""

import asyncio
import time
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import aiosmtplib
from sqlmodel import select

from clubapp import clock
from clubapp.database import transaction
from clubapp.mail.delivery import LANES, deliver
from clubapp.models import Admin
from clubapp.services import invitations
from clubapp.services.actors import Actor
from tests.factories import add_event
from tests.load.figures import Figure
from tests.load.installation import installation
from tests.smtp_server import running_relay

INVITED = 300


def measure(folder: Path) -> list[Figure]:
    """A whole mailing through the queue; then its very messages in a bare loop with as many connections."""
    with running_relay() as relay, installation(folder, INVITED, CLUB_SMTP_URL=relay.url):
        _invite_everyone()
        begun = time.perf_counter()
        done = deliver(until_empty=True)
        queued = done.sent / (time.perf_counter() - begun)
        messages = list(relay.accepted)
        begun = time.perf_counter()
        asyncio.run(_bare(relay.port, messages))
        bare = len(messages) / (time.perf_counter() - begun)
    assert done.sent == INVITED, done
    return [
        Figure(
            f"invitations sent, {INVITED} people, {LANES} connections",
            f"{queued:.0f}/s",
            f"{bare:.0f}/s in a bare SMTP loop",
        )
    ]


def _invite_everyone() -> None:
    with transaction() as session:
        event = add_event(session, date=clock.now() + timedelta(days=900), status="confirmed")
        admin = session.exec(select(Admin.email)).first()
        invitations.send(session, Actor(email=admin or "", is_admin=True), event.id)


async def _bare(port: int, messages: list[EmailMessage]) -> None:
    async def lane(mine: list[EmailMessage]) -> None:
        async with aiosmtplib.SMTP(hostname="127.0.0.1", port=port) as client:
            for message in mine:
                await client.send_message(message)

    await asyncio.gather(*(lane(messages[start::LANES]) for start in range(LANES)))
