"""The doctor looks at an installation, and says what is wrong and how to mend it: in a terminal, on a screen."""

from collections.abc import Iterator

from clubapp.database import reading
from clubapp.doctor import installation_checks, job_checks
from clubapp.doctor.check import Check, Level
from clubapp.doctor.installation_checks import redis_problem
from clubapp.doctor.report import Line, Report, examine, look_again

__all__ = ["Check", "Level", "Line", "Report", "checks", "examine", "look_again", "redis_problem"]


def checks() -> Iterator[Check]:
    """Every finding. What only a database can tell is left out while there is none."""
    if (yield from installation_checks.checks()):
        with reading() as session:
            yield from job_checks.of_mail(session)
        yield from job_checks.of_jobs()
