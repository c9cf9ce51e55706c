"""The door of the websocket: our origin only, a bounded rate, the session resolved once, and closed when it ends.

While the states of tabs are out of reach the door is shut, and each open page says that the connection is lost.

The state of a tab is found again by the token in the socket's address. That token is replaced here by one
made from it and the session, so that nobody else's token, and no former session, reaches that state (decision 0002).
"""

import asyncio
import logging
import time
import uuid
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import parse_qsl, urlencode

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clubapp.services.access import sessions
from clubapp.settings import settings
from clubapp.web.security.current_actor import session_id_of
from clubapp.web.security.guard import SESSION_HEADER
from clubapp.web.service_calls import read
from clubapp.web.states import redis_watch

log = logging.getLogger(__name__)

PATH = "/_event"
BURST, PER_SECOND = 120, 30
CHECK_SECONDS = 2
_SESSION_ENDED = 4401
_FLOOD = 4429
_TRY_LATER = 1013
_DROPPED_HEADERS = (b"cookie", SESSION_HEADER.encode())


@dataclass
class _OpenConnections:
    """The connections that are open, by their session (None: a visitor), and the Redis that holds their states."""

    open: dict[str | None, set[asyncio.Event]] = field(default_factory=dict)
    redis: str | None = ""  # its mark; None while it is away

    def enter(self, session_id: str | None) -> asyncio.Event:
        """A connection begins; what it returns is set when it has to leave."""
        ended = asyncio.Event()
        self.open.setdefault(session_id, set()).add(ended)
        return ended

    def leave(self, session_id: str | None, ended: asyncio.Event) -> None:
        """A connection has ended."""
        self.open[session_id].discard(ended)
        if not self.open[session_id]:
            del self.open[session_id]

    def close(self, *session_ids: str | None) -> None:
        """Send the connections of these sessions away."""
        for session_id in session_ids:
            for ended in self.open.get(session_id, ()):
                ended.set()


_connections = _OpenConnections()


class WebsocketGate:
    """ASGI wrapper around the whole application; it only looks at the event socket."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one connection in, or not."""
        if not scope.get("path", "").startswith(PATH):
            await self.app(scope, receive, send)
        elif scope["type"] != "websocket" or not _is_own_origin(scope):
            await _refuse(scope, send, 1008)
        elif _connections.redis is None:
            await _refuse(scope, send, _TRY_LATER)
        else:
            await self._serve(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        session_id = await session_id_of(HTTPConnection(scope))
        ended = _connections.enter(session_id)
        try:
            await self.app(bind_scope(scope, session_id), _LimitedReceiver(receive, ended).receive, send)
        finally:
            _connections.leave(session_id, ended)


class _LimitedReceiver:
    """What comes in: at most so many messages a second, and nothing once the session has ended."""

    def __init__(self, receive: Receive, ended: asyncio.Event) -> None:
        self._receive, self._ended = receive, ended
        self._left, self._at = float(BURST), time.monotonic()

    async def receive(self) -> Message:
        """The next message, or the order to leave."""
        incoming = asyncio.ensure_future(self._receive())
        ending = asyncio.ensure_future(self._ended.wait())
        try:
            await asyncio.wait({incoming, ending}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            incoming.cancel()
            raise
        finally:
            ending.cancel()
        if self._ended.is_set():
            incoming.cancel()
            return {"type": "websocket.disconnect", "code": _SESSION_ENDED}
        message = incoming.result()
        if message["type"] == "websocket.receive" and not self._may_pass():
            log.warning("a client sent more than %s messages a second and was cut off", PER_SECOND)
            return {"type": "websocket.disconnect", "code": _FLOOD}
        return message

    def _may_pass(self) -> bool:
        now = time.monotonic()
        self._left = min(BURST, self._left + (now - self._at) * PER_SECOND)
        self._at = now
        self._left -= 1
        return self._left >= 0


def bind_scope(scope: Scope, session_id: str | None) -> Scope:
    """The scope Reflex sees: no cookie, the session's id in its place, and a tab token of this session only."""
    headers = [(name, value) for name, value in scope["headers"] if name.lower() not in _DROPPED_HEADERS]
    if session_id:
        headers.append((SESSION_HEADER.encode(), session_id.encode()))
    query = [
        (name, bind_token(value, session_id) if name == "token" else value)
        for name, value in parse_qsl(scope["query_string"].decode("latin-1"))
    ]
    return {**scope, "headers": headers, "query_string": urlencode(query).encode()}


def bind_token(tab_token: str, session_id: str | None) -> str:
    """The token under which the state of one tab in one session is kept."""
    digest = sha256(f"{tab_token}\0{session_id or ''}".encode()).digest()
    return str(uuid.UUID(bytes=digest[:16]))


def _is_own_origin(scope: Scope) -> bool:
    origin = HTTPConnection(scope).headers.get("origin")
    return origin is None or origin in settings().origins


async def _refuse(scope: Scope, send: Send, code: int) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": code})
        return
    await send({"type": "http.response.start", "status": 403, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


async def watch_connections() -> None:
    """Look again and again at what may end a connection from elsewhere: the states of tabs, and its session."""
    while True:
        await _follow_redis()
        try:
            await _close_ended()
        except Exception:  # the watch goes on
            log.exception("the open sessions could not be checked")
        await asyncio.sleep(CHECK_SECONDS)


async def _follow_redis() -> None:
    """Shut the door while Redis is away. Pages whose state it forgot come in anew, as after a start of ours (R7)."""
    try:
        mark = await redis_watch.read_run_id()
    except Exception as error:  # whatever keeps it from answering
        if _connections.redis is not None:
            log.warning("Redis is away, and open pages are told so: %s", error)
        mark = None
    before, _connections.redis = _connections.redis, mark
    if before not in (mark, ""):  # an empty one was never looked at
        _connections.close(*_connections.open)


async def _close_ended() -> None:
    """Close the connections of sessions that ended in any process: sign-out, removal, expiry (S9)."""
    if inside := [session_id for session_id in _connections.open if session_id]:
        living = await read(sessions.find_active, inside)
        _connections.close(*(session_id for session_id in inside if session_id not in living))
