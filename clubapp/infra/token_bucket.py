"""Limits rates with token buckets."""

import time
from collections import OrderedDict

_MOST_KEYS = 4096


class TokenBucket:
    """Allows `burst` actions at once and `per_second` in the long run. Not safe for use by several threads."""

    def __init__(self, burst: int, per_second: float) -> None:
        self._burst, self._per_second = burst, per_second
        self._left, self._at = float(burst), time.monotonic()

    def take(self) -> bool:
        """Count one action; False when it exceeds the limit."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_second) - 1
        self._at = now
        return self._left >= 0


class TokenBuckets:
    """A bucket for each key, such as the network of a client; those used longest ago are forgotten beyond 4096."""

    def __init__(self, burst: int, per_second: float) -> None:
        self._burst, self._per_second = burst, per_second
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, key: str) -> bool:
        """Count one action of a key; False when it exceeds its limit."""
        bucket = self._buckets.setdefault(key, TokenBucket(self._burst, self._per_second))
        self._buckets.move_to_end(key)
        if len(self._buckets) > _MOST_KEYS:
            self._buckets.popitem(last=False)
        return bucket.take()
