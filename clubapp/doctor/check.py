"""The result of a check, and the exception by which a check reports a problem."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from clubapp.infra.error_causes import describe_cause

log = logging.getLogger(__name__)


class Level(StrEnum):
    """The level of a result."""

    OK = "well"
    WARNING = "doubtful"  # it works, but needs attention
    FAILED = "ill"


@dataclass(frozen=True)
class Check:
    """The result of a check. `mend` is the French remedy, `page` the path of a screen with details.

    With `alerts`, the administrators hear of it by mail although the site still works.
    """

    name: str
    level: Level
    text: str
    mend: str = ""
    page: str = ""
    alerts: bool = False

    @property
    def is_alarming(self) -> bool:
        """Whether the administrators are to hear of it by mail."""
        return self.alerts or self.level is Level.FAILED


class CheckProblem(Exception):
    """A check found a problem: its French text and remedy."""

    def __init__(
        self, text: str, mend: str, level: Level = Level.FAILED, *, page: str = "", alerts: bool = False
    ) -> None:
        super().__init__(text)
        self.text, self.mend, self.level, self.page, self.alerts = text, mend, level, page, alerts


def run_check(name: str, look: Callable[..., str], *args: Any) -> Check:
    """Run one check: its text when all is well, otherwise its problem. Any other exception is a failure too."""
    try:
        return Check(name, Level.OK, look(*args))
    except CheckProblem as wrong:
        return Check(name, wrong.level, wrong.text, wrong.mend, wrong.page, wrong.alerts)
    except Exception as error:  # a failing check must not hide the results of the others
        log.info("%s could not be looked at", name, exc_info=error)
        return Check(name, Level.FAILED, describe_cause(error), "voyez le journal du serveur")
