"""Commits the steps of several lanes together.

A commit that reaches the disk takes longer than a step itself. Each lane waits for the commit that holds its own step,
so that what is promised of a step holds (M8). While one commit is under way, the steps of other lanes gather for the
next.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sqlalchemy.exc import OperationalError

from clubapp.database import transaction
from clubapp.mail.queue.claims import BATCHED_STEPS

GATHER_SECONDS = 0.002  # lanes whose answers come within it share a commit
Step = tuple[Callable[..., Any], tuple[Any, ...]]


class GroupCommit:
    """Belongs to one event loop, and writes in a thread of its own."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "mail-ledger")
        self._waiting: list[tuple[Step, asyncio.Future[Any]]] = []
        self._writing: asyncio.Task[None] | None = None

    def write(self, step: Callable[..., Any], *given: Any) -> asyncio.Future[Any]:
        """Take a step `(session, *given)`. What is awaited is its value, once it is committed.

        Raises:
            Exception: whatever kept the step from being committed.
        """
        future = asyncio.get_running_loop().create_future()
        self._waiting.append(((step, given), future))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        return future

    def close(self) -> None:
        """End the thread, once nothing is waited for."""
        self._thread.shutdown()

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            await asyncio.sleep(GATHER_SECONDS)
            taken, self._waiting = self._waiting, []
            values = await loop.run_in_executor(self._thread, _outcomes, [step for step, _ in taken])
            for (_, future), value in zip(taken, values, strict=True):
                if future.done():
                    continue
                if isinstance(value, Exception):
                    future.set_exception(value)
                else:
                    future.set_result(value)
        self._writing = None


def _outcomes(steps: list[Step]) -> list[Any]:
    """The value of each step, or what kept it from being taken: one that cannot be takes no other with it."""
    try:
        return _commit(steps)
    except OperationalError as error:  # the database is away: for all alike
        return [error] * len(steps)
    except Exception as error:  # of whatever kind: the lane that awaits the step hears of it, or it would wait for ever
        return [error] if len(steps) == 1 else [_outcomes([step])[0] for step in steps]


def _commit(steps: list[Step]) -> list[Any]:
    values: list[Any] = [None] * len(steps)
    with transaction() as session:
        for step, places in _in_groups(steps).items():
            given = [steps[place][1] for place in places]
            done = step(session, given) if step in BATCHED_STEPS else [step(session, *each) for each in given]
            for place, value in zip(places, done, strict=True):
                values[place] = value
    return values


def _in_groups(steps: list[Step]) -> dict[Callable[..., Any], list[int]]:
    """The places of each kind of step. Two steps of one message are never ready together."""
    groups: dict[Callable[..., Any], list[int]] = {}
    for place, (step, _) in enumerate(steps):
        groups.setdefault(step, []).append(place)
    return groups
