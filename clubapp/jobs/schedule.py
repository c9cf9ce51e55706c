"""The one table of what runs by itself, and how often. Started and stopped with the server.

Every server process has a scheduler of its own; claims in the database keep the effect single.
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger

from clubapp import clock
from clubapp.database import transaction
from clubapp.mail import captured, claims
from clubapp.mail.delivery import deliver
from clubapp.mail.patience import Pause
from clubapp.services import retention

log = logging.getLogger(__name__)

_stopping = threading.Event()
_pause = Pause()
_scheduler: BackgroundScheduler | None = None


@dataclass(frozen=True)
class Job:
    """What runs, and the seconds from one start to the next. A run that is late or still going is not doubled."""

    name: str
    seconds: int
    run: Callable[[], None]


def send_mail() -> None:
    """Send what is due, unless the queue rests after errors."""
    if _pause.is_on:
        return
    halted = True  # a pass that breaks off counts as well
    try:
        halted = deliver(stopping=_stopping).halted
    finally:
        _pause.note(halted=halted)


def recover_mail() -> None:
    """Take over the messages of workers that died."""
    claims.recover()


def forget() -> None:
    """Erase what has been kept long enough (P3)."""
    with transaction() as session:
        retention.forget(session)
    captured.forget(clock.now() - retention.MAIL_CONTENT)


JOBS = (
    Job("send-mail", 1, send_mail),
    Job("recover-mail", 15, recover_mail),
    Job("forget", 3600, forget),
)


def start() -> None:
    """Start the jobs of this process, in threads of their own. A second call does nothing."""
    global _scheduler  # noqa: PLW0603 - one scheduler a process
    if _scheduler is not None:
        return
    logging.getLogger("apscheduler").setLevel(logging.ERROR)  # a line a second otherwise
    _stopping.clear()
    _scheduler = BackgroundScheduler(
        executors={"default": ThreadPoolExecutor(len(JOBS))},
        job_defaults={"max_instances": 1, "coalesce": True, "misfire_grace_time": None},
        timezone="UTC",
    )
    for job in JOBS:
        _scheduler.add_job(job.run, IntervalTrigger(seconds=job.seconds, timezone="UTC"), id=job.name)
    _scheduler.start()
    log.info("%s jobs started", len(JOBS))


def stop() -> None:
    """Let the message in flight finish, give back what was claimed, and end. Blocks until then."""
    global _scheduler  # noqa: PLW0603 - one scheduler a process
    if _scheduler is None:
        return
    _stopping.set()
    _scheduler.shutdown(wait=True)
    _scheduler = None
