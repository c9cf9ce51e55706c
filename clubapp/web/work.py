"""Runs a service off the event loop: one worker thread, one session, one commit (decision 0003)."""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

import anyio.to_thread
from sqlmodel import Session

from clubapp.database import reading, transaction

P = ParamSpec("P")
R = TypeVar("R")


async def read(service: Callable[Concatenate[Session, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call `service(session, …)` with a session that only looks."""

    def run() -> R:
        with reading() as session:
            return service(session, *args, **kwargs)

    return await anyio.to_thread.run_sync(run)


async def write(service: Callable[Concatenate[Session, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call `service(session, …)` in one transaction: all of it happens, or nothing."""

    def run() -> R:
        with transaction() as session:
            return service(session, *args, **kwargs)

    # Once begun, a change is not abandoned half-way because a browser left.
    return await anyio.to_thread.run_sync(run, abandon_on_cancel=False)
