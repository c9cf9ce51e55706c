"""How long one message waits after an error (M9). The pause of the whole queue is in `pause`."""

import random
from datetime import datetime, timedelta

from sqlmodel import col, select

from clubapp import clock
from clubapp.database import reading
from clubapp.mail.messages.mail_kinds import REPEATABLE
from clubapp.mail.queue import pause
from clubapp.mail.queue.claims import RESENT_AT
from clubapp.models import Event, OutboxMail

FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(hours=1)
LONGEST_SIGN_IN_WAIT = timedelta(minutes=2)  # someone is waiting in front of the sign-in page
GIVE_UP_AFTER = timedelta(days=5)  # since it was queued or sent again


def next_attempt_at(mail: OutboxMail, *, is_relay_unreachable: bool = False) -> datetime | None:
    """When to try a message again: each wait is twice the last, and varies by a fifth to spread the load.

    When the relay could not be reached, a message waits hardly longer than the longest rest of the queue.

    Returns:
        None when it is time to give up: at that moment its event, or GIVE_UP_AFTER, will have passed.
    """
    longest = pause.LONGEST if is_relay_unreachable else LONGEST_WAIT
    if mail.kind in REPEATABLE:
        longest = LONGEST_SIGN_IN_WAIT
    wait = min(FIRST_WAIT * 2 ** min(mail.attempts - 1, 20), longest)
    at = clock.now() + wait * random.uniform(0.8, 1.2)  # noqa: S311 - no secret
    return at if at < _give_up_at(mail) else None


def _give_up_at(mail: OutboxMail) -> datetime:
    resent_at = mail.context.get(RESENT_AT)
    limit = (datetime.fromisoformat(resent_at) if resent_at else mail.created_at) + GIVE_UP_AFTER
    if mail.event_id is None:
        return limit
    with reading() as session:
        date = session.exec(select(col(Event.date)).where(col(Event.id) == mail.event_id)).first()
    return min(limit, date) if date else limit
