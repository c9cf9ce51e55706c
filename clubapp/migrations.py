"""Brings the database to the newest schema. Safe to run by several processes at once."""

from pathlib import Path

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from alembic import command
from clubapp.database import reading, transaction
from clubapp.settings import ROOT, settings

_ADVISORY_LOCK = 7_301_946


class NewerDatabase(Exception):
    """The database was made by a newer program; nothing was changed."""


def config() -> Config:
    """Alembic's configuration of this project."""
    return Config(str(ROOT / "alembic.ini"))


def migrate() -> None:
    """Run the pending migrations, all or nothing.

    Raises:
        NewerDatabase: when the database's revision is unknown to this program.
    """
    if settings().uses_sqlite:
        file = Path(settings().database_url.removeprefix("sqlite:///"))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    with transaction() as session:
        connection = session.connection()
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_LOCK})
        made = config()
        known = {script.revision for script in ScriptDirectory.from_config(made).walk_revisions()}
        current = MigrationContext.configure(connection).get_current_revision()
        if current is not None and current not in known:
            raise NewerDatabase(f"la base est à la version {current}, plus récente que ce programme")
        made.attributes["connection"] = connection
        command.upgrade(made, "head")


def pending() -> str:
    """The newest revision when the database is not at it, or an empty text."""
    newest = ScriptDirectory.from_config(config()).get_current_head() or ""
    with reading() as session:
        current = MigrationContext.configure(session.connection()).get_current_revision()
    return "" if current == newest else newest
