"""Whether the Redis that holds the states of open tabs answers, and has not restarted (R7).

Without it no event can change a screen; after a restart it holds no state any more.
"""

from functools import lru_cache

from redis.asyncio import Redis

from clubapp.settings import settings

PATIENCE_SECONDS = 5


async def read_run_id() -> str:
    """The run id of Redis, which changes when it restarts; empty in an installation without Redis.

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
