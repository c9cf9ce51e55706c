"""A process that does one thing at a given instant, beside others: `racer deliver|remind|queue INSTANT [CLOCK]`."""

import sys
import time
from datetime import datetime

from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.jobs import schedule
from clubapp.mail import outbox
from clubapp.mail.delivery import deliver
from clubapp.models import Event, Member


def queue() -> None:
    """Queue the same mailing as everyone else."""
    with reading() as session:
        event, members = session.exec(select(Event)).one(), session.exec(select(Member)).all()
    with transaction() as session:
        for member in members:
            key = f"race:{event.id}:{member.id}:1"
            outbox.queue(session, kind="invitation", key=key, recipient=member.email or "", member_id=member.id)


def main() -> None:
    """Wait for the instant, then go; a third argument is the time the process believes in."""
    what, start = sys.argv[1], float(sys.argv[2])
    if len(sys.argv) > 3:
        believed = datetime.fromisoformat(sys.argv[3])
        clock._read = lambda: believed
    time.sleep(max(0.0, start - time.time()))
    {"deliver": deliver, "remind": schedule.send_planned, "queue": queue}[what]()


if __name__ == "__main__":
    main()
