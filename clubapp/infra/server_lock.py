"""Tells whether a server runs on the database: each server holds a shared lock, which dies with its process.

SQLite: a lock of the system on a file beside the database. PostgreSQL: an advisory lock of a connection of its own,
which is seen from every machine.
"""

import fcntl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import Connection, NullPool, create_engine, text
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


_mutex = threading.Lock()
_release: Callable[[], None] | None = None
_is_alive: Callable[[], bool] = lambda: False  # noqa: E731 - replaced with the lock
_held_on = ""


def hold() -> None:
    """Hold the lock of a server until this process ends. Takes it anew when its connection was lost.

    Raises:
        DatabaseInWork: while a command excludes servers.
    """
    global _release, _is_alive, _held_on  # noqa: PLW0603 - one lock a process
    with _mutex:
        if _release is not None and _held_on == settings().database_url and _is_alive():
            return
        if _release is not None:
            _release()
        _release = None
        taken = _take(is_shared=True)
        if taken is None:
            raise DatabaseInWork(IN_WORK)
        (_release, _is_alive), _held_on = taken, settings().database_url


def let_go() -> None:
    """Give the lock of this server back, at its end."""
    global _release  # noqa: PLW0603 - one lock a process
    with _mutex:
        if _release is not None:
            _release()
        _release = None


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
        taken[0]()


def _take(*, is_shared: bool) -> tuple[Callable[[], None], Callable[[], bool]] | None:
    """How to release the lock, and whether it still stands; None when it is refused."""
    return (_lock_file if settings().uses_sqlite else _lock_database)(is_shared)


def _lock_file(is_shared: bool) -> tuple[Callable[[], None], Callable[[], bool]] | None:
    path = Path(f"{settings().database_url.removeprefix('sqlite:///')}.server")
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("a")
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file.close, lambda: True


def _lock_database(is_shared: bool) -> tuple[Callable[[], None], Callable[[], bool]] | None:
    url = settings().database_url.replace("postgresql://", "postgresql+psycopg://", 1)
    # Not the pool of the database: closing this connection ends its session, and with it the lock.
    engine = create_engine(url, poolclass=NullPool, connect_args={"connect_timeout": _CONNECT_SECONDS})
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    connection.exec_driver_sql(_KEEPALIVES)
    function = "pg_try_advisory_lock_shared" if is_shared else "pg_try_advisory_lock"
    if not connection.execute(text(f"SELECT {function}(:key)"), {"key": _KEY}).scalar_one():
        connection.close()
        return None

    def release() -> None:
        with suppress(SQLAlchemyError):  # it may be cut already
            connection.close()

    return release, lambda: _answers(connection)


def _answers(connection: Connection) -> bool:
    try:
        connection.exec_driver_sql("SELECT 1")
    except SQLAlchemyError:
        return False
    return True
