"""A screen that reads what it shows: not yet, failed the first time, or there."""

from typing import Any

import reflex as rx
from reflex_base.event.processor.base_state_processor import chain_updates


class Loading(rx.State, mixin=True):
    """`_read` puts into the state what the screen shows. Once something is there, a failure leaves it there."""

    is_loaded: bool = False
    has_failed: bool = False

    @rx.event
    async def load(self) -> None:
        """Read again what is shown."""
        try:
            await self._read()
        except Exception:  # of whatever kind: an empty screen says so, and the guard tells of it
            await show_failure(self)
            raise
        self.is_loaded, self.has_failed = True, False

    async def _read(self) -> None:
        raise NotImplementedError


async def show_failure(screen: Any) -> None:
    """Let a screen that shows nothing yet say that it could not be read.

    At once: where states are kept in Redis, what an event changed before it failed is not kept.
    """
    screen.has_failed = not screen.is_loaded
    await chain_updates(None, "show_failure", screen._get_root_state())
