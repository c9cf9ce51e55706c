"""Limits a rate with a token bucket."""

import time


class TokenBucket:
    """Allows `burst` actions at once and `per_second` in the long run. Not safe for use by several threads."""

    def __init__(self, burst: int, per_second: int) -> None:
        self._burst, self._per_second = burst, per_second
        self._left, self._at = float(burst), time.monotonic()

    def take(self) -> bool:
        """Count one action; False when it exceeds the limit."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_second) - 1
        self._at = now
        return self._left >= 0
