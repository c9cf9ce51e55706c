"""The slow looks, taken in the background for those who watch: nobody waits for a relay that does not answer."""

import threading
import time

from clubapp.doctor import installation_checks
from clubapp.doctor.check import Check

FRESH_SECONDS = 60


class BackgroundChecks:
    """What was found the last time; looked at anew, by one thread at a time, when somebody asks a minute later."""

    def __init__(self) -> None:
        self._checks: tuple[Check, ...] = ()
        self._ended_at = float("-inf")
        self._running = threading.Lock()

    @property
    def checks(self) -> tuple[Check, ...]:
        """What is known. Empty until the first round has ended; asking for it begins one when it is time."""
        if time.monotonic() - self._ended_at > FRESH_SECONDS:
            self.start()
        return self._checks

    @property
    def is_running(self) -> bool:
        """Whether somebody is looking right now."""
        return self._running.locked()

    def start(self) -> None:
        """Look at everything anew. Returns at once; nothing happens while a round goes on."""
        if self._running.acquire(blocking=False):
            threading.Thread(target=self._run, name="doctor", daemon=True).start()

    def _run(self) -> None:
        try:
            self._checks = tuple(installation_checks.run_installation_checks())
        finally:
            self._ended_at = time.monotonic()
            self._running.release()
