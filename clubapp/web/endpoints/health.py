"""`GET /health`: 200 while the database answers, else 503."""

from sqlalchemy import text
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.web.service_calls import read


def _select_one(session: Session) -> None:
    session.connection().execute(text("SELECT 1"))


async def health(_request: Request) -> JSONResponse:
    """Whether the database answers."""
    try:
        await read(_select_one)
    except Exception:  # any failure means no
        return JSONResponse({"status": "unavailable"}, status_code=503, headers={"Cache-Control": "no-store"})
    return JSONResponse({"status": "ok"}, headers={"Cache-Control": "no-store"})


def routes() -> list[Route]:
    """The address of this module."""
    return [Route(paths.HEALTH, health)]
