"""A websocket read by the thread that asks: nothing in between can miss that a message has come."""

import socket
import ssl
import time
from urllib.parse import urlsplit

from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    CloseConnection,
    Event,
    Ping,
    RejectConnection,
    Request,
    TextMessage,
)
from wsproto.utilities import RemoteProtocolError


class Closed(Exception):
    """The other side has ended the connection, or never began it."""


class PlainSocket:
    """One connection to `ws://host:port/path`; to `wss:` under the name that a header `Host` gives, unchecked."""

    def __init__(self, address: str, headers: list[tuple[bytes, bytes]], source: str = "") -> None:
        parts = urlsplit(address)
        host = dict(headers).get(b"Host", parts.netloc.encode()).decode()
        headers = [(name, value) for name, value in headers if name != b"Host"]
        self._texts: list[str] = []
        self._half = ""
        self._events: list[Event] = []
        self._protocol = WSConnection(ConnectionType.CLIENT)
        self._socket = socket.create_connection(
            (parts.hostname or "", parts.port or 80), timeout=10, source_address=(source, 0) if source else None
        )
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if parts.scheme == "wss":
            self._socket = ssl._create_unverified_context().wrap_socket(self._socket, server_hostname=host)
        target = f"{parts.path}?{parts.query}"
        self._send(Request(host=host, target=target, extra_headers=headers))
        while not isinstance(self._next_event(time.monotonic() + 10), AcceptConnection):
            pass

    @property
    def port(self) -> int:
        """The port of this end."""
        return self._socket.getsockname()[1]

    def send(self, text: str) -> None:
        """Send one message."""
        self._send(TextMessage(data=text))

    def receive(self, timeout: float) -> str | None:
        """The next message, or None when none comes in time.

        Raises:
            Closed: when the other side ends the connection.
        """
        until = time.monotonic() + timeout
        while not self._texts:
            event = self._next_event(until)
            if event is None:
                return None
            if isinstance(event, TextMessage):
                self._half += event.data
                if event.message_finished:
                    self._texts.append(self._half)
                    self._half = ""
        return self._texts.pop(0)

    def send_raw(self, frames: bytes) -> None:
        """Send frames that were written before."""
        self._socket.sendall(frames)

    def close(self) -> None:
        """Leave, without waiting for a farewell."""
        self._socket.close()

    def _send(self, event: Event) -> None:
        self._socket.sendall(self._protocol.send(event))

    def _next_event(self, until: float) -> Event | None:
        while not self._events:
            left = until - time.monotonic()
            if left <= 0:
                return None
            self._socket.settimeout(left)
            try:
                data = self._socket.recv(65536)
            except TimeoutError:
                return None
            except OSError:
                raise Closed from None
            try:
                self._protocol.receive_data(data or None)
            except RemoteProtocolError:  # cut off in the middle of a word
                raise Closed from None
            self._events += self._protocol.events()
        event = self._events.pop(0)
        if isinstance(event, Ping):
            self._send(event.response())
        if isinstance(event, CloseConnection | RejectConnection):
            raise Closed
        return event
