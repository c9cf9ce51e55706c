"""A PostgreSQL and a Redis of one's own, which a test can stop and start again."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

# PostgreSQL refuses to run as root.
USER = "postgres" if os.geteuid() == 0 else None
EXTRA_GROUPS: list[str] | None = [] if USER else None
_SETTINGS = (
    *("listen_addresses=", "max_connections=200", "deadlock_timeout=100ms"),
    *("fsync=off", "full_page_writes=off"),  # no test cuts the power of the machine
    "autovacuum_naptime=1s",  # each test leaves its rows to be cleared away
    # What was counted in the rows of one test would make it plan badly for those of another, and compile for nothing.
    *("autovacuum_analyze_threshold=2000000000", "jit=off"),
)


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@dataclass
class Postgres:
    """A cluster in a folder, reached through a socket in it."""

    folder: Path
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    @property
    def url(self) -> str:
        """For CLUB_DATABASE_URL: the database every cluster begins with."""
        return self._address("club")

    @classmethod
    @contextmanager
    def running(cls) -> Iterator["Postgres"]:
        """A new cluster, started, gone with the block."""
        made = cls(Path(tempfile.mkdtemp(prefix="club-postgres-")))
        if USER:
            shutil.chown(made.folder, USER)
        try:
            made._run("initdb", "-D", made._data, "-U", "club", "-A", "trust", "-E", "UTF8", "--no-sync")
            made.start()
            made._run("createdb", "-h", str(made.folder), "-U", "club", "club")
            yield made
        finally:
            # A cluster that is already gone, or slow to go, is not what the tests are about.
            with suppress(subprocess.CalledProcessError):
                made.stop()
            shutil.rmtree(made.folder, ignore_errors=True)

    @staticmethod
    def programs() -> Path | None:
        """The folder of PostgreSQL's programs on this machine."""
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
        if found:
            return found[-1].parent
        path = shutil.which("initdb")
        return Path(path).parent if path else None

    def start(self) -> None:
        """Serve."""
        options = " ".join([f"-k {self.folder}", *(f"-c {setting}" for setting in _SETTINGS)])
        self._run("pg_ctl", "-D", self._data, "-w", "-o", options, "-l", f"{self.folder}/log", "start")

    def start_again(self) -> None:
        """Serve, when it does not."""
        if not Path(self._data, "postmaster.pid").exists():
            self.start()

    def stop(self) -> None:
        """End at once, as after a cut: nobody is waited for."""
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")

    def new_database(self) -> str:
        """The address of an empty database."""
        name = f"club{next(self._numbers)}"
        self._run("createdb", "-h", str(self.folder), "-U", "club", name)
        return self._address(name)

    @property
    def _data(self) -> str:
        return f"{self.folder}/db"

    def _address(self, name: str) -> str:
        return f"postgresql://club@/{name}?host={self.folder}"

    def _run(self, program: str, *words: str) -> None:
        command = [f"{self.programs()}/{program}", *words]
        # Groups of root are left behind with its rights; "/" is a folder that everyone may enter.
        subprocess.run(
            command, check=True, capture_output=True, cwd="/", user=USER, group=USER, extra_groups=EXTRA_GROUPS
        )


@dataclass
class Redis:
    """A server that keeps everything in memory: what it held is gone when it stops."""

    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None
    _numbers: Iterator[int] = field(default_factory=count)

    @classmethod
    @contextmanager
    def running(cls) -> Iterator["Redis"]:
        """A new server, started, gone with the block."""
        made = cls()
        made.start()
        yield made
        made.stop()

    def start(self) -> None:
        """Serve, once it answers."""
        settings = {"port": self.port, "bind": "127.0.0.1", "save": "", "databases": 1000, "loglevel": "warning"}
        words = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
        self.process = subprocess.Popen(["redis-server", *words], cwd="/tmp", stdout=subprocess.DEVNULL)
        until = time.monotonic() + 10
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.02)
        raise AssertionError("Redis did not start")

    def stop(self) -> None:
        """End at once."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def new_database(self) -> str:
        """The address of an empty database, for CLUB_REDIS_URL."""
        return f"redis://127.0.0.1:{self.port}/{next(self._numbers)}"
