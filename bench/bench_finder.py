"""How long the search over everything takes in a club of 6 000 members, beside a plain LIKE over the same columns."""

import gc
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, or_, select

from bench.bench_lists import club
from bench.figures import Figure, percentile
from clubapp.database import reading
from clubapp.models import Company, Event, Member
from clubapp.services.base import search
from clubapp.services.base.actors import SYSTEM
from clubapp.services.finder import finding
from clubapp.services.finder.finding import Findings

MEMBERS = 6_000
ROUNDS = 20
# A name, a beginning, a slip of the keys, two words of which one has none of its accents, a month, an act.
TYPED = ("dupont", "mar", "carpantier", "helene lefebvre", "décembre", "envoyer les invitations")
SHOWN = 6


def measure(folder: Path) -> list[Figure]:
    """Milliseconds of one search: the middle, the slowest of a hundred, and what a LIKE takes that knows no slip."""
    with club(folder, MEMBERS):
        gc.freeze()  # collections as the server has them
        gc.set_threshold(10_000, 20, 20)
        _time(finding.find_anything, SYSTEM)
        ours = _time(finding.find_anything, SYSTEM)
        after = _time(_find_after_change)
        plain = _time(_find_plainly)
    return [
        Figure(
            f"search over everything, {MEMBERS} members",
            f"p50 {_ms(statistics.median(ours))}, p99 {_ms(percentile(ours, 0.99))} (limit: 50 ms)",
            f"p50 {_ms(statistics.median(plain))}, p99 {_ms(percentile(plain, 0.99))} by LIKE, no accents, no slips",
        ),
        Figure(
            "the same, each time just after a member was changed",
            f"p50 {_ms(statistics.median(after))}, p99 {_ms(percentile(after, 0.99))}",
        ),
    ]


def _time(find: Callable[..., Any], *before: Any) -> list[float]:
    """Each search in a session of its own, as a handler has it."""
    times = []
    for _ in range(ROUNDS):
        for text in TYPED:
            begun = time.perf_counter()
            with reading() as session:
                find(session, *before, text)
            times.append(time.perf_counter() - begun)
    return times


def _find_after_change(session: Session, text: str) -> Findings:
    """What was known of the records is out of date."""
    search._index.cache_clear()
    return finding.find_anything(session, SYSTEM, text)


def _find_plainly(session: Session, text: str) -> list[Any]:
    """The rows that hold the text as it was typed."""
    wanted = f"%{text}%"
    searched: tuple[tuple[Any, tuple[Any, ...]], ...] = (
        (Member, (Member.name, Member.company, Member.role, Member.email)),
        (Company, (Company.name, Company.city, Company.activity_domain)),
        (Event, (Event.title, Event.location, Event.host)),
    )
    return [
        row
        for table, columns in searched
        for row in session.exec(
            select(table.id, *columns).where(or_(*(col(one).ilike(wanted) for one in columns))).limit(SHOWN)
        )
    ]


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"
