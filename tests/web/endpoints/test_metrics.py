"""What a Prometheus is told, and that nobody else is."""

import json
import math
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from starlette.routing import Router
from starlette.testclient import TestClient

from clubapp import VERSION
from clubapp.database import engine, transaction
from clubapp.infra import job_status
from clubapp.mail.queue import outbox, pause
from clubapp.services import backups
from clubapp.settings import ROOT
from clubapp.web.endpoints import health, metrics
from clubapp.web.screens.event_metrics import HANDLER_SECONDS
from tests.conftest import a_redis, forget_settings, on_postgres, on_sqlite
from tests.factories import add_event, add_member, add_reservation

pytestmark = on_sqlite

At = Callable[[str], datetime]
TOKEN = "a-token-for-the-figures"
HANDLER = "pages.admin.events.state.CalendarState.load"
OBSERVE_IN_TWO = (
    f"import os; from clubapp.web.screens.event_metrics import HANDLER_SECONDS as h; child = os.fork(); "
    f"h.labels('{HANDLER}').observe(0.2); child and os.waitpid(child, 0)"
)


def asking(peer: str = "127.0.0.1", name: str = "localhost", **headers: str) -> TestClient:
    given: Any = {key.replace("_", "-").encode(): value.encode("latin-1") for key, value in headers.items()}
    return TestClient(Router(metrics.routes()), f"http://{name}:3000", client=(peer, 50_000), headers=given)


def told(client: TestClient) -> dict[str, float]:
    answer = client.get("/metrics")
    assert answer.status_code == 200, answer.text
    return {
        sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_this_machine_is_told(club: str) -> None:
    answer = asking().get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=")
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "client",
    [
        asking("192.0.2.7"),
        asking("192.0.2.7", authorization=f"Bearer {TOKEN}x"),
        asking("192.0.2.7", authorization="Bearer "),
        asking("192.0.2.7", authorization="Bearer é"),
        asking(x_forwarded_for="192.0.2.7"),
        asking(x_real_ip="192.0.2.7"),
        asking(forwarded="for=192.0.2.7"),
        asking(name="rebound.example"),
    ],
    ids=["far", "near", "empty", "accent", "forwarded", "real ip", "standard", "another name"],
)
def test_nobody_else_learns_that_there_is_anything(
    club: str, environment: pytest.MonkeyPatch, client: TestClient
) -> None:
    for token in ("", TOKEN):
        environment.setenv("CLUB_METRICS_TOKEN", token)
        forget_settings()
        answer = client.get("/metrics")
        assert (answer.status_code, answer.text) == (404, "Introuvable.")


def test_the_bearer_of_the_token_is_told_from_anywhere(club: str, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_METRICS_TOKEN", TOKEN)
    forget_settings()
    assert told(asking("192.0.2.7", authorization=f"Bearer {TOKEN}", x_forwarded_for="192.0.2.8"))["club_database_up"]


def test_the_figures_are_those_of_the_database(club: str, at: At) -> None:
    at("2026-11-20T10:00")
    with transaction() as session:
        add_reservation(session, add_event(session), add_member(session), will_attend=True)
        outbox.queue_mail(session, kind="test", key="one", recipient="marie@durand.example")
        pause.begin_pause(session, "helene@beffroi.example", "")
    at("2026-11-20T10:02")
    figures = told(asking())
    assert figures["club_answers coming"] == 1
    assert figures["club_answers silent"] == 0
    assert figures["club_mails pending"] == 1
    assert figures["club_mail_oldest_pending_seconds"] == 120
    assert figures["club_mail_queue_paused"] == 1
    assert figures["club_sessions"] == 0


def test_the_jobs_tell_when_they_ran_and_whether_they_failed(club: str, at: At) -> None:
    at("2026-11-20T10:00")
    job_status.expect_jobs({"send-mail": 1, "forget": 3600})
    job_status.record_end("send-mail", "C0FFEE00")
    at("2026-11-20T10:00:30")
    job_status.record_begin("forget")
    at("2026-11-20T10:01")
    figures = told(asking())
    job_status._runs.clear()
    assert figures["club_scheduler_tick_age_seconds"] == 30
    assert figures["club_job_tick_age_seconds send-mail"] == 60
    assert figures["club_job_failed send-mail"] == 1
    assert figures["club_job_failed forget"] == 0


def test_redis_disk_and_backups_are_told(club: str, environment: pytest.MonkeyPatch, at: At, tmp_path: Path) -> None:
    at("2026-11-20T10:00")
    environment.setenv("CLUB_BACKUP_DIR", str(tmp_path / "backups"))
    (tmp_path / "data").mkdir(exist_ok=True)
    forget_settings()
    figures = told(asking())
    assert figures["club_backup_age_seconds"] == math.inf
    assert figures["club_disk_free_bytes"] > 0
    assert figures[f"club_info {VERSION}"] == 1
    assert "club_redis_up" not in figures
    assert backups.back_up_daily(3) is not None
    at("2026-11-20T11:00")
    assert told(asking())["club_backup_age_seconds"] == 3600
    with a_redis() as redis:
        environment.setenv("CLUB_REDIS_URL", redis.new_database())
        forget_settings()
        assert told(asking())["club_redis_up"] == 1
        redis.stop()
        assert told(asking())["club_redis_up"] == 0


def test_alert_rules_and_dashboard_name_figures_that_there_are(
    club: str, environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    environment.setenv("CLUB_BACKUP_DIR", str(tmp_path))
    environment.setenv("CLUB_REDIS_URL", "redis://127.0.0.1:1")
    environment.setenv("CLUB_DATA_DIR", str(tmp_path))
    forget_settings()
    job_status.expect_jobs({"send-mail": 1})
    there = set(re.findall(r"^# TYPE (club_\w+)", asking().get("/metrics").text, re.MULTILINE))
    job_status._runs.clear()
    for name in ("alerts.yml", "dashboard.json"):
        words = (ROOT / "deploy" / name).read_text()
        named = {one.removesuffix("_bucket") for one in re.findall(r"\bclub_\w+", words)}
        assert len(named) > 6
        assert named <= there, name
    rules = [
        rule
        for group in yaml.safe_load((ROOT / "deploy" / "alerts.yml").read_text())["groups"]
        for rule in group["rules"]
    ]
    assert all(rule["expr"] and rule["annotations"]["summary"] for rule in rules)
    panels = json.loads((ROOT / "deploy" / "dashboard.json").read_text())["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels) > 8


def test_with_several_processes_no_redis_means_no_site(club: str, environment: pytest.MonkeyPatch) -> None:
    """Fails when a load balancer sends people where every press is lost."""
    asks = TestClient(Router(health.routes()))
    assert (asks.get("/health").status_code, asks.get("/health").json()["version"]) == (200, VERSION)
    if club == "sqlite":
        return
    with a_redis() as redis:
        environment.setenv("CLUB_REDIS_URL", redis.new_database())
        environment.setenv("CLUB_WORKERS", "2")
        forget_settings()
        assert asks.get("/health").json() == {"status": "ok", "version": VERSION}
        redis.stop()
        assert (asks.get("/health").status_code, asks.get("/health").json()["status"]) == (503, "unavailable")


def test_without_the_database_the_rest_is_told(club: str) -> None:
    Path(str(engine().url.database)).unlink()
    HANDLER_SECONDS.labels(HANDLER).observe(0.2)
    figures = told(asking())
    assert figures["club_database_up"] == 0
    assert figures[f"club_handler_seconds_count {HANDLER}"] >= 1
    assert "club_mails pending" not in figures


@on_postgres
def test_the_times_of_several_processes_add_up(club: str, environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Fails when each process tells of its own handlers only."""
    environment.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    subprocess.run([sys.executable, "-c", OBSERVE_IN_TWO], cwd=ROOT, check=True)
    environment.setenv("CLUB_REDIS_URL", "redis://127.0.0.1:1")
    environment.setenv("CLUB_WORKERS", "2")
    forget_settings()
    assert told(asking())[f"club_handler_seconds_count {HANDLER}"] == 2
