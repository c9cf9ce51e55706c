"""Limits how often one network asks for what costs much: an upload, an export. Each process counts by itself."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from clubapp.infra import refusal_counts
from clubapp.infra.token_bucket import TokenBuckets
from clubapp.text.network_addresses import network_of

UPLOADS_AT_ONCE, EXPORTS_AT_ONCE = 100, 60
_PER_SECOND = 0.2
TOO_MANY_UPLOADS = "Trop de fichiers envoyés depuis votre connexion. Réessayez dans quelques minutes."
TOO_MANY_EXPORTS = "Trop d’exports demandés depuis votre connexion. Réessayez dans quelques minutes."
_HEADERS = {"Cache-Control": "no-store", "Retry-After": "60"}
_Endpoint = Callable[[Request], Awaitable[Response]]


def limit_uploads(endpoint: _Endpoint) -> _Endpoint:
    """The endpoint, which answers 429 to a network that sends more than UPLOADS_AT_ONCE files, and one in 5 s."""
    refusal = {"status": "error", "text": TOO_MANY_UPLOADS, "error": TOO_MANY_UPLOADS}
    return _limit(endpoint, UPLOADS_AT_ONCE, lambda: JSONResponse(refusal, 429, _HEADERS))


def limit_exports(endpoint: _Endpoint) -> _Endpoint:
    """The endpoint, which answers 429 to a network that asks for more than EXPORTS_AT_ONCE files, and one in 5 s."""
    return _limit(endpoint, EXPORTS_AT_ONCE, lambda: PlainTextResponse(TOO_MANY_EXPORTS, 429, _HEADERS))


def _limit(endpoint: _Endpoint, burst: int, refuse: Callable[[], Response]) -> _Endpoint:
    buckets = TokenBuckets(burst, _PER_SECOND)

    async def limited(request: Request) -> Response:
        network = network_of(request.client.host if request.client else "")
        if not network or buckets.take(network):
            return await endpoint(request)
        refusal_counts.count(refusal_counts.PACE)
        return refuse()

    return limited
