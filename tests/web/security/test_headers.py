"""The headers that keep a page to itself."""

import base64
import hashlib

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from clubapp.web.security.headers import HASHED, UNHASHED, SecurityHeaders, policy_for_html
from tests.conftest import forget_settings

OPEN_TO_OTHERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Credentials": "true",
    "Access-Control-Allow-Methods": "GET",
}


@pytest.fixture
def client(environment: pytest.MonkeyPatch) -> TestClient:
    async def answer(_request: object) -> HTMLResponse:
        return HTMLResponse("ok", headers=OPEN_TO_OTHERS)

    return TestClient(SecurityHeaders(Starlette(routes=[Route("/{path:path}", answer)])))


def test_no_script_runs_but_ours_and_those_named_by_their_hash(environment: pytest.MonkeyPatch) -> None:
    script = "let a = 1;\n"
    policy = policy_for_html(f'<script type="module">{script}</script><script src="/a.js"></script>')
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}';" in policy
    for forbidden in ("unsafe-eval", "script-src 'self' 'unsafe-inline'", "*"):
        assert forbidden not in policy
    for needed in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "object-src 'none'"):
        assert needed in policy


def test_every_answer_carries_them(client: TestClient) -> None:
    headers = client.get("/").headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "Content-Security-Policy" in headers
    assert not any(name.startswith("access-control-") for name in headers)
    assert "strict-transport-security" not in headers


def test_https_is_remembered(client: TestClient, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_PUBLIC_URL", "https://club.example")
    forget_settings()
    for path in ("/", "/assets/root-1234.js", "/fonts/figtree.woff2", "/media/1.webp"):
        assert client.get(path).headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"
    environment.setenv("CLUB_HSTS_SUBDOMAINS", "0")
    forget_settings()
    assert client.get("/").headers["Strict-Transport-Security"] == "max-age=31536000"


@pytest.mark.parametrize("path", ["/event/1", "/auth/callback"])
def test_addresses_that_carry_secrets_leave_no_trace(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"


def test_hashed_files_are_kept_for_good_and_others_for_a_day(client: TestClient) -> None:
    assert client.get("/assets/root-1234.js").headers["Cache-Control"] == HASHED
    assert client.get("/fonts/figtree.woff2").headers["Cache-Control"] == UNHASHED


def test_a_file_carries_no_page_policy_but_a_drawing_may_run_nothing(client: TestClient) -> None:
    assert "Content-Security-Policy" not in client.get("/assets/root-1234.js").headers
    assert "script-src" not in client.get("/emblem.svg").headers["Content-Security-Policy"]
    assert client.get("/emblem.svg").headers["Content-Security-Policy"].startswith("default-src 'none'")


@pytest.mark.parametrize("path", ["/", "/media/1.webp", "/avatars/1.png", "/emblem.svg"])
def test_what_a_browser_opens_as_a_document_stands_in_no_frame(client: TestClient, path: str) -> None:
    assert "frame-ancestors 'none'" in client.get(path).headers["Content-Security-Policy"]


def test_a_drawing_says_its_letters(client: TestClient) -> None:
    assert client.get("/emblem.svg").headers["Content-Type"] == "image/svg+xml; charset=utf-8"
