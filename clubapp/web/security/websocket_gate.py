"""Admits websocket connections: own origins only, so many per address and in all, a bounded message rate, the session
resolved once at the handshake.

A connection is closed when its session ends, and all are refused while the Redis that holds tab states is away.

Reflex finds the state of a tab by the token in the socket's address. That token is replaced here by a digest of it
and the session, so that another person's token or a former session never reaches that state (decision 0002).
"""

import asyncio
import logging
import uuid
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import parse_qsl, urlencode

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clubapp.infra import logs, refusal_counts
from clubapp.infra.token_bucket import TokenBucket
from clubapp.services.access import sessions
from clubapp.settings import settings
from clubapp.text.network_addresses import network_of
from clubapp.web.security.current_actor import session_id_of
from clubapp.web.security.guard import SESSION_HEADER
from clubapp.web.service_calls import read
from clubapp.web.states import redis_watch

log = logging.getLogger(__name__)

PATH = "/_event"
BURST, PER_SECOND = 120, 30
CHECK_SECONDS = 2
# Of one address in all processes together; in one process, of one address at the least, and of everybody.
MOST_PER_ADDRESS, LEAST_PER_ADDRESS, MOST = 200, 20, 4000
_NEVER_PER_ADDRESS = 300  # in all processes together, whatever their number
_SESSION_ENDED = 4401
_FLOOD = 4429
_UNEXPECTED = 4400
_TRY_LATER = 1013
# Reflex keeps the headers of a handshake in the state of the tab: those that engine.io and it read.
_KEPT_HEADERS = (b"host", b"origin", b"upgrade", b"connection")
_LONGEST_HEADER = 300
# What the front end sends: close, ping and pong of engine.io; once, the connection of its namespace, and the end of
# that; events, and errors of the front end. Socket.IO would take an event called 'connect' for a handshake, whose
# headers the client chooses, and keep packets with attachments until the last one comes.
_CONNECT = "40/_event,"
_PACKETS = ("1", "2", "3", _CONNECT, "41/_event,", '42/_event,["event",', '42/_event,["client_error",')


@dataclass
class _OpenConnections:
    """The open connections by session id (None: a visitor), and the state of the Redis that holds their tab states."""

    open: dict[str | None, set[asyncio.Event]] = field(default_factory=dict)
    by_network: Counter[str] = field(default_factory=Counter)
    redis: str | None = ""  # its run id; None while it is away

    def admit(self, network: str) -> bool:
        """Count one more connection of a network, unless there are too many."""
        if self.is_full(network):
            return False
        self.by_network[network] += 1
        return True

    def is_full(self, network: str) -> bool:
        """Whether no more connection of a network is admitted."""
        return self.by_network[network] >= share_of_process() or self.by_network.total() >= MOST

    def leave(self, network: str) -> None:
        """Count one connection of a network less."""
        self.by_network[network] -= 1
        if not self.by_network[network]:
            del self.by_network[network]

    def add(self, session_id: str | None) -> asyncio.Event:
        """Register a connection. The returned event is set when the connection must be closed."""
        ended = asyncio.Event()
        self.open.setdefault(session_id, set()).add(ended)
        return ended

    def remove(self, session_id: str | None, ended: asyncio.Event) -> None:
        """Unregister a connection that has ended."""
        self.open[session_id].discard(ended)
        if not self.open[session_id]:
            del self.open[session_id]

    def close(self, *session_ids: str | None) -> None:
        """Close every connection of these sessions."""
        for session_id in session_ids:
            for ended in self.open.get(session_id, ()):
                ended.set()


_connections = _OpenConnections()


def share_of_process() -> int:
    """How many connections of one address this process admits."""
    workers = settings().workers
    return min(max(LEAST_PER_ADDRESS, MOST_PER_ADDRESS // workers), (_NEVER_PER_ADDRESS - 1) // workers)


def is_full(connection: HTTPConnection) -> bool:
    """Whether a websocket from the address of a request would be refused now."""
    return _connections.is_full(_network(connection.scope))


def _network(scope: Scope) -> str:
    return network_of((scope.get("client") or [""])[0])


class WebsocketGate:
    """ASGI wrapper around the whole application; it acts on the event socket only."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._turn = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the connection, or refuse it."""
        if not scope.get("path", "").startswith(PATH):
            await self.app(scope, receive, send)
        elif scope["type"] != "websocket" or not _is_own_origin(scope) or not _has_token(scope):
            refusal_counts.count(refusal_counts.ORIGIN)
            await _refuse(scope, send, 1008)
        elif _connections.redis is None:
            await _refuse(scope, send, _TRY_LATER)
        elif not _connections.admit(network := _network(scope)):
            refusal_counts.count(refusal_counts.CONNECTION)
            log.warning("a connection was refused: too many are open from its address, or in all")
            await _refuse(scope, send, _TRY_LATER)
        else:
            try:
                await self._serve(scope, receive, send)
            finally:
                _connections.leave(network)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        session_id = await session_id_of(HTTPConnection(scope))
        ended = _connections.add(session_id)
        try:
            await _take(self._turn)
            receiver = _LimitedReceiver(receive, ended, self._turn)
            await self.app(bind_scope(scope, session_id), receiver.receive, send)
        finally:
            _connections.remove(session_id, ended)


class _LimitedReceiver:
    """The messages of one connection: expected ones, bounded in rate (token bucket), until its session ends.

    Those of all connections are handed on one after the other.
    """

    def __init__(self, receive: Receive, ended: asyncio.Event, turn: asyncio.Lock) -> None:
        self._receive, self._ended, self._turn = receive, ended, turn
        self._messages = TokenBucket(BURST, PER_SECOND)
        self._is_connected = False

    async def receive(self) -> Message:
        """The next message; a disconnect when the session has ended, the rate is exceeded or no page sends this."""
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
        if message["type"] == "websocket.receive" and not self._messages.take():
            refusal_counts.count(refusal_counts.CONNECTION)
            log.warning("a client sent more than %s messages a second and was cut off", PER_SECOND)
            return {"type": "websocket.disconnect", "code": _FLOOD}
        if message["type"] == "websocket.receive" and not self._is_expected(message.get("text") or ""):
            refusal_counts.count(refusal_counts.CONNECTION)
            return {"type": "websocket.disconnect", "code": _UNEXPECTED}
        await _take(self._turn)
        return message

    def _is_expected(self, packet: str) -> bool:
        is_again, self._is_connected = self._is_connected, self._is_connected or packet.startswith(_CONNECT)
        return packet.startswith(_PACKETS) and not (is_again and packet.startswith(_CONNECT))


async def _take(turn: asyncio.Lock) -> None:
    """Wait for a turn of the loop that nobody else takes.

    Reflex works on a handshake, and on a first page, for milliseconds without a pause: between two of them whatever
    else waits is served.
    """
    async with turn:
        await asyncio.sleep(0)


def bind_scope(scope: Scope, session_id: str | None) -> Scope:
    """The scope passed to Reflex: the session id in place of the cookie, and a tab token bound to the session."""
    headers = [
        (name, value)
        for name, value in scope["headers"]
        if (name in _KEPT_HEADERS or name.startswith(b"sec-websocket-")) and len(value) <= _LONGEST_HEADER
    ]
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


def _has_token(scope: Scope) -> bool:
    return any(name == "token" for name, _ in parse_qsl(scope["query_string"].decode("latin-1")))


async def _refuse(scope: Scope, send: Send, code: int) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": code})
        return
    await send({"type": "http.response.start", "status": 403, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


async def watch_connections() -> None:
    """Check every `CHECK_SECONDS` whether Redis answers and which sessions have ended. Runs until it is cancelled."""
    while True:
        logs.begin_reference()
        await _follow_redis()
        try:
            await _close_ended()
        except Exception:  # the checks continue
            log.exception("the open sessions could not be checked")
        await asyncio.sleep(CHECK_SECONDS)


async def _follow_redis() -> None:
    """Refuse connections while Redis is away; after it restarted, close all so that pages connect anew (R7)."""
    try:
        run_id = await redis_watch.read_run_id()
    except Exception as error:  # any failure counts as absence
        if _connections.redis is not None:
            log.warning("Redis is away, and open pages are told so: %s", error)
        run_id = None
    before, _connections.redis = _connections.redis, run_id
    if before not in (run_id, ""):  # empty before the first check
        _connections.close(*_connections.open)


async def _close_ended() -> None:
    """Close the connections of sessions that ended in any process: sign-out, removal, expiry (S9)."""
    if inside := [session_id for session_id in _connections.open if session_id]:
        living = await read(sessions.find_active, inside)
        _connections.close(*(session_id for session_id in inside if session_id not in living))
