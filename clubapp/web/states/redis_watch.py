"""Whether the Redis that keeps the states of open tabs is there, and still holds them (R7).

Without it no press has an effect that its screen could show; after a start of its own it has forgotten every tab.
"""

from functools import lru_cache

from redis.asyncio import Redis

from clubapp.settings import settings

PATIENCE_SECONDS = 5


async def mark() -> str:
    """A text that changes when Redis starts again; empty in an installation that needs none.

    Raises:
        RedisError: when it does not answer in time.
    """
    url = settings().redis_url
    if not url:
        return ""
    told = await _client(url).info("server")
    return str(told["run_id"])


@lru_cache(maxsize=1)
def _client(url: str) -> Redis:
    """A connection apart from those of the states: waiting for them must not keep it from seeing what is wrong."""
    return Redis.from_url(url, socket_timeout=PATIENCE_SECONDS, socket_connect_timeout=PATIENCE_SECONDS, retry=None)
