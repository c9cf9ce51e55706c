"""A process that freezes the numbers of an event and delivers their mails, made to be killed."""

import os
from contextlib import suppress
from datetime import timedelta
from multiprocessing.connection import Connection

from clubapp.database import transaction
from clubapp.mail.queue import claims
from clubapp.mail.transport.delivery import deliver
from clubapp.refusals import Conflict
from clubapp.services.base.actors import SYSTEM
from clubapp.services.events import announcement
from tests.conftest import forget_settings


def freeze(event_id: str) -> None:
    """Freeze the numbers, unless they were."""
    with suppress(Conflict), transaction() as session:
        announcement.announce(session, SYSTEM, event_id)


def run(variables: dict[str, str], event_id: str, told: Connection) -> None:
    """Tell that it begins, then announce the event and deliver. Leases are short, as in `deliverer`."""
    os.environ |= variables
    forget_settings()
    claims.LEASE = timedelta(seconds=0.5)
    claims.HAND_OVER_LEASE = timedelta(seconds=0.8)
    told.send_bytes(b"begun")
    freeze(event_id)
    deliver(until_empty=True)
