"""The commands as a person types them: what they print, their exit code, one line when something is wrong."""

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from babel.dates import get_month_names
from sqlmodel import Session, select

from clubapp import VERSION
from clubapp.database import make_engine
from clubapp.models import Act, Member
from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from tests.commands.conftest import ROOT, Club, acts_of, command, without_club_settings
from tests.smtp_server import running_relay

MONTHS = list(get_month_names("wide", locale="fr_FR").values())


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


def test_what_a_club_keeps_is_for_its_own_user_alone(tmp_path: Path) -> None:
    """Even where every user may read what is new: a mask only takes rights away."""
    data = tmp_path / "data"
    done = subprocess.run(
        [sys.executable, "-m", "clubapp", "demo", "--members", "3"],
        cwd=ROOT,
        env=without_club_settings() | {"CLUB_DATA_DIR": str(data)},
        capture_output=True,
        umask=0o000,
        check=False,
    )
    assert done.returncode == 0
    kept = [data, *data.rglob("*")]
    assert len(kept) > 5
    assert not [path for path in kept if path.stat().st_mode & 0o077]


def test_help_stands_everywhere(club_command: Club) -> None:
    for words in ((), ("serve",), ("restore",), ("papers",), ("admin", "add"), ("mail",)):
        done = club_command(*words, "--help")
        assert done.returncode == 0
        assert done.stdout.startswith("Usage\u00a0: clubapp")
        assert "Options\u00a0:" in done.stdout
        english = re.compile(r"Show this|Usage:|Commands|\[required|\[default|<(?:int|str|path)|ARGS")
        assert not english.search(done.stdout), done.stdout


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("srve",), "commande inconnue\u00a0: srve\u00a0; vouliez-vous dire serve\u00a0?"),
        (("admin", "add"), "il manque EMAIL."),
        (("admin", "list", "x", "y"), "de trop\u00a0: x y."),
        (("serve", "--prt", "1"), "option inconnue\u00a0: --prt\u00a0; vouliez-vous dire --port\u00a0?"),
        (("serve", "--port", "x"), "--port\u00a0: attendu\u00a0: un nombre entier."),
        (("serve", "--port", "65536"), "--port\u00a0: attendu\u00a0: au plus 65535."),
        (("demo", "--members", "-1"), "--members\u00a0: attendu\u00a0: au moins 0."),
        (
            ("reminders", "due", "--at", "demain"),
            "--at\u00a0: attendu\u00a0: une date et une heure ISO, comme 2026-11-05T09:00.",
        ),
    ],
)
def test_a_wrong_call_exits_with_two_and_says_why_in_french(
    club_command: Club, words: tuple[str, ...], why: str
) -> None:
    done = club_command(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Usage\u00a0: clubapp")
    assert done.stderr.splitlines()[-1] == f"Erreur\u00a0: {why}"


def test_an_option_without_its_value_is_named(club_command: Club) -> None:
    done = club_command("serve", "--port")
    assert (done.returncode, done.stderr) == (2, "Erreur\u00a0: l’option --port demande une valeur.\n")


def test_the_version_is_that_of_the_changelog(club_command: Club) -> None:
    assert club_command("--version").stdout == f"clubapp {VERSION}\n"
    released = re.findall(
        r"^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
    )
    assert released[0][0] == VERSION
    assert club_command("doctor").stdout.splitlines()[0] == f"ok      version\u00a0: {VERSION}"


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


def test_a_public_club_does_not_start_with_the_people_of_the_demonstration(club_command: Club) -> None:
    public = {"CLUB_PUBLIC_URL": "https://club.example", "CLUB_ANIMATOR_NAME": "Zoé Lefèbvre"}
    done = club_command("serve", **public)
    assert (done.returncode, done.stdout) == (1, "")
    named = [line.partition(":")[0] for line in done.stderr.splitlines()]
    assert "CLUB_CONTACT_PHONE" in named
    assert "CLUB_ANIMATOR_NAME" not in named
    for chosen in ({"CLUB_DEMO": "1"}, {"CLUB_PUBLIC_URL": "http://localhost:3000"}):
        told = club_command("serve", **public | chosen, CLUB_REDIS_URL="redis://127.0.0.1:1")
        assert told.stderr.startswith("CLUB_REDIS_URL: Redis injoignable (")


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
        assert [entry.action for entry in session.exec(select(Act))] == [
            "command",
            "command",
            "admin.add",
            "admin.remove",
        ]


def test_a_sign_in_link_is_printed_for_a_known_address_only(loaded: Club) -> None:
    done = loaded("sign-in-link", MEMBER_EMAIL, CLUB_PUBLIC_URL="https://club.example")
    assert re.fullmatch(
        r"https://club\.example/auth/callback#access_token=[\w-]{43}&refresh_token=[\w-]{43}\n", done.stdout
    )
    assert loaded("sign-in-link", "nobody@club.example").returncode == 1


@pytest.mark.parametrize("words", [("sign-in-link", MEMBER_EMAIL), ("access-token", ADMIN_EMAIL)])
def test_on_a_full_disk_no_link_is_printed_that_leads_nowhere(
    loaded: Club, tmp_path: Path, words: tuple[str, str]
) -> None:
    full = "import resource, runpy; resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000)); "
    done = subprocess.run(
        [sys.executable, "-c", full + "runpy.run_module('clubapp', run_name='__main__')", *words],
        cwd=ROOT,
        env=without_club_settings() | {"CLUB_DATA_DIR": str(tmp_path / "data")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")


def test_an_access_token_is_for_administrators(loaded: Club) -> None:
    assert loaded("access-token", ADMIN_EMAIL, "--minutes", "5").returncode == 0
    refused = loaded("access-token", MEMBER_EMAIL)
    assert (refused.returncode, refused.stdout) == (1, "")


def test_the_papers_are_written_once_unless_asked_again(loaded: Club, tmp_path: Path) -> None:
    folder = tmp_path / "papiers"
    done = loaded("papers", str(folder))
    assert done.returncode == 0
    assert f"{folder}/registre-des-activites-de-traitement.pdf" in done.stdout
    assert len(list(folder.iterdir())) == 8
    again = loaded("papers", str(folder))
    assert again.returncode == 1
    assert "déjà là" in again.stderr
    assert loaded("papers", str(folder), "--force").returncode == 0


def test_mail_can_be_counted_and_delivered(loaded: Club) -> None:
    counts = dict(line.split() for line in loaded("mail", "status").stdout.splitlines())
    assert counts["pending"] == counts["sent"] == "0"
    assert loaded("mail", "deliver", "--until-empty").stdout.startswith("remis 0")


def counts_of(club: Club) -> dict[str, int]:
    """How many messages are in each state."""
    return {state: int(count) for state, count in map(str.split, club("mail", "status").stdout.splitlines())}


def moment_of_next(told: str) -> str:
    """When the next automatic mailing is due, as `reminders due` told it."""
    found = re.search(r"Ensuite\u00a0: .*, le \w+ (\d+)\w* (\S+) (\d{4}) à 09:00\.", told)
    assert found is not None, told
    return f"{found[3]}-{1 + MONTHS.index(found[2]):02}-{int(found[1]):02}T09:00"


def test_reminders_are_told_for_any_moment_and_queued_once(loaded: Club, tmp_path: Path) -> None:
    assert "Rien à envoyer à ce moment." in loaded("reminders", "due", "--at", "2001-01-01T09:00").stdout
    at = moment_of_next(loaded("reminders", "due").stdout)
    seen = loaded("reminders", "due", "--at", at).stdout
    count = int(re.findall(r"(\d+) destinataires?", seen)[0])
    assert count == len(re.findall(r"<\S+@\S+>", seen)) > 0
    sent, again = (loaded("reminders", "due", "--at", at, "--send").stdout for _ in range(2))
    assert f"{count} message{'s' if count > 1 else ''} dans la file d’envoi." in sent
    assert "0 message dans la file d’envoi." in again
    assert counts_of(loaded)["pending"] == count
    assert loaded("mail", "deliver", "--until-empty").returncode == 0
    assert acts_of(tmp_path) == ["migrate", "demo", *["reminders due --send"] * 2, "mail deliver"]


def test_what_waited_in_a_backup_leaves_only_when_it_is_said_at_the_first_resumption(
    loaded: Club, tmp_path: Path
) -> None:
    """Data before and after: nothing leaves by itself, and a second call says why it sends nothing."""
    at = moment_of_next(loaded("reminders", "due").stdout)
    assert loaded("reminders", "due", "--at", at, "--send").returncode == 0
    file = tmp_path / "club.zip"
    assert loaded("backup", str(file)).returncode == 0
    waiting = counts_of(loaded)["pending"]
    assert waiting > 0
    for words, left, state in (
        ((), f"Messages laissés, peut-être déjà partis\u00a0: {waiting}.", "uncertain"),
        (("--all",), f"Partent aussi ceux qui attendaient dans la sauvegarde\u00a0: {waiting}.", "pending"),
    ):
        assert loaded("restore", str(file), "--force").returncode == 0
        assert left in loaded("mail", "resume", *words).stdout
        assert counts_of(loaded)[state] == waiting
        if not words:
            again = loaded("mail", "resume", "--all").stdout
            assert f"Messages laissés à la reprise précédente\u00a0: {waiting}. «\u00a0--all\u00a0» n’en" in again
            assert (counts_of(loaded)["uncertain"], counts_of(loaded)["pending"]) == (waiting, 0)


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
