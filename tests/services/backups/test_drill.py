"""The rehearsal of a restoration leaves the club as it is, says what came back, and leaves nothing behind."""

import hashlib
import json
import shutil
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import mkdtemp

import pytest
from sqlalchemy import text

from clubapp.database import reading, transaction
from clubapp.services import backups
from clubapp.services.backups import drill
from tests.conftest import on_postgres
from tests.services.backups.club_copies import load_club, pictures, rows


@pytest.fixture
def file(club: str, tmp_path: Path) -> Path:
    """A backup of a whole club."""
    load_club()
    made = tmp_path / "club.zip"
    backups.make_backup(made)
    return made


def schemas() -> list[str]:
    """The schemas of a PostgreSQL, and nothing for SQLite."""
    with reading() as session:
        if session.get_bind().dialect.name == "sqlite":
            return []
        return sorted(session.execute(text("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'club%'")).scalars())


def leave_behind() -> Path:
    """What a rehearsal that is killed cannot take away: its folder, which is returned, and its schema."""
    with transaction() as session:
        if session.get_bind().dialect.name != "sqlite":
            session.execute(text("CREATE SCHEMA club_drill_killed CREATE TABLE members (name text)"))
    return Path(mkdtemp(prefix="club-drill-"))


def test_a_backup_is_rehearsed_and_the_club_stays_as_it_is(file: Path) -> None:
    before = rows(), pictures()
    killed = leave_behind()
    checks = {check.name: check for check in backups.run_drill(file)}
    assert list(checks) == ["sauvegarde", "lignes", "images", "clé de signature", "journal des actes"]
    assert all(check.is_well for check in checks.values()), checks
    assert checks["images"].text == f"{len(before[1])} sur {len(before[1])}"
    total = sum(len(held) for held in before[0].values())
    assert checks["lignes"].text.startswith(f"{total} dans ")
    assert (rows(), pictures()) == before
    assert not killed.exists()
    assert schemas() == []


def test_a_rehearsal_leaves_alone_what_another_one_uses(file: Path) -> None:
    with drill._throw_away_folder() as folder, drill._throw_away_database(Path(folder)):
        used = schemas()
        checks = backups.run_drill(file)
        assert all(check.is_well for check in checks), checks
        assert Path(folder).exists()
        assert schemas() == used
    assert not Path(folder).exists()
    assert schemas() == []


def test_two_rehearsals_at_once_both_succeed(file: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        for checks in pool.map(backups.run_drill, [file, file]):
            assert all(check.is_well for check in checks), checks


@on_postgres  # where a schema could be left behind
def test_a_damaged_backup_and_another_key_fail_the_rehearsal(file: Path, environment: pytest.MonkeyPatch) -> None:
    damaged = file.with_name("damaged.zip")
    shutil.copy(file, damaged)
    content = bytearray(damaged.read_bytes())
    content[len(content) // 3] ^= 0xFF
    damaged.write_bytes(bytes(content))
    (check,) = backups.run_drill(damaged)
    assert (check.name, check.is_well) == ("restauration", False)
    assert "damaged.zip" in check.text
    assert schemas() == []
    foreign = file.with_name("foreign.zip")
    _with_another_key(file, foreign)
    failed = [check.name for check in backups.run_drill(foreign) if not check.is_well]
    assert failed == ["clé de signature"]


def test_a_backup_that_is_not_there_is_told_in_french(club: str, tmp_path: Path) -> None:
    missing = tmp_path / "missing.zip"
    (check,) = backups.run_drill(missing)
    assert (check.is_well, check.text) == (False, f"{missing}\u00a0: ce fichier ou ce dossier n’existe pas")


def _with_another_key(file: Path, to: Path) -> None:
    """The same archive, as a club of another signing key had made it."""
    with zipfile.ZipFile(file) as kept, zipfile.ZipFile(to, "w") as made:
        about = json.dumps(json.loads(kept.read("backup.json")) | {"key": "0" * 64}).encode()
        sums = kept.read("SHA256SUMS").decode().splitlines()
        for name in kept.namelist():
            if name not in ("backup.json", "SHA256SUMS"):
                made.writestr(name, kept.read(name))
        made.writestr("backup.json", about)
        listed = [line for line in sums if not line.endswith("  backup.json")]
        made.writestr("SHA256SUMS", "\n".join([*listed, f"{hashlib.sha256(about).hexdigest()}  backup.json"]) + "\n")
