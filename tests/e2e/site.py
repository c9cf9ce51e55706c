"""One real installation for the browser tests: a server process, its data, its mail."""

import hashlib
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from clubapp.database import make_engine
from tests.servers import free_port

ROOT = Path(__file__).resolve().parent.parent.parent
START_SECONDS = 60
# One process with the database in its data directory, also when the suite runs with several.
EMBEDDED = {"CLUB_WORKERS": "1", "CLUB_DATABASE_URL": "", "CLUB_REDIS_URL": ""}


@dataclass
class Site:
    """A server of its own, with demo data. `environment` is what differs from the defaults."""

    data_dir: Path
    port: int = field(default_factory=free_port)
    environment: dict[str, str] = field(default_factory=dict)
    received: Callable[[], list[EmailMessage]] | None = None
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The origin, as visitors type it."""
        return f"http://localhost:{self.port}"

    @property
    def database_url(self) -> str:
        """Where the site keeps everything."""
        return self.variables().get("CLUB_DATABASE_URL") or f"sqlite:///{self.data_dir / 'club.sqlite3'}"

    @property
    def is_embedded(self) -> bool:
        """Whether everything is in the data directory."""
        return self.database_url.startswith("sqlite")

    @property
    def demo_dir(self) -> Path:
        """Where the shared site keeps its data as they were before any test: to load the demo club takes a start."""
        return self.data_dir.with_name("loaded")

    def copy_data(self, to: Path) -> None:
        """What it keeps at this moment, for the data directory of another one."""
        shutil.copytree(self.data_dir / "media", to / "media")
        mine, copy = (sqlite3.connect(folder / "club.sqlite3") for folder in (self.data_dir, to))
        with closing(mine), closing(copy):
            mine.backup(copy)

    @property
    def log(self) -> Path:
        """What the server printed."""
        return self.data_dir / "serve.log"

    @property
    def mails(self) -> list[EmailMessage]:
        """The messages that left so far, newest first."""
        if self.received is not None:
            return list(reversed(self.received()))
        kept = sorted((self.data_dir / "mail").glob("*.eml"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        return [message_from_bytes(path.read_bytes(), policy=policy.default) for path in kept]

    def mails_to(self, address: str, kind: str = "") -> list[EmailMessage]:
        """The messages to one person, newest first, of one kind when told."""
        return [
            mail for mail in self.mails if address in str(mail["To"]) and kind in ("", str(mail.get("X-Club-Kind", "")))
        ]

    def wait_for_mail(self, address: str, kind: str = "", seconds: float = 30, about: str = "") -> EmailMessage:
        """The newest message to that person with `about` in its subject, waiting for it to arrive."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if found := [mail for mail in self.mails_to(address, kind) if about in str(mail["Subject"])]:
                return found[0]
            time.sleep(0.1)
        raise AssertionError(f"no {kind or 'mail'} reached {address} within {seconds} s; the log says:\n{self.tail()}")

    def variables(self) -> dict[str, str]:
        """The environment of the server and of the commands beside it."""
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("CLUB_") or name.startswith("CLUB_TEST_")
        }
        return inherited | {
            "CLUB_DATA_DIR": str(self.data_dir),
            "CLUB_PORT": str(self.port),
            "CLUB_DEMO": "1",
            "CLUB_SECRET_KEY": "a-test-key-of-enough-length-to-sign-with",
            "PYTHONUNBUFFERED": "1",
            **self.environment,
        }

    def command(self, *words: str) -> str:
        """What `python -m clubapp …` prints."""
        done = subprocess.run(
            [sys.executable, "-m", "clubapp", *words],
            cwd=ROOT,
            env=self.variables(),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def start(self) -> "Site":
        """Serve, and wait until the site answers."""
        self.data_dir.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "clubapp", "serve"],
                cwd=ROOT,
                env=self.variables(),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and self.process.poll() is None:
            if self.answers():
                return self
            time.sleep(0.05)
        raise AssertionError(f"the server did not start:\n{self.tail()}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the server and its workers; whatever the test was about, no secret of a link is in the log (W6, W11)."""
        if self.process is None or self.process.poll() is not None:
            return
        self._end(how)
        assert not self.secrets_in_log(), f"a link's secret was logged: {self.log}"
        assert not self.addresses_in_log(), f"somebody's address was logged: {self.log}"

    def _end(self, how: signal.Signals) -> None:
        assert self.process is not None
        os.killpg(self.process.pid, how)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    @contextmanager
    def without_database(self) -> Iterator[None]:
        """The database is gone for as long as the block lasts. A page keeps what it has; none can connect anew."""
        away = self.data_dir.with_name(f"{self.data_dir.name}-away")
        self._move_database(self.data_dir, away)
        yield
        self._move_database(away, self.data_dir)

    def _move_database(self, folder: Path, to: Path) -> None:
        to.mkdir(exist_ok=True)
        for each in folder.glob("club.sqlite3*"):
            each.replace(to / each.name)

    def secrets_in_log(self) -> set[str]:
        """What stands in the log and opens an answer page, or signs somebody in: the database knows its hash."""
        printed = set(re.findall(r"[\w-]{43}", self.log.read_text(errors="replace"))) if self.log.exists() else set()
        hashes = {hashlib.sha256(word.encode()).hexdigest(): word for word in printed}
        if not hashes:
            return set()
        engine = make_engine(self.database_url)
        kept = text(
            "SELECT response_token FROM event_reservations UNION SELECT access_hash FROM sign_in_links "
            "UNION SELECT refresh_hash FROM sign_in_links"
        )
        with suppress(SQLAlchemyError), engine.connect() as connection:
            return {hashes[row[0]] for row in connection.execute(kept) if row[0] in hashes}
        return set()

    def addresses_in_log(self) -> set[str]:
        """Whole addresses that stand in the log, but for those the welcome tells."""
        printed = self.log.read_text(errors="replace") if self.log.exists() else ""
        logged = re.sub(r"^    (administratrice|membre) .*$", "", printed, flags=re.MULTILINE)
        return set(re.findall(r"[\w.+-]+@[\w-]+\.\w+", logged))

    def tail(self) -> str:
        """The end of the log."""
        return self.log.read_text(errors="replace")[-3000:] if self.log.exists() else ""

    def answers(self) -> bool:
        """Whether the site is there."""
        try:
            with urllib.request.urlopen(f"{self.url}/health", timeout=2) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False


def links_in(mail: EmailMessage) -> list[str]:
    """The addresses in a message's text part."""
    body = mail.get_body(("plain",))
    assert body is not None
    return re.findall(r"https?://[^\s<>\"]+", body.get_content())


def link_in(mail: EmailMessage, path: str) -> str:
    """The first address in the text part that leads to a path."""
    found = [link for link in links_in(mail) if path in link]
    assert found, mail.as_string()
    return found[0]
