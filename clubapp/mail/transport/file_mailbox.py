"""Reads back the messages kept as `.eml` files when no relay is configured."""

import re
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from pathlib import Path

from clubapp import clock
from clubapp.mail.transport.smtp import mail_folder

SHOWN = 200
_NAME = re.compile(r"\d{8}T\d{6}Z-[0-9a-f-]{36}")


@dataclass(frozen=True)
class CapturedMail:
    """One message of the list. `name` is its file's, without the ending."""

    name: str
    date: str
    recipient: str
    subject: str
    kind: str


@dataclass(frozen=True)
class OpenedMail:
    """One message, opened."""

    headers: CapturedMail
    text: str
    html: str


def list_newest() -> tuple[CapturedMail, ...]:
    """The last messages, newest first."""
    files = sorted((path for path in mail_folder().glob("*.eml") if _NAME.fullmatch(path.stem)), reverse=True)
    # Within one second of queueing the names say nothing of the order; the time of writing does.
    files.sort(key=lambda path: (path.stem[:16], path.stat().st_mtime_ns), reverse=True)
    return tuple(_headers(path) for path in files[:SHOWN])


def open_mail(name: str) -> OpenedMail | None:
    """The message of that name, or None when there is none."""
    path = mail_folder() / f"{name}.eml"
    if not _NAME.fullmatch(name) or not path.is_file():
        return None
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    return OpenedMail(_headers(path), _body(message, "plain"), _body(message, "html"))


def delete_before(before: datetime) -> None:
    """Remove the messages queued before that instant (P3)."""
    for path in mail_folder().glob("*.eml"):
        if _NAME.fullmatch(path.stem) and path.stem < f"{before:%Y%m%dT%H%M%SZ}":
            path.unlink(missing_ok=True)


def _headers(path: Path) -> CapturedMail:
    with path.open("rb") as file:
        found = BytesHeaderParser(policy=policy.default).parse(file)
    date = clock.short_date(parsedate_to_datetime(str(found["Date"])))
    return CapturedMail(path.stem, date, str(found["To"]), str(found["Subject"]), str(found["X-Club-Kind"]))


def _body(message: EmailMessage, subtype: str) -> str:
    part = message.get_body((subtype,))
    return part.get_content().replace("\r\n", "\n") if part else ""
