"""600 websockets at once, from one address and from four, bare or asking for a first page each: the longest that
anybody waits for `/health` meanwhile.
"""

import asyncio
import http.client
import struct
import subprocess
import sys
import time
import uuid
from pathlib import Path

from bench.figures import Figure
from tests.e2e.site import ROOT, Site

CONNECTIONS, WATCHED_SECONDS, LIMIT_SECONDS = 600, 8, 0.5
HANDSHAKE = (
    "GET /_event/?token={token}&EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
    "Origin: http://127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
FIRST_PAGE = (
    '42/_event,["event",{"name":"reflex___state____state.hydrate","payload":{},'
    '"router_data":{"pathname":"/","asPath":"/","query":{}}}]'
)


def _frame(text: str) -> bytes:
    """One text frame of 126 characters or more, or of fewer, under a mask of zeros."""
    length = (
        struct.pack("!BB", 0x81, 0x80 | len(text)) if len(text) < 126 else struct.pack("!BBH", 0x81, 0xFE, len(text))
    )
    return length + bytes(4) + text.encode()


def measure(folder: Path) -> list[Figure]:
    """The longest wait, beside that of a quiet site."""
    site = Site(folder / "crowd")
    site.data_dir.mkdir(parents=True, exist_ok=True)
    site.command("migrate")
    site.start()
    try:
        alone = _longest_wait(site.port)
        return [_crowded(site, addresses, asks, alone) for asks in ("", "asks") for addresses in (1, 4)]
    finally:
        site.stop()


def _crowded(site: Site, addresses: int, asks: str, alone: float) -> Figure:
    words = [sys.executable, "-m", "bench.bench_crowd", str(site.port), str(addresses), asks]
    crowd = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert crowd.stdout
    assert crowd.stdout.readline() == "ready\n"
    longest = _longest_wait(site.port)
    admitted = int(crowd.communicate()[0])
    return Figure(
        f"{CONNECTIONS} {'first pages' if asks else 'websockets'} at once, addresses: {addresses}, "
        f"admitted: {admitted}; the longest wait for /health",
        f"{longest:.2f} s",
        f"limit {LIMIT_SECONDS} s; {alone:.3f} s without them",
    )


def _longest_wait(port: int) -> float:
    connection, waits, until = (
        http.client.HTTPConnection("127.0.0.1", port),
        list[float](),
        time.monotonic() + WATCHED_SECONDS,
    )
    while time.monotonic() < until:
        begun = time.monotonic()
        connection.request("GET", "/health")
        assert connection.getresponse().read()
        waits.append(time.monotonic() - begun)
        time.sleep(0.01)
    return max(waits)


async def _crowd(port: int, addresses: int, asks: str) -> int:
    print("ready", flush=True)
    await asyncio.sleep(0.5)
    sources = [f"127.0.0.{1 + number % addresses}" for number in range(CONNECTIONS)]
    return sum(await asyncio.gather(*(_open(port, source, bool(asks)) for source in sources)))


async def _open(port: int, source: str, asks: bool) -> bool:
    """Connect as a page does, get what it shows or not, and stay; whether it was admitted."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    writer.write(HANDSHAKE.format(token=uuid.uuid4(), port=port).encode())
    status = await reader.readuntil(b"\r\n\r\n")
    if is_admitted := b" 101 " in status:
        writer.write(_frame("40/_event,"))
        if asks:
            await reader.readuntil(b"40/_event,")
            writer.write(_frame(FIRST_PAGE))
            await reader.readuntil(b"42/_event,")
        await asyncio.sleep(WATCHED_SECONDS)
    writer.close()
    return is_admitted


if __name__ == "__main__":
    print(asyncio.run(_crowd(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])))
