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

    `unsubscribe` is the address of its List-Unsubscribe header (M3), empty for mails that are not broadcasts.
    """

    template: str
    context: dict[str, Any] = field(default_factory=dict)
    to_name: str = ""
    calendar: CalendarPart | None = None
    unsubscribe: str = ""


class Withdrawn(Exception):
    """The message is no longer true (M10). `reason` is the French sentence administrators read."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
