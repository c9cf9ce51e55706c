"""The door of the websocket binds a tab to its session and lets no credential through."""

import asyncio
from typing import Any

import pytest
from starlette.requests import HTTPConnection

from clubapp.infra import refusal_counts
from clubapp.text.network_addresses import network_of
from clubapp.web.security import websocket_gate
from clubapp.web.security.websocket_gate import BURST, MOST_PER_ADDRESS, WebsocketGate, bind_scope, bind_token
from tests.conftest import forget_settings


def scope(**given: Any) -> dict[str, Any]:
    return {
        "type": "websocket",
        "path": "/_event/",
        "query_string": b"EIO=4&token=tab-1&transport=websocket",
        "headers": [(b"host", b"localhost:3000"), (b"cookie", b"session=a.b"), (b"authorization", b"forged")],
        **given,
    }


def test_the_cookie_stays_outside_and_a_forged_session_header_is_dropped() -> None:
    assert bind_scope(scope(), None)["headers"] == [(b"host", b"localhost:3000")]
    assert (b"authorization", b"session-id") in bind_scope(scope(), "session-id")["headers"]


def test_one_tab_token_leads_to_another_state_in_another_session() -> None:
    visitor, first, second = (bind_token("tab-1", session) for session in (None, "one", "two"))
    assert len({visitor, first, second, "tab-1"}) == 4
    assert bind_token("tab-1", "one") == first
    assert f"token={first}".encode() in bind_scope(scope(), "one")["query_string"]
    assert b"EIO=4" in bind_scope(scope(), "one")["query_string"]


def run(door: WebsocketGate, given: dict[str, Any], incoming: list[dict[str, Any]]) -> tuple[list[Any], list[Any]]:
    """Everything the application received and everything that was sent back."""
    sent: list[Any] = []

    async def receive() -> Any:
        return incoming.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(door(given, receive, send))
    return incoming, sent


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        (b"http://localhost:3000", True),
        (b"http://127.0.0.1:3000", True),
        (b"https://evil.example", False),
        (b"null", False),
    ],
)
def test_only_our_origin_comes_in(environment: pytest.MonkeyPatch, origin: bytes, expected: bool) -> None:
    reached: list[str] = []

    async def app(given: Any, receive: Any, send: Any) -> None:
        reached.append(given["path"])

    _, sent = run(WebsocketGate(app), scope(headers=[(b"origin", origin)]), [])
    assert bool(reached) is expected
    assert sent == ([] if expected else [{"type": "websocket.close", "code": 1008}])


@pytest.mark.parametrize(("workers", "share"), [(1, 200), (4, 50), (8, 25), (12, 20), (15, 19), (64, 4)])
def test_one_address_holds_less_than_300_connections_however_many_the_processes(
    environment: pytest.MonkeyPatch, workers: int, share: int
) -> None:
    environment.setenv("CLUB_WORKERS", str(workers))
    environment.setenv("CLUB_DATABASE_URL", "postgresql://club@localhost/club")
    environment.setenv("CLUB_REDIS_URL", "redis://localhost:6379")
    forget_settings()
    assert websocket_gate.share_of_process() == share
    assert workers * share < 300


def test_whoever_would_be_refused_is_told_so_by_the_state_of_the_site(
    environment: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket_gate, "_connections", connections := websocket_gate._OpenConnections())
    near, far = (HTTPConnection(scope(client=(address, 1))) for address in ("192.0.2.1", "198.51.100.1"))
    while connections.admit(network_of("192.0.2.1")):
        assert not websocket_gate.is_full(far)
    assert websocket_gate.is_full(near)
    assert not websocket_gate.is_full(far)


def test_all_addresses_of_an_ipv6_network_hold_as_many_connections_as_one(
    environment: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fails when whoever has a /64, as every household with IPv6 does, opens connections without end."""
    monkeypatch.setattr(websocket_gate, "_connections", connections := websocket_gate._OpenConnections())
    served: list[str] = []
    refused: list[Any] = []
    near = [f"2001:db8:7:1::{number:x}" for number in range(MOST_PER_ADDRESS + 1)]
    given = [scope(headers=[], client=(address, 1)) for address in (*near, "2001:db8:7:2::1")]

    async def main() -> None:
        everybody = asyncio.Event()

        def note(answers: list[Any], told: Any) -> None:
            answers.append(told)
            if len(served) + len(refused) == len(given):
                everybody.set()

        async def app(given: Any, _receive: Any, _send: Any) -> None:
            note(served, given["client"][0])
            await asyncio.Event().wait()

        async def send(message: Any) -> None:
            note(refused, message)

        async def receive() -> Any:
            await everybody.wait()

        gate = WebsocketGate(app)
        clients = [asyncio.create_task(gate(each, receive, send)) for each in given]
        await asyncio.wait_for(everybody.wait(), 5)
        for client in clients:
            client.cancel()
        await asyncio.wait(clients)

    asyncio.run(main())
    assert len(served) == MOST_PER_ADDRESS + 1
    assert "2001:db8:7:2::1" in served
    assert refused == [{"type": "websocket.close", "code": 1013}]
    assert not connections.by_network


def test_hundreds_of_connections_are_served_one_after_the_other(environment: pytest.MonkeyPatch) -> None:
    """Fails when handshakes or first pages are worked off in one go, and whatever else is asked waits for seconds."""
    served: list[str] = []
    most = 0

    async def watch() -> None:
        nonlocal most
        while len(served) < 300:
            before = len(served)
            await asyncio.sleep(0)
            most = max(most, len(served) - before)

    async def app(_given: Any, receive: Any, _send: Any) -> None:
        served.append("begun")
        while (await receive())["type"] == "websocket.receive":
            served.append("message")

    async def main() -> None:
        gate = WebsocketGate(app)
        for _ in range(50):
            incoming = iter([{"type": "websocket.receive", "text": "3"} for _ in range(5)])

            async def receive(incoming: Any = incoming) -> Any:
                return next(incoming, {"type": "websocket.disconnect"})

            clients.append(asyncio.create_task(gate(scope(headers=[]), receive, send)))
        await watch()
        await asyncio.gather(*clients)

    async def send(_message: Any) -> None: ...

    clients: list[asyncio.Task[None]] = []
    asyncio.run(main())
    assert (len(served), most) == (300, 1)


def test_a_flood_is_cut_off(environment: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    refusal_counts.take()

    async def app(given: Any, receive: Any, send: Any) -> None:
        while (message := await receive())["type"] == "websocket.receive":
            seen.append(message["text"])

    run(WebsocketGate(app), scope(headers=[]), [{"type": "websocket.receive", "text": "3"} for _ in range(BURST * 3)])
    assert BURST <= len(seen) < BURST * 2
    assert refusal_counts.take() == {"connection": 1}


@pytest.mark.parametrize(
    "packet",
    [
        '42/_event,["connect",{"QUERY_STRING":"token=tab-2"}]',  # a handshake within the connection
        '42/_event,["disconnect"]',
        '451-/_event,["event",{"_placeholder":true,"num":0}]',  # attachments, which are kept until the last one
        "b4",
        "42/,[]",
        "40/_event,",
        None,
    ],
)
def test_what_no_page_of_ours_sends_ends_the_connection(environment: pytest.MonkeyPatch, packet: str | None) -> None:
    seen: list[Any] = []

    async def app(given: Any, receive: Any, send: Any) -> None:
        while (message := await receive())["type"] == "websocket.receive":
            seen.append(message["text"])

    given = ["40/_event,{}", '42/_event,["event",{}]', "3", packet, "3"]
    run(WebsocketGate(app), scope(headers=[]), [{"type": "websocket.receive", "text": text} for text in given])
    assert seen == given[:3]


def test_of_a_handshake_the_needed_headers_are_kept_and_without_a_token_there_is_none(
    environment: pytest.MonkeyPatch,
) -> None:
    many = [(b"host", b"club"), (b"x-more", b"x"), (b"user-agent", b"x" * 60_000), (b"upgrade", b"x" * 60_000)]
    assert bind_scope(scope(headers=many), None)["headers"] == [(b"host", b"club")]

    async def app(given: Any, receive: Any, send: Any) -> None:
        raise AssertionError("let in")

    _, sent = run(WebsocketGate(app), scope(query_string=b"EIO=4"), [])
    assert sent == [{"type": "websocket.close", "code": 1008}]


def test_an_open_socket_ends_with_its_session(environment: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch) -> None:
    async def session_of(_connection: Any) -> str:
        return "one"

    monkeypatch.setattr(websocket_gate, "session_id_of", session_of)
    got: list[Any] = []

    async def app(given: Any, receive: Any, send: Any) -> None:
        got.append(await receive())

    async def never() -> Any:
        await asyncio.Event().wait()

    async def nothing(_message: Any) -> None:
        return None

    async def scenario() -> None:
        served = asyncio.create_task(WebsocketGate(app)(scope(headers=[]), never, nothing))
        await asyncio.sleep(0.05)
        websocket_gate._connections.close("one")
        await asyncio.wait_for(served, 1)

    asyncio.run(scenario())
    assert got == [{"type": "websocket.disconnect", "code": 4401}]
    assert not websocket_gate._connections.open
