"""Whether the date can be trusted with what cannot be undone: a machine's clock may leap by years and come back."""

import logging
import threading
import time
from datetime import timedelta

from clubapp import clock

log = logging.getLogger(__name__)

LEAP = timedelta(days=1)
# Time that a machine sleeps through goes by as well, where that can be told.
_GOES_BY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Leaps:
    """Compares the clock with the time that goes by, from now on."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen = clock.now(), self._passed()
        self._ahead = timedelta(0)
        self._leapt_at = 0.0

    def are_over(self, rest: timedelta) -> bool:
        """Whether the clock has not leapt ahead by more than a day for so long, or was set back since."""
        with self._lock:
            now, passed = clock.now(), self._passed()
            leap = now - self._seen[0] - timedelta(seconds=passed - self._seen[1])
            self._seen = now, passed
            if abs(leap) > LEAP:
                self._ahead = max(self._ahead + leap, timedelta(0))
                self._leapt_at = passed
                log.warning("the clock leapt by %s: what goes by the date rests while it is ahead", leap)
            return self._ahead <= LEAP or passed - self._leapt_at >= rest.total_seconds()

    @staticmethod
    def _passed() -> float:
        return time.clock_gettime(_GOES_BY)
