"""A rehearsal of a restoration: a backup is restored into a place of its own, looked through, and the place removed.

A process of its own does so, with settings that lead to that place: the club is neither written nor locked.
"""

import fcntl
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import inspect, text
from sqlmodel import Session

from clubapp import clock
from clubapp.database import reading, snapshot, transaction
from clubapp.infra import image_store
from clubapp.infra.error_causes import describe_cause
from clubapp.refusals import Refusal
from clubapp.services.backups.restore import restore
from clubapp.services.base import act_chain
from clubapp.settings import ROOT, settings

_FOLDER, _SCHEMA = "club-drill-", "club_drill_"
_CHANGED = ("mail_pause",)  # the restoration begins a pause


@dataclass(frozen=True)
class DrillCheck:
    """One thing that was looked at; the text is French."""

    name: str
    is_well: bool
    text: str


def run_drill(file: Path) -> tuple[DrillCheck, ...]:
    """Restore a backup into a throw-away place, and check what came back. The club stays as it is.

    What a rehearsal that was killed left behind goes first.
    """
    with _throw_away_folder() as folder, _throw_away_database(Path(folder)) as url:
        place = {
            "CLUB_DATA_DIR": folder,
            "CLUB_DATABASE_URL": url,
            "CLUB_MEDIA_URL": (Path(folder) / "media").as_uri(),
            "CLUB_BACKUP_DIR": "",
            "CLUB_REDIS_URL": "",
            "CLUB_WORKERS": "1",
            "CLUB_SECRET_KEY": ",".join(settings().keys),
        }
        done = subprocess.run(  # noqa: S603 - this program itself
            [sys.executable, "-m", __name__, str(file.expanduser().resolve())],
            cwd=ROOT,
            env=os.environ | place,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [""]
        return (DrillCheck("restauration", False, lines[-1]),)
    return tuple(DrillCheck(**one) for one in json.loads(done.stdout))


@contextmanager
def _throw_away_folder() -> Iterator[str]:
    """A folder that is locked as long as it is in use, so that what a killed rehearsal left can be told and removed."""
    for left in Path(tempfile.gettempdir()).glob(f"{_FOLDER}*"):
        with suppress(OSError):  # in use, or of somebody else
            opened = _lock(left)
            shutil.rmtree(left, ignore_errors=True)
            os.close(opened)
    while True:
        with tempfile.TemporaryDirectory(prefix=_FOLDER, ignore_cleanup_errors=True) as folder:
            try:
                opened = _lock(Path(folder))
            except OSError:  # another rehearsal took it for one that was left
                continue
            try:
                yield folder
            finally:
                os.close(opened)
            return


def _lock(folder: Path) -> int:
    """The open folder, locked until it is closed.

    Raises:
        OSError: when it is gone, or locked already.
    """
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        folder.stat()
    except OSError:
        os.close(opened)
        raise
    return opened


@contextmanager
def _throw_away_database(folder: Path) -> Iterator[str]:
    """An empty database: a file, or a schema of its own in the PostgreSQL of the club."""
    if settings().uses_sqlite:
        yield f"sqlite:///{folder / 'club.sqlite3'}"
        return
    schema = f"{_SCHEMA}{secrets.token_hex(4)}"
    url = settings().database_url
    with transaction() as in_use:
        _try_lock(in_use, schema)
        with transaction() as session:
            for left in inspect(session.connection()).get_schema_names():
                if left.startswith(_SCHEMA) and _try_lock(session, left):
                    session.execute(text(f"DROP SCHEMA {left} CASCADE"))
            session.execute(text(f"CREATE SCHEMA {schema}"))
        try:
            yield f"{url}{'&' if '?' in url else '?'}options={quote(f'-csearch_path={schema}')}"
        finally:
            with transaction() as session:
                session.execute(text(f"DROP SCHEMA {schema} CASCADE"))


def _try_lock(session: Session, schema: str) -> bool:
    """Lock a schema until the transaction ends; False while another rehearsal has it."""
    key = {"key": zlib.crc32(schema.encode())}
    return session.execute(text("SELECT pg_try_advisory_xact_lock(:key)"), key).scalar_one()


def _rehearse(file: Path) -> list[DrillCheck]:
    """In the process of the place: restore, and look through what came back."""
    done = restore(file, as_it_was=True)  # all that is in it, to be counted
    kept = done.contents
    missing = _missing_rows(kept.rows)
    pictures = sum(
        len(image_store.read(one.path)) > 0 for bucket in image_store.BUCKETS for one in image_store.list_images(bucket)
    )
    checks = [
        DrillCheck("sauvegarde", True, f"du {clock.long_date(kept.made_at)}, schéma {kept.schema}"),
        DrillCheck("lignes", not missing, missing or f"{sum(kept.rows.values())} dans {len(kept.rows)} tables"),
        DrillCheck("images", pictures == kept.pictures, f"{pictures} sur {kept.pictures}"),
        DrillCheck("clé de signature", done.has_key, "celle d’ici" if done.has_key else "ce n’est pas celle d’ici"),
    ]
    try:
        with snapshot() as session:
            number = act_chain.verify(session).number
        return [*checks, DrillCheck("journal des actes", True, f"chaîne intacte jusqu’au n°\u00a0{number}")]
    except act_chain.BrokenChain as broken:
        return [*checks, DrillCheck("journal des actes", False, str(broken))]


def _missing_rows(rows: dict[str, int]) -> str:
    """The tables that have fewer rows than the archive, as a French text."""
    with reading() as session:
        connection = session.connection()
        there = set(inspect(connection).get_table_names())
        counted = {
            name: connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one()  # noqa: S608 - a table's name
            for name in rows
            if name in there and name not in _CHANGED
        }
    fewer = [f"{name} {count} sur {rows[name]}" for name, count in counted.items() if count < rows[name]]
    return f"il en manque\u00a0: {', '.join(fewer)}" if fewer else ""


def _describe(error: Exception) -> str:
    """Why a rehearsal failed, in one line."""
    if isinstance(error, Refusal):
        return error.text
    named = f"{os.fsdecode(error.filename)}\u00a0: " if isinstance(error, OSError) and error.filename else ""
    return f"{named}{describe_cause(error)}"


if __name__ == "__main__":
    try:
        sys.stdout.write(json.dumps([asdict(one) for one in _rehearse(Path(sys.argv[1]))]))
    except Exception as error:  # whatever it is: the process that waits shows one line, and a trace's last says nothing
        sys.stderr.write(_describe(error))
        sys.exit(1)
