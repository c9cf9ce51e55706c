"""A real SMTP server in the test process, which keeps what it accepts and can be told to misbehave."""

import asyncio
import logging
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.servers import free_port

DROP = "drop the connection"
DROP_AFTER_ACCEPTING = "accept, then drop the connection before saying so"

Fault = Callable[[str], str | None]

logging.getLogger("mail.log").setLevel(logging.WARNING)  # a line for each word of each conversation


@dataclass
class Relay:
    """What the server accepted, and its faults: functions from a recipient to a reply, or None for a good day.

    `held` are the recipients whose messages it takes without a word, until their event is set.
    `login` is the user and password it asks for, if any; `in_clear` is what then reached it without encryption.
    """

    port: int = 0
    scheme: str = "smtp"
    login: tuple[bytes, bytes] | None = None
    in_clear: bytearray = field(default_factory=bytearray)
    accepted: list[EmailMessage] = field(default_factory=list)
    envelopes: list[tuple[str, list[str]]] = field(default_factory=list)
    connections: int = 0
    at_mail: Fault = lambda _: None
    at_rcpt: Fault = lambda _: None
    before_data: Fault = lambda _: None
    at_data: Fault = lambda _: None
    seconds: float = 0.0
    held: dict[str, threading.Event] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """For CLUB_SMTP_URL."""
        named = f"{self.login[0].decode()}:{self.login[1].decode()}@" if self.login else ""
        return f"{self.scheme}://{named}127.0.0.1:{self.port}"

    @property
    def recipients(self) -> Counter[str]:
        """How many messages each address received."""
        return Counter(address for _, addresses in self.envelopes for address in addresses)

    def admits(self, server: SMTP, session: Session, envelope: Envelope, _mechanism: str, given: Any) -> AuthResult:
        """Whether the user and password are the ones it asks for."""
        return AuthResult(success=isinstance(given, LoginPassword) and tuple(given) == self.login, handled=False)

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        self.connections += 1
        session.host_name = hostname
        return responses

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if reply := self.at_mail(address):
            return _said(server, reply)
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if reply := self.at_rcpt(address):
            return _said(server, reply)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        await asyncio.sleep(self.seconds)
        if let_go := self.held.get(envelope.rcpt_tos[0]):
            await asyncio.to_thread(let_go.wait)
        reply = self.at_data(envelope.rcpt_tos[0])
        if reply not in (None, DROP_AFTER_ACCEPTING):
            return _said(server, reply)
        content = cast(bytes, envelope.original_content)
        self.accepted.append(cast(EmailMessage, message_from_bytes(content, policy=policy.default)))
        self.envelopes.append((envelope.mail_from or "", list(envelope.rcpt_tos)))
        return _said(server, reply) if reply else f"250 queued as {len(self.accepted)}"


def _said(server: SMTP, reply: str) -> str:
    if reply in (DROP, DROP_AFTER_ACCEPTING):
        cast(Any, server.transport).abort()
        return "421 dropped"
    return reply


def once(reply: str) -> Fault:
    """A fault that each recipient meets once."""
    met: set[str] = set()

    def fault(address: str) -> str | None:
        return None if address in met else (met.add(address), reply)[1]

    return fault


def only_for(recipient: str, reply: str) -> Fault:
    """A fault that one recipient meets, always."""
    return lambda address: reply if address == recipient else None


def always(reply: str) -> Fault:
    """A fault that everyone meets."""
    return lambda _: reply


class _Listening(SMTP):
    """Notes what comes in before any encryption."""

    def data_received(self, data: bytes) -> None:
        transport = cast(Any, self.transport)
        relay = cast(Relay, self.event_handler)
        if relay.login and transport.get_extra_info("sslcontext") is None:
            relay.in_clear.extend(data)
        super().data_received(data)

    async def smtp_DATA(self, arg: str) -> None:
        """A relay may also go before it asks for the message."""
        relay = cast(Relay, self.event_handler)
        if reply := relay.before_data(cast(Envelope, self.envelope).rcpt_tos[0]):
            await self.push(_said(self, reply))
            return
        await super().smtp_DATA(arg)


class _Controller(Controller):
    def factory(self) -> SMTP:
        return _Listening(self.handler, **self.SMTP_kwargs)


@contextmanager
def running_relay(
    port: int = 0,
    scheme: str = "smtp",
    tls: ssl.SSLContext | None = None,
    login: tuple[bytes, bytes] | None = None,
    ident: str = "relay",
) -> Iterator[Relay]:
    """The server, on a free port of this machine or on the one given, while the block lasts.

    `smtps` encrypts from the first byte with `tls`, `smtp+starttls` at the client's demand.
    `ident` is what it calls itself.
    """
    relay = Relay(port=port or free_port(), scheme=scheme, login=login)
    given: dict[str, Any] = {"ident": ident}
    given |= {"smtps": {"ssl_context": tls}, "smtp+starttls": {"tls_context": tls}}.get(scheme, {})
    if login:
        given |= {"authenticator": relay.admits, "auth_required": True, "auth_require_tls": False}
    controller = _Controller(relay, hostname="127.0.0.1", port=relay.port, ready_timeout=10, **given)
    controller.start()
    try:
        yield relay
    finally:
        controller.stop()
