"""What a message is before it is written out, and the one reason not to write it."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Letter:
    """The content of one message: `template` names a folder of `templates/`, `context` is what it shows."""

    template: str
    context: dict[str, Any] = field(default_factory=dict)
    to_name: str = ""


class Withdrawn(Exception):
    """The message is no longer true (M10). `reason` is the French sentence administrators read."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
