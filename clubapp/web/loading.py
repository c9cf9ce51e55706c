"""A screen that reads what it shows: not yet, failed the first time, or there."""

import reflex as rx


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
            self.has_failed = not self.is_loaded
            raise
        self.is_loaded, self.has_failed = True, False

    async def _read(self) -> None:
        raise NotImplementedError
