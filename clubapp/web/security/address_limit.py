"""Refuses addresses longer than any of ours, before they reach caches and the file system."""

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LONGEST_PATH = 500
LONGEST_ADDRESS = 7_000  # with its parameters: 300 people to write to take 6 400
TOO_LONG = "Cette adresse est trop longue. Vérifiez-la, ou partez de la page d’accueil."


class AddressLimit:
    """ASGI wrapper: an HTTP request with such an address is answered 414, a websocket is closed."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] not in ("http", "websocket") or _is_short(scope):
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await PlainTextResponse(TOO_LONG, 414, {"Cache-Control": "no-store"})(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})


def _is_short(scope: Scope) -> bool:
    path, query = scope["path"], scope.get("query_string", b"")
    return len(path) <= LONGEST_PATH and len(scope.get("raw_path") or path) + len(query) <= LONGEST_ADDRESS
