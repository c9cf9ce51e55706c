"""Logs hold no token and no full address."""

import json
import logging

import pytest

from clubapp import logs, tokens


@pytest.fixture
def token(environment: pytest.MonkeyPatch) -> str:
    return tokens.derive("answer", "1")


def test_a_token_and_an_address_are_masked(token: str) -> None:
    line = logs.masked(f"GET /event/1?token={token}&answer=oui for marie.durand@club.example, cookie abc.{token}")
    assert token not in line
    assert "marie.durand" not in line
    assert "ma…@club.example" in line
    assert "answer=oui" in line


def test_a_code_is_masked_by_its_name() -> None:
    assert "123456" not in logs.masked("{'code': '123456'}")


def test_the_trace_of_an_error_is_masked_too(token: str) -> None:
    try:
        raise ValueError(f"bad {token}")
    except ValueError as error:
        record = logging.LogRecord("a", logging.ERROR, "", 0, "failed", None, (ValueError, error, error.__traceback__))
    entry = json.loads(logs.JsonFormatter().format(record))
    assert "ValueError" in entry["trace"]
    assert token not in entry["trace"]
    assert token not in logs.ConsoleFormatter().format(record)
