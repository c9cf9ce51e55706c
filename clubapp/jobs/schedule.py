"""The table of scheduled jobs, and the scheduler, which starts and stops with the server.

Every server process has its own scheduler; claims in the database prevent double effects.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from clubapp import clock
from clubapp.database import commit_with_retry, reading, transaction
from clubapp.doctor import alerts
from clubapp.infra import job_status, logs, refusal_counts, server_lock
from clubapp.mail.queue import claims
from clubapp.mail.transport import file_mailbox
from clubapp.mail.transport.delivery import deliver
from clubapp.services import backups
from clubapp.services.answers import waiting_list
from clubapp.services.base import audit, former_acts
from clubapp.services.base.actors import SYSTEM
from clubapp.services.events import announcement, mailing_schedule
from clubapp.services.images import uploads
from clubapp.services.members import directory_order
from clubapp.services.privacy import erased_people, retention
from clubapp.services.reminders import dispatch, settings

log = logging.getLogger(__name__)

BACKUP_HOUR = 3  # of the club's day
_stopping = threading.Event()
_scheduler: BackgroundScheduler | None = None


@dataclass(frozen=True)
class Job:
    """What runs, and the seconds from one start to the next. A run that is late or still going is not doubled.

    `label` is its name in *Santé*. One that `needs_date` rests while the clock is implausible.
    """

    name: str
    label: str
    seconds: int
    run: Callable[[], None]
    at_once: bool = False
    needs_date: bool = False


def send_mail() -> None:
    """Send what is due, unless the queue rests after errors."""
    deliver(stopping=_stopping)


def recover_mail() -> None:
    """Release the messages of workers that died."""
    claims.recover_expired()


def plan_mailings() -> None:
    """Plan the automatic mailings of all future events, with default settings for a new club."""
    with transaction() as session:
        settings.create_missing(session)
        mailing_schedule.plan_all_mailings(session, late=True)


def send_planned() -> None:
    """Queue the automatic mailings that are due, in one transaction each (C4)."""
    with reading() as session:
        due = [mailing.id for mailing in dispatch.list_due(session, clock.now())]
    _do_each(dispatch.dispatch_mailing, due)


def announce_numbers() -> None:
    """Tell caterers and hosts the numbers of the events that are due, in one transaction each."""
    with reading() as session:
        due = announcement.list_due(session)
    _do_each(announcement.announce_due, due)


def _do_each(act: Callable[[Session, str], object], ids: Sequence[str]) -> None:
    """Do an act for each, in one transaction each. One that fails does not keep the others back: it is raised at the
    end, and if others failed too they are logged. An outage ends the run.
    """
    errors: list[Exception] = []
    for one in ids:
        try:
            commit_with_retry(lambda session, one=one: act(session, one))
        except Exception as error:  # of any kind: the others are as due
            errors.append(error)
            if logs.is_outage(error):
                break
    for error in errors[1:]:
        logs.log_unexpected(log, error)
    if errors:
        raise errors[0]


def erase_expired() -> None:
    """Apply the retention rules (P3)."""
    with transaction() as session:
        retention.erase_expired(session)
    with transaction() as session:  # by itself: the database may refuse
        retention.erase_expired_acts(session)
    file_mailbox.delete_before(clock.now() - retention.MAIL_CONTENT)
    erased_people.copy_beside()


def remove_unused_images() -> None:
    """Remove the pictures unused for a day."""
    with reading() as session:
        uploads.remove_unused(session)


def expire_offers() -> None:
    """Offer places whose offer has expired to the next on the waiting list."""
    with transaction() as session:
        waiting_list.expire_offers(session)


def order_directory() -> None:
    """Repair the directory order of members written by an older program version."""
    with transaction() as session:
        directory_order.repair_places(session)


def adopt_former_acts() -> None:
    """Take over the acts written by an older program version."""
    with transaction() as session:
        former_acts.adopt_former_acts(session)


def back_up() -> None:
    """Make the backup of the day, when a folder is configured."""
    if made := backups.back_up_daily(BACKUP_HOUR):
        with transaction() as session:
            audit.record(session, SYSTEM, "backup", file=made.name)


def tell_health() -> None:
    """Mail the administrators what went wrong, and hand it over at once, past a delivery job that stands still."""
    if alerts.look_and_tell():
        deliver(stopping=_stopping)


def record_refusals() -> None:
    """Write the refusals of this process into the journal of acts, in numbers."""
    taken: dict[str, Any] = refusal_counts.take()
    if not taken:
        return
    try:
        with transaction() as session:
            audit.record(session, SYSTEM, "refusals", **taken)
    except Exception:  # none is lost
        refusal_counts.put_back(taken)
        raise


JOBS = (
    Job("send-mail", "remise des e-mails", 1, send_mail),
    Job("recover-mail", "reprise des envois interrompus", 15, recover_mail),
    Job("plan-mailings", "calendrier des relances", 60, plan_mailings, at_once=True, needs_date=True),
    Job("send-planned", "départ des relances", 15, send_planned, needs_date=True),
    Job("announce-numbers", "nombres au traiteur et à l’hôte", 60, announce_numbers, needs_date=True),
    Job("pass-on-places", "liste d’attente", 30, expire_offers, needs_date=True),
    Job("forget", "effacement des données anciennes", 3600, erase_expired, needs_date=True),
    Job("remove-unused-images", "effacement des images inutiles", 3600, remove_unused_images, needs_date=True),
    Job("settle-directory", "ordre de l’annuaire", 3600, order_directory, at_once=True),
    Job("adopt-acts", "journal des actes", 3600, adopt_former_acts, at_once=True),
    Job("hold-lock", "verrou du serveur", 15, server_lock.hold),
    Job("record-refusals", "compte des refus", 600, record_refusals),
    Job("tell-health", "alertes de santé", 180, tell_health, needs_date=True),
    Job("back-up", "sauvegarde du jour", 900, back_up, at_once=True, needs_date=True),
)


def start() -> None:
    """Start the jobs of this process in threads. Idempotent."""
    global _scheduler  # noqa: PLW0603 - one scheduler a process
    if _scheduler is not None:
        return
    clock.watch()
    logging.getLogger("apscheduler").setLevel(logging.ERROR)  # it logs a line a second otherwise
    _stopping.clear()
    _scheduler = BackgroundScheduler(
        executors={"default": ThreadPoolExecutor(len(JOBS))},
        job_defaults={"max_instances": 1, "coalesce": True, "misfire_grace_time": None},
        timezone="UTC",
    )
    for job in JOBS:
        first: dict[str, Any] = {"next_run_time": clock.now()} if job.at_once else {}
        every = IntervalTrigger(seconds=job.seconds, timezone="UTC")
        _scheduler.add_job(_run, every, args=[job], id=job.name, **first)
    expect_jobs()
    _scheduler.start()
    threading.Thread(target=_follow_clock, args=[_scheduler], name="follow-clock", daemon=True).start()
    log.info("%s jobs started", len(JOBS))


def expect_jobs() -> None:
    """Make the jobs known to whoever asks how they run."""
    job_status.expect_jobs({job.name: job.seconds for job in JOBS}, {job.name: job.label for job in JOBS})


def _follow_clock(scheduler: BackgroundScheduler) -> None:
    """After a clock was set back each job would wait for the moment it had before: it runs now instead (R7)."""
    while not _stopping.wait(1):
        now = clock.now()
        for job in JOBS:
            planned_job = scheduler.get_job(job.name)
            if planned_job and planned_job.next_run_time > now + timedelta(seconds=job.seconds + 1):
                log.warning("the clock was set back: %s runs now", job.name)
                planned_job.modify(next_run_time=now)


def _run(job: Job) -> None:
    """Run a job once with its own log reference, and record how it ended. An exception does not stop later runs."""
    logs.begin_reference()
    job_status.record_begin(job.name)
    problem = ""
    try:
        if not job.needs_date or clock.is_plausible():
            job.run()
    except Exception as error:  # a failed job must run again; the health page shows it
        problem = logs.log_unexpected(log, error)
    job_status.record_end(job.name, problem)


def stop() -> None:
    """Stop the jobs. Blocks until the message being sent is finished and claimed ones are released."""
    global _scheduler  # noqa: PLW0603 - one scheduler a process
    if _scheduler is None:
        return
    _stopping.set()
    _scheduler.shutdown(wait=True)
    _scheduler = None
    with suppress(SQLAlchemyError):
        record_refusals()
    clock.watch(on=False)
