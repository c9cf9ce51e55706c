"""A connection is cut off when a request never ends (W5)."""

import asyncio
from typing import Any

import pytest
import uvicorn
import websockets
from uvicorn.server import ServerState

from clubapp.serving import connection_limits

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


def test_a_request_whose_body_never_ends_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "BODY_SECONDS", 0.2)

    async def run() -> tuple[bytes, bytes, str]:
        config = uvicorn.Config(
            echo, ws=connection_limits.LimitedWebsocket, ws_ping_interval=None, lifespan="off", log_config=None
        )
        config.load()
        state = ServerState()
        made = await asyncio.get_running_loop().create_server(
            lambda: connection_limits.LimitedHttp(config, state, {}), "127.0.0.1", 0
        )
        async with made:
            return await asyncio.wait_for(try_bodies(made.sockets[0].getsockname()[1]), 20)

    whole, cut, said = asyncio.run(run())
    assert whole.startswith(b"HTTP/1.1 200")
    assert cut == b""
    assert said == "here"
