"""Runs a service off the event loop: one worker thread, one session, one commit (decision 0003)."""

import asyncio
import time
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

import anyio.to_thread
from sqlmodel import Session

from clubapp.database import committed, reading
from clubapp.services.actors import Actor, require_admin

P = ParamSpec("P")
R = TypeVar("R")
SHARED_SECONDS = 0.5
_looks: dict[Any, tuple[float, asyncio.Future[Any]]] = {}


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

    Whoever asks the same within half a second shares one reading: twenty open screens cost no more than one. What an
    administrator changes is in their own next look.

    Raises:
        Forbidden: for anyone but an administrator.
    """
    require_admin(person)
    asked, now = (service, args, tuple(kwargs.items())), time.monotonic()
    for past in [key for key, (begun, _) in _looks.items() if now - begun > SHARED_SECONDS]:
        del _looks[past]
    if asked not in _looks:
        _looks[asked] = now, asyncio.ensure_future(read(service, person, *args, **kwargs))
    return await asyncio.shield(_looks[asked][1])


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
