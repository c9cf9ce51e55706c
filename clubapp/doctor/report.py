"""The report of the installation's health, for administrators."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from clubapp import routes
from clubapp.doctor import job_checks
from clubapp.doctor.check import Check, Level
from clubapp.doctor.check_runner import CheckRunner
from clubapp.services.base.actors import Actor, require_admin

_LOOKS = {
    Level.OK: ("Bien", "green"),
    Level.WARNING: ("À voir", "amber"),
    Level.FAILED: ("En panne", "red"),
}
# How old the slow checks may be beside the entry of the menu, which every screen reads.
_GLANCE_SECONDS = 15 * 60
_background = CheckRunner()
# What is told on these pages has lines of its own among the tasks of the day.
TOLD_APART = (routes.ADMIN_REQUESTS,)


@dataclass(frozen=True)
class ReportLine:
    """One result of a check, with its labels for the screen."""

    name: str = ""
    state: str = ""
    label: str = ""
    tone: str = ""
    text: str = ""
    mend: str = ""
    page: str = ""


@dataclass(frozen=True)
class Report:
    """All results and their summary: problems first, the worst first, then what is well."""

    headline: str = ""
    text: str = ""
    tone: str = ""
    concerns: tuple[ReportLine, ...] = ()
    mail: tuple[ReportLine, ...] = ()
    jobs: tuple[ReportLine, ...] = ()
    installation: tuple[ReportLine, ...] = ()
    is_looking: bool = False


@dataclass(frozen=True)
class Glance:
    """The summary of the report, for the menu; `tone` is empty while nothing is known yet.

    `is_task` says whether something waits that is not TOLD_APART.
    """

    headline: str = ""
    tone: str = ""
    is_task: bool = False


def glance_at_report(session: Session, actor: Actor) -> Glance:
    """The summary, from slow checks that are at most a quarter of an hour old."""
    require_admin(actor)
    slow = _background.read(_GLANCE_SECONDS)
    concerns = _list_concerns((*job_checks.check_mail(session), *job_checks.check_jobs(), *slow))
    if not concerns and not slow:
        return Glance()
    headline, _, tone = _sum(concerns, is_whole=True)
    return Glance(headline, tone, any(check.page not in TOLD_APART for check in concerns))


def read_report(session: Session, actor: Actor, *, but: Sequence[str] = ()) -> Report:
    """The present report. The slow checks are at most a minute old while the report is polled.

    Problems that lead to one of the pages `but` are left out.
    """
    require_admin(actor)
    mail, jobs, slow = tuple(job_checks.check_mail(session)), tuple(job_checks.check_jobs()), _background.read()
    concerns = [check for check in _list_concerns((*mail, *jobs, *slow)) if check.page not in but]
    headline, text, tone = _sum(concerns, is_whole=bool(slow))
    return Report(
        headline,
        text,
        tone,
        concerns=_lines(concerns),
        mail=_lines(_well(mail)),
        jobs=_lines(_well(jobs)),
        installation=_lines(_well(slow)),
        is_looking=_background.is_running,
    )


def _list_concerns(checks: Sequence[Check]) -> list[Check]:
    """Those that are not well, the worst first."""
    return [check for level in (Level.FAILED, Level.WARNING) for check in checks if check.level is level]


def restart_checks(actor: Actor) -> None:
    """Start the slow checks again, in the background."""
    require_admin(actor)
    _background.start()


def _sum(concerns: Sequence[Check], *, is_whole: bool) -> tuple[str, str, str]:
    faults = sum(check.level is Level.FAILED for check in concerns)
    if faults:
        return _count(faults, "panne", "pannes"), "Voici quoi faire, le plus grave d’abord.", "red"
    if concerns:
        return _count(len(concerns), "point à voir", "points à voir"), "Le site fonctionne.", "amber"
    if not is_whole:
        return "Vérification en cours…", "La base, le disque et le serveur d’envoi sont interrogés.", "indigo"
    return "Tout va bien", "Rien ne demande votre attention.", "green"


def _well(checks: Iterable[Check]) -> list[Check]:
    return [check for check in checks if check.level is Level.OK]


def _count(number: int, one: str, several: str) -> str:
    return f"{number} {several if number > 1 else one}"


def _lines(checks: Iterable[Check]) -> tuple[ReportLine, ...]:
    return tuple(
        ReportLine(
            _sentence(check.name),
            check.level,
            *_LOOKS[check.level],
            _sentence(check.text),
            _sentence(check.mend),
            check.page,
        )
        for check in checks
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
