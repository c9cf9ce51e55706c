"""What one connection may ask of the server before the application hears of it (W5).

Frames and headers are read in Python: whoever sends them without pause would keep everybody else waiting.
"""

from asyncio import BaseTransport, TimerHandle, Transport
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from clubapp.infra.token_bucket import TokenBucket

# A screen sends a few frames a second; the messages among them are counted more narrowly (`websocket_gate`).
FRAMES_AT_ONCE, FRAMES_PER_SECOND = 600, 150
BYTES_AT_ONCE = 2048
LARGEST_HEAD = 65_536
HEAD_SECONDS = 60


class LimitedWebsocket(WebSocketsSansIOProtocol):
    """A websocket that is cut off when its frames, pings and fragments included, come faster than people act."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._frames = TokenBucket(FRAMES_AT_ONCE, FRAMES_PER_SECOND)

    def data_received(self, data: bytes) -> None:
        """Read a little at a time, and no more once the connection is to end."""
        for start in range(0, len(data), BYTES_AT_ONCE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + BYTES_AT_ONCE])

    def handle_text(self, event: Any) -> None:
        """One frame."""
        self._count()
        super().handle_text(event)

    def handle_bytes(self, event: Any) -> None:
        """One frame."""
        self._count()
        super().handle_bytes(event)

    def handle_cont(self, event: Any) -> None:
        """One frame."""
        self._count()
        super().handle_cont(event)

    def handle_ping(self) -> None:
        """One frame."""
        self._count()
        super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        """One frame."""
        self._count()
        super().handle_pong(event)

    def _count(self) -> None:
        if not self._frames.take():
            self.transport.abort()


class LimitedHttp(HttpToolsProtocol):
    """A connection whose requests say within reason what they want: neither endlessly nor never."""

    _head, _is_in_head = 0, True
    _patience: TimerHandle | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Someone is there."""
        super().connection_made(cast(Transport, transport))
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        """Read on, unless the head of a request has grown too long."""
        super().data_received(data)
        self._head = self._head + len(data) if self._is_in_head else 0
        if self._head > LARGEST_HEAD:
            self.transport.abort()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._is_in_head = True
        self._wait_for_head()

    def on_headers_complete(self) -> None:
        """Its head is there."""
        self._is_in_head = False
        self._wait_no_more()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """They have gone."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        self._wait_no_more()
        self._patience = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _wait_no_more(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
