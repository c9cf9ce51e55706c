"""The commands that change the schema, take a club away and bring it back: they ask, back up, and lose nothing."""

import fcntl
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from sqlmodel import Session, select

from clubapp import migrations
from clubapp.database import make_engine
from clubapp.infra import server_lock
from clubapp.models import Member
from tests.commands.conftest import ROOT, Club, acts_of, command, without_club_settings


def revision_of(folder: Path) -> str | None:
    """The schema of the club below that folder."""
    with make_engine(f"sqlite:///{folder / 'data' / 'club.sqlite3'}").connect() as connection:
        return migrations.read_revision(connection)


def count_of_members(folder: Path) -> int:
    """How many members the club below that folder has."""
    with Session(make_engine(f"sqlite:///{folder / 'data' / 'club.sqlite3'}")) as session:
        return len(session.exec(select(Member)).all())


def test_a_database_from_a_newer_program_is_left_alone(club_command: Club, tmp_path: Path) -> None:
    assert club_command("migrate").returncode == 0
    engine = make_engine(f"sqlite:///{tmp_path / 'data' / 'club.sqlite3'}")
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    done = club_command("serve")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "9999" in done.stderr


def test_a_database_without_schema_says_what_to_do(club_command: Club, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    done = club_command("admin", "list")
    assert done.returncode == 1
    assert "python -m clubapp migrate" in done.stderr


def test_migrating_twice_changes_nothing(club_command: Club) -> None:
    assert club_command("migrate").returncode == 0
    assert club_command("migrate").returncode == 0


def test_a_migration_leads_back_when_told_where(club_command: Club) -> None:
    assert club_command("migrate").returncode == 0
    unknown = club_command("migrate", "--to", "9999")
    assert (unknown.returncode, len(unknown.stderr.splitlines())) == (1, 1)
    assert unknown.stderr.startswith("schéma inconnu\u00a0: 9999\u00a0; connus\u00a0: ")
    assert club_command("migrate", "--to", "0001", "--force").returncode == 0
    assert "schéma\u00a0: à mettre à jour" in club_command("doctor").stdout


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_the_whole_schema_is_never_removed(loaded: Club, tmp_path: Path, force: tuple[str, ...]) -> None:
    done = loaded("migrate", "--to", "base", *force)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1)
    assert "viderait la base" in done.stderr
    assert (count_of_members(tmp_path), revision_of(tmp_path)) == (12, migrations.newest_revision())


def test_the_way_back_is_refused_without_force(loaded: Club, tmp_path: Path) -> None:
    done = loaded("migrate", "--to", "0001")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"du schéma {migrations.newest_revision()} au schéma 0001" in done.stderr
    assert "--force" in done.stderr.splitlines()[0]
    assert "Rien n’a été changé." in done.stderr.splitlines()[1]
    assert "  acts\u00a0: 2 lignes" in done.stderr.splitlines(), "what goes, by name and number"
    assert "enverra ce qui attend" in done.stderr.splitlines()[-1], "the first schema knows no pause"
    assert revision_of(tmp_path) == migrations.newest_revision()
    assert list(tmp_path.rglob("*.zip")) == []


@pytest.mark.parametrize("folder", ["data/backups", "elsewhere"])
def test_a_forced_way_back_makes_a_backup_first(loaded: Club, tmp_path: Path, folder: str) -> None:
    chosen = {"CLUB_BACKUP_DIR": str(tmp_path / folder)} if folder == "elsewhere" else {}
    (tmp_path / folder).mkdir()
    (tmp_path / folder / ".avant-retour-0021-20261122-235900.zip.left_by_kill").touch()
    done = loaded("migrate", "--to", "0001", "--force", **chosen)
    assert (done.returncode, done.stderr) == (0, "")
    (file,) = (tmp_path / folder).iterdir()
    assert re.fullmatch(rf"avant-retour-{migrations.newest_revision()}-\d{{8}}-\d{{6}}\.zip", file.name)
    assert file.stat().st_mode & 0o777 == 0o600
    assert f"du schéma {migrations.newest_revision()} au schéma 0001" in done.stdout
    assert str(file) in done.stdout
    assert revision_of(tmp_path) == "0001"
    assert loaded("restore", str(file), "--force").returncode == 0
    assert (count_of_members(tmp_path), revision_of(tmp_path)) == (12, migrations.newest_revision())


def test_a_second_way_back_says_that_it_begins_at_the_newest_schema(loaded: Club, tmp_path: Path) -> None:
    assert loaded("migrate", "--to", "0003", "--force").returncode == 0
    done = loaded("migrate", "--to", "0001", "--force")
    assert (done.returncode, done.stdout) == (1, "")
    assert "«\u00a0migrate\u00a0» d’abord" in done.stderr
    assert revision_of(tmp_path) == "0003"


def test_without_its_backup_nothing_is_led_back(loaded: Club, tmp_path: Path) -> None:
    in_the_way = tmp_path / "a-file"
    in_the_way.touch()
    done = loaded("migrate", "--to", "0001", "--force", CLUB_BACKUP_DIR=str(in_the_way))
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1)
    assert done.stderr.startswith(f"{in_the_way}")
    assert revision_of(tmp_path) == migrations.newest_revision()


def test_forwards_needs_no_force_and_says_what_was_done(loaded: Club, tmp_path: Path) -> None:
    newest = migrations.newest_revision()
    assert loaded("migrate", "--to", "0001", "--force").returncode == 0
    assert (
        loaded("migrate", "--to", "0002").stdout == "Base amenée du schéma 0001 au schéma 0002 (étapes\u00a0: 0002).\n"
    )
    done = loaded("migrate", "--force")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Base amenée du schéma 0002 au schéma {newest} (étapes\u00a0: 0003, 0004, ")
    assert loaded("migrate").stdout == f"La base est déjà au schéma {newest}.\n"
    assert revision_of(tmp_path) == newest
    assert len(list(tmp_path.rglob("*.zip"))) == 1
    assert "Un programme plus ancien a servi" in loaded("mail", "status").stderr
    assert ".\u00a0;" not in loaded("doctor").stdout
    assert acts_of(tmp_path) == ["migrate", "demo", "migrate --to", "migrate"]


@pytest.mark.parametrize("words", [("migrate", "--to", "0001", "--force"), ("restore", "club.zip", "--force")])
def test_nothing_is_taken_from_under_a_living_server(loaded: Club, tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "club.zip"
    assert loaded("backup", str(file)).returncode == 0
    assert loaded("admin", "add", "lea@club.example").returncode == 0
    words = tuple(str(file) if word == file.name else word for word in words)
    with (tmp_path / "data" / "club.sqlite3.server").open("a") as held:
        fcntl.flock(held, fcntl.LOCK_SH)
        done = loaded(*words)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{server_lock.IN_USE}\n")
        assert "lea@club.example" in loaded("admin", "list").stdout
        assert list((tmp_path / "data").rglob("*.zip")) == []
    assert loaded(*words).returncode == 0


def test_a_club_is_taken_away_and_brought_back(loaded: Club, club_command: Club, tmp_path: Path) -> None:
    file, elsewhere = tmp_path / "club.zip", partial(command, tmp_path / "elsewhere")
    made = loaded("backup", str(file))
    assert made.returncode == 0
    assert made.stdout.startswith(f"Sauvegarde écrite dans {file}\u00a0: membres 12, événements 3, images ")
    assert (
        f"La clé de signature n’y est pas\u00a0: gardez-la à part ({tmp_path / 'data' / 'secret.key'})." in made.stdout
    )
    rehearsed = loaded("restore", str(file), "--drill")
    assert (rehearsed.returncode, rehearsed.stderr) == (0, "")
    assert [line.split()[0] for line in rehearsed.stdout.splitlines()] == ["ok"] * 5 + ["Exercice"]
    assert "images\u00a0: 8 sur 8" in rehearsed.stdout
    assert acts_of(tmp_path)[-1] == "restore --drill"
    (tmp_path / "erased-people.txt").write_text("who?\n")
    done = elsewhere("restore", str(file))
    assert done.returncode == 0
    assert done.stdout.startswith("Club restauré depuis la sauvegarde du ")
    said = done.stderr.splitlines()
    assert said[0].startswith("Les envois sont en pause")
    assert said[1].startswith("Liste des personnes effacées (erased-people.txt)\u00a0: 1 ligne illisible.")
    assert len(said) == 3
    assert said[-1].startswith("La clé de signature n’est pas celle de la sauvegarde")
    assert "Le club a été restauré depuis sa sauvegarde du" in elsewhere("mail", "status").stderr
    assert elsewhere("mail", "resume").stdout == "Les envois reprennent.\n"
    assert elsewhere("mail", "resume").stdout == "Les envois n’étaient pas en pause\u00a0: rien n’a changé.\n"
    again = elsewhere("restore", str(file))
    assert (again.returncode, again.stdout) == (1, "")
    assert again.stderr.startswith("La base contient déjà un club\u00a0: rien n’a été restauré.")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("backup", "/proc/club.zip"), "/proc/club.zip: ce fichier ou ce dossier n’existe pas"),
        (("backup", "docs"), f"{ROOT}/docs: c’est un dossier"),
        (("restore", "missing.zip"), "missing.zip: ce fichier ou ce dossier n’existe pas"),
        (("restore", "README.md"), "README.md n’est pas une sauvegarde de ce programme, ou elle est incomplète."),
    ],
)
def test_a_file_that_cannot_serve_is_named_in_one_line(loaded: Club, words: tuple[str, str], line: str) -> None:
    done = loaded(*words)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1)
    assert done.stderr.startswith(line)


def test_a_backup_takes_no_device_or_pipe_away(loaded: Club, tmp_path: Path) -> None:
    """As root, `backup /dev/null` would replace the device of the whole machine."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = loaded("backup", str(pipe))
    assert (done.returncode, done.stdout) == (1, "")
    assert (
        done.stderr == f"{pipe} n’est pas un fichier ordinaire\u00a0: la sauvegarde ne peut pas en prendre la place.\n"
    )
    assert pipe.is_fifo()


def test_a_disk_that_is_full_leaves_no_half_a_backup(loaded: Club, tmp_path: Path) -> None:
    limited = "import resource, runpy; resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000)); "
    words = [sys.executable, "-c", limited + "runpy.run_module('clubapp', run_name='__main__')", "backup"]
    folder = tmp_path / "full"
    folder.mkdir()
    settings = without_club_settings() | {"CLUB_DATA_DIR": str(tmp_path / "data")}
    file = str(folder / "club.zip")
    done = subprocess.run([*words, file], cwd=ROOT, env=settings, capture_output=True, text=True, check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1), done.stderr
    assert done.stderr == f"{file}: ce fichier serait trop grand\n"
    assert list(folder.iterdir()) == []
