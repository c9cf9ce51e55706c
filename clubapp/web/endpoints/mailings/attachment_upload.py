"""POST /attachments/{broadcast_id}?nom=…: the body is a file for a mail; the answer is the id under which it is kept.

Refusals are JSON with the French sentence in `error`. Nothing is kept before the file is found good (W8).
"""

from http import HTTPStatus

import anyio
import anyio.to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.refusals import Conflict, Forbidden, NotFound, Refusal, TooHeavy, TooMany
from clubapp.services.mailings import attachment_kinds, attachments
from clubapp.services.mailings.attachment_kinds import MOST_BYTES, TOO_HEAVY
from clubapp.web.endpoints.auth import FOREIGN_REQUEST, NO_STORE, is_from_our_pages
from clubapp.web.endpoints.request_body import UnreadableBody, read_body
from clubapp.web.security.current_actor import actor_of
from clubapp.web.security.guard import is_clean
from clubapp.web.security.pace import limit_uploads
from clubapp.web.service_calls import write

SESSION_ENDED = "Votre session a expiré. Reconnectez-vous dans un autre onglet, puis réessayez\u00a0: rien n’est perdu."
# What a browser goes on sending is read and dropped, up to here, so that it comes to read the answer.
_DRAINED = 4 * MOST_BYTES
# Each holds a file of 10 MB and its base64 in memory.
_CHECKERS = anyio.CapacityLimiter(2)
_STATUS = {
    Conflict: HTTPStatus.CONFLICT,
    Forbidden: HTTPStatus.FORBIDDEN,
    NotFound: HTTPStatus.NOT_FOUND,
    TooHeavy: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    TooMany: HTTPStatus.TOO_MANY_REQUESTS,
}


def routes() -> list[Route]:
    """The one address of this module. Access: administrators, as the service asks."""
    return [Route(f"{paths.ATTACHMENTS}/{{broadcast_id}}", limit_uploads(receive_file), methods=["POST"])]


async def receive_file(request: Request) -> Response:
    """Keep a file for a mail."""
    if not is_from_our_pages(request):
        return _refusal(FOREIGN_REQUEST, HTTPStatus.FORBIDDEN)
    person = await actor_of(request)
    if not person.is_signed_in:
        return _refusal(SESSION_ENDED, HTTPStatus.UNAUTHORIZED)
    broadcast_id, name = request.path_params["broadcast_id"], request.query_params.get("nom", "")
    try:
        await write(attachments.admit_upload, person, broadcast_id if is_clean(broadcast_id) else "")
        content = await _body(request)
        checked = await anyio.to_thread.run_sync(
            attachment_kinds.check_file, name if is_clean(name) else "", content, limiter=_CHECKERS
        )
        kept = await write(attachments.store_file, person, broadcast_id, checked)
    except Refusal as refusal:
        return _refusal(refusal.text, _STATUS.get(type(refusal), HTTPStatus.UNPROCESSABLE_ENTITY))
    except ClientDisconnect:
        return Response(status_code=HTTPStatus.BAD_REQUEST)
    return JSONResponse({"id": kept}, HTTPStatus.CREATED, NO_STORE)


async def _body(request: Request) -> bytes:
    try:
        return await read_body(request, MOST_BYTES, drain_bytes=_DRAINED)
    except UnreadableBody:
        raise TooHeavy(TOO_HEAVY) from None


def _refusal(text: str, status: HTTPStatus) -> Response:
    return JSONResponse({"error": text}, status, NO_STORE)
