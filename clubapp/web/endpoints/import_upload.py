"""POST /imports/{kind}: the body is a table of members or companies; the answer is the import's id.

Nothing is written to members or companies here. Refusals are JSON with the French sentence in `error`.
"""

from http import HTTPStatus

import anyio
import anyio.to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.refusals import Forbidden, Invalid, NotFound, Refusal, TooMany
from clubapp.services.import_export import import_run, spreadsheet_reader
from clubapp.services.import_export.spreadsheet_reader import MOST_BYTES, TOO_HEAVY
from clubapp.web.endpoints.auth import NO_STORE, NOT_OURS, is_ours
from clubapp.web.security.current_actor import actor_of
from clubapp.web.service_calls import write

# A workbook of 60 MB, unpacked, keeps a core for seconds.
_READERS = anyio.CapacityLimiter(1)
_STATUS = {Forbidden: HTTPStatus.FORBIDDEN, NotFound: HTTPStatus.NOT_FOUND, TooMany: HTTPStatus.TOO_MANY_REQUESTS}


def routes() -> list[Route]:
    """The one address of this module. Access: administrators, as the service asks."""
    return [Route(f"{paths.IMPORTS}/{{kind}}", receive, methods=["POST"])]


async def receive(request: Request) -> Response:
    """Keep a table to be looked at."""
    if not is_ours(request):
        return _refusal(NOT_OURS, HTTPStatus.FORBIDDEN)
    person, kind = await actor_of(request), request.path_params["kind"]
    try:
        await write(import_run.admit, person, kind)
        sheet = await anyio.to_thread.run_sync(spreadsheet_reader.read, await _body(request), limiter=_READERS)
        made = await write(import_run.receive, person, kind, sheet)
    except Refusal as refusal:
        return _refusal(refusal.text, _STATUS.get(type(refusal), HTTPStatus.UNPROCESSABLE_ENTITY))
    except ClientDisconnect:
        return Response(status_code=HTTPStatus.BAD_REQUEST)
    return JSONResponse({"id": made}, HTTPStatus.CREATED, NO_STORE)


async def _body(request: Request) -> bytes:
    received = bytearray()
    async for chunk in request.stream():
        received += chunk
        if len(received) > MOST_BYTES:
            raise Invalid(TOO_HEAVY)
    return bytes(received)


def _refusal(text: str, status: HTTPStatus) -> Response:
    return JSONResponse({"error": text}, status, NO_STORE)
