"""A connection is cut off when a request never ends (W5), or when its end can be read in two ways."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import pytest
import uvicorn
import websockets
from uvicorn.server import ServerState

from clubapp.serving import connection_limits

T = TypeVar("T")
FORM = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n"


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answer with what was received."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})
        return
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
    await send({"type": "http.response.body", "body": body})


async def try_bodies(port: int) -> tuple[bytes, bytes, str]:
    """What is answered to a body that ends and to one that never does; what an open websocket still says."""
    async with websockets.connect(f"ws://127.0.0.1:{port}/") as socket:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(FORM + b"bo")
        await writer.drain()
        writer.write(b"dy")
        whole = await reader.readuntil(b"body")
        writer.write(FORM + b"b")
        try:
            cut = await reader.read()
        except ConnectionResetError:
            cut = b""
        writer.close()
        await socket.send("here")
        return whole, cut, str(await socket.recv())


def serve(attempt: Callable[[int], Coroutine[Any, Any, T]]) -> T:
    """What a client makes of a server that listens on a port of its own."""

    async def run() -> T:
        config = uvicorn.Config(
            echo, ws=connection_limits.LimitedWebsocket, ws_ping_interval=None, lifespan="off", log_config=None
        )
        config.load()
        state = ServerState()
        made = await asyncio.get_running_loop().create_server(
            lambda: connection_limits.LimitedHttp(config, state, {}), "127.0.0.1", 0
        )
        async with made:
            return await asyncio.wait_for(attempt(made.sockets[0].getsockname()[1]), 20)

    return asyncio.run(run())


async def send(port: int, request: bytes) -> bytes:
    """The first line of the answer to a request as it is."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    line = await reader.readline()
    writer.close()
    return line


@pytest.mark.parametrize(
    "headers",
    [
        "Content-Length: 4\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: xchunked\r\nContent-Length: 4",
        "Transfer-Encoding: chunked, identity",
        "Content-Length: 4\r\nContent-Length: 5",
        "Content-Length : 4",
    ],
)
def test_a_request_whose_end_can_be_read_in_two_ways_is_refused(headers: str) -> None:
    """Fails when a proxy and the site could disagree on where the next request begins."""
    request = f"POST / HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n\r\nbody"
    assert serve(lambda port: send(port, request.encode())).startswith(b"HTTP/1.1 400")


def test_a_request_whose_body_never_ends_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "BODY_SECONDS", 0.2)
    whole, cut, said = serve(try_bodies)
    assert whole.startswith(b"HTTP/1.1 200")
    assert cut == b""
    assert said == "here"
