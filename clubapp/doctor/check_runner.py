"""The slow checks, run in the background so that no screen waits for them."""

import threading
import time

from clubapp.doctor import installation_checks
from clubapp.doctor.act_chain_check import ChainCheck
from clubapp.doctor.check import Check

FRESH_SECONDS = 60


class CheckRunner:
    """The last results of the slow checks, renewed by one thread when they are read and too old."""

    def __init__(self) -> None:
        self._checks: tuple[Check, ...] = ()
        self._ended_at = float("-inf")
        self._acts = ChainCheck()
        self._running = threading.Lock()

    def read(self, fresh_seconds: float = FRESH_SECONDS) -> tuple[Check, ...]:
        """The last results, empty until the first run has ended. Starts a run when they are older than that."""
        if time.monotonic() - self._ended_at > fresh_seconds:
            self.start()
        return self._checks

    @property
    def is_running(self) -> bool:
        """Whether a run is in progress."""
        return self._running.locked()

    def start(self) -> None:
        """Start a run in the background, unless one is in progress."""
        if self._running.acquire(blocking=False):
            threading.Thread(target=self._run, name="doctor", daemon=True).start()

    def _run(self) -> None:
        try:
            self._checks = tuple(installation_checks.run_installation_checks(self._acts))
        finally:
            self._ended_at = time.monotonic()
            self._running.release()
