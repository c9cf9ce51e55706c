"""What a look at the installation finds, and how the one who looks says that something is wrong."""

import logging
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from clubapp.logs import masked

log = logging.getLogger(__name__)

LONGEST = 300


class Level(StrEnum):
    """How a thing is."""

    WELL = "well"
    DOUBTFUL = "doubtful"  # it works; somebody should see to it
    ILL = "ill"


@dataclass(frozen=True)
class Check:
    """One finding: what was looked at, how it is, what was seen, how to mend it. `page` is where to see more."""

    name: str
    level: Level
    text: str
    mend: str = ""
    page: str = ""


class Complaint(Exception):
    """Something is wrong: what was seen, and how to mend it."""

    def __init__(self, text: str, mend: str, level: Level = Level.ILL, *, page: str = "") -> None:
        super().__init__(text)
        self.text, self.mend, self.level, self.page = text, mend, level, page


def found(name: str, look: Callable[..., str], *args: Any) -> Check:
    """What a look finds: its words when all is well, its complaint otherwise. Whatever else it raises is told too."""
    try:
        return Check(name, Level.WELL, look(*args))
    except Complaint as wrong:
        return Check(name, wrong.level, wrong.text, wrong.mend, wrong.page)
    except Exception as error:  # one look that breaks must not hide what the others found
        log.info("%s could not be looked at", name, exc_info=error)
        return Check(name, Level.ILL, reason(error), "voyez le journal du serveur")


def reason(error: BaseException) -> str:
    """Why something did not answer, in one line, without secrets; in French where it is one of the usual causes."""
    cause: BaseException | None = error
    while cause is not None:
        if usual := next((text for kind, text in _USUAL.items() if isinstance(cause, kind)), ""):
            return usual
        cause = cause.__cause__ or cause.__context__
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return masked(lines[0])[:LONGEST]


_USUAL: dict[type[BaseException], str] = {
    ConnectionRefusedError: "rien n'écoute à cette adresse",
    TimeoutError: "pas de réponse à temps",
    socket.gaierror: "ce nom de machine est inconnu",
    ssl.SSLCertVerificationError: "son certificat n'est pas reconnu",
}
