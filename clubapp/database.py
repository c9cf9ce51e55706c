"""The engine, and the two ways to use it: `transaction()` to change, `reading()` to look.

Services are synchronous; the web layer runs each in a worker thread (decision 0003).
"""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from typing import Any, TypeVar

from sqlalchemy import Engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlmodel import Session, SQLModel, create_engine

from clubapp.settings import settings

BUSY_SECONDS = 15
CONNECT_SECONDS = 5
# All processes of one machine together stay below what PostgreSQL allows unless told otherwise: 100.
CONNECTIONS, FEWEST_CONNECTIONS = 80, 10
# Opening one costs as much as ten questions: as many are kept as a busy moment needs.
KEPT_CONNECTIONS = 15
MISSING_FILE = "the database file is missing"
REPEATS = 2
_OVERTAKEN = ("40P01", "23503")  # PostgreSQL's deadlock_detected and foreign_key_violation
_WRITES = "club_writes"
R = TypeVar("R")
# SQLite lets one writer in at a time; waiting here is fair and wakes at once, its own polling is neither.
_sqlite_writer = threading.Lock()


class TransactionConflict(Exception):
    """Something changed under a transaction that can only be begun again; nothing of it was done."""


@lru_cache(maxsize=1)
def engine() -> Engine:
    """The process's engine. Connects on first use."""
    return make_engine(settings().database_url)


def make_engine(url: str) -> Engine:
    """An engine for `sqlite:///…` or `postgresql://…`, set up for durability (R6)."""
    if url.startswith("sqlite"):
        waiting = {"check_same_thread": False, "timeout": BUSY_SECONDS}
        made = create_engine(url, connect_args=waiting, pool_size=KEPT_CONNECTIONS, hide_parameters=True)
        event.listen(made, "do_connect", _refuse_missing_file)
        event.listen(made, "connect", _prepare_sqlite)
        event.listen(made, "checkout", _refuse_lost_file)
        event.listen(made, "begin", _begin_sqlite)
        return made
    share = max(1, CONNECTIONS // settings().workers)
    most, kept = max(FEWEST_CONNECTIONS, share), min(KEPT_CONNECTIONS, share)
    return create_engine(
        url.replace("postgresql://", "postgresql+psycopg://", 1),
        pool_size=kept,
        max_overflow=most - kept,
        pool_pre_ping=True,
        # A server that vanished without a word is noticed, not waited for.
        connect_args={"connect_timeout": CONNECT_SECONDS, "tcp_user_timeout": 1000 * BUSY_SECONDS},
        # An error says what was asked, never with whose name and address.
        hide_parameters=True,
    )


def _refuse_missing_file(_dialect: Any, _record: Any, given: list[Any], _options: dict[str, Any]) -> None:
    """Only migrations begin a database: an empty file made here would take the place of the club's own (R7)."""
    if given[0] != ":memory:" and not os.path.exists(given[0]):
        raise sqlite3.OperationalError(MISSING_FILE)


def _refuse_lost_file(_connection: Any, record: Any, _proxy: Any) -> None:
    """A connection goes on writing to a file that was removed or replaced, and all of it is lost: never (R7)."""
    if record.info["file"] != _file_at(record.info["path"]):
        raise DisconnectionError("the database file was removed or replaced")


def _file_at(path: str) -> tuple[int, int] | None:
    """The file that now bears the name a connection was opened under."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _prepare_sqlite(connection: Any, record: Any) -> None:
    connection.isolation_level = None
    record.info["path"] = path = connection.execute("PRAGMA database_list").fetchone()[2]
    record.info["file"] = _file_at(path)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_SECONDS * 1000}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Any) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def transaction() -> Iterator[Session]:
    """One session, one commit: everything in the block happens, or nothing does."""
    made = engine()
    writing = made.execution_options(**{_WRITES: True})
    with (
        _sqlite_writer if made.dialect.name == "sqlite" else nullcontext(),
        Session(writing, expire_on_commit=False) as session,
        session.begin(),
    ):
        yield session


def commit_with_retry(act: Callable[[Session], R], repeats: int = REPEATS) -> R:
    """What `act(session)` gives, once it is committed.

    Where two transactions waited for each other, or one removed what the other was about to refer to, PostgreSQL takes
    one of them back whole. It is done again then, and sees what the other has done.
    """
    try:
        with transaction() as session:
            return act(session)
    except (DBAPIError, TransactionConflict) as error:
        if not repeats or not (
            isinstance(error, TransactionConflict) or getattr(error.orig, "sqlstate", "") in _OVERTAKEN
        ):
            raise
    return commit_with_retry(act, repeats - 1)


def insert_statement(dialect: str, table: type[SQLModel]) -> Any:
    """An INSERT that may say what becomes of a conflict, in the words of that engine."""
    return (postgresql if dialect == "postgresql" else sqlite).insert(table)


@contextmanager
def reading() -> Iterator[Session]:
    """A session that only looks. Nothing it holds is written."""
    with Session(engine(), expire_on_commit=False) as session:
        yield session


@contextmanager
def snapshot() -> Iterator[Session]:
    """A session that only looks, and sees one instant of the database however long it lasts.

    SQLite keeps what a transaction began to read; PostgreSQL has to be asked.
    """
    with reading() as session:
        if engine().dialect.name == "postgresql":
            session.connection(execution_options={"isolation_level": "REPEATABLE READ", "postgresql_readonly": True})
        yield session
