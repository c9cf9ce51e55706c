"""When each job last ran: kept in this process, and in Redis when there are several, of which any may have run it.

The database is not asked: a line written every second would wear it out for a figure that nobody needs after a restart.
"""

import json
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from clubapp import clock
from clubapp.settings import settings

log = logging.getLogger(__name__)

_KEY = "clubapp:ticks"
_PATIENCE_SECONDS = 1
_REST_SECONDS = 10  # after Redis did not answer: the jobs go on without it
_KEPT = timedelta(days=2)
_ALIVE = timedelta(minutes=1)  # where a server runs, some job does within that time


@dataclass(frozen=True)
class JobRun:
    """A job's last run. `problem` is the reference of the error it ended with; `since` when the server was started."""

    every: timedelta
    since: datetime
    began: datetime | None = None
    ended: datetime | None = None
    problem: str = ""

    @property
    def is_running(self) -> bool:
        """Whether a run has begun and not ended."""
        return self.began is not None and (self.ended is None or self.began > self.ended)

    @property
    def age(self) -> timedelta:
        """The time since the last sign of life."""
        return clock.now() - max(filter(None, (self.since, self.began, self.ended)))


_runs: dict[str, JobRun] = {}
_away_until: dict[str, float] = {}


def expect_jobs(every: Mapping[str, int]) -> None:
    """A process starts: these jobs will run, each so many seconds after its last start. What others did is kept."""
    since, others = clock.now(), _shared()
    if min((tick.age for tick in others.values()), default=_ALIVE) >= _ALIVE:
        others = {}  # of a server that was stopped
    _runs.clear()
    for name, seconds in every.items():
        before = others.get(name) or JobRun(timedelta(0), since)
        _runs[name] = replace(before, every=timedelta(seconds=seconds), since=since)
    shared = {name: _written(tick) for name, tick in _runs.items()}
    _ask_redis(lambda redis: redis.pipeline().delete(_KEY).hset(_KEY, mapping=shared).expire(_KEY, _KEPT).execute())


def record_begin(job: str) -> None:
    """A run begins."""
    _note(job, began=clock.now())


def record_end(job: str, problem: str = "") -> None:
    """A run has ended, well unless there is a problem."""
    _note(job, ended=clock.now(), problem=problem)


def read_runs() -> dict[str, JobRun]:
    """The last run of each job, in whatever process. Empty where no server runs that this process could know of."""
    return _shared() or dict(_runs)


def _shared() -> dict[str, JobRun]:
    told = _ask_redis(lambda redis: redis.hgetall(_KEY))
    return {name: _read(text) for name, text in told.items()} if told else {}


def _note(job: str, **changes: Any) -> None:
    if job not in _runs:
        return
    _runs[job] = tick = replace(_runs[job], **changes)
    _ask_redis(lambda redis: redis.pipeline().hset(_KEY, job, _written(tick)).expire(_KEY, _KEPT).execute())


def _written(tick: JobRun) -> str:
    instants = (tick.since, tick.began, tick.ended)
    return json.dumps([tick.every.total_seconds(), *(at and at.timestamp() for at in instants), tick.problem])


def _read(text: str) -> JobRun:
    every, *instants, problem = json.loads(text)
    since, began, ended_at = (None if at is None else datetime.fromtimestamp(at, UTC) for at in instants)
    return JobRun(timedelta(seconds=every), since or clock.now(), began, ended_at, problem)


def _ask_redis(ask: Any) -> Any:
    """What Redis answers; nothing without it, or while it is away."""
    url = settings().redis_url
    if not url or time.monotonic() < _away_until.get(url, 0):
        return None
    from redis import RedisError

    try:
        return ask(_redis(url))
    except (RedisError, OSError) as error:
        _away_until[url] = time.monotonic() + _REST_SECONDS
        log.info("the jobs could not be told to Redis: %s", error)
        return None


@lru_cache(maxsize=1)
def _redis(url: str) -> Any:
    from redis import Redis

    patience = {"socket_timeout": _PATIENCE_SECONDS, "socket_connect_timeout": _PATIENCE_SECONDS}
    return Redis.from_url(url, decode_responses=True, **patience)
