"""The loading states of a screen: not loaded yet, failed, or loaded."""

from dataclasses import dataclass
from typing import Any

import reflex as rx
from reflex_base.event.processor.base_state_processor import chain_updates

from clubapp.refusals import NotFound


class Loading(rx.State, mixin=True):
    """`_read` sets the vars that the screen shows. A failure after the first success leaves them as they are."""

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


@dataclass(frozen=True)
class Missing:
    """That there is no record of the id in the address, in words; both are empty while there may be one."""

    id: str = ""
    text: str = ""


class LoadingRecord(Loading, rx.State, mixin=True):
    """The screen of the record whose id stands in the address."""

    missing: Missing = Missing()

    def _miss(self, record_id: str, gone: NotFound) -> None:
        self.missing = Missing(record_id or self.missing.id, gone.text)


async def show_failure(screen: Any) -> None:
    """Mark a screen as failed, which shows where nothing is loaded.

    The change is sent at once: with states in Redis, changes of an event that fails are not stored.
    """
    screen.has_failed = True
    await send_changes(screen)


async def send_changes(screen: Any) -> None:
    """Send what has changed so far, before the event is over."""
    await chain_updates(None, "send_changes", screen._get_root_state())
