"""A real database for every test: SQLite always, PostgreSQL beside it."""

import gc
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest
from sqlmodel import SQLModel

from clubapp import clock, database, migrations
from clubapp import settings as settings_module
from tests.acts_made import pytest_sessionfinish, pytest_terminal_summary, pytest_testnodedown  # noqa: F401
from tests.memory import keep_in_memory
from tests.servers import Postgres, Redis
from tests.smtp_server import Relay, running_relay

IN_CI = os.environ.get("CI") == "true"

# A statement is compiled once for a database, not once for a test that uses it.
database.make_engine = cache(database.make_engine)
# The files of the migrations, which no test changes, are read once.
migrations._revisions = cache(migrations._revisions)


@pytest.hookimpl(tryfirst=True)
def pytest_configure() -> None:
    """No test waits for a disk; the processes of a shared run have the folder of the one that began them."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        keep_in_memory()


def pytest_collection_finish() -> None:
    """What was loaded stays: it need not be looked through again and again."""
    gc.collect()
    gc.freeze()


def missing(what: str, how: str) -> None:
    """Skip with the reason and the way to get it; in CI nothing may be missing."""
    reason = f"{what} manque : {how}"
    if IN_CI:
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A private PostgreSQL cluster for this run, or the one that CLUB_TEST_POSTGRES_URL names."""
    if url := os.environ.get("CLUB_TEST_POSTGRES_URL"):
        yield url
        return
    with a_postgres() as server:
        yield server.url


@contextmanager
def a_postgres() -> Iterator[Postgres]:
    """A PostgreSQL server of one's own, started."""
    if Postgres.programs() is None:
        missing("PostgreSQL", "apt-get install postgresql")
    with Postgres.running() as server:
        yield server


@contextmanager
def a_redis() -> Iterator[Redis]:
    """A Redis server of one's own, started."""
    if shutil.which("redis-server") is None:
        missing("Redis", "apt-get install redis-server")
    with Redis.running() as server:
        yield server


def forget_settings() -> None:
    """Let the next call read the environment and connect anew; to the one PostgreSQL of a run, connections stay."""
    if database.engine.cache_info().currsize and database.engine().dialect.name == "sqlite":
        database.engine().dispose()
    database.engine.cache_clear()
    settings_module.settings.cache_clear()


@contextmanager
def installation(patch: pytest.MonkeyPatch, data: Path) -> Iterator[pytest.MonkeyPatch]:
    """An installation with that data directory, a known key and no setting of the machine."""
    ours = [name for name in os.environ if name.startswith(("CLUB_", "AWS_")) and not name.startswith("CLUB_TEST_")]
    for name in ours:
        patch.delenv(name)
    patch.setenv("CLUB_DATA_DIR", str(data))
    patch.setenv("CLUB_SECRET_KEY", "a-test-key-of-enough-length-to-sign-with")
    forget_settings()
    yield patch
    forget_settings()


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """An installation of its own, empty."""
    with installation(monkeypatch, tmp_path / "data") as begun:
        yield begun


@contextmanager
def database_at(url: str) -> Iterator[None]:
    """That database, while the block lasts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLUB_DATABASE_URL", url)
        forget_settings()
        yield
        forget_settings()


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file brought to the newest schema once, to be copied."""
    path = tmp_path_factory.mktemp("schema") / "club.sqlite3"
    with database_at(f"sqlite:///{path}"):
        migrations.migrate()
    return path


@pytest.fixture(scope="session")
def migrated_postgres(postgres_url: str) -> str:
    """A PostgreSQL database brought to the newest schema once, to be emptied."""
    with database_at(postgres_url):
        migrations.migrate()
    return postgres_url


on_sqlite, on_postgres = pytest.mark.engine("sqlite"), pytest.mark.engine("postgres")


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """SQLite is enough where each statement of the program is also sent to PostgreSQL by another test."""
    engine = metafunc.definition.get_closest_marker("engine")
    if engine and "club" in metafunc.fixturenames:
        metafunc.definition.add_marker(pytest.mark.parametrize("club", engine.args, indirect=True))


@pytest.fixture(params=["sqlite", "postgres"])
def club(request: pytest.FixtureRequest, environment: pytest.MonkeyPatch) -> str:
    """An empty, migrated database, on each engine in turn. Its value is the engine's name."""
    if request.param == "sqlite":
        schema: Path = request.getfixturevalue("migrated_sqlite")
        file = schema.with_name("of-this-test.sqlite3")
        for old in file.parent.glob(f"{file.name}*"):
            old.unlink()
        shutil.copy(schema, file)
        environment.setenv("CLUB_DATABASE_URL", f"sqlite:///{file}")
        forget_settings()
    else:
        environment.setenv("CLUB_DATABASE_URL", request.getfixturevalue("migrated_postgres"))
        forget_settings()
        # In one message, without foreign keys and the trigger that keeps acts; TRUNCATE takes ten times as long.
        emptied = "; ".join(f"DELETE FROM {table.name}" for table in SQLModel.metadata.sorted_tables)
        with database.transaction() as session:
            session.connection().exec_driver_sql(f"SET LOCAL session_replication_role = replica; {emptied}")
    return request.param


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], datetime]:
    """Set the clock: `at("2026-11-20T10:00")` is that instant in UTC, until the next call."""

    def move(moment: str) -> datetime:
        instant = datetime.fromisoformat(moment).replace(tzinfo=UTC)
        monkeypatch.setattr(clock, "_read", lambda: instant)
        return instant

    return move


@pytest.fixture
def relay(club: str, environment: pytest.MonkeyPatch) -> Iterator[Relay]:
    """The relay that the club of this test is configured with."""
    with running_relay() as running:
        environment.setenv("CLUB_SMTP_URL", running.url)
        forget_settings()
        yield running


@pytest.fixture
def later(at: Callable[[str], datetime]) -> Callable[[timedelta], None]:
    """A clock that stands still, and the way to move it on."""
    at("2026-11-20T10:00")

    def move(wait: timedelta) -> None:
        at((clock.now() + wait).replace(tzinfo=None).isoformat())

    return move
