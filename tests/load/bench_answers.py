"""How many answers a second are stored, and how long the slowest wait: the page's own service beside a bare endpoint.

The bare endpoint is what one would write in an afternoon: find the row by its token, set a field, commit, read it
back; no rule, no wording, no view. Both run in worker threads, on the same file, with the same durable commits.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio.to_thread
from sqlalchemy import Engine, event
from sqlmodel import Session, create_engine, select

from clubapp import clock, tokens
from clubapp.database import transaction
from clubapp.models import EventReservation, Member
from clubapp.services import answers
from clubapp.settings import settings
from clubapp.web.work import write
from tests.factories import add_event, add_reservation
from tests.load.figures import Figure, percentile
from tests.load.installation import installation

MEMBERS, PEOPLE_AT_ONCE = 400, 16


@dataclass(frozen=True)
class Link:
    """What one person holds."""

    event_id: str
    token: str


def measure(folder: Path) -> list[Figure]:
    """Everyone says yes, to lunch too, with two guests: three saves a person, first through the service, then bare."""
    with installation(folder, MEMBERS):
        served, waits = asyncio.run(_timed(_through_the_service, _invite_everyone(days=900)))
        bare_engine = _plain_engine()
        bare, bare_waits = asyncio.run(_timed(_through(bare_engine), _invite_everyone(days=1000)))
        bare_engine.dispose()
    return [
        Figure(
            f"saves of the answer page, {PEOPLE_AT_ONCE} people at once, SQLite",
            f"{served:.0f}/s, p99 {percentile(waits, 0.99) * 1000:.0f} ms",
            f"{bare:.0f}/s, p99 {percentile(bare_waits, 0.99) * 1000:.0f} ms for a bare SQLModel endpoint",
        )
    ]


def _invite_everyone(days: int) -> list[Link]:
    with transaction() as session:
        made = add_event(session, date=clock.now() + timedelta(days=days), status="confirmed")
        members = session.exec(select(Member)).all()
        return [Link(made.id, add_reservation(session, made, member)[1]) for member in members]


def _through_the_service(link: Link) -> list[Awaitable[Any]]:
    return [
        write(answers.attend, link.event_id, link.token, True),
        write(answers.lunch, link.event_id, link.token, True),
        write(answers.guests, link.event_id, link.token, 2),
    ]


def _plain_engine() -> Engine:
    """The engine of a tutorial, made as durable as ours."""
    made = create_engine(settings().database_url, connect_args={"check_same_thread": False, "timeout": 30})

    def prepare(connection: Any, _record: Any) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            connection.execute(f"PRAGMA {pragma}")

    event.listen(made, "connect", prepare)
    return made


def _through(bare: Engine) -> Callable[[Link], list[Awaitable[Any]]]:
    def endpoint(token: str, **fields: Any) -> EventReservation:
        with Session(bare) as session:
            wanted = select(EventReservation).where(EventReservation.response_token == tokens.fingerprint(token))
            found = session.exec(wanted).one()
            found.sqlmodel_update(fields | {"updated_at": clock.now()})
            session.add(found)
            session.commit()
            session.refresh(found)
            return found

    def call(token: str, **fields: Any) -> Awaitable[Any]:
        return anyio.to_thread.run_sync(lambda: endpoint(token, **fields))

    return lambda link: [
        call(link.token, will_attend=True, responded_at=clock.now()),
        call(link.token, with_lunch=True),
        call(link.token, guest_count=2),
    ]


async def _timed(saves: Callable[[Link], list[Awaitable[Any]]], links: list[Link]) -> tuple[float, list[float]]:
    """Saves a second, and how long each took from being asked to being stored."""
    waits: list[float] = []
    waiting = iter(links)

    async def person() -> None:
        for link in waiting:
            for save in saves(link):
                begun = time.perf_counter()
                await save
                waits.append(time.perf_counter() - begun)

    begun = time.perf_counter()
    await asyncio.gather(*(person() for _ in range(PEOPLE_AT_ONCE)))
    return len(waits) / (time.perf_counter() - begun), waits
