"""Whether anything has been committed since one last looked, here or in any other process.

For what is kept in memory: with the same stamp it says the same, after any commit it is made again.
"""

import os
import sqlite3
from dataclasses import dataclass
from functools import lru_cache
from uuid import uuid4

import anyio.to_thread
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError

from clubapp import database

_COMMITS, _SNAPSHOT = "PRAGMA data_version", "SELECT pg_current_snapshot()::text"


async def stamp() -> str:
    """A text that every commit changes.

    Raises:
        SQLAlchemyError: when the database is away.
    """
    engine = database.engine()
    if engine.dialect.name == "sqlite":
        # A number in shared memory: sooner read than handed to a thread.
        return _commits(engine.url.database or "")
    return await anyio.to_thread.run_sync(_snapshot, engine)


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
