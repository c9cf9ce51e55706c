"""`GET /health`: 200 while people can use the site, else 503.

The header `X-Club-Connections: full` says that a websocket from this address would be refused: browsers do not tell a
page why one was.
"""

import anyio.to_thread
from sqlalchemy import text
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from clubapp import VERSION
from clubapp import routes as paths
from clubapp.infra import job_status
from clubapp.settings import settings
from clubapp.web.security.websocket_gate import is_full
from clubapp.web.service_calls import read


def _select_one(session: Session) -> None:
    session.connection().execute(text("SELECT 1"))


async def health(request: Request) -> JSONResponse:
    """Whether people can use the site: the database answers and, with several processes, Redis."""
    headers = {"Cache-Control": "no-store"} | ({"X-Club-Connections": "full"} if is_full(request) else {})
    try:
        await read(_select_one)
        # With several processes a page finds its state in Redis alone.
        is_up = settings().workers == 1 or await anyio.to_thread.run_sync(job_status.is_redis_up)
    except Exception:  # any failure means no
        is_up = False
    told = {"status": "ok" if is_up else "unavailable", "version": VERSION}
    return JSONResponse(told, 200 if is_up else 503, headers)


def routes() -> list[Route]:
    """The address of this module."""
    return [Route(paths.HEALTH, health)]
