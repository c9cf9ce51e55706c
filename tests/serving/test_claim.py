"""A server holds the lock of its database whenever it can use it.

A worker that takes another's place while the database is away serves, and claims the database later.
"""

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError

from clubapp.clubapp import _claim_database
from clubapp.database import engine, make_engine, reading
from clubapp.infra import server_lock
from clubapp.infra.server_lock import DatabaseInWork, ServerRuns
from clubapp.settings import settings
from tests.conftest import forget_settings, on_postgres, on_sqlite


def test_a_database_that_is_away_ends_no_worker(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_DATABASE_URL", "postgresql://club@127.0.0.1:1/club")
    forget_settings()
    _claim_database()


@on_sqlite
def test_a_database_in_work_does(club: str) -> None:
    with server_lock.exclude_servers(), pytest.raises(DatabaseInWork):
        _claim_database()


@on_postgres
def test_after_an_outage_a_server_has_its_lock_before_its_first_query_and_no_query_while_it_is_excluded(
    club: str,
) -> None:
    """The job `hold-lock` takes the lock of its own connection anew only within a quarter of a minute."""
    try:
        _claim_database()
        _cut_connections()
        came_first, refused = server_lock.exclude_servers(), pytest.raises(OperationalError, match="en cours")
        with came_first, refused, reading() as session:
            session.execute(text("SELECT 1"))
        with reading() as session:
            session.execute(text("SELECT 1"))
        with pytest.raises(ServerRuns), server_lock.exclude_servers():
            pass
    finally:
        server_lock.let_go()
        event.remove(engine(), "connect", server_lock._share_lock)
        engine().dispose()


def _cut_connections() -> None:
    """All connections to the database end, as when PostgreSQL starts again."""
    with make_engine(settings().database_url).connect() as connection:
        cut = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database()"
        connection.execute(text(f"{cut} AND pid <> pg_backend_pid()"))
        connection.invalidate()
