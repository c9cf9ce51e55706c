"""Applies the lifetimes of tab states while the server runs."""

import asyncio
import logging

import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory

from clubapp import clock
from clubapp.infra import logs
from clubapp.web.states.lifetime import drop_left_states
from clubapp.web.states.redis_state_manager import PollingStateManager

log = logging.getLogger(__name__)

MEMORY_SECONDS, REDIS_SECONDS = 10, 60  # between two rounds
BETWEEN_SECONDS = 0.05  # between two parts of one round: others get their turn


async def watch_states(app: rx.App) -> None:
    """Forget what visitors have left; in Redis, keep what belongs to open tabs. Runs until it is cancelled."""
    states, namespace = app.state_manager, app.event_namespace
    pause = usual = MEMORY_SECONDS if isinstance(states, StateManagerMemory) else REDIS_SECONDS
    while namespace is not None:
        await asyncio.sleep(pause)
        logs.begin_reference()
        pause, connected = usual, set(namespace.sid_to_token.values())
        try:
            if isinstance(states, StateManagerMemory):
                if drop_left_states(states, connected, clock.now().timestamp()):
                    pause = BETWEEN_SECONDS
            elif isinstance(states, PollingStateManager):
                await states.keep(connected)
        except Exception:  # the next round tries again
            log.exception("the states of tabs could not be looked through")
