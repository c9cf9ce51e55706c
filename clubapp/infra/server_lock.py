"""Tells whether a server runs on the database: each server holds a shared lock, which dies with its process.

SQLite: a lock of the system on a file beside the database. PostgreSQL: an advisory lock of a connection of its own,
which is seen from every machine, and of each connection of the server's pool: after an outage the server has the lock
before it reads or writes anything.
"""

import fcntl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from psycopg import OperationalError
from sqlalchemy import Connection, Engine, NullPool, create_engine, event, text
from sqlalchemy.exc import SQLAlchemyError

from clubapp.settings import settings

_CONNECT_SECONDS = 5
_KEY = 7_301_947
# A machine that vanished without closing its connection is given up by PostgreSQL after a minute.
_KEEPALIVES = "SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3"
IN_USE = "Le site tourne sur cette base\u00a0: arrêtez-le d’abord, sur chaque machine. Rien n’a été changé."
IN_WORK = "Une restauration ou un retour à un schéma plus ancien est en cours sur cette base\u00a0: attendez sa fin."


class ServerRuns(Exception):
    """Refused because a server runs on the database; nothing was changed."""


class DatabaseInWork(Exception):
    """A server must not start, because a command that excludes servers is under way."""


@dataclass(frozen=True)
class _Lock:
    """A lock on the database at `url`: how it is given back, and whether it still stands."""

    url: str
    release: Callable[[], None]
    is_alive: Callable[[], bool]


_mutex = threading.Lock()
_held: list[_Lock] = []  # the one of this process, when it serves


def hold() -> None:
    """Hold the lock of a server until this process ends. Takes it anew when its connection was lost.

    Raises:
        DatabaseInWork: while a command excludes servers.
    """
    with _mutex:
        if any(lock.url == settings().database_url and lock.is_alive() for lock in _held):
            return
        _release_held()
        taken = _take(is_shared=True)
        if taken is None:
            raise DatabaseInWork(IN_WORK)
        _held.append(taken)


def hold_by_pool(engine: Engine) -> None:
    """Let every new connection of a server's pool hold the lock too; with SQLite the one of `hold` is never lost.

    While a command excludes servers, a new connection raises OperationalError.
    """
    if engine.dialect.name == "postgresql" and not event.contains(engine, "connect", _share_lock):
        event.listen(engine, "connect", _share_lock)


def _share_lock(connection: Any, _record: Any) -> None:
    row = connection.execute("SELECT pg_try_advisory_lock_shared(%s)", (_KEY,)).fetchone()
    connection.commit()
    if not row[0]:
        connection.close()
        raise OperationalError(IN_WORK)


def let_go() -> None:
    """Give the lock of this server back, at its end."""
    with _mutex:
        _release_held()


@contextmanager
def exclude_servers() -> Iterator[None]:
    """No server runs on the database during the block, and none starts.

    Raises:
        ServerRuns: when one runs.
    """
    taken = _take(is_shared=False)
    if taken is None:
        raise ServerRuns(IN_USE)
    try:
        yield
    finally:
        taken.release()


def _release_held() -> None:
    while _held:
        _held.pop().release()


def _take(*, is_shared: bool) -> _Lock | None:
    """The lock; None when it is refused."""
    return (_lock_file if settings().uses_sqlite else _lock_database)(settings().database_url, is_shared)


def _lock_file(url: str, is_shared: bool) -> _Lock | None:
    path = Path(f"{url.removeprefix('sqlite:///')}.server")
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("a")
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return _Lock(url, file.close, lambda: True)


def _lock_database(url: str, is_shared: bool) -> _Lock | None:
    driven = url.replace("postgresql://", "postgresql+psycopg://", 1)
    # Not the pool of the database: closing this connection ends its session, and with it the lock.
    engine = create_engine(driven, poolclass=NullPool, connect_args={"connect_timeout": _CONNECT_SECONDS})
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    connection.exec_driver_sql(_KEEPALIVES)
    function = "pg_try_advisory_lock_shared" if is_shared else "pg_try_advisory_lock"
    if not connection.execute(text(f"SELECT {function}(:key)"), {"key": _KEY}).scalar_one():
        connection.close()
        return None

    def release() -> None:
        with suppress(SQLAlchemyError):  # it may be cut already
            connection.close()

    return _Lock(url, release, lambda: _answers(connection))


def _answers(connection: Connection) -> bool:
    try:
        connection.exec_driver_sql("SELECT 1")
    except SQLAlchemyError:
        return False
    return True
