"""Commits the steps of several lanes together (decision 0010).

A commit that reaches the disk takes longer than a step itself. Each lane waits for the commit that holds its own step,
so that a step is durable before its lane acts on it (M8). While one commit is under way, the steps of other lanes
gather for the next.
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
    """Belongs to one event loop, and commits in a thread of its own."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "mail-group-commit")
        self._waiting: list[tuple[Step, asyncio.Future[Any]]] = []
        self._committing: asyncio.Task[None] | None = None

    def write(self, step: Callable[..., Any], *given: Any) -> asyncio.Future[Any]:
        """Have `step(session, *given)` run and committed. The future gives its value, once it is committed.

        Raises:
            Exception: from the future, whatever prevented the commit.
        """
        future = asyncio.get_running_loop().create_future()
        self._waiting.append(((step, given), future))
        if self._committing is None:
            self._committing = asyncio.create_task(self._commit_waiting())
        return future

    def close(self) -> None:
        """End the thread. No step may be waiting any more."""
        self._thread.shutdown()

    async def _commit_waiting(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            await asyncio.sleep(GATHER_SECONDS)
            taken, self._waiting = self._waiting, []
            values = await loop.run_in_executor(self._thread, _try_commit, [step for step, _ in taken])
            for (_, future), value in zip(taken, values, strict=True):
                if future.done():
                    continue
                if isinstance(value, Exception):
                    future.set_exception(value)
                else:
                    future.set_result(value)
        self._committing = None


def _try_commit(steps: list[Step]) -> list[Any]:
    """The value of each step, or the exception that prevented it: a step that fails does not undo the others."""
    try:
        return _commit(steps)
    except OperationalError as error:  # the database cannot be reached: repeating them one by one would not help
        return [error] * len(steps)
    except Exception as error:  # of any kind: a lane that never got a result would wait for ever
        return [error] if len(steps) == 1 else [_try_commit([step])[0] for step in steps]


def _commit(steps: list[Step]) -> list[Any]:
    values: list[Any] = [None] * len(steps)
    with transaction() as session:
        for step, positions in _group_by_function(steps).items():
            given = [steps[position][1] for position in positions]
            done = step(session, given) if step in BATCHED_STEPS else [step(session, *each) for each in given]
            for position, value in zip(positions, done, strict=True):
                values[position] = value
    return values


def _group_by_function(steps: list[Step]) -> dict[Callable[..., Any], list[int]]:
    """The positions of each function's steps. This may reorder them, for one message never has two steps waiting."""
    groups: dict[Callable[..., Any], list[int]] = {}
    for position, (step, _) in enumerate(steps):
        groups.setdefault(step, []).append(position)
    return groups
