"""Runs a service off the event loop: one worker thread, one session, one commit (decision 0003)."""

import asyncio
import math
import time
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, TypeVar

import anyio.to_thread
from sqlmodel import Session

from clubapp.database import commit_with_retry, engine, queue_for_commit, reading
from clubapp.services.base.actors import Actor, require_admin

P = ParamSpec("P")
R = TypeVar("R")
# A shared reading is reused for half a second, longer where it is slow: at most 200 times its own duration, so that
# polling takes at most a two hundredth of the server's time, and less than the second after which a screen asks again.
SHARED_SECONDS, LONGEST_SHARED_SECONDS, SHARED_READINGS = 0.5, 0.9, 200
_shared_readings: dict[Any, "_SharedReading"] = {}


async def read(service: Callable[Concatenate[Session, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call `service(session, …)` with a read-only session."""

    def run() -> R:
        with reading() as session:
            return service(session, *args, **kwargs)

    return await anyio.to_thread.run_sync(run)


async def read_shared(
    service: Callable[Concatenate[Session, Actor, P], R], person: Actor, *args: P.args, **kwargs: P.kwargs
) -> R:
    """Like `read`, for readings that open screens poll and that are the same for every administrator.

    Equal calls within a short time share one result: twenty open screens cost little more than one. A change by an
    administrator ends the sharing at once.

    Raises:
        Forbidden: for anyone but an administrator.
    """
    require_admin(person)
    asked, now = (service, args, tuple(kwargs.items())), time.monotonic()
    for past in [key for key, shared in _shared_readings.items() if shared.until < now]:
        del _shared_readings[past]
    if asked not in _shared_readings:
        _shared_readings[asked] = _SharedReading(read(service, person, *args, **kwargs))
    return await asyncio.shield(_shared_readings[asked].result)


class _SharedReading:
    """One result for all equal calls `until` a moment of `time.monotonic`."""

    def __init__(self, reading_it: Coroutine[Any, Any, Any]) -> None:
        self._begun = time.monotonic()
        self.until = math.inf  # while it is on its way
        self.result = asyncio.ensure_future(reading_it)
        self.result.add_done_callback(self._set_end)

    def _set_end(self, _result: asyncio.Future[Any]) -> None:
        took = time.monotonic() - self._begun
        self.until = self._begun + min(LONGEST_SHARED_SECONDS, max(SHARED_SECONDS, SHARED_READINGS * took))


async def write_together(service: Callable[Concatenate[Session, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Like `write`, for what many people send at once: on SQLite their transactions share a commit. PostgreSQL shares
    it by itself."""
    if engine().dialect.name != "sqlite":
        return await write(service, *args, **kwargs)
    # Once begun, a change is not abandoned half-way because a browser left.
    return await asyncio.shield(
        asyncio.wrap_future(queue_for_commit(lambda session: service(session, *args, **kwargs)))
    )


async def write(service: Callable[Concatenate[Session, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call `service(session, …)` in one transaction: all of it happens, or nothing."""

    def run() -> R:
        return commit_with_retry(lambda session: service(session, *args, **kwargs))

    try:
        # Once begun, a change is not abandoned half-way because a browser left.
        return await anyio.to_thread.run_sync(run, abandon_on_cancel=False)
    finally:
        if args and isinstance(args[0], Actor) and args[0].is_admin:
            _shared_readings.clear()
