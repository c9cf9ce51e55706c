"""Limits of one connection, enforced before the application gets its data (W5).

Frames and headers are parsed in Python: a client that sends them without a pause would block all others.
"""

from asyncio import BaseTransport, TimerHandle, Transport
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from clubapp.infra.token_bucket import TokenBucket

# A screen sends a few frames a second. The messages among them have a lower limit (`websocket_gate`).
FRAMES_AT_ONCE, FRAMES_PER_SECOND = 600, 150
BYTES_AT_ONCE = 2048
LARGEST_HEAD = 65_536
HEAD_SECONDS = 60
BODY_SECONDS = 600  # the largest file, over a slow line


class LimitedWebsocket(WebSocketsSansIOProtocol):
    """A websocket that is aborted when it sends more frames than a person causes, pings and fragments included."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._frames = TokenBucket(FRAMES_AT_ONCE, FRAMES_PER_SECOND)

    def data_received(self, data: bytes) -> None:
        """Parse a few frames at a time, and none once the connection is closing."""
        for start in range(0, len(data), BYTES_AT_ONCE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + BYTES_AT_ONCE])

    def handle_text(self, event: Any) -> None:
        self._count_frame()
        super().handle_text(event)

    def handle_bytes(self, event: Any) -> None:
        self._count_frame()
        super().handle_bytes(event)

    def handle_cont(self, event: Any) -> None:
        self._count_frame()
        super().handle_cont(event)

    def handle_ping(self) -> None:
        self._count_frame()
        super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        self._count_frame()
        super().handle_pong(event)

    def _count_frame(self) -> None:
        if not self._frames.take():
            self.transport.abort()


class LimitedHttp(HttpToolsProtocol):
    """A connection that is aborted when a request's head exceeds LARGEST_HEAD bytes or takes over HEAD_SECONDS.

    So it is when a body takes over BODY_SECONDS.
    """

    _head_bytes, _is_in_head, _is_in_body = 0, True, False
    _timer: TimerHandle | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(cast(Transport, transport))
        self._start_timer(HEAD_SECONDS)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._head_bytes = self._head_bytes + len(data) if self._is_in_head else 0
        if self._head_bytes > LARGEST_HEAD:
            self.transport.abort()
        if self._is_in_body and self._timer is None:
            self._start_timer(BODY_SECONDS)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_in_head = True
        self._start_timer(HEAD_SECONDS)

    def on_headers_complete(self) -> None:
        self._is_in_head, self._is_in_body = False, True
        self._cancel_timer()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._is_in_body = False
        self._cancel_timer()
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_timer()
        super().connection_lost(exc)

    def _start_timer(self, seconds: float) -> None:
        self._cancel_timer()
        self._timer = self.loop.call_later(seconds, self.transport.abort)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
