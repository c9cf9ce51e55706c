"""Applies the lifetimes of tab states while the server runs."""

import asyncio
import logging

import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory

from clubapp import clock
from clubapp.web.states.lifetime import drop_left_states
from clubapp.web.states.redis_state_manager import PollingStateManager

log = logging.getLogger(__name__)

MEMORY_SECONDS, REDIS_SECONDS = 10, 60  # between two rounds


async def watch_states(app: rx.App) -> None:
    """Forget what visitors have left; in Redis, keep what belongs to open tabs. Runs until it is cancelled."""
    states, namespace = app.state_manager, app.event_namespace
    while namespace is not None:
        await asyncio.sleep(MEMORY_SECONDS if isinstance(states, StateManagerMemory) else REDIS_SECONDS)
        connected = set(namespace.sid_to_token.values())
        try:
            if isinstance(states, StateManagerMemory):
                drop_left_states(states, connected, clock.now().timestamp())
            elif isinstance(states, PollingStateManager):
                await states.keep(connected)
        except Exception:  # the next round tries again
            log.exception("the states of tabs could not be looked through")
