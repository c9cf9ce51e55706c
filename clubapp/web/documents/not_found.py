"""Passes addresses without a route to Reflex, and answers 404 where Reflex has nothing."""

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clubapp.web.documents.routes import respond_with_missing

_NO_STORE = {"Cache-Control": "no-store"}
_BUILT = (".html", ".html.br", ".html.gz")
_REDIRECTS = (301, 302, 303, 307, 308)


def with_not_found_page(app: ASGIApp) -> ASGIApp:
    """Wrap Reflex: its own answer, or the 404 page where it has none."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        wants_page = _wants_page(Request(scope))
        if wants_page and scope["path"] != "/" and scope["path"].endswith("/"):
            await _without_slash(scope)(scope, receive, send)
            return
        refused = _ResponseFilter(send, wants_page)
        # The files of the build are pages without their content: each has its own address.
        if not scope["path"].lower().endswith(_BUILT):
            await app(scope, receive, refused.send)
        if refused.is_missing or not refused.is_answered:
            missing = (
                await respond_with_missing(Request(scope))
                if wants_page
                else Response(status_code=404, headers=_NO_STORE)
            )
            await missing(scope, receive, send)

    return answer


class _ResponseFilter:
    """Passes an answer on unless it is a 404 of a page or a redirect.

    Redirects of the static files behind us lead to a folder's own address, and are built from whatever name of this
    site the visitor's request gave: nobody needs them.
    """

    def __init__(self, send: Send, wants_page: bool) -> None:
        self._send = send
        self._wants_page = wants_page
        self.is_missing = self.is_answered = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            status = message["status"]
            self.is_answered = True
            self.is_missing = status in _REDIRECTS or (status == 404 and self._wants_page)
        if not self.is_missing:
            await self._send(message)


def _wants_page(request: Request) -> bool:
    return request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")


def _without_slash(scope: Scope) -> Response:
    """'/membres/' is '/membres'. One leading slash only, and quoted: the address stays on this site."""
    query = scope.get("query_string", b"").decode("latin-1")
    return RedirectResponse("/" + quote(scope["path"].strip("/")) + (f"?{query}" if query else ""), 308)
