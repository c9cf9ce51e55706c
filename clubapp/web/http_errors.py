"""The last resort of HTTP: what no address foresaw is told in French, under our own headers, and logged (W11, R7)."""

from markupsafe import Markup
from sqlalchemy.exc import SQLAlchemyError
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clubapp.infra import logs
from clubapp.web.screens.toasts import NEUTRAL, log_unexpected

REFUSED = {404: "Introuvable.", 405: "Cette adresse ne se demande pas ainsi."}
_PAGE = Markup(
    '<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">'
    "<title>Un incident est survenu</title></head>"
    '<body><main><h1>Un incident est survenu</h1><p>{}</p><p><a href="/">Retour à l\'accueil</a></p>'
    "</main></body></html>"
)


class Failures:
    """ASGI wrapper that answers in place of an address that raised. Says nothing of the error but its reference."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; once an answer has begun there is nothing left to say."""
        logs.begin()
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except Exception as error:  # shown under a reference (W11)
            if begun:
                raise
            await _answer(error, scope)(scope, receive, send)


def _answer(error: Exception, scope: Scope) -> Response:
    if isinstance(error, HTTPException):
        text = REFUSED.get(error.status_code, "Cette demande n'a pas abouti.")
        return PlainTextResponse(text, error.status_code, error.headers)
    text = NEUTRAL.format(log_unexpected(error))
    status, headers = 503 if isinstance(error, SQLAlchemyError) else 500, {"Cache-Control": "no-store"}
    if "text/html" in Headers(scope=scope).get("accept", ""):
        return HTMLResponse(_PAGE.format(text), status, headers)
    return JSONResponse({"status": "error", "text": text, "error": text}, status, headers)
