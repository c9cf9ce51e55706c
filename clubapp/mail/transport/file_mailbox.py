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
from clubapp.mail.transport import mime
from clubapp.mail.transport.smtp import mail_folder

LISTED = 200
_NAME = re.compile(r"\d{8}T\d{6}Z-[0-9a-f-]{36}")


@dataclass(frozen=True)
class CapturedMail:
    """One message of the list. `name` is that of its file without the suffix; `date` is in French."""

    name: str
    date: str
    recipient: str
    subject: str
    kind: str


@dataclass(frozen=True)
class OpenedMail:
    """One message with its two parts; a part it does not have is empty."""

    headers: CapturedMail
    text: str
    html: str


def list_newest() -> tuple[CapturedMail, ...]:
    """The last LISTED messages, newest first."""
    files = sorted((path for path in mail_folder().glob("*.eml") if _NAME.fullmatch(path.stem)), reverse=True)
    # A name holds the second of queueing; within one, the time of writing gives the order.
    files.sort(key=lambda path: (path.stem[:16], path.stat().st_mtime_ns), reverse=True)
    return tuple(_read_headers(path) for path in files[:LISTED])


def open_mail(name: str) -> OpenedMail | None:
    """The message of that name, or None."""
    path = mail_folder() / f"{name}.eml"
    if not _NAME.fullmatch(name) or not path.is_file():
        return None
    message = message_from_bytes(path.read_bytes(), policy=policy.default)
    return OpenedMail(_read_headers(path), _read_part(message, "plain"), mime.embed_logo(_read_part(message, "html")))


def delete_before(before: datetime) -> None:
    """Delete the messages queued before an instant in UTC (P3)."""
    for path in mail_folder().glob("*.eml"):
        if _NAME.fullmatch(path.stem) and path.stem < f"{before:%Y%m%dT%H%M%SZ}":
            path.unlink(missing_ok=True)


def _read_headers(path: Path) -> CapturedMail:
    with path.open("rb") as file:
        header = BytesHeaderParser(policy=policy.default).parse(file)
    date = clock.short_date(parsedate_to_datetime(str(header["Date"])))
    return CapturedMail(
        path.stem,
        date,
        str(header["To"]),
        str(header["Subject"]),
        str(header["X-Club-Kind"]),
    )


def _read_part(message: EmailMessage, subtype: str) -> str:
    part = message.get_body((subtype,))
    return part.get_content().replace("\r\n", "\n") if part else ""
