"""How many public pages one process serves, beside the directory written without any of this; and its memory.

Both are served by one worker of the same server and asked in the same way: sixteen readers that keep their connection
and take compressed pages. An address with a number of pages has the directory built afresh, each time.
"""

import asyncio
import os
import sqlite3
import subprocess
import time
import urllib.request
from pathlib import Path

from bench.figures import Figure, baseline
from tests.e2e.site import Site

READERS, TURNS, SECONDS, VISITS = 16, 5, 2.0, 5000
LIMIT_MB = 250
KEPT = ("/membres", "/", "/connexion")


def measure(folder: Path) -> list[Figure]:
    """Pages a second, afresh and kept; memory after 5 000 visits; whether an edit is in the next answer."""
    site = Site(folder / "site").start()
    try:
        page = folder / "page.html"
        page.write_bytes(_fetch(site.url + "/membres")[0])
        read = {"PLAIN_DATABASE": f"sqlite:///{site.data_dir / 'club.sqlite3'}", "PLAIN_PAGE": str(page)}
        with baseline("bench.plain_directory:app", site.variables() | read) as plain:
            ours, theirs = _rates((site.port, "/membres?page=1"), (plain, "/membres"))
            *kept, bare = _rates(*((site.port, path) for path in KEPT), (plain, "/kept"))
        asyncio.run(_read(site.port, "/membres", visits=VISITS))
        memory = _memory(site)
        seen = _edit_is_seen(site)
    finally:
        site.stop()
    return [
        _beside("directory pages built afresh", ours, theirs, 0.8),
        *(_beside(f"`{path}`, kept and checked", rate, bare, 0.5) for path, rate in zip(KEPT, kept, strict=True)),
        Figure("an edit of a member", f"in the {'next' if seen else 'NOT the next'} answer, with another ETag", ""),
        Figure(f"memory of the server after {VISITS} more visits", f"{memory:.0f} MB", f"limit {LIMIT_MB} MB"),
    ]


def _beside(what: str, ours: float, theirs: float, least: float) -> Figure:
    share = ours / theirs
    return Figure(
        f"{what}, one process",
        f"{ours:.0f}/s",
        f"{theirs:.0f}/s by a bare FastAPI and Jinja page: {share:.2f} of it (at least {least})",
    )


def _fetch(url: str) -> tuple[bytes, str]:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read(), answer.headers.get("ETag", "")


def _rates(*sides: tuple[int, str]) -> list[float]:
    """Pages a second of each side, in turns; the best of each, for other work on the machine only takes away."""
    turns = [[asyncio.run(_read(*side, seconds=SECONDS)) / SECONDS for side in sides] for _ in range(TURNS)]
    return [max(of_one) for of_one in zip(*turns, strict=True)]


async def _read(port: int, address: str, *, seconds: float = 600, visits: int = 10**9) -> int:
    """How many pages sixteen readers got within that time, or until that many."""
    until, done = time.monotonic() + seconds, 0

    async def reader() -> None:
        nonlocal done
        source, target = await asyncio.open_connection("127.0.0.1", port)
        while time.monotonic() < until and done < visits:
            target.write(f"GET {address} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n".encode())
            head = (await source.readuntil(b"\r\n\r\n")).lower()
            assert head.startswith(b"http/1.1 200"), head
            await source.readexactly(int(head.partition(b"content-length:")[2].split(b"\r\n")[0]))
            done += 1
        target.close()

    await asyncio.gather(*(reader() for _ in range(READERS)))
    return done


def _memory(site: Site) -> float:
    """Megabytes of the server and its worker, shared pages counted once."""
    assert site.process
    group = str(os.getpgid(site.process.pid))
    listed = subprocess.run(["ps", "-o", "pid=", "-g", group], capture_output=True, text=True, check=True).stdout
    rollups = (Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in listed.split())
    return sum(int(text.split("\nPss:")[1].split()[0]) for text in rollups) / 1000


def _edit_is_seen(site: Site) -> bool:
    """Another process changes a name; the next page has it, under another tag."""
    _, before = _fetch(site.url + "/membres")
    with sqlite3.connect(site.data_dir / "club.sqlite3") as database:
        database.execute("UPDATE members SET name = 'Quelqu’un de Nouveau' WHERE id = (SELECT min(id) FROM members)")
    page, after = _fetch(site.url + "/membres")
    return "Quelqu’un de Nouveau".encode() in page and before != after
