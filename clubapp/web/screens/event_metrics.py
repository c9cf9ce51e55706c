"""What every event bears and leaves: the reference of all that is logged about it, and the time its handler took."""

import asyncio
import time
from typing import Any

import reflex as rx
from prometheus_client import Histogram
from reflex.middleware.middleware import Middleware
from reflex.state import BaseState, StateUpdate
from reflex_base.event import Event
from reflex_base.registry import RegistrationContext

from clubapp.infra import logs
from clubapp.web.screens.toasts import event_reference

# Not in the library's registry: `web/endpoints/metrics.py` alone says what is told to whom.
HANDLER_SECONDS = Histogram(
    "club_handler_seconds",
    "How long a handler took, the question who may call it included.",
    ["handler"],
    registry=None,
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)


class Watched(Middleware):
    """Stands before the guard, so that refusals are timed and logged like the rest."""

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:  # noqa: ARG002
        """Let every event through, watched until its task ends."""
        logs.begin(event_reference())
        task, begun = asyncio.current_task(), time.perf_counter()
        if task is not None and (name := handler_name(event.name)):
            task.add_done_callback(lambda _task: _ended(name, begun))
        return None


def handler_name(event_name: str) -> str:
    """'pages.admin.events.state.CalendarState.load'; an empty text for what is no handler of this program."""
    registered: Any = RegistrationContext.get().event_handlers.get(event_name)
    if registered is None:
        return ""
    state = registered.states[0]
    return f"{state.__module__.removeprefix('clubapp.')}.{state.__name__}.{event_name.rsplit('.', 1)[-1]}"


def _ended(name: str, begun: float) -> None:
    HANDLER_SECONDS.labels(name).observe(time.perf_counter() - begun)
