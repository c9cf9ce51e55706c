"""The slow looks, taken in the background for those who watch: nobody waits for a relay that does not answer."""

import threading
import time

from clubapp.doctor import installation_checks
from clubapp.doctor.check import Check

FRESH_SECONDS = 60


class Round:
    """What was found the last time; looked at anew, by one thread at a time, when somebody asks a minute later."""

    def __init__(self) -> None:
        self._found: tuple[Check, ...] = ()
        self._ended_at = float("-inf")
        self._walking = threading.Lock()

    @property
    def found(self) -> tuple[Check, ...]:
        """What is known. Empty until the first round has ended; asking for it begins one when it is time."""
        if time.monotonic() - self._ended_at > FRESH_SECONDS:
            self.begin()
        return self._found

    @property
    def is_walking(self) -> bool:
        """Whether somebody is looking right now."""
        return self._walking.locked()

    def begin(self) -> None:
        """Look at everything anew. Returns at once; nothing happens while a round goes on."""
        if self._walking.acquire(blocking=False):
            threading.Thread(target=self._walk, name="doctor", daemon=True).start()

    def _walk(self) -> None:
        try:
            self._found = tuple(installation_checks.checks())
        finally:
            self._ended_at = time.monotonic()
            self._walking.release()
