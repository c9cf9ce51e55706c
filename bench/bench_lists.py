"""What the administrators' list of members costs with 50 members and with 5 000, and what a large club does."""

import os
import random
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.figures import Figure
from clubapp import database
from clubapp import settings as settings_module
from clubapp.database import reading, transaction
from clubapp.migrations import migrate
from clubapp.services import demo
from clubapp.services.base import search
from clubapp.services.base.actors import SYSTEM
from clubapp.services.members import listing
from clubapp.services.members.listing import MemberFilter

FEW, MANY = 50, 5_000
ROUNDS = 40


def measure(folder: Path) -> list[Figure]:
    """The first page, and a search, beside the same with few members."""
    few, many = (_times(folder / str(count), count) for count in (FEW, MANY))
    begun = time.perf_counter()
    with club(folder / "demo", 300):
        loaded = time.perf_counter() - begun
    return [
        Figure(f"first page of {MANY} members", _ms(many[0]), f"{_ms(few[0])} of {FEW} members (limit: three times)"),
        Figure(f"search among {MANY} members", _ms(many[1]), f"{_ms(few[1])} among {FEW} members"),
        Figure("directory search over 6000 members", _ms(_found_among(6000)), "limit: 50 ms"),
        Figure("a demo club of 300 members, from nothing", f"{loaded:.1f} s"),
    ]


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def _times(folder: Path, members: int) -> tuple[float, float]:
    with club(folder, members):
        return _median(MemberFilter()), _median(MemberFilter(text="dupont"))


@contextmanager
def club(folder: Path, members: int) -> Iterator[None]:
    """A club of that size in a database of its own."""
    before = os.environ.get("CLUB_DATABASE_URL")
    folder.mkdir(parents=True)
    os.environ["CLUB_DATABASE_URL"] = f"sqlite:///{folder / 'club.sqlite3'}"
    _forget()
    try:
        migrate()
        with transaction() as session:
            demo.load_club(session, members=members, companies=45, events=0)
        yield
    finally:
        os.environ.pop("CLUB_DATABASE_URL")
        if before is not None:
            os.environ["CLUB_DATABASE_URL"] = before
        _forget()


def _found_among(count: int) -> float:
    """Seconds of a directory search over members with made-up texts."""
    dice = random.Random(7)
    syllables = ["lo", "mi", "ra", "ten", "sol", "ve", "dur", "nor", "cha", "pel", "gui", "mar", "bre", "tis", "con"]

    def text(words: int) -> str:
        return " ".join("".join(dice.choices(syllables, k=dice.randint(2, 4))) for _ in range(words))

    members = [(text(2), text(2), text(2), text(6), text(8)) for _ in range(count)]
    search.find_records(members, "premier passage")
    times = []
    for query in ("lomira", "norchapel gui", "marbretsi", "durtensol mira"):
        begun = time.perf_counter()
        search.find_records(members, query)
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def _forget() -> None:
    database.engine.cache_clear()
    settings_module.settings.cache_clear()


def _median(wanted: MemberFilter) -> float:
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        with reading() as session:
            listing.list_members(session, SYSTEM, wanted)
        times.append(time.perf_counter() - begun)
    return statistics.median(times)
