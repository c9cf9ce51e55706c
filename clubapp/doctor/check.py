"""What a look at the installation finds, and how the one who looks says that something is wrong."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from clubapp.infra.error_causes import describe_cause

log = logging.getLogger(__name__)


class Level(StrEnum):
    """How a thing is."""

    OK = "well"
    WARNING = "doubtful"  # it works; somebody should see to it
    FAILED = "ill"


@dataclass(frozen=True)
class Check:
    """One finding: what was looked at, how it is, what was seen, how to mend it. `page` is where to see more."""

    name: str
    level: Level
    text: str
    mend: str = ""
    page: str = ""


class CheckProblem(Exception):
    """Something is wrong: what was seen, and how to mend it."""

    def __init__(self, text: str, mend: str, level: Level = Level.FAILED, *, page: str = "") -> None:
        super().__init__(text)
        self.text, self.mend, self.level, self.page = text, mend, level, page


def run_check(name: str, look: Callable[..., str], *args: Any) -> Check:
    """What a look finds: its words when all is well, its complaint otherwise. Whatever else it raises is told too."""
    try:
        return Check(name, Level.OK, look(*args))
    except CheckProblem as wrong:
        return Check(name, wrong.level, wrong.text, wrong.mend, wrong.page)
    except Exception as error:  # one look that breaks must not hide what the others found
        log.info("%s could not be looked at", name, exc_info=error)
        return Check(name, Level.FAILED, describe_cause(error), "voyez le journal du serveur")
