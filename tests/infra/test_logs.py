"""Logs hold no token and no full address."""

import contextvars
import json
import logging
import sqlite3
import time
from collections.abc import Iterator

import psycopg
import pytest
from redis import ConnectionError as RedisLost
from sqlalchemy.exc import OperationalError

from clubapp import tokens
from clubapp.database import MISSING_FILE
from clubapp.infra import logs


@pytest.fixture
def token(environment: pytest.MonkeyPatch) -> str:
    return tokens.derive("answer", "1")


def test_a_token_and_an_address_are_masked(token: str) -> None:
    line = logs.mask(f"GET /event/1?token={token}&answer=oui for marie.durand@club.example, cookie abc.{token}")
    assert token not in line
    assert "marie.durand" not in line
    assert "ma…@club.example" in line
    assert "answer=oui" in line


def test_an_address_with_accents_is_masked_too() -> None:
    assert logs.mask("to chloé.zoé@café.example") == "to ch…@café.example"


def test_a_code_is_masked_by_its_name() -> None:
    assert "123456" not in logs.mask("{'code': '123456'}")


def test_the_trace_of_an_error_is_masked_too(token: str) -> None:
    try:
        raise ValueError(f"bad {token}")
    except ValueError as error:
        record = logging.LogRecord("a", logging.ERROR, "", 0, "failed", None, (ValueError, error, error.__traceback__))
    entry = json.loads(logs.JsonFormatter().format(record))
    assert "ValueError" in entry["trace"]
    assert token not in entry["trace"]
    assert token not in logs.ConsoleFormatter().format(record)


def record(text: str, error: Exception | None = None) -> logging.LogRecord:
    given = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord("a", logging.ERROR, "a.py", 1, text, None, given)


def raised(kind: type[Exception]) -> Exception:
    try:
        raise kind
    except Exception as error:
        return error


def test_an_outage_leaves_one_line_and_hides_no_other_error() -> None:
    outages = logs.Outages()
    lost = record("unexpected", raised(RedisLost))
    assert outages.filter(lost)
    assert (lost.getMessage(), lost.exc_info) == ("Redis does not answer: ", None)
    assert not outages.filter(record("another", raised(RedisLost)))
    gone = raised(ValueError)
    gone.__context__ = psycopg.OperationalError("connection failed")
    assert outages.filter(record("unexpected", gone)), "the database is another outage"
    assert not outages.filter(record("unexpected", raised(psycopg.OperationalError)))
    for silent in (psycopg.errors.ConnectionTimeout, psycopg.errors.AdminShutdown, psycopg.errors.CannotConnectNow):
        assert not outages.filter(record("unexpected", raised(silent)))
    assert not outages.filter(record("the state of the jobs could not be exchanged with Redis: Timeout reading"))
    for other in (raised(ValueError), raised(psycopg.errors.DeadlockDetected), raised(psycopg.errors.DiskFull)):
        assert outages.filter(record("unexpected", other))
        assert outages.filter(record("unexpected", other))


def test_what_a_forgotten_task_says_later_of_an_outage_is_no_second_line() -> None:
    late = record("Task exception was never retrieved", raised(RedisLost))
    late.name = "asyncio"
    assert not logs.Outages().filter(late)
    late.exc_info = (ValueError, raised(ValueError), None)
    assert logs.Outages().filter(late), "any other error of such a task is written"


@pytest.mark.parametrize("text", ["a." * 50_000, "a" * 100_000, "token" * 20_000, "token  " * 15_000, "a@" * 50_000])
def test_a_long_text_from_a_visitor_is_masked_in_no_time_and_written_short(text: str) -> None:
    begun = time.perf_counter()
    written = logs.ConsoleFormatter().format(record(text))
    assert time.perf_counter() - begun < 20  # hours, where each letter makes the rest be read again
    assert len(written) < logs.LONGEST + 200


def test_a_text_with_line_breaks_cannot_pose_as_another_record() -> None:
    written = logs.ConsoleFormatter().format(record("browser error: x\n23:59:59 ERROR clubapp: forged"))
    assert all(line.startswith("    ") for line in written.splitlines()[1:])


@pytest.mark.parametrize("shape", [logs.ConsoleFormatter, logs.JsonFormatter])
def test_no_control_character_reaches_a_terminal(environment: None, shape: type[logging.Formatter]) -> None:
    record = logging.LogRecord("x", logging.INFO, "x", 1, "%s", ("a\x1b[2Jb\rc\x9bd\u202ee\x7f",), None)
    written = shape().format(record).replace("\\\\", "\\")
    assert "a\\x1b[2Jb\\x0dc\\x9bd\\x202ee\\x7f" in written


def test_a_flood_from_one_place_is_bounded_and_hides_no_other_error() -> None:
    bounded, error = logs.RateLimit(), raised(ValueError)
    flood = [record("provoked", error) for _ in range(logs.PER_MINUTE * 3)]
    written = [one for one in flood if bounded.filter(one)]
    assert len(written) == logs.PER_MINUTE
    assert "left out" in written[-1].getMessage()
    assert bounded.filter(record("provoked", raised(KeyError)))


def test_a_new_minute_is_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = 1000.0
    monkeypatch.setattr(logs.time, "monotonic", lambda: moment)
    bounded = logs.RateLimit()
    assert [bounded.filter(record("x")) for _ in range(logs.PER_MINUTE + 1)][-1] is False
    moment += 60
    assert bounded.filter(record("x"))


@pytest.fixture
def job() -> Iterator[str]:
    logs.begin_reference("A1B2C3D4")
    yield "A1B2C3D4"
    logs.begin_reference(" ")


def test_what_is_logged_bears_the_reference_of_what_is_being_done(job: str, environment: pytest.MonkeyPatch) -> None:
    assert json.loads(logs.JsonFormatter().format(record("x")))["reference"] == job
    assert f"a [{job}]: x" in logs.ConsoleFormatter().format(record("x"))


def test_an_unexpected_error_is_logged_and_shown_under_the_same_reference(
    job: str, caplog: pytest.LogCaptureFixture
) -> None:
    shown = logs.log_unexpected(logging.getLogger("a"), raised(ValueError))
    assert shown == job
    assert caplog.records[-1].getMessage() == f"unexpected error {job}"


def test_who_meets_an_outage_is_shown_the_reference_of_its_only_line(job: str) -> None:
    log = logging.getLogger("clubapp.of_outages")
    log.addFilter(logs.Outages())
    lost = raised(psycopg.OperationalError)
    assert logs.log_unexpected(log, lost) == job
    logs.begin_reference("00000000")
    assert logs.log_unexpected(log, lost) == job
    assert logs.log_unexpected(log, raised(ValueError)) == "00000000"


def test_two_things_that_are_done_at_once_have_each_their_own_reference() -> None:
    def told() -> str:
        logs.begin_reference()
        return logs.reference()

    one, other = (contextvars.copy_context().run(told) for _ in range(2))
    assert one != other
    assert len(one) == 8


def test_a_client_that_left_is_no_warning_and_a_message_that_cannot_be_parsed_is_one_line() -> None:
    kept = logs.SocketMessages()
    assert not kept.filter(record("Cannot send to sid %s"))
    unreadable = record("message handler error", raised(ValueError))
    assert kept.filter(unreadable)
    assert (unreadable.levelname, unreadable.exc_info) == ("WARNING", None)


def test_a_database_that_is_away_is_an_outage_and_a_mistake_is_none() -> None:
    gone = sqlite3.OperationalError(MISSING_FILE)
    away = OperationalError("SELECT 1", None, gone)
    away.__cause__ = gone
    assert logs.is_outage(away)
    assert not logs.is_outage(ValueError("a mistake"))
