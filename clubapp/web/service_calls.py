"""Runs a service off the event loop: one worker thread, one session, one commit (decision 0003)."""

import asyncio
import math
import time
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, TypeVar

import anyio.to_thread
from sqlmodel import Session

from clubapp.database import committed, reading
from clubapp.services.base.actors import Actor, require_admin

P = ParamSpec("P")
R = TypeVar("R")
# What open screens ask is asked once for all of them: for half a second, longer where the reading is slow, so that
# looking takes a two hundredth of the server's time, and never so long that a screen is two seconds behind.
SHARED_SECONDS, LONGEST_SHARED_SECONDS, SHARED_READINGS = 0.5, 1.0, 200
_looks: dict[Any, "_Look"] = {}


async def read(service: Callable[Concatenate[Session, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call `service(session, …)` with a session that only looks."""

    def run() -> R:
        with reading() as session:
            return service(session, *args, **kwargs)

    return await anyio.to_thread.run_sync(run)


async def look(
    service: Callable[Concatenate[Session, Actor, P], R], person: Actor, *args: P.args, **kwargs: P.kwargs
) -> R:
    """Like `read`, for what screens that are left open ask again and again, and every administrator is told alike.

    Whoever asks the same soon afterwards shares one reading: twenty open screens cost little more than one. What an
    administrator changes is in their own next look.

    Raises:
        Forbidden: for anyone but an administrator.
    """
    require_admin(person)
    asked, now = (service, args, tuple(kwargs.items())), time.monotonic()
    for past in [key for key, shared in _looks.items() if shared.until < now]:
        del _looks[past]
    if asked not in _looks:
        _looks[asked] = _Look(read(service, person, *args, **kwargs))
    return await asyncio.shield(_looks[asked].told)


class _Look:
    """One reading for all who ask the same `until` a moment of `time.monotonic`."""

    def __init__(self, reading_it: Coroutine[Any, Any, Any]) -> None:
        self._begun = time.monotonic()
        self.until = math.inf  # while it is on its way
        self.told = asyncio.ensure_future(reading_it)
        self.told.add_done_callback(self._last)

    def _last(self, _told: asyncio.Future[Any]) -> None:
        took = time.monotonic() - self._begun
        self.until = self._begun + min(LONGEST_SHARED_SECONDS, max(SHARED_SECONDS, SHARED_READINGS * took))


async def write(service: Callable[Concatenate[Session, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call `service(session, …)` in one transaction: all of it happens, or nothing."""

    def run() -> R:
        return committed(lambda session: service(session, *args, **kwargs))

    try:
        # Once begun, a change is not abandoned half-way because a browser left.
        return await anyio.to_thread.run_sync(run, abandon_on_cancel=False)
    finally:
        if args and isinstance(args[0], Actor) and args[0].is_admin:
            _looks.clear()
