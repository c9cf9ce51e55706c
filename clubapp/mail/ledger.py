"""Commits the steps of several lanes together.

A commit that reaches the disk takes longer than a step itself. Each lane waits for the commit that holds its own step,
so that what M8 promises of a step holds; steps that are ready at the same time share one.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from clubapp.database import transaction

Step = Callable[..., Any]


class Ledger:
    """Belongs to one event loop."""

    def __init__(self) -> None:
        self._steps: list[tuple[Step, tuple[Any, ...], asyncio.Future[Any]]] = []

    def write(self, step: Step, *given: Any) -> asyncio.Future[Any]:
        """Take a step `(session, *given)`. What is awaited is its value, once it is committed.

        Raises:
            Exception: whatever kept the commit from happening; none of its steps was taken then.
        """
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._steps.append((step, given, future))
        if len(self._steps) == 1:
            loop.call_soon(self._commit)  # after the lanes that are ready now
        return future

    def _commit(self) -> None:
        steps, self._steps = self._steps, []
        try:
            with transaction() as session:
                values = [step(session, *given) for step, given, _ in steps]
        except Exception as error:  # each lane tells it
            for _, _, future in steps:
                if not future.done():
                    future.set_exception(error)
        else:
            for (_, _, future), value in zip(steps, values, strict=True):
                if not future.done():
                    future.set_result(value)
