"""Migrates the database to the newest schema. Several processes may do so at once."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from clubapp import set_aside
from clubapp.database import reading, transaction
from clubapp.set_aside import Loss
from clubapp.settings import ROOT, settings

if TYPE_CHECKING:  # a start that finds the newest schema does without
    from alembic.config import Config

NOTHING = "base"
NEWEST = "head"
_ADVISORY_LOCK = 7_301_946


class NewerDatabase(Exception):
    """The database has the schema of a newer program; nothing was changed."""


class OlderDatabase(Exception):
    """The database has an older schema than a server needs."""


class UnknownRevision(Exception):
    """The program has no such revision; nothing was changed."""


class WholeSchema(Exception):
    """Refused to go back to no schema, which would empty the database; nothing was changed."""


class OlderSchema(Exception):
    """Refused to go back to an older schema without `back`; nothing was changed. `losses` are what would go."""

    def __init__(self, before: str, after: str, losses: tuple[Loss, ...] = ()) -> None:
        super().__init__(
            f"la base reviendrait du schéma {before} au schéma {after}, et le programme plus ancien ne verrait plus ce "
            "que le plus récent a enregistré en propre\u00a0: ajoutez «\u00a0--force\u00a0», qui fait d’abord une "
            "sauvegarde"
        )
        self.before, self.losses = before, losses


@dataclass(frozen=True)
class Migration:
    """A migration that was run: the schema before, None for an empty database, and after; the steps in their order."""

    before: str | None
    after: str
    steps: tuple[str, ...]


def config() -> "Config":
    """Alembic's configuration of this project."""
    from alembic.config import Config

    return Config(str(ROOT / "alembic.ini"))


def migrate(to: str = NEWEST, *, back: bool = False) -> Migration | None:
    """Run the pending migrations, or with `back` those that lead to an older revision: all or nothing.

    What a way back removes is set aside, and put back when the database returns; all mail is paused after both.

    Returns:
        What was run; None when the database was there already.

    Raises:
        WholeSchema: when no schema would be left.
        OlderSchema: when `to` is older than the database's revision, without `back`.
        NewerDatabase: when the database's revision is unknown to this program.
        UnknownRevision: when `to` is unknown to this program.
    """
    if to == NOTHING:
        raise WholeSchema(
            f"«\u00a0--to {NOTHING}\u00a0» viderait la base\u00a0: refusé\u00a0; pour repartir de zéro, donnez-en une "
            "vide à CLUB_DATABASE_URL"
        )
    create_schema()
    if to == NEWEST:
        with reading() as session:
            if read_revision(session.connection()) == newest_revision():
                return None
    with transaction() as session:
        return _migrate_and_keep(session.connection(), to, back=back)


def _migrate_and_keep(connection: Connection, to: str, *, back: bool) -> Migration | None:
    """Migrate, and set aside or bring back what an older program does not know."""
    _wait_for_others(connection)
    known, before = _revisions(), read_revision(connection)
    target = known[0] if to == NEWEST else to
    is_back = before in known and target in known and known.index(target) > known.index(before)
    if before and is_back:
        set_aside.exclude_writers(connection)
        losses = set_aside.find_losses(connection, lambda: migrate_connection(connection, target))
        if not back:
            raise OlderSchema(before, target, losses)
        set_aside.put_aside(connection, losses, before)
    migrate_connection(connection, target, back=back)
    if before and is_back:
        set_aside.note_downgrade(connection, before, target)
    elif before:
        set_aside.bring_back(connection)
    return None if before == target else Migration(before, target, _steps(known, before, target))


def _steps(known: list[str], before: str | None, after: str) -> tuple[str, ...]:
    """The revisions that a way applies, or takes back, in its order; `known` has the newest first."""
    ends = [*known, None]
    start, end = ends.index(before), ends.index(after)
    return tuple(known[start:end]) if start < end else tuple(reversed(known[end:start]))


def create_schema() -> None:
    """Create the file of an SQLite database if there is none yet."""
    if settings().uses_sqlite:
        file = Path(settings().database_url.removeprefix("sqlite:///"))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()


def migrate_connection(connection: Connection, to: str, *, back: bool = True) -> None:
    """Migrate to a revision, up or down, in the caller's transaction and one process at a time.

    Raises:
        OlderSchema: when `to` is older than the database's revision, without `back`.
        NewerDatabase: when the database's revision is unknown to this program.
        UnknownRevision: when `to` is unknown to this program.
    """
    from alembic import command

    _wait_for_others(connection)
    current = read_revision(connection)
    _refuse_newer(current)
    known = [*_revisions(), NOTHING]  # the newest first
    target = known[0] if to == NEWEST else to
    if target not in known:
        raise UnknownRevision(f"schéma inconnu\u00a0: {to}\u00a0; connus\u00a0: {', '.join(known[:-1])}")
    configuration = config()
    configuration.attributes["connection"] = connection
    is_back = known.index(target) > known.index(current or NOTHING)
    if is_back and not back:
        raise OlderSchema(current or NOTHING, target)
    (command.downgrade if is_back else command.upgrade)(configuration, target)


def _wait_for_others(connection: Connection) -> None:
    """Let no other process migrate before the end of this transaction; SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_LOCK})


def read_revision(connection: Connection) -> str | None:
    """The revision a database is at; None when it holds no schema."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def newest_revision() -> str:
    """The newest revision of this program, from the numbers of the files."""
    return max(path.name for path in (ROOT / "alembic" / "versions").glob("[0-9]*.py")).partition("_")[0]


def is_known(revision: str | None) -> bool:
    """Whether a revision is one of this program's, or None."""
    return revision is None or revision in _revisions()


def describe_pending() -> str:
    """The newest revision when the database is not at it, or an empty text.

    Raises:
        NewerDatabase: when the database is ahead of this program.
    """
    with reading() as session:
        current = read_revision(session.connection())
    _refuse_newer(current)
    return "" if current == newest_revision() else newest_revision()


def refuse_older() -> None:
    """Raise OlderDatabase when the database has an older schema than this program's; a newer one serves (R8)."""
    with reading() as session:
        current = read_revision(session.connection())
    if current != newest_revision() and is_known(current):
        raise OlderDatabase(f"the database has to be migrated to {newest_revision()}")


def _revisions() -> list[str]:
    """Every revision, the newest first."""
    from alembic.script import ScriptDirectory

    return [script.revision for script in ScriptDirectory.from_config(config()).walk_revisions()]


def _refuse_newer(revision: str | None) -> None:
    if not is_known(revision):
        raise NewerDatabase(
            f"la base est à la version {revision}, plus récente que ce programme ({newest_revision()})\u00a0: "
            "mettez-le à jour"
        )
