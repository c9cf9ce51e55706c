"""Gives every event a log reference and measures the time of its handler."""

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

# Not in the default registry: `web/endpoints/metrics.py` decides what is exposed.
HANDLER_SECONDS = Histogram(
    "club_handler_seconds",
    "How long a handler took, the question who may call it included.",
    ["handler"],
    registry=None,
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)


class EventMetrics(Middleware):
    """Runs before the guard, so that refusals are timed and logged too."""

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> StateUpdate | None:  # noqa: ARG002
        """Let every event through, and measure until its task ends."""
        logs.begin_reference(event_reference())
        task, begun = asyncio.current_task(), time.perf_counter()
        if task is not None and (name := handler_name(event.name)):
            task.add_done_callback(lambda _task: _observe_duration(name, begun))
        return None


def handler_name(event_name: str) -> str:
    """'pages.admin.events.state.CalendarState.load'; empty for an event that is no handler of this program."""
    registered: Any = RegistrationContext.get().event_handlers.get(event_name)
    if registered is None:
        return ""
    state = registered.states[0]
    return f"{state.__module__.removeprefix('clubapp.')}.{state.__name__}.{event_name.rsplit('.', 1)[-1]}"


def _observe_duration(name: str, begun: float) -> None:
    HANDLER_SECONDS.labels(name).observe(time.perf_counter() - begun)
