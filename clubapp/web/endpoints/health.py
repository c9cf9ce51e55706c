"""`GET /health`: 200 while the database answers, else 503.

The header `X-Club-Connections: full` says that a websocket from this address would be refused: browsers do not tell a
page why one was.
"""

from sqlalchemy import text
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from clubapp import VERSION
from clubapp import routes as paths
from clubapp.web.security.websocket_gate import is_full
from clubapp.web.service_calls import read


def _select_one(session: Session) -> None:
    session.connection().execute(text("SELECT 1"))


async def health(request: Request) -> JSONResponse:
    """Whether the database answers."""
    headers = {"Cache-Control": "no-store"} | ({"X-Club-Connections": "full"} if is_full(request) else {})
    try:
        await read(_select_one)
    except Exception:  # any failure means no
        return JSONResponse({"status": "unavailable", "version": VERSION}, status_code=503, headers=headers)
    return JSONResponse({"status": "ok", "version": VERSION}, headers=headers)


def routes() -> list[Route]:
    """The address of this module."""
    return [Route(paths.HEALTH, health)]
