"""The database engine, and its sessions: `transaction()` writes, `reading()` and `snapshot()` only read.

Services are synchronous; the web layer runs each in a worker thread (decision 0003).
"""

import os
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Engine, Select, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, DisconnectionError, OperationalError
from sqlmodel import Session, SQLModel, create_engine

from clubapp.settings import settings

BUSY_SECONDS = 15
CONNECT_SECONDS = 5
# For all worker processes together: below PostgreSQL's default limit of 100.
CONNECTIONS, FEWEST_CONNECTIONS = 80, 10
# Opening a connection costs as much as ten queries: as many stay open as a busy moment needs.
KEPT_CONNECTIONS = 15
MISSING_FILE = "the database file is missing"
REPEATS = 2
_CONFLICT_CODES = ("40P01", "23503")  # PostgreSQL's deadlock_detected and foreign_key_violation
_WRITES = "club_writes"
R = TypeVar("R")
# SQLite allows one writer at a time. A lock is fair and wakes the next writer at once; SQLite's polling does neither.
_sqlite_writer = threading.Lock()


class _LeftTraces(Exception):
    """An act among others failed after it had written: their transaction must begin again, each in a savepoint."""


class TransactionConflict(Exception):
    """A row changed under a transaction, which must be repeated. None of its changes are written."""


@lru_cache(maxsize=1)
def engine() -> Engine:
    """The process's engine. Connects on first use."""
    return make_engine(settings().database_url)


def make_engine(url: str) -> Engine:
    """An engine for `sqlite:///…` or `postgresql://…`, set up for durability (R6)."""
    if url.startswith("sqlite"):
        waiting = {"check_same_thread": False, "timeout": BUSY_SECONDS}
        sqlite_engine = create_engine(url, connect_args=waiting, pool_size=KEPT_CONNECTIONS, hide_parameters=True)
        event.listen(sqlite_engine, "do_connect", _refuse_missing_file)
        event.listen(sqlite_engine, "connect", _prepare_sqlite)
        event.listen(sqlite_engine, "checkout", _refuse_replaced_file)
        event.listen(sqlite_engine, "begin", _begin_sqlite)
        return sqlite_engine
    share = max(1, CONNECTIONS // settings().workers)
    most, kept = max(FEWEST_CONNECTIONS, share), min(KEPT_CONNECTIONS, share)
    return create_engine(
        url.replace("postgresql://", "postgresql+psycopg://", 1),
        pool_size=kept,
        max_overflow=most - kept,
        pool_pre_ping=True,
        # Without a timeout, a query would wait for a server that vanished.
        connect_args={"connect_timeout": CONNECT_SECONDS, "tcp_user_timeout": 1000 * BUSY_SECONDS},
        # Errors show the statement without its values, which may be personal data.
        hide_parameters=True,
    )


def _refuse_missing_file(_dialect: Any, _record: Any, given: list[Any], _options: dict[str, Any]) -> None:
    """Raise OperationalError when the file is missing: SQLite would create an empty database in its place (R7)."""
    if given[0] != ":memory:" and not os.path.exists(given[0]):
        raise sqlite3.OperationalError(MISSING_FILE)


def _refuse_replaced_file(_connection: Any, record: Any, _proxy: Any) -> None:
    """Drop a pooled connection whose file was removed or replaced: what it writes would be lost (R7)."""
    if record.info["file"] != _identify_file(record.info["path"]):
        raise DisconnectionError("the database file was removed or replaced")


def _identify_file(path: str) -> tuple[int, int] | None:
    """Device and inode of the file that is at a path now; None without one."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _prepare_sqlite(connection: Any, record: Any) -> None:
    connection.isolation_level = None
    record.info["path"] = path = connection.execute("PRAGMA database_list").fetchone()[2]
    record.info["file"] = _identify_file(path)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_SECONDS * 1000}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Any) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def transaction() -> Iterator[Session]:
    """A session that commits at the end of the block, and rolls all of it back when the block raises."""
    writing = engine().execution_options(**{_WRITES: True})
    with (
        _sqlite_writer if writing.dialect.name == "sqlite" else nullcontext(),
        Session(writing, expire_on_commit=False) as session,
        session.begin(),
    ):
        yield session


def commit_with_retry(act: Callable[[Session], R], repeats: int = REPEATS) -> R:
    """Run `act(session)` in a transaction, and return its value once it is committed.

    It is repeated, `repeats` times at most, after a TransactionConflict, and when PostgreSQL rolled it back because of
    a deadlock or because another transaction deleted a row it refers to. `act` must have no other effects.
    """
    try:
        with transaction() as session:
            return act(session)
    except (DBAPIError, TransactionConflict) as error:
        if not repeats or not (
            isinstance(error, TransactionConflict) or getattr(error.orig, "sqlstate", "") in _CONFLICT_CODES
        ):
            raise
    return commit_with_retry(act, repeats - 1)


@dataclass(frozen=True)
class _QueuedAct:
    run: Callable[[Session], Any]
    outcome: Future[Any] = field(default_factory=Future)


_queued_acts: deque[_QueuedAct] = deque()
_queue_writer = ThreadPoolExecutor(1, "queue-writer")


def queue_for_commit(act: Callable[[Session], R]) -> Future[R]:
    """Have `act(session)` run by the one writer of SQLite, in a transaction with the others that wait for it.

    Small acts of many people at once share a commit, and so one wait for the disk (R6).

    An act that raises undoes itself alone; when the commit fails, each of its acts has that error. `act` must leave
    nothing to be done after the commit, and may be run twice: its only effects are on the session.

    Returns:
        What has the value of the act once it is committed.
    """
    queued = _QueuedAct(act)
    _queued_acts.append(queued)
    _queue_writer.submit(_commit_queued)
    return queued.outcome


def _commit_queued() -> None:
    with _sqlite_writer:
        acts = [_queued_acts.popleft() for _ in range(len(_queued_acts))]
        if not acts:  # an earlier run took them
            return
        try:
            try:
                outcomes = _run_together(acts, _run_unprotected)
            except _LeftTraces:
                outcomes = _run_together(acts, _run_in_savepoint)
        except Exception as error:  # of the shared commit: none of the acts is stored, and each is told
            outcomes = [error] * len(acts)
    for act, outcome in zip(acts, outcomes, strict=True):
        if isinstance(outcome, Exception):
            act.outcome.set_exception(outcome)
        else:
            act.outcome.set_result(outcome)


def _run_together(acts: list[_QueuedAct], run: Callable[[Connection, Callable[[Session], Any]], Any]) -> list[Any]:
    """What each act gave or raised, once their one transaction is committed."""
    with engine().execution_options(**{_WRITES: True}).begin() as connection:
        return [run(connection, act.run) for act in acts]


def _run_unprotected(connection: Connection, act: Callable[[Session], Any]) -> Any:
    """The act's value, or what it raised before it wrote anything. Without a savepoint, which costs two statements.

    Raises:
        _LeftTraces: when it must be undone.
    """
    written = _count_written(connection)
    session = Session(connection, expire_on_commit=False, join_transaction_mode="rollback_only")
    try:
        value = act(session)
        session.flush()
        return value
    except OperationalError:
        raise
    except BaseException as error:  # also what an event loop cannot hand on: the run in a savepoint tells it
        is_clean = connection.in_transaction() and _count_written(connection) == written
        if is_clean and isinstance(error, Exception) and not isinstance(error, StopIteration):
            return error
        raise _LeftTraces from error
    finally:
        session.close()


def _count_written(connection: Connection) -> int:
    """How many rows an SQLite connection has written since it was opened."""
    return cast(sqlite3.Connection, connection.connection.dbapi_connection).total_changes


def _run_in_savepoint(connection: Connection, act: Callable[[Session], Any]) -> Any:
    """The act's value, or what it raised; a RuntimeError for what an event loop cannot hand to whoever waits.

    Raises:
        OperationalError: after which SQLite may have rolled back the whole transaction.
    """
    own = Session(connection, expire_on_commit=False, join_transaction_mode="create_savepoint")
    try:
        with own as session, session.begin():
            return act(session)
    except OperationalError:
        raise
    except BaseException as error:  # whoever waits for this act hears of it, whatever it is
        if isinstance(error, Exception) and not isinstance(error, StopIteration):
            return error
        failure = RuntimeError(f"an act ended with {type(error).__name__}")
        failure.__cause__ = error
        return failure


def insert_statement(dialect: str, table: type[SQLModel]) -> Any:
    """An INSERT of the engine's dialect, which may have an ON CONFLICT clause."""
    return (postgresql if dialect == "postgresql" else sqlite).insert(table)


def read_value(session: Session, statement: Select[Any], params: Mapping[str, Any]) -> Any:
    """The first column of the first row of a statement that selects columns, None without a row.

    Without the ORM, which takes as long as SQLite does. The session's changes are written first, as by `exec`.
    """
    session.flush()
    return session.connection().execute(statement, params).scalar()


@contextmanager
def reading() -> Iterator[Session]:
    """A session for reading. It never commits."""
    with Session(engine(), expire_on_commit=False) as session:
        yield session


@contextmanager
def snapshot() -> Iterator[Session]:
    """A session for reading that sees the database of one instant, however long it lasts.

    SQLite does so in every transaction; PostgreSQL needs another isolation level.
    """
    with reading() as session:
        if engine().dialect.name == "postgresql":
            session.connection(execution_options={"isolation_level": "REPEATABLE READ", "postgresql_readonly": True})
        yield session
