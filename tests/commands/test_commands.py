"""The commands as a person types them: what they print, their exit code, one line when something is wrong."""

import gc
import io
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from babel.dates import get_month_names
from sqlmodel import Session, select

from clubapp import __main__, migrations
from clubapp.database import make_engine
from clubapp.models import Act, Member
from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from tests.conftest import forget_settings
from tests.servers import free_port
from tests.smtp_server import running_relay

ROOT = Path(__file__).resolve().parent.parent.parent
MONTHS = list(get_month_names("wide", locale="fr_FR").values())


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it printed."""

    returncode: int | str | None
    stdout: str
    stderr: str


Club = Callable[..., Done]


def command(data_dir: Path, *words: str, **settings: str) -> Done:
    """Run `clubapp …` in this process, from the repository, with no settings but these and a data folder of its own."""
    printed, told = io.StringIO(), io.StringIO()
    chosen = {"CLUB_DATA_DIR": str(data_dir), "CLUB_PORT": str(free_port())} | settings
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed), redirect_stderr(told):
        patch.setattr(os, "environ", without_club_settings() | chosen)
        patch.setattr(sys, "argv", ["clubapp", *words])
        patch.chdir(ROOT)
        forget_settings()
        try:
            __main__.main()
            code = 0
        except SystemExit as ended:
            code = ended.code or 0
        finally:
            forget_settings()
            gc.enable()
    return Done(code, printed.getvalue(), told.getvalue())


def without_club_settings() -> dict[str, str]:
    """The environment of this machine without its club."""
    return {name: value for name, value in os.environ.items() if not name.startswith("CLUB_")}


@pytest.fixture
def club_command(tmp_path: Path) -> Club:
    """`club_command("admin", "list", CLUB_PORT="x")`, on an installation of this test."""
    return partial(command, tmp_path / "data")


@pytest.fixture(scope="module")
def small_club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data directory of a small demo club, to be copied."""
    made = tmp_path_factory.mktemp("small") / "data"
    done = command(made, "demo", "--members", "12", "--companies", "7", "--events", "3")
    assert done.returncode == 0, done.stderr
    return made


@pytest.fixture
def loaded(club_command: Club, small_club: Path, tmp_path: Path) -> Club:
    """The same, on a small demo club."""
    shutil.copytree(small_club, tmp_path / "data")
    return club_command


def revision_of(folder: Path) -> str | None:
    """The schema of the club below that folder."""
    with make_engine(f"sqlite:///{folder / 'data' / 'club.sqlite3'}").connect() as connection:
        return migrations.read_revision(connection)


def count_of_members(folder: Path) -> int:
    """How many members the club below that folder has."""
    with Session(make_engine(f"sqlite:///{folder / 'data' / 'club.sqlite3'}")) as session:
        return len(session.exec(select(Member)).all())


@pytest.mark.parametrize(("words", "code"), [(("--help",), 0), (("serve", "--workers", "2"), 1), (("unknown",), 2)])
def test_the_process_exits_with_the_code_of_the_command(tmp_path: Path, words: tuple[str, ...], code: int) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "clubapp", *words],
        cwd=ROOT,
        env=without_club_settings() | {"CLUB_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code
    assert (done.stdout == "", done.stderr == "") == (code != 0, code == 0)


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_what_a_club_keeps_is_for_its_own_user_alone(tmp_path: Path, umask: int) -> None:
    data = tmp_path / "data"
    done = subprocess.run(
        [sys.executable, "-m", "clubapp", "demo", "--members", "3"],
        cwd=ROOT,
        env=without_club_settings() | {"CLUB_DATA_DIR": str(data)},
        capture_output=True,
        umask=umask,
        check=False,
    )
    assert done.returncode == 0
    kept = [data, *data.rglob("*")]
    assert len(kept) > 5
    assert not [path for path in kept if path.stat().st_mode & 0o077]


def test_help_stands_everywhere(club_command: Club) -> None:
    for words in ((), ("serve",), ("admin", "add"), ("mail",)):
        done = club_command(*words, "--help")
        assert done.returncode == 0
        assert done.stdout.startswith("Usage: clubapp")


@pytest.mark.parametrize(
    "words", [("unknown",), ("admin", "add"), ("serve", "--port", "x"), ("demo", "--members", "-1")]
)
def test_a_wrong_call_exits_with_two(club_command: Club, words: tuple[str, ...]) -> None:
    done = club_command(*words)
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: clubapp")


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"CLUB_PUBLIC_URL": "club.example"}, "CLUB_PUBLIC_URL: attendu\u00a0: une origine comme https://club.example"),
        ({"CLUB_SMTP_URL": "mail.club.example"}, "CLUB_SMTP_URL: attendu\u00a0: smtp://"),
        ({"CLUB_WORKERS": "2"}, "CLUB_WORKERS: plusieurs processus demandent Redis (CLUB_REDIS_URL)"),
        ({"CLUB_DATABASE_URL": "postgresql://club@127.0.0.1:1/club"}, "CLUB_DATABASE_URL: base injoignable ("),
        ({"CLUB_REDIS_URL": "redis://127.0.0.1:1"}, "CLUB_REDIS_URL: Redis injoignable ("),
        ({"CLUB_DATA_DIR": "/proc/club"}, "CLUB_DATA_DIR: /proc/club: "),
    ],
)
def test_a_wrong_setting_stops_the_start_with_one_clear_line(
    club_command: Club, settings: dict[str, str], line: str
) -> None:
    done = club_command("serve", **settings)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith(line)
    assert len(done.stderr.splitlines()) == 1


def test_a_port_that_is_taken_stops_the_start(club_command: Club) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = club_command("serve", "--port", str(port))
    assert done.returncode == 1
    taken_by = "un autre programme y écoute déjà"
    assert done.stderr == f"CLUB_PORT: impossible d’écouter sur 127.0.0.1:{port} ({taken_by})\n"


def test_a_data_folder_that_cannot_be_is_named_with_its_setting(tmp_path: Path) -> None:
    file = tmp_path / "a-file"
    file.touch()
    for folder, why in (
        ("/proc/nope", "/proc/nope: ce fichier ou ce dossier n’existe pas"),
        ("/proc/nope/data", "/proc/nope: ce fichier ou ce dossier n’existe pas"),
        (f"{file}/data", f"{file}/data: un fichier y tient la place d’un dossier"),
    ):
        done = command(Path(folder), "migrate")
        assert (done.returncode, done.stderr) == (1, f"CLUB_DATA_DIR: {why}\n")


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
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1)
    assert f"du schéma {migrations.newest_revision()} au schéma 0001" in done.stderr
    assert "--force" in done.stderr
    assert revision_of(tmp_path) == migrations.newest_revision()
    assert list(tmp_path.rglob("*.zip")) == []


@pytest.mark.parametrize("folder", ["data/backups", "elsewhere"])
def test_a_forced_way_back_makes_a_backup_first(loaded: Club, tmp_path: Path, folder: str) -> None:
    chosen = {"CLUB_BACKUP_DIR": str(tmp_path / folder)} if folder == "elsewhere" else {}
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


def test_without_its_backup_nothing_is_led_back(loaded: Club, tmp_path: Path) -> None:
    in_the_way = tmp_path / "a-file"
    in_the_way.touch()
    done = loaded("migrate", "--to", "0001", "--force", CLUB_BACKUP_DIR=str(in_the_way))
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1)
    assert done.stderr.startswith(f"{in_the_way}")
    assert revision_of(tmp_path) == migrations.newest_revision()


def test_forwards_needs_no_force(loaded: Club, tmp_path: Path) -> None:
    assert loaded("migrate", "--to", "0001", "--force").returncode == 0
    for words in (("--to", "0002"), ("--force",)):
        done = loaded("migrate", *words)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert revision_of(tmp_path) == migrations.newest_revision()
    assert len(list(tmp_path.rglob("*.zip"))) == 1


def test_a_club_is_taken_away_and_brought_back(loaded: Club, club_command: Club, tmp_path: Path) -> None:
    file, elsewhere = tmp_path / "club.zip", partial(command, tmp_path / "elsewhere")
    made = loaded("backup", str(file))
    assert made.returncode == 0
    assert made.stdout.startswith(f"Sauvegarde écrite dans {file}\u00a0: membres 12, événements 3, images ")
    assert (
        f"La clé de signature n’y est pas\u00a0: gardez-la à part ({tmp_path / 'data' / 'secret.key'})." in made.stdout
    )
    done = elsewhere("restore", str(file))
    assert done.returncode == 0
    assert done.stdout.startswith("Club restauré depuis la sauvegarde du ")
    said = done.stderr.splitlines()
    assert said[0].startswith("Les envois sont en pause")
    assert said[-1].startswith("La clé de signature n’est pas celle de la sauvegarde")
    assert "Le club a été restauré depuis sa sauvegarde du" in elsewhere("mail", "status").stderr
    assert elsewhere("mail", "resume").stdout == "Les envois reprennent.\n"
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


def test_demo_loads_once(loaded: Club, tmp_path: Path) -> None:
    again = loaded("demo")
    assert again.returncode == 1
    assert again.stderr == "La base contient déjà un club\u00a0: rien n’a été chargé.\n"
    with Session(make_engine(f"sqlite:///{tmp_path / 'data' / 'club.sqlite3'}")) as session:
        assert len(session.exec(select(Member)).all()) == 12


def test_administrators_come_and_go(loaded: Club, tmp_path: Path) -> None:
    assert loaded("admin", "add", " Lea@Club.example ").stdout == "lea@club.example administre désormais le club.\n"
    assert "lea@club.example" in loaded("admin", "list").stdout.splitlines()
    assert loaded("admin", "add", "lea@club.example").returncode == 1
    assert loaded("admin", "add", "lea").returncode == 1
    assert loaded("admin", "remove", "lea@club.example").returncode == 0
    assert "lea@club.example" not in loaded("admin", "list").stdout
    assert loaded("admin", "remove", "lea@club.example").returncode == 1
    with Session(make_engine(f"sqlite:///{tmp_path / 'data' / 'club.sqlite3'}")) as session:
        assert [entry.action for entry in session.exec(select(Act))] == ["command", "admin.add", "admin.remove"]


def test_a_sign_in_link_is_printed_for_a_known_address_only(loaded: Club) -> None:
    done = loaded("sign-in-link", MEMBER_EMAIL, CLUB_PUBLIC_URL="https://club.example")
    assert re.fullmatch(
        r"https://club\.example/auth/callback#access_token=[\w-]{43}&refresh_token=[\w-]{43}\n", done.stdout
    )
    assert loaded("sign-in-link", "nobody@club.example").returncode == 1


def test_an_access_token_is_for_administrators(loaded: Club) -> None:
    assert loaded("access-token", ADMIN_EMAIL, "--minutes", "5").returncode == 0
    refused = loaded("access-token", MEMBER_EMAIL)
    assert (refused.returncode, refused.stdout) == (1, "")


def test_mail_can_be_counted_and_delivered(loaded: Club) -> None:
    counts = dict(line.split() for line in loaded("mail", "status").stdout.splitlines())
    assert counts["pending"] == counts["sent"] == "0"
    assert loaded("mail", "deliver", "--until-empty").stdout.startswith("remis 0")


def test_reminders_are_told_for_any_moment_and_queued_once(loaded: Club) -> None:
    assert "Rien à envoyer à ce moment." in loaded("reminders", "due", "--at", "2001-01-01T09:00").stdout
    told = loaded("reminders", "due").stdout
    found = re.search(r"Ensuite\u00a0: .*, le \w+ (\d+)\w* (\S+) (\d{4}) à 09:00\.", told)
    assert found is not None, told
    at = f"{found[3]}-{1 + MONTHS.index(found[2]):02}-{int(found[1]):02}T09:00"
    seen = loaded("reminders", "due", "--at", at).stdout
    count = int(re.findall(r"(\d+) destinataires?", seen)[0])
    assert count == len(re.findall(r"<\S+@\S+>", seen)) > 0
    sent, again = (loaded("reminders", "due", "--at", at, "--send").stdout for _ in range(2))
    assert f"{count} message{'s' if count > 1 else ''} dans la file d’envoi." in sent
    assert "0 message dans la file d’envoi." in again
    counts = dict(line.split() for line in loaded("mail", "status").stdout.splitlines())
    assert counts["pending"] == str(count)


def test_a_moment_that_is_none_is_a_wrong_call(loaded: Club) -> None:
    wrong = loaded("reminders", "due", "--at", "demain")
    assert wrong.returncode == 2
    assert "2026-11-05T09:00" in wrong.stderr


def test_the_doctor_connects_encrypts_and_signs_in(loaded: Club) -> None:
    with running_relay() as relay:
        assert "répond" in loaded("doctor", CLUB_SMTP_URL=relay.url).stdout
        for url, said in (
            (relay.url.replace("smtp://", "smtp+starttls://"), "chiffrement"),
            (relay.url.replace("smtp://", "smtp://club:secret@"), "identification"),
        ):
            ill = loaded("doctor", CLUB_SMTP_URL=url)
            (line,) = [line for line in ill.stdout.splitlines() if line.startswith("ERREUR")]
            assert said in line
            assert line.endswith("vérifiez CLUB_SMTP_URL")
            assert "secret" not in line


def test_the_doctor_says_what_is_wrong(loaded: Club) -> None:
    healthy = loaded("doctor")
    assert healthy.returncode == 0
    assert [line for line in healthy.stdout.splitlines() if not line.startswith("ok      ")] == [
        "à voir  sauvegardes\u00a0: aucune n’est programmée\u00a0; nommez un dossier dans CLUB_BACKUP_DIR, "
        "de préférence sur un autre disque"
    ]
    ill = loaded("doctor", CLUB_SMTP_URL="smtp://127.0.0.1:1", CLUB_REDIS_URL="redis://127.0.0.1:1")
    assert ill.returncode == 1
    assert [line.split("\u00a0: ")[0] for line in ill.stdout.splitlines() if line.startswith("ERREUR")] == [
        "ERREUR  Redis",
        "ERREUR  envoi des e-mails",
    ]
