"""How long one message waits after an error (M9). How long the whole queue does is in `pause`."""

import random
from datetime import datetime, timedelta

from sqlmodel import col, select

from clubapp import clock
from clubapp.database import reading
from clubapp.mail.messages.registry import REPEATABLE
from clubapp.mail.queue import pause
from clubapp.mail.queue.claims import RESENT_AT
from clubapp.models import Event, OutboxMail

FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(hours=1)
LONGEST_SIGN_IN_WAIT = timedelta(minutes=2)  # someone is waiting in front of the sign-in page
GIVE_UP_AFTER = timedelta(days=5)


def next_attempt_at(mail: OutboxMail, *, its_fault: bool = True) -> datetime | None:
    """When to try a message again: each wait twice the last, give or take a fifth.

    A message that met a relay out of reach (not `its_fault`) never waits much longer than the queue's pause.

    Returns:
        None when it is time to give up: the event will have passed, or five days have.
    """
    longest = LONGEST_SIGN_IN_WAIT if mail.kind in REPEATABLE else LONGEST_WAIT if its_fault else pause.LONGEST
    wait = min(FIRST_WAIT * 2 ** min(mail.attempts - 1, 20), longest)
    at = clock.now() + wait * random.uniform(0.8, 1.2)  # noqa: S311 - spreads load, guards nothing
    return at if at < _last_moment(mail) else None


def _last_moment(mail: OutboxMail) -> datetime:
    again = mail.context.get(RESENT_AT)
    five_days = (datetime.fromisoformat(again) if again else mail.created_at) + GIVE_UP_AFTER
    if mail.event_id is None:
        return five_days
    with reading() as session:
        date = session.exec(select(col(Event.date)).where(col(Event.id) == mail.event_id)).first()
    return min(five_days, date) if date else five_days
