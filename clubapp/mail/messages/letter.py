"""What a message is before it is written out, and the one reason not to write it."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class CalendarPart:
    """An iCalendar file that travels with a message, and its method (PUBLISH, REQUEST or CANCEL)."""

    content: bytes
    method: str


@dataclass(frozen=True)
class Letter:
    """The content of one message: `template` names a folder of `templates/`, `context` is what it shows.

    `personal` holds the texts that differ from one person to the next, such as a link. They are put into the finished
    page, so that a mailing is drawn once; a template may print them, and not decide anything by them.

    `unsubscribe` is the address of its List-Unsubscribe header (M3), empty for mails that nobody can leave.
    `is_trial` marks a test mail: its subject begins with [TEST] and a yellow banner stands above it (M13).
    """

    template: str
    context: dict[str, Any] = field(default_factory=dict)
    to_name: str = ""
    calendar: CalendarPart | None = None
    unsubscribe: str = ""
    personal: dict[str, str] = field(default_factory=dict)
    is_trial: bool = False


class Withdrawn(Exception):
    """The message is no longer true (M10). `reason` is the French sentence administrators read."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
