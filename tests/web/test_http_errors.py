"""What no address foresaw: French, under our headers, logged with a reference, and nothing else said."""

import asyncio
import logging
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from clubapp.web.http_errors import UnhandledErrors
from clubapp.web.security.headers import SecurityHeaders


def raising(error: Exception) -> TestClient:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise error

    served: ASGIApp = SecurityHeaders(UnhandledErrors(app))
    return TestClient(served)


@pytest.mark.usefixtures("environment")
def test_an_unforeseen_error_is_a_french_page_with_a_reference(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        answer = raising(ValueError("private detail")).get("/admin", headers={"accept": "text/html"})
    assert answer.status_code == 500
    assert "Une erreur inattendue est survenue" in answer.text
    assert 'lang="fr"' in answer.text
    assert "private detail" not in answer.text
    assert caplog.records[0].getMessage().rsplit(" ", 1)[-1] in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.usefixtures("environment")
def test_without_the_database_a_script_gets_a_sentence_to_show() -> None:
    answer = raising(OperationalError("SELECT", {}, Exception("gone"))).post("/auth/redeem", json={})
    assert answer.status_code == 503
    assert answer.json()["status"] == "error"
    assert answer.json()["text"].startswith("Une erreur inattendue")


@pytest.mark.usefixtures("environment")
def test_who_leaves_before_the_end_of_their_request_is_no_incident(caplog: pytest.LogCaptureFixture) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise ClientDisconnect

    async def unused(*_: Any) -> Any:
        raise AssertionError("nobody is there")

    asyncio.run(UnhandledErrors(app)({"type": "http"}, unused, unused))
    assert caplog.records == []


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize("status", [404, 405, 400])
def test_a_refusal_of_the_framework_is_french_too(status: int) -> None:
    answer = raising(HTTPException(status, headers={"Allow": "GET"})).put("/membres")
    assert answer.status_code == status
    assert answer.headers["allow"] == "GET"
    assert "content-security-policy" in answer.headers
    assert "Not" not in answer.text
