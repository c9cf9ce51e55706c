"""What costs much is refused to a network that asks again and again, and to nobody else."""

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from clubapp.infra import refusal_counts
from clubapp.infra.token_bucket import TokenBuckets
from clubapp.web.security import pace
from clubapp.web.security.pace import TOO_MANY_EXPORTS, TOO_MANY_UPLOADS, limit_exports, limit_uploads


async def answer(_request: Request) -> Response:
    return PlainTextResponse("ok")


def test_a_network_asks_so_many_times_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    refusal_counts.take()
    monkeypatch.setattr(pace, "UPLOADS_AT_ONCE", 2)
    monkeypatch.setattr(pace, "EXPORTS_AT_ONCE", 2)
    site = Starlette(routes=[Route("/envoi", limit_uploads(answer)), Route("/export", limit_exports(answer))])

    def visit(path: str, address: str) -> httpx.Response:
        return TestClient(site, client=(address, 1)).get(path)

    for path, text in (("/envoi", TOO_MANY_UPLOADS), ("/export", TOO_MANY_EXPORTS)):
        assert [visit(path, f"2001:db8::{n}").status_code for n in (1, 2)] == [200, 200]
        refused = visit(path, "2001:db8::3")
        assert refused.status_code == 429
        assert text in refused.text
        assert refusal_counts.take() == {"pace": 1}
        assert visit(path, "2001:db8:1::1").status_code == 200
    assert TestClient(site, client=("", 1)).get("/envoi").status_code == 200


def test_the_buckets_are_not_more_than_memory_holds() -> None:
    buckets = TokenBuckets(1, 0.001)
    assert buckets.take("first")
    assert not buckets.take("first")
    for number in range(5000):
        buckets.take(str(number))
    assert buckets.take("first")
