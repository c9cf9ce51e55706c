"""Checks of the jobs and the mail queue."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from sqlmodel import Session

from clubapp import clock, routes
from clubapp.doctor.check import Check, CheckProblem, Level, run_check
from clubapp.infra import job_status
from clubapp.infra.job_status import JobRun
from clubapp.services.base.actors import SYSTEM
from clubapp.services.mail_log import queue_pause
from clubapp.services.monitoring import metrics
from clubapp.services.monitoring.metrics import Metrics

LATE, LONG, OVERDUE = timedelta(minutes=1), timedelta(minutes=15), timedelta(minutes=15)
_JOURNAL = f"{routes.ADMIN_MAIL_LOG}?etat="


def check_jobs() -> Iterator[Check]:
    """Check each job. Empty when this process cannot know, as in a command without a shared Redis."""
    for job, tick in job_status.read_runs().items():
        yield run_check(tick.label or job, _job, tick)


def _job(tick: JobRun) -> str:
    if tick.is_running and tick.began:
        if clock.now() - tick.began > LONG:
            raise CheckProblem(
                f"en cours depuis {_when(tick.began)}", "si cela ne finit pas, redémarrez le serveur", Level.WARNING
            )
    elif tick.age > tick.every + LATE:
        raise CheckProblem(
            f"ne passe plus depuis {_when(tick.ended or tick.since)}",
            "redémarrez le serveur, puis voyez son journal",
        )
    if tick.problem and tick.ended:
        raise CheckProblem(
            f"le passage de {_when(tick.ended)} a échoué, référence {tick.problem}",
            "cherchez cette référence dans le journal du serveur",
        )
    if tick.ended is None:
        return f"premier passage à {_when(tick.since + tick.every)}"
    return f"dernier passage à {_when(tick.ended)}"


def check_mail(session: Session) -> Iterator[Check]:
    """Check the mail queue, and recent failed and uncertain messages."""
    signs = metrics.read_mail_signs(session, SYSTEM)
    yield run_check("file d’envoi", _queue, session)
    yield run_check("messages en attente", _waiting, signs)
    yield run_check("messages refusés", _ended, signs.failed_lately, "failed", "corrigez l’adresse, ou renvoyez")
    ask = "demandez à la personne, puis renvoyez ou marquez comme reçu"
    yield run_check("messages incertains", _ended, signs.uncertain_lately, "uncertain", ask, ", peut-être parti")


def _queue(session: Session) -> str:
    pause = queue_pause.read_pause(session, SYSTEM)
    if not pause.is_on:
        return "les messages partent"
    by_hand = "«\u00a0Reprendre\u00a0» en haut de la page Santé, ou «\u00a0mail resume\u00a0»"
    mend = by_hand if pause.is_by_hand else "vérifiez le serveur d’envoi"
    # A rest after errors ends by itself; a pause is told, for it stays until somebody ends it.
    told = f"en pause. {pause.reason} {pause.until}".strip()
    raise CheckProblem(told, mend, Level.WARNING, alerts=pause.is_by_hand)


def _waiting(signs: Metrics) -> str:
    untried, tried = _long(signs.waiting.untried), _long(signs.waiting.tried)
    if untried and not signs.is_moving:
        level = Level.WARNING if signs.is_paused else Level.FAILED
        raise CheckProblem(
            f"rien ne part, le plus ancien attend depuis {_when(untried)}", "vérifiez le serveur d’envoi", level
        )
    if tried:
        raise CheckProblem(
            f"le serveur d’envoi remet à plus tard un message depuis {_when(tried)}",
            "lisez sa réponse dans les envois",
            Level.WARNING,
            page=f"{_JOURNAL}waiting",
        )
    oldest = signs.waiting.oldest
    return f"le plus ancien depuis {_when(oldest)}" if oldest else "aucun"


def _long(since: datetime | None) -> datetime | None:
    return since if since and clock.now() - since > OVERDUE else None


def _ended(count: int, state: str, mend: str, doubt: str = "") -> str:
    """Check a number of recent failed or uncertain messages."""
    if count:
        told = f"{_messages(count)} en quatorze jours{doubt}{'s' if doubt and count > 1 else ''}"
        raise CheckProblem(told, mend, Level.WARNING, page=f"{_JOURNAL}{state}")
    return "aucun en quatorze jours"


def _messages(count: int) -> str:
    return f"{count} {'messages' if count > 1 else 'message'}"


def _when(instant: datetime) -> str:
    """The time of an instant of today, the date of any other."""
    is_today = clock.to_local(instant).date() == clock.to_local(clock.now()).date()
    return clock.hour(instant) if is_today else clock.short_date(instant)
