"""A living server is known by its lock: seen from other processes, and gone with the process that held it."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from sqlalchemy import text

from clubapp.database import reading, transaction
from clubapp.infra import server_lock
from clubapp.infra.server_lock import DatabaseInWork, ServerRuns
from tests.architecture.sources import ROOT

SERVER = "import sys; from clubapp.infra import server_lock; server_lock.hold(); print(1, flush=True); sys.stdin.read()"


@pytest.fixture
def lock(club: str) -> Iterator[str]:
    """The engine; this process gives its own lock back at the end."""
    yield club
    server_lock.let_go()


def start_server() -> subprocess.Popen[bytes]:
    """Another process that holds the lock."""
    server = subprocess.Popen([sys.executable, "-c", SERVER], cwd=ROOT, stdin=-1, stdout=-1)
    assert server.stdout is not None
    assert server.stdout.readline() == b"1\n"
    return server


def wait_until_free(engine: str) -> None:
    """PostgreSQL notices within a moment that a connection was cut."""
    while engine == "postgres":
        with reading() as session:
            query = text("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = :key")
            if not session.connection().execute(query, {"key": server_lock._KEY}).first():
                return


def test_two_servers_live_beside_each_other_and_both_are_seen(lock: str) -> None:
    with start_server() as server:
        server_lock.hold()
        server.communicate()
        with pytest.raises(ServerRuns, match="Le site tourne"), server_lock.exclude_servers():
            pass
        server_lock.let_go()
        wait_until_free(lock)
        with server_lock.exclude_servers():
            pass


def test_a_server_that_was_killed_is_in_nobodys_way(lock: str) -> None:
    with start_server() as server:
        with pytest.raises(ServerRuns), server_lock.exclude_servers():
            pass
        server.kill()
        server.wait()
        wait_until_free(lock)
        with server_lock.exclude_servers():
            pass


def test_no_server_starts_while_one_is_excluded(lock: str) -> None:
    with server_lock.exclude_servers(), pytest.raises(DatabaseInWork, match="en cours"):
        server_lock.hold()
    server_lock.hold()


def test_a_lock_whose_connection_was_cut_is_taken_anew(lock: str) -> None:
    server_lock.hold()
    if lock == "postgres":
        with transaction() as session:
            cut = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = :key"
            session.connection().execute(text(cut), {"key": server_lock._KEY})
        wait_until_free(lock)
    server_lock.hold()
    with pytest.raises(ServerRuns), server_lock.exclude_servers():
        pass
