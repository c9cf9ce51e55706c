"""How long to wait after an error: for one message (M9), and for the whole queue."""

import random
from datetime import datetime, timedelta

from sqlmodel import col, select

from clubapp import clock
from clubapp.database import reading
from clubapp.mail.claims import REPEATABLE
from clubapp.models import Event, OutboxMail

FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(hours=1)
LONGEST_SIGN_IN_WAIT = timedelta(minutes=2)  # someone is waiting in front of the sign-in page
GIVE_UP_AFTER = timedelta(days=5)
PAUSE_STEP = timedelta(seconds=5)
LONGEST_PAUSE = timedelta(minutes=1)


def next_try(mail: OutboxMail, *, its_fault: bool = True) -> datetime | None:
    """When to try a message again: each wait twice the last, give or take a fifth.

    A message that met a relay out of reach (not `its_fault`) never waits much longer than the queue's pause.

    Returns:
        None when it is time to give up: the event will have passed, or five days have.
    """
    longest = LONGEST_SIGN_IN_WAIT if mail.kind in REPEATABLE else LONGEST_WAIT if its_fault else LONGEST_PAUSE
    wait = min(FIRST_WAIT * 2 ** min(mail.attempts - 1, 20), longest)
    at = clock.now() + wait * random.uniform(0.8, 1.2)  # noqa: S311 - spreads load, guards nothing
    return at if at < _last_moment(mail) else None


def _last_moment(mail: OutboxMail) -> datetime:
    five_days = mail.created_at + GIVE_UP_AFTER
    if mail.event_id is None:
        return five_days
    with reading() as session:
        date = session.exec(select(col(Event.date)).where(col(Event.id) == mail.event_id)).first()
    return min(five_days, date) if date else five_days


class Pause:
    """Rests the queue after several errors in a row, longer each time, until something works again."""

    def __init__(self) -> None:
        self._halts = 0
        self._until: datetime | None = None

    @property
    def is_on(self) -> bool:
        """Whether the queue is resting now."""
        return self._until is not None and clock.now() < self._until

    @property
    def seconds(self) -> float:
        """How long the rest lasts."""
        return min(PAUSE_STEP * 2 ** min(self._halts - 1, 20), LONGEST_PAUSE).total_seconds() if self._halts else 0.0

    def note(self, *, halted: bool) -> None:
        """Take in how a pass ended."""
        self._halts = self._halts + 1 if halted else 0
        self._until = clock.now() + timedelta(seconds=self.seconds) if halted else None
