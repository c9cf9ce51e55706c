"""Whether anything has been committed since one last looked, here or in any other process.

For what is kept in memory: with the same stamp it says the same, after any commit it is made again.
"""

import threading
from functools import lru_cache
from typing import Any
from uuid import uuid4

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from clubapp import database

# A connection that never writes: SQLite counts the commits of the others only. Each counts from its own beginning,
# so the stamp names the connection too.
_SQLITE, _POSTGRES = "PRAGMA data_version", "SELECT pg_current_snapshot()::text"
_one_at_a_time = threading.Lock()


def stamp() -> str:
    """A text that every commit changes.

    Raises:
        SQLAlchemyError: when the database is away.
    """
    shared = database.engine()
    with _one_at_a_time, _watcher(shared).connect() as connection:
        question = _SQLITE if shared.dialect.name == "sqlite" else _POSTGRES
        return f"{connection.info['born']}:{connection.exec_driver_sql(question).scalar_one()}"


@lru_cache(maxsize=1)
def _watcher(shared: Engine) -> Engine:
    """An engine beside the shared one, with one connection, that checks as it does whether the file is still there."""
    if shared.dialect.name == "sqlite":
        made = database.make_engine(shared.url.render_as_string(hide_password=False))
    else:
        made = create_engine(shared.url, poolclass=QueuePool, pool_size=1, max_overflow=0, pool_pre_ping=True)
    event.listen(made, "connect", _born)
    return made.execution_options(isolation_level="AUTOCOMMIT")


def _born(_connection: Any, record: Any) -> None:
    record.info["born"] = uuid4().hex
