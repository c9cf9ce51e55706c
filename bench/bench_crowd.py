"""600 websockets at once, from one address and from four: the longest that anybody waits for `/health` meanwhile."""

import asyncio
import http.client
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
CONNECT = b"\x81\x8a\x00\x00\x00\x0040/_event,"  # one text frame, under a mask of zeros


def measure(folder: Path) -> list[Figure]:
    """The longest wait, beside that of a quiet site."""
    site = Site(folder / "crowd")
    site.data_dir.mkdir(parents=True, exist_ok=True)
    site.command("migrate")
    site.start()
    try:
        alone = _longest_wait(site.port)
        return [_crowded(site, addresses, alone) for addresses in (1, 4)]
    finally:
        site.stop()


def _crowded(site: Site, addresses: int, alone: float) -> Figure:
    words = [sys.executable, "-m", "bench.bench_crowd", str(site.port), str(addresses)]
    crowd = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert crowd.stdout
    assert crowd.stdout.readline() == "ready\n"
    longest = _longest_wait(site.port)
    admitted = int(crowd.communicate()[0])
    return Figure(
        f"{CONNECTIONS} websockets at once, addresses: {addresses}, admitted: {admitted}; the longest wait for /health",
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


async def _crowd(port: int, addresses: int) -> int:
    print("ready", flush=True)
    await asyncio.sleep(0.5)
    return sum(
        await asyncio.gather(*(_open(port, f"127.0.0.{1 + number % addresses}") for number in range(CONNECTIONS)))
    )


async def _open(port: int, source: str) -> bool:
    """Connect as a page does, and stay; whether it was admitted."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    writer.write(HANDSHAKE.format(token=uuid.uuid4(), port=port).encode())
    status = await reader.readuntil(b"\r\n\r\n")
    if is_admitted := b" 101 " in status:
        writer.write(CONNECT)
        await asyncio.sleep(WATCHED_SECONDS)
    writer.close()
    return is_admitted


if __name__ == "__main__":
    print(asyncio.run(_crowd(int(sys.argv[1]), int(sys.argv[2]))))
