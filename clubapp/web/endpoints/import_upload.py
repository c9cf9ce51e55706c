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
from clubapp.web.endpoints.auth import FOREIGN_REQUEST, NO_STORE, is_from_our_pages
from clubapp.web.endpoints.request_body import UnreadableBody, read_body
from clubapp.web.security.current_actor import actor_of
from clubapp.web.security.pace import limit_uploads
from clubapp.web.service_calls import write

# A workbook of 60 MB, unpacked, keeps a core for seconds.
_READERS = anyio.CapacityLimiter(1)
_STATUS = {Forbidden: HTTPStatus.FORBIDDEN, NotFound: HTTPStatus.NOT_FOUND, TooMany: HTTPStatus.TOO_MANY_REQUESTS}


def routes() -> list[Route]:
    """The one address of this module. Access: administrators, as the service asks."""
    return [Route(f"{paths.IMPORTS}/{{kind}}", limit_uploads(receive_table), methods=["POST"])]


async def receive_table(request: Request) -> Response:
    """Keep a table to be looked at."""
    if not is_from_our_pages(request):
        return _refusal(FOREIGN_REQUEST, HTTPStatus.FORBIDDEN)
    person, kind = await actor_of(request), request.path_params["kind"]
    try:
        await write(import_run.admit_import, person, kind)
        sheet = await anyio.to_thread.run_sync(spreadsheet_reader.read_sheet, await _body(request), limiter=_READERS)
        made = await write(import_run.store_table, person, kind, sheet)
    except Refusal as refusal:
        return _refusal(refusal.text, _STATUS.get(type(refusal), HTTPStatus.UNPROCESSABLE_ENTITY))
    except ClientDisconnect:
        return Response(status_code=HTTPStatus.BAD_REQUEST)
    return JSONResponse({"id": made}, HTTPStatus.CREATED, NO_STORE)


async def _body(request: Request) -> bytes:
    try:
        return await read_body(request, MOST_BYTES)
    except UnreadableBody:
        raise Invalid(TOO_HEAVY) from None


def _refusal(text: str, status: HTTPStatus) -> Response:
    return JSONResponse({"error": text}, status, NO_STORE)
