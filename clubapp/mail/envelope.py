"""From a letter to the bytes that travel: both parts, and every header (M1, M2; RFC 5322, RFC 2046).

The standard library builds the message. fastapi-mail's own builder wraps the alternatives in multipart/related,
repeats a Message-ID that is given to it, and lets the line breaks of a value through to the headers.
"""

import re
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from functools import lru_cache
from pathlib import Path

import css_inline
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from clubapp import clock
from clubapp.mail.letters import Letter
from clubapp.mail.placeholders import one_line
from clubapp.models import OutboxMail
from clubapp.settings import settings

_BLANK_LINES = re.compile(r"\n\s*\n")


def write(letter: Letter, mail: OutboxMail) -> bytes:
    """The whole message of an outbox row, lines ended by CR LF, ASCII only.

    Raises:
        ValueError: when an address cannot stand in a header.
    """
    subject, text, html = _parts(letter)
    message = EmailMessage(policy=SMTP)
    message["Subject"] = subject
    message["From"] = _address(settings().mail_from)
    message["To"] = Address(one_line(letter.to_name), addr_spec=mail.recipient)
    message["Reply-To"] = Address(addr_spec=settings().reply_to)
    message["Date"] = format_datetime(clock.now())
    message["Message-ID"] = mail.message_id
    message["Auto-Submitted"] = "auto-generated"
    message["X-Club-Kind"] = mail.kind
    message.set_content(text, cte="quoted-printable")
    message.add_alternative(html, subtype="html", cte="quoted-printable")
    return message.as_bytes()


def _parts(letter: Letter) -> tuple[str, str, str]:
    """Subject, text part and HTML part, from the three templates of the letter."""
    subject = one_line(_render(letter, "subject.txt"))
    html = _render(letter, "html.html", title=subject)
    return subject, _render(letter, "text.txt").strip() + "\n", css_inline.inline(html, load_remote_stylesheets=False)


def _render(letter: Letter, name: str, **more: str) -> str:
    template = _environment().get_template(f"{letter.template}/{name}")
    return template.render(letter.context, club=settings(), **more)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=select_autoescape(enabled_extensions=("html",), default=False),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["paragraphs"] = paragraphs
    return made


def paragraphs(text: str) -> list[list[str]]:
    """A plain text as paragraphs of lines; what is empty goes."""
    blocks = _BLANK_LINES.split(text.replace("\r\n", "\n").strip())
    return [block.strip().split("\n") for block in blocks if block.strip()]


def _address(text: str) -> Address:
    name, address = parseaddr(text)
    return Address(one_line(name), addr_spec=address)
