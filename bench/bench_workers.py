"""One process and four in the same run: how soon the site is there, what it holds, what it carries; and how it grows.

`python -m bench.bench_workers FOLDER` measures this alone.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import event as events
from sqlalchemy import insert
from sqlmodel import Session, col, select

from bench import bench_answers as pages
from bench.figures import Figure, percentile
from bench.installation import installation
from clubapp import clock
from clubapp.database import engine, transaction
from clubapp.models import EventReservation, Member, new_id
from clubapp.services.answers import by_link
from clubapp.services.answers.answer_form import parse_attendance
from clubapp.services.base.actors import SYSTEM
from clubapp.services.directory import for_visitors
from clubapp.services.events import admin_views
from tests.e2e.several_servers import several
from tests.e2e.site import Site
from tests.factories import add_event, add_reservation
from tests.soak.fire import Plan, run

START_SECONDS, IDLE_MB, TIMES, P50_MS = 1.5, 180, 2.0, 1000
FEW, MANY = (60, 12), (6000, 1200)  # members, events
OPEN_PAGES = 300
ROUNDS = 40


def measure(folder: Path) -> list[Figure]:
    """Start and memory, load and pages, growth, and answers under fire."""
    return [
        *_begins(folder / "begins"),
        *_carries(folder),
        *_grows(folder),
        Figure(
            "1000 people post 3000 answers within a minute while a process is killed every 10 s, 4 processes",
            str(run(folder / "fire", Plan(per_second=50))),
            f"limit p50 {P50_MS} ms, none lost, none doubled",
        ),
    ]


def _begins(folder: Path) -> list[Figure]:
    """With the front end built and the database filled, as each start but the first finds them."""
    # As anywhere but here: Python keeps what it has compiled.
    site = Site(folder, environment={"PYTHONDONTWRITEBYTECODE": ""}).start()
    site.stop()
    seconds = []
    for _ in range(5):
        begun = time.perf_counter()
        site.start()
        seconds.append(time.perf_counter() - begun)
        time.sleep(5)
        idle = _resident_mb(site)
        site.stop()
    return [
        Figure("start to first answer", f"{min(seconds):.2f} s", f"limit {START_SECONDS} s"),
        Figure("memory of the idle site, SQLite", f"{idle:.0f} MB", f"limit {IDLE_MB} MB"),
    ]


def _carries(folder: Path) -> list[Figure]:
    """Saves of the answer page and open pages, with one process and with four, over PostgreSQL and Redis."""
    one, four = (_loaded(folder / f"carries-{workers}", workers) for workers in (1, 4))
    return [
        Figure(
            f"answers by link, {pages.CONNECTIONS} connections, 4 processes, PostgreSQL and Redis",
            f"{four.speed:.0f}/s, p99 {four.p99:.0f} ms",
            f"{one.speed:.0f}/s, p99 {one.p99:.0f} ms with one process",
        ),
        Figure(
            "memory per open screen, 4 processes",
            f"{four.page_kb:.0f} kB, {four.idle:.0f} MB with none open",
            f"{one.page_kb:.0f} kB, {one.idle:.0f} MB with one process",
        ),
    ]


@dataclass(frozen=True)
class _Load:
    speed: float  # saves a second
    p99: float  # in milliseconds
    idle: float  # MB
    page_kb: float


def _loaded(folder: Path, workers: int) -> _Load:
    with several(folder, workers) as made:
        time.sleep(5)
        idle = _resident_mb(made.site)
        links = pages._shared_out(pages._invite(made.site, has_lunch=True))  # pyright: ignore[reportPrivateUsage]
        speed, waits = pages._timed([pages._page(made.site, mine) for mine in links])  # pyright: ignore[reportPrivateUsage]
        before = _resident_mb(made.site)
        tabs = made.tabs(OPEN_PAGES)
        for tab in tabs:
            tab.hydrate()
        held = _resident_mb(made.site)
    return _Load(speed, percentile(waits, 0.99) * 1000, idle, (held - before) / len(tabs) * 1024)


def _resident_mb(site: Site) -> float:
    """The server's own memory, its workers' included; shared pages are shared out."""
    assert site.process is not None
    found = subprocess.run(
        ["ps", "-o", "pid=", "-g", str(site.process.pid)], capture_output=True, text=True, check=True
    )
    rollups = [Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in found.stdout.split()]
    return sum(int(line.split()[1]) for text in rollups for line in text.splitlines() if line.startswith("Pss:")) / 1024


def _grows(folder: Path) -> list[Figure]:
    """Queries and time of three things people do, in a small club and in one a hundred times its size."""
    small, large = (_sized(folder / f"club-{members}", members, held) for members, held in (FEW, MANY))
    return [
        Figure(
            f"{what}, {MANY[0]} members and {MANY[1]} events",
            f"{after[0]} queries, {after[1]:.1f} ms",
            f"{before[0]} queries, {before[1]:.1f} ms with {FEW[0]} and {FEW[1]}: {after[1] / before[1]:.1f} times",
        )
        for (what, before), after in zip(small.items(), large.values(), strict=True)
    ]


def _sized(folder: Path, members: int, held: int) -> dict[str, tuple[int, float]]:
    """Queries and milliseconds of each, in a club of that size."""
    with installation(folder, members):
        with transaction() as session:
            links = _history(session, held)
        with engine().connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")  # loading is not what is measured
        saves = iter(links)
        return {
            "the directory": _cost(for_visitors.search_members),
            "the events screen": _cost(_events_screen),
            "one event's dialog": _cost(lambda session: admin_views.read_overview(session, SYSTEM, links[0][0])),
            "an answer": _cost(lambda session: by_link.record_answer(session, *next(saves), parse_attendance(True))),
        }


def _history(session: Session, held: int) -> list[tuple[str, str]]:
    """So many events, one a month, most of them long past, thirty people invited to each; the links of the last."""
    people = list(session.exec(select(col(Member.id))).all())
    numbers = count()
    rows: list[dict[str, Any]] = []
    for number in range(held):
        made = add_event(session, date=clock.now() - timedelta(days=31 * (number + 20)), status="completed")
        for _ in range(30):
            person, now = people[next(numbers) % len(people)], clock.now()
            rows.append(
                {"id": new_id(), "event_id": made.id, "member_id": person, "response_token": new_id()}
                | {"will_attend": True, "created_at": now, "updated_at": now}
            )
    session.execute(insert(EventReservation), rows)
    coming = add_event(session, date=clock.now() + timedelta(days=900), status="confirmed")
    asked = session.exec(select(Member).limit(ROUNDS + 5)).all()
    return [(coming.id, add_reservation(session, coming, person)[1]) for person in asked]


def _events_screen(session: Session) -> None:
    admin_views.list_calendar(session, SYSTEM)
    admin_views.list_upcoming_events(session, SYSTEM)


def _cost(act: Callable[[Session], Any]) -> tuple[int, float]:
    """Queries of one time, and the median of the milliseconds."""
    asked: list[str] = []
    note = lambda *given: asked.append(given[2])  # noqa: E731
    times = []
    events.listen(engine(), "before_cursor_execute", note)
    for _ in range(ROUNDS):
        asked.clear()
        begun = time.perf_counter()
        with transaction() as session:
            act(session)
        times.append(time.perf_counter() - begun)
    events.remove(engine(), "before_cursor_execute", note)
    return len(asked), statistics.median(times) * 1000


if __name__ == "__main__":
    for figure in measure(Path(sys.argv[1])):
        print(figure)
