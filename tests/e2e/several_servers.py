"""Several processes behind one address, with a PostgreSQL, a Redis, an S3 service and a relay of their own."""

import http.client
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import boto3

from clubapp import routes
from clubapp.database import transaction
from clubapp.services.access import sessions
from clubapp.services.demo import ADMIN_EMAIL
from tests.conftest import a_postgres, a_redis
from tests.e2e.invitation_steps import Invitation, database_of
from tests.e2e.site import Site
from tests.servers import Postgres, Redis
from tests.smtp_server import Relay, running_relay
from tests.stores import SECRETS
from tests.web.answer_form import TYPE
from tests.web.tab import Tab


@dataclass
class Several:
    """The site, and what it stands on."""

    site: Site
    postgres: Postgres
    redis: Redis
    relay: Relay

    @property
    def workers(self) -> list[int]:
        """The processes that serve, by their numbers."""
        return workers_of(self.site)

    def cookie(self, email: str = ADMIN_EMAIL) -> str:
        """A new session of someone."""
        with database_of(self.site), transaction() as session:
            return f"session={sessions.open_session(session, email)[0]}"

    def tabs(self, count: int = 8, **given: str) -> list[Tab]:
        """As many tabs as it takes to have one in each process; at least so many."""
        made: list[Tab] = []
        serving: set[int] = set()
        until = time.monotonic() + 60  # a process that has just been started in place of a dead one serves later
        while len(made) < count or serving != set(self.workers):
            assert time.monotonic() < until, "some process serves nobody"
            if len(made) >= count:
                time.sleep(0.1)
            made.append(Tab(self.site.url, source=f"127.0.4.{1 + len(made) // 50}", **given))
            serving.add(worker_of(self.site, made[-1]))
        return made

    def get(self, path: str, times: int = 12, **headers: str) -> list[tuple[int, str]]:
        """The answers to a question, each over a connection of its own: every process gets its share."""
        return [ask(self.site, "GET", path, b"", **headers) for _ in range(times)]


@contextmanager
def several(folder: Path, workers: int, s3: str = "", **environment: str) -> Iterator[Several]:
    """So many processes with the demo club, while the block lasts; pictures in S3 when its address is given."""
    with a_postgres() as postgres, a_redis() as redis, running_relay() as relay:
        environment |= {
            "CLUB_WORKERS": str(workers),
            "CLUB_DATABASE_URL": postgres.url,
            "CLUB_REDIS_URL": redis.new_database(),
            "CLUB_SMTP_URL": relay.url,
        }
        site = Site(folder, environment=environment | (_bucket(s3) if s3 else {}))
        try:
            yield Several(site.start(), postgres, redis, relay)
        finally:
            postgres.start_again()
            site.stop()


def workers_of(site: Site) -> list[int]:
    """The processes that serve a site: the server alone, or its children. Another of these tracks what they share."""
    assert site.process is not None
    told = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(site.process.pid)], capture_output=True, text=True, check=False
    )
    lines = [line.split(maxsplit=1) for line in told.stdout.splitlines()]
    return [int(number) for number, command in lines if "spawn_main" in command] or [site.process.pid]


def kill(worker: int) -> None:
    """End a process as the machine does when it runs out of memory."""
    assert worker > 1, "that would be more than a process"
    os.kill(worker, signal.SIGKILL)


def worker_of(site: Site, tab: Tab) -> int:
    """The process that holds the other end of a tab's connection; 0 when none does."""
    inode = _inode(site.port, tab.port)
    for worker in workers_of(site):
        for file in Path(f"/proc/{worker}/fd").iterdir():
            try:
                if os.readlink(file) == f"socket:[{inode}]":
                    return worker
            except FileNotFoundError:
                continue
    return 0


def ask(site: Site, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, str]:
    """Status and text of one answer, over a connection of its own."""
    connection = http.client.HTTPConnection("localhost", site.port, timeout=20)
    connection.request(method, path, body or None, {"Accept": "text/html", "Origin": site.url} | headers)
    answer = connection.getresponse()
    text = answer.read().decode(errors="replace")
    connection.close()
    return answer.status, text


def answer(site: Site, invitation: Invitation, **said: str) -> tuple[int, str]:
    """Post one step of an invitation's answer, as its page without scripts does; status and text."""
    sent = urlencode({"token": invitation.token, **said}).encode()
    return ask(site, "POST", f"{routes.answer(invitation.event_id)}/answer", sent, **TYPE)


def _inode(server_port: int, client_port: int) -> str:
    """The kernel's number of the server's end of a connection."""
    wanted = f":{server_port:04X}", f":{client_port:04X}"
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(table).read_text().splitlines()[1:]:
            words = line.split()
            if words[1].endswith(wanted[0]) and words[2].endswith(wanted[1]):
                return words[9]
    return ""


def _bucket(endpoint: str) -> dict[str, str]:
    """A bucket of one's own, as settings."""
    where: Any = {"LocationConstraint": SECRETS["region_name"]}
    boto3.client("s3", endpoint_url=endpoint, **SECRETS).create_bucket(
        Bucket="several", CreateBucketConfiguration=where
    )
    told = {{"region_name": "AWS_REGION"}.get(name, name.upper()): value for name, value in SECRETS.items()}
    return told | {"CLUB_MEDIA_URL": "s3://several/club", "AWS_ENDPOINT_URL": endpoint}
