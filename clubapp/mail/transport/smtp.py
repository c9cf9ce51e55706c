"""Where messages are handed over: an SMTP relay, or `.eml` files when no relay is configured.

Both are driven in the same three steps, so that delivery knows at each failure what may have left:
`announce_message` (nothing has), `hand_over` (from here on it may have), and the answer. fastapi-mail opens the
connection; the steps are those of the aiosmtplib session it holds.
"""

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import unquote, urlsplit

import aiosmtplib
from aiosmtplib.protocol import SMTPProtocol
from pydantic import SecretStr

from clubapp.infra import error_causes
from clubapp.mail.queue.outbox import sender_address
from clubapp.settings import settings

if TYPE_CHECKING:  # it takes 16 MB of memory, and is not loaded while mails are written as files
    from fastapi_mail import ConnectionConfig

COMMAND_SECONDS = 30
DATA_SECONDS, MOST_DATA_SECONDS = 120, 280  # a relay may scan a message before it acknowledges it
SLOWEST = 100_000  # bytes of a message in a second
ACCEPTED, START, CLOSING = 250, 354, 421
BAD_ADDRESS = 553
_BAD_MAILBOX = re.compile(r"5\.1\.\d|5\.2\.1")  # enhanced codes of a mailbox that takes nothing (RFC 3463)
NO_CONNECTION = "La connexion au serveur d’envoi a échoué\u00a0: {why}"
NO_REPLY = "sa réponse n’est pas celle d’un serveur d’envoi"
LOST = "La connexion au serveur d’envoi s’est perdue pendant la remise\u00a0: {why}"
NO_SIGN_IN, HUNG_UP = "ce serveur ne propose pas d’identification", "il l’a coupée"
# French meanings of aiosmtplib's errors that have no code, by words of their English text.
_MEANINGS = {
    "SMTP AUTH": NO_SIGN_IN,  # its sentence ends on STARTTLS
    "No suitable authentication": NO_SIGN_IN,
    "STARTTLS": "ce serveur ne propose pas de chiffrement",
    "Unexpected EOF": HUNG_UP,
    "Connection lost": HUNG_UP,
}
PORTS = {"smtp": 25, "smtps": 465, "smtp+starttls": 587}


class RelayUnreachable(Exception):
    """The relay could not be reached, or did not serve us. Nothing has left."""


class RelayRefusal(Exception):
    """The relay refused this message. `code` is its reply: 4xx for now, 5xx for good.

    `is_of_address`: it refused the recipient's address, not the content of the message.
    """

    def __init__(self, code: int, text: str, *, at_address: bool = False) -> None:
        super().__init__(_reply_text(code, text))
        self.code = code
        self.is_of_address = at_address or _BAD_MAILBOX.match(text) is not None


class DeliveryUnknown(Exception):
    """The connection was lost after the hand-over began: the message may have been accepted."""


@dataclass(frozen=True)
class PreparedMessage:
    """A message ready to send. `name` is the same at each attempt, so that FileRelay overwrites its file."""

    name: str
    recipient: str
    content: bytes


class Relay(Protocol):
    """Takes messages one after the other: announced, then handed over."""

    async def announce_message(self, message: PreparedMessage, /) -> None:
        """Announce a message.

        Raises:
            RelayUnreachable: nothing has left.
            RelayRefusal: nothing has left, and the relay refuses the recipient.
        """
        ...

    async def hand_over(self, message: PreparedMessage) -> str:
        """Pass the announced message on.

        Returns:
            The relay's acknowledgement, such as '250 2.0.0 Ok'.

        Raises:
            RelayUnreachable: nothing has left.
            RelayRefusal: the message was not accepted.
            DeliveryUnknown: the message may have been accepted.
        """
        ...

    async def close(self) -> None:
        """End the connection, if there is one."""
        ...


class SmtpRelay:
    """One SMTP connection, opened at the first message and kept for the next ones."""

    def __init__(self, url: str) -> None:
        self._config = connection_config(url)
        self._session: aiosmtplib.SMTP | None = None

    async def announce_message(self, message: PreparedMessage) -> None:
        """Send MAIL and RCPT. See `Relay.announce_message`."""
        session = await self._connect()
        try:
            await session.mail(sender_address())
            await session.rcpt(message.recipient)
        except ValueError:
            await self._reset(BAD_ADDRESS)
            raise RelayRefusal(BAD_ADDRESS, "cette adresse ne peut pas lui être transmise", at_address=True) from None
        except aiosmtplib.SMTPResponseException as error:
            if isinstance(error, aiosmtplib.SMTPRecipientRefused) and 400 <= error.code < 600:
                await self._reset(error.code)
                raise RelayRefusal(error.code, error.message, at_address=True) from None
            self._drop()
            raise RelayUnreachable(
                _relay_reply(error.code, error.message) or NO_CONNECTION.format(why=NO_REPLY)
            ) from None
        except (aiosmtplib.SMTPException, OSError) as error:
            self._drop()
            raise RelayUnreachable(NO_CONNECTION.format(why=_describe_error(error))) from None

    async def hand_over(self, message: PreparedMessage) -> str:
        """Send DATA. See `Relay.hand_over`."""
        protocol = await self._begin_data()
        try:
            protocol.write(_dot_stuff(message.content))
            seconds = min(MOST_DATA_SECONDS, DATA_SECONDS + len(message.content) / SLOWEST)
            answer = await protocol.read_response(timeout=seconds)
        except Exception as error:  # whatever the cause, nobody knows whether it was accepted (M8)
            self._drop()
            raise DeliveryUnknown(LOST.format(why=_describe_error(error))) from None
        if answer.code == ACCEPTED:
            return _reply_text(answer.code, answer.message)
        raise await self._interpret_refusal(answer, DeliveryUnknown)

    async def _begin_data(self) -> SMTPProtocol:
        """Have the relay wait for the content of the message. Nothing has left before this returns."""
        try:
            if self._session is None or self._session.protocol is None:
                raise aiosmtplib.SMTPServerDisconnected("not connected")
            answer = await self._session.execute_command(b"DATA")
        except (aiosmtplib.SMTPException, OSError) as error:
            self._drop()
            raise RelayUnreachable(NO_CONNECTION.format(why=_describe_error(error))) from None
        if answer.code == START:
            return self._session.protocol
        raise await self._interpret_refusal(answer, RelayUnreachable)

    async def _interpret_refusal(self, answer: aiosmtplib.SMTPResponse, otherwise: type[Exception]) -> Exception:
        """RelayRefusal for a 4xx or 5xx; `otherwise` for a reply that means nothing here, and ends the connection."""
        if 400 <= answer.code < 600:
            await self._reset(answer.code)
            return RelayRefusal(answer.code, answer.message)
        self._drop()
        return otherwise(_reply_text(answer.code, answer.message))

    async def close(self) -> None:
        """Send QUIT, or only close the connection when that fails."""
        if self._session is not None:
            with suppress(aiosmtplib.SMTPException, OSError):
                await self._session.quit(timeout=2)
        self._drop()

    async def _connect(self) -> aiosmtplib.SMTP:
        if self._session is not None and self._session.is_connected:
            return self._session
        from fastapi_mail.connection import Connection
        from fastapi_mail.errors import ConnectionErrors

        connection = Connection(self._config)
        try:
            await connection.__aenter__()
        except ConnectionErrors as error:
            with suppress(AttributeError):
                connection.session.close()
            raise RelayUnreachable(NO_CONNECTION.format(why=_describe_error(error.__context__ or error))) from None
        self._session = connection.session
        return self._session

    async def _reset(self, code: int) -> None:
        """Send RSET after a refusal, before the next message; drop a connection that the relay closes."""
        if self._session is None or code == CLOSING:
            self._drop()
            return
        try:
            await self._session.rset()
        except (aiosmtplib.SMTPException, OSError):
            self._drop()

    def _drop(self) -> None:
        if self._session is not None:
            self._session.close()
        self._session = None


def _reply_text(code: int, text: str) -> str:
    """A relay's reply as a text that the database can store, whatever its bytes were."""
    return f"{code} {text.encode(errors='surrogateescape').decode(errors='replace')}".replace("\0", "")


def _relay_reply(code: int, text: str) -> str:
    """The reply's text; empty for a code that the library made up because the line is no SMTP reply."""
    return _reply_text(code, text) if 200 <= code < 600 else ""


def describe_refusal(code: int, text: str, *, of_sign_in: bool) -> str:
    """In French, why the relay ended a connection with this reply, as a part of a sentence."""
    reply = _relay_reply(code, text)
    if reply and of_sign_in and code >= 500:
        return f"{error_causes.NOT_ADMITTED} ({reply})"
    return reply or NO_REPLY


def _describe_error(error: BaseException) -> str:
    if isinstance(error, aiosmtplib.SMTPServerDisconnected):
        return HUNG_UP
    if isinstance(error, aiosmtplib.SMTPResponseException):
        of_sign_in = isinstance(error, aiosmtplib.SMTPAuthenticationError)
        return describe_refusal(error.code, error.message, of_sign_in=of_sign_in)
    meaning = next((text for word, text in _MEANINGS.items() if word in str(error)), "")
    cause = meaning or error_causes.describe_cause(error)
    return HUNG_UP if cause.startswith("Error connecting") else cause  # aiosmtplib gives no cause for it


def _dot_stuff(content: bytes) -> bytes:
    """The message as DATA takes it: a dot that begins a line is doubled, a line of one dot ends it (RFC 5321)."""
    return (b"\r\n" + content).replace(b"\r\n.", b"\r\n..")[2:] + b".\r\n"


class FileRelay:
    """Writes each message to `mail/<name>.eml` in the data directory, atomically."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def announce_message(self, _message: PreparedMessage, /) -> None:
        """Create the folder. See `Relay.announce_message`."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RelayUnreachable(error_causes.describe_cause(error)) from None

    async def hand_over(self, message: PreparedMessage) -> str:
        """Write the file. See `Relay.hand_over`."""
        target = self._folder / f"{message.name}.eml"
        draft = target.with_suffix(".part")
        try:
            draft.write_bytes(message.content)
            os.replace(draft, target)
        except OSError as error:
            raise RelayRefusal(451, error_causes.describe_cause(error)) from None
        return f"250 {target.name}"

    async def close(self) -> None:
        """Do nothing: there is no connection."""


def open_relay() -> Relay:
    """The relay that the settings name."""
    url = settings().smtp_url
    return SmtpRelay(url) if url else FileRelay(mail_folder())


def mail_folder() -> Path:
    """Where messages are written as files while no relay is configured."""
    return settings().data_dir / "mail"


def connection_config(url: str) -> "ConnectionConfig":
    """fastapi-mail's settings for `smtp://`, `smtps://` or `smtp+starttls://`, user and password included.

    Built without validation: that would read MAIL_FROM, TIMEOUT and the like from the environment,
    whose only reader is `clubapp.settings`.
    """
    from fastapi_mail import ConnectionConfig

    parts = urlsplit(url)
    return ConnectionConfig.model_construct(
        MAIL_SERVER=parts.hostname,
        MAIL_PORT=parts.port or PORTS[parts.scheme],
        MAIL_USERNAME=unquote(parts.username or ""),
        MAIL_PASSWORD=SecretStr(unquote(parts.password or "")),
        MAIL_FROM=sender_address(),
        MAIL_SSL_TLS=parts.scheme == "smtps",
        MAIL_STARTTLS=parts.scheme == "smtp+starttls",
        USE_CREDENTIALS=bool(parts.username),
        VALIDATE_CERTS=True,
        SUPPRESS_SEND=0,
        TIMEOUT=COMMAND_SECONDS,
        LOCAL_HOSTNAME=urlsplit(settings().public_url).hostname,
        CERT_BUNDLE=None,
    )
