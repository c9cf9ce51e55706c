"""The doctor looks at an installation, and says what is wrong and how to mend it: in a terminal, on a screen."""

from collections.abc import Iterator

from clubapp.database import reading
from clubapp.doctor import installation_checks, job_checks
from clubapp.doctor.check import Check, Level
from clubapp.doctor.installation_checks import redis_problem
from clubapp.doctor.report import Report, ReportLine, read_report, restart_checks

__all__ = ["Check", "Level", "Report", "ReportLine", "read_report", "redis_problem", "restart_checks", "run_checks"]


def run_checks() -> Iterator[Check]:
    """Every finding. What only a database can tell is left out while there is none."""
    if (yield from installation_checks.run_installation_checks()):
        with reading() as session:
            yield from job_checks.check_mail(session)
        yield from job_checks.check_jobs()
