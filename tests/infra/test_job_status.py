"""When each job last ran, as any process may be asked."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest

from clubapp.infra import job_status
from tests.conftest import a_redis, forget_settings
from tests.servers import Redis

At = Callable[[str], datetime]


@pytest.fixture(scope="module")
def redis() -> Iterator[Redis]:
    with a_redis() as server:
        yield server


@pytest.fixture(params=["alone", "with Redis"])
def jobs(request: pytest.FixtureRequest, environment: pytest.MonkeyPatch) -> Callable[[], None]:
    """Another process begins, when there may be another: its memory is its own."""
    if request.param == "alone":
        return lambda: None
    environment.setenv("CLUB_REDIS_URL", request.getfixturevalue("redis").new_database())
    forget_settings()
    return job_status._runs.clear


def test_a_job_tells_when_it_ran_and_how_it_ended(jobs: Callable[[], None], at: At) -> None:
    started = at("2026-11-20T10:00")
    job_status.expect_jobs({"send-mail": 1, "forget": 3600}, {"forget": "effacement"})
    begun = at("2026-11-20T10:05")
    job_status.record_begin("send-mail")
    assert job_status.read_runs()["send-mail"].is_running
    ended = at("2026-11-20T10:06")
    job_status.record_end("send-mail", "C0FFEE00")
    at("2026-11-20T10:10")
    jobs()
    known = job_status.read_runs()
    assert known["forget"] == job_status.JobRun(timedelta(hours=1), started, label="effacement")
    assert known["forget"].age == timedelta(minutes=10)
    assert known["send-mail"] == job_status.JobRun(timedelta(seconds=1), started, begun, ended, "C0FFEE00")
    assert not known["send-mail"].is_running
    assert known["send-mail"].age == timedelta(minutes=4)


def test_a_run_that_ends_well_is_the_end_of_a_problem(jobs: Callable[[], None], at: At) -> None:
    at("2026-11-20T10:00")
    job_status.expect_jobs({"send-mail": 1})
    job_status.record_end("send-mail", "C0FFEE00")
    job_status.record_end("send-mail")
    assert job_status.read_runs()["send-mail"].problem == ""


def test_a_process_that_begins_keeps_what_the_others_told(
    environment: pytest.MonkeyPatch, redis: Redis, at: At
) -> None:
    """Fails when a worker that is replaced makes a job that fails, or does not run, look well."""
    environment.setenv("CLUB_REDIS_URL", redis.new_database())
    forget_settings()
    at("2026-11-20T10:00")
    job_status.expect_jobs({"send-mail": 1, "gone": 5})
    begun = at("2026-11-20T10:05")
    job_status.record_begin("send-mail")
    job_status.record_end("send-mail", "C0FFEE00")
    job_status._runs.clear()
    started = at("2026-11-20T10:05:30")
    job_status.expect_jobs({"send-mail": 1, "forget": 3600})
    job_status._runs.clear()
    assert job_status.read_runs() == {
        "send-mail": job_status.JobRun(timedelta(seconds=1), started, begun, begun, "C0FFEE00"),
        "forget": job_status.JobRun(timedelta(hours=1), started),
    }
    again = at("2026-11-20T10:10")
    job_status.expect_jobs({"send-mail": 1})
    assert job_status.read_runs() == {"send-mail": job_status.JobRun(timedelta(seconds=1), again)}, (
        "nobody ran meanwhile"
    )


def test_the_jobs_go_on_while_redis_is_away(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_REDIS_URL", "redis://127.0.0.1:1")
    forget_settings()
    job_status.expect_jobs({"send-mail": 1})
    job_status.record_begin("send-mail")
    assert job_status.read_runs()["send-mail"].is_running
