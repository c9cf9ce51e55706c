"""The doctor: checks of an installation, with what is wrong and how to correct it, for the terminal and a screen."""

from collections.abc import Iterator

from clubapp.database import reading
from clubapp.doctor import installation_checks, job_checks
from clubapp.doctor.check import Check, Level
from clubapp.doctor.installation_checks import redis_problem
from clubapp.doctor.report import Report, ReportLine, read_report, restart_checks

__all__ = ["Check", "Level", "Report", "ReportLine", "read_report", "redis_problem", "restart_checks", "run_checks"]


def run_checks() -> Iterator[Check]:
    """Run all checks. Those that need the database are left out while it cannot be read."""
    if (yield from installation_checks.run_installation_checks()):
        with reading() as session:
            yield from job_checks.check_mail(session)
        yield from job_checks.check_jobs()
