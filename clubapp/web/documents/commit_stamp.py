"""A stamp that changes with every commit, of this process or any other.

For caches in memory: a cached value is valid while the stamp is the same.
"""

import asyncio
import os
import sqlite3
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import uuid4

import anyio.to_thread
from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError
from sqlmodel import Session

from clubapp import database

RECENT_SECONDS = 0.2
_COMMITS, _SNAPSHOT = "PRAGMA data_version", "SELECT pg_current_snapshot()::text"


async def read_stamp() -> str:
    """A text that every commit changes.

    Raises:
        SQLAlchemyError: when the database is away.
    """
    engine = database.engine()
    if engine.dialect.name == "sqlite":
        # A number in shared memory: sooner read than handed to a thread.
        return _commits(engine.url.database or "")
    return await anyio.to_thread.run_sync(_snapshot, engine)


async def read_recent_stamp() -> str:
    """Like `read_stamp`, shared by many requests: commits of other processes are seen up to `RECENT_SECONDS` later.

    On PostgreSQL a stamp is a query; one page may ask sixty times.

    Raises:
        SQLAlchemyError: when the database is away.
    """
    if database.engine().dialect.name == "sqlite":
        return await read_stamp()
    now, last = time.monotonic(), _last.get("stamp")
    if last is None or last.until < now:
        _last["stamp"] = last = _SharedStamp(now + RECENT_SECONDS, asyncio.ensure_future(read_stamp()))
    return await asyncio.shield(last.told)


@dataclass(frozen=True)
class _SharedStamp:
    """A stamp shared `until` a moment of `time.monotonic`."""

    until: float
    told: asyncio.Future[str]


_last: dict[str, _SharedStamp] = {}


@event.listens_for(Session, "after_commit")
def _drop_recent_stamp(_session: Any) -> None:
    """A commit of this process is seen at once."""
    _last.clear()


def _snapshot(engine: Engine) -> str:
    with engine.connect() as connection:
        return connection.exec_driver_sql(_SNAPSHOT).scalar_one()


@dataclass(frozen=True)
class _Watcher:
    """A connection that never writes: SQLite counts the commits of the others only, each from its own beginning."""

    connection: sqlite3.Connection
    name: str


def _commits(path: str) -> str:
    try:
        file = os.stat(path)
        watcher = _watcher(path, file.st_dev, file.st_ino)
        (commits,) = watcher.connection.execute(_COMMITS).fetchone()
    except (OSError, sqlite3.Error) as error:
        raise OperationalError(_COMMITS, None, error) from error
    return f"{watcher.name}:{commits}"


@lru_cache(maxsize=1)
def _watcher(path: str, _device: int, _file: int) -> _Watcher:
    """For one file: another one of the same name is another database."""
    opened = sqlite3.connect(f"file:{path}?mode=rw", uri=True, check_same_thread=False, isolation_level=None)
    return _Watcher(opened, uuid4().hex)
