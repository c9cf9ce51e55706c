"""When each job last ran: kept in this process, and in Redis when several processes run the jobs.

The database is not used: it would be written every second, for figures that nobody needs after a restart.
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

_KEY = "clubapp:jobs"  # another one when the entries change their form: two versions may run side by side
_TIMEOUT_SECONDS = 1
_RETRY_SECONDS = 10  # until Redis is asked again after an error; the jobs run without it
_KEPT = timedelta(days=2)
_ALIVE = timedelta(minutes=1)  # while a server runs, at least one job runs within this time


@dataclass(frozen=True)
class JobRun:
    """A job's interval and last run, and the `label` that administrators read.

    `since`: the server's start; `problem`: the reference of a failed run's error.
    """

    every: timedelta
    since: datetime
    began: datetime | None = None
    ended: datetime | None = None
    problem: str = ""
    label: str = ""

    @property
    def is_running(self) -> bool:
        """Whether a run has begun and not ended."""
        return self.began is not None and (self.ended is None or self.began > self.ended)

    @property
    def age(self) -> timedelta:
        """The time since the job last began or ended, or since the server started."""
        return clock.now() - max(filter(None, (self.since, self.began, self.ended)))


_runs: dict[str, JobRun] = {}
_redis_down_until: dict[str, float] = {}


def expect_jobs(every: Mapping[str, int], labels: Mapping[str, str] | None = None) -> None:
    """Set the jobs of a starting process, each with its interval in seconds. Runs of other processes are kept."""
    since, others = clock.now(), _read_shared()
    if min((run.age for run in others.values()), default=_ALIVE) >= _ALIVE:
        others = {}  # they are of a server that was stopped
    _runs.clear()
    for name, seconds in every.items():
        before = others.get(name) or JobRun(timedelta(0), since)
        label = (labels or {}).get(name, "")
        _runs[name] = replace(before, every=timedelta(seconds=seconds), since=since, label=label)
    shared = {name: _to_json(run) for name, run in _runs.items()}
    _ask_redis(lambda redis: redis.pipeline().delete(_KEY).hset(_KEY, mapping=shared).expire(_KEY, _KEPT).execute())


def record_begin(job: str) -> None:
    """Record that a run begins now."""
    _update_run(job, began=clock.now())


def record_end(job: str, problem: str = "") -> None:
    """Record that a run ends now; `problem` is the reference of its error, if it failed."""
    _update_run(job, ended=clock.now(), problem=problem)


def read_runs() -> dict[str, JobRun]:
    """The last run of each job in any process. Empty when this process knows of no running server."""
    return _read_shared() or dict(_runs)


def is_redis_up() -> bool:
    """Whether Redis answers now; it waits for a second at most. CLUB_REDIS_URL is set."""
    from redis import RedisError

    try:
        return bool(_redis(settings().redis_url).ping())
    except (RedisError, OSError):
        return False


def _read_shared() -> dict[str, JobRun]:
    entries = _ask_redis(lambda redis: redis.hgetall(_KEY))
    return {name: _from_json(text) for name, text in entries.items()} if entries else {}


def _update_run(job: str, **changes: Any) -> None:
    if job not in _runs:
        return
    _runs[job] = run = replace(_runs[job], **changes)
    _ask_redis(lambda redis: redis.pipeline().hset(_KEY, job, _to_json(run)).expire(_KEY, _KEPT).execute())


def _to_json(run: JobRun) -> str:
    instants = (run.since, run.began, run.ended)
    return json.dumps([run.every.total_seconds(), *(at and at.timestamp() for at in instants), run.problem, run.label])


def _from_json(text: str) -> JobRun:
    every, *instants, problem, label = json.loads(text)
    since, began, ended_at = (None if at is None else datetime.fromtimestamp(at, UTC) for at in instants)
    return JobRun(timedelta(seconds=every), since or clock.now(), began, ended_at, problem, label)


def _ask_redis(ask: Any) -> Any:
    """The result of `ask(redis)`; None when no Redis is configured, or while it does not answer."""
    url = settings().redis_url
    if not url or time.monotonic() < _redis_down_until.get(url, 0):
        return None
    from redis import RedisError

    try:
        return ask(_redis(url))
    except (RedisError, OSError) as error:
        _redis_down_until[url] = time.monotonic() + _RETRY_SECONDS
        log.info("the state of the jobs could not be exchanged with Redis: %s", error)
        return None


@lru_cache(maxsize=1)
def _redis(url: str) -> Any:
    from redis import Redis

    timeouts = {"socket_timeout": _TIMEOUT_SECONDS, "socket_connect_timeout": _TIMEOUT_SECONDS}
    return Redis.from_url(url, decode_responses=True, **timeouts)
