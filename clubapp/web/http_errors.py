"""Answers for requests whose handler raised: a French sentence under the usual headers, logged (W11, R7)."""

from markupsafe import Markup
from sqlalchemy.exc import SQLAlchemyError
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clubapp.infra import logs
from clubapp.web.screens.toasts import NEUTRAL, log_unexpected

REFUSAL_TEXTS = {404: "Introuvable.", 405: "Cette adresse n’accepte pas cette demande."}
_PAGE = Markup(
    '<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">'
    "<title>Un incident est survenu</title><style>"
    "body {{ margin: 0; padding: 48px 24px; background: #fbf8f3; color: #1b2430; font: 17px/1.6 Figtree, sans-serif }}"
    "main {{ max-width: 34em; margin: auto }} h1 {{ font: 600 30px/1.12 Fraunces, Georgia, serif }}"
    "a {{ color: #a63d2a; margin-right: 24px }}"
    "</style></head>"
    "<body><main><h1>Un incident est survenu</h1><p>{}</p>"
    '<p><a href="">Réessayer</a><a href="/">Retour à l’accueil</a></p>'
    "</main></body></html>"
)


class UnhandledErrors:
    """ASGI wrapper that answers in place of a handler that raised. It shows of the error only the log reference."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the request. An error after the answer has begun propagates."""
        logs.begin_reference()
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
        except ClientDisconnect:  # nobody is there to answer, and nothing of ours failed
            return
        except Exception as error:  # shown under a reference (W11)
            if begun:
                raise
            await _answer(error, scope)(scope, receive, send)


def _answer(error: Exception, scope: Scope) -> Response:
    if isinstance(error, HTTPException):
        text = REFUSAL_TEXTS.get(error.status_code, "Cette demande n’a pas abouti.")
        return PlainTextResponse(text, error.status_code, error.headers)
    text = NEUTRAL.format(log_unexpected(error))
    status, headers = 503 if isinstance(error, SQLAlchemyError) else 500, {"Cache-Control": "no-store"}
    if "text/html" in Headers(scope=scope).get("accept", ""):
        return HTMLResponse(_PAGE.format(text), status, headers)
    return JSONResponse({"status": "error", "text": text, "error": text}, status, headers)
