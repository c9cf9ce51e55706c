"""The content of a message before its MIME form, and the exception for a message that must not be sent."""

import base64
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class CalendarPart:
    """An iCalendar file of a message, and its method: PUBLISH, REQUEST or CANCEL."""

    content: bytes
    method: str


@dataclass(frozen=True)
class AttachedFile:
    """A file of a message, in base64 with lines of 76 characters that end with CR LF, as the message carries it."""

    name: str
    media_type: str
    encoded: bytes


def attach(name: str, media_type: str, content: bytes) -> AttachedFile:
    """A file as a message carries it."""
    return AttachedFile(name, media_type, base64.encodebytes(content).replace(b"\n", b"\r\n"))


@dataclass(frozen=True)
class Letter:
    """The content of one message: `template` names a folder of `templates/`, `context` holds the template's variables.

    `personal` holds the texts that differ from one reader to the next, such as a link. They are inserted after
    rendering, so that a mailing is rendered once: a template can print them, but not test them.

    `unsubscribe` is the address of the List-Unsubscribe header (M3), empty for mails that are no mailing.
    `is_trial` marks a test mail: its subject begins with [TEST], and a banner is above its text (M13).
    """

    template: str
    context: dict[str, Any] = field(default_factory=dict)
    to_name: str = ""
    calendar: CalendarPart | None = None
    files: tuple[AttachedFile, ...] = ()
    unsubscribe: str = ""
    personal: dict[str, str] = field(default_factory=dict)
    is_trial: bool = False


def placeholder(name: str) -> str:
    """What stands for a personal text until it is inserted; its characters are of Unicode's private use area."""
    return f"\ue000{name}\ue001"


class Withdrawn(Exception):
    """The message is no longer true and must not be sent (M10). `reason` is the French sentence administrators read."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
