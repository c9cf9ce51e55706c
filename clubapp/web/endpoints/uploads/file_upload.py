"""What the addresses that take a file have in common. Its bytes are the body; the answer is JSON.

A refusal has its French sentence in `text`, and in `error` as the other functions do.
"""

from collections.abc import Awaitable, Callable
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from clubapp.refusals import Conflict, Forbidden, NotFound, Refusal, TooHeavy, TooMany
from clubapp.services.base.actors import Actor
from clubapp.web.endpoints.auth import FOREIGN_REQUEST, NO_STORE, is_from_our_pages
from clubapp.web.endpoints.request_body import UnreadableBody, read_body
from clubapp.web.security.current_actor import actor_of
from clubapp.web.security.pace import limit_uploads

SESSION_ENDED = "Votre session a expiré. Veuillez vous reconnecter."
_STATUS = {
    Conflict: HTTPStatus.CONFLICT,
    Forbidden: HTTPStatus.FORBIDDEN,
    NotFound: HTTPStatus.NOT_FOUND,
    TooHeavy: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    TooMany: HTTPStatus.TOO_MANY_REQUESTS,
}
Keep = Callable[[Request, Actor], Awaitable[dict[str, str]]]


def upload_route(path: str, keep: Keep, session_ended: str = SESSION_ENDED) -> Route:
    """The address where somebody who is signed in sends a file from our own pages; `keep` gives what is answered."""

    async def receive(request: Request) -> Response:
        if not is_from_our_pages(request):
            return _refuse(FOREIGN_REQUEST, HTTPStatus.FORBIDDEN)
        person = await actor_of(request)
        if not person.is_signed_in:
            return _refuse(session_ended, HTTPStatus.UNAUTHORIZED)
        try:
            return JSONResponse(await keep(request, person), HTTPStatus.CREATED, NO_STORE)
        except Refusal as refusal:
            return _refuse(refusal.text, _STATUS.get(type(refusal), HTTPStatus.UNPROCESSABLE_ENTITY))

    return Route(path, limit_uploads(receive), methods=["POST"])


async def read_file(request: Request, most_bytes: int, too_heavy: Refusal) -> bytes:
    """The file of a request. Four times as much is read and dropped, so that a browser comes to read the refusal.

    Raises:
        Refusal: `too_heavy`, for more than `most_bytes`.
        ClientDisconnect: when the client leaves before the end.
    """
    try:
        return await read_body(request, most_bytes, drain_bytes=4 * most_bytes)
    except UnreadableBody:
        raise too_heavy from None


def _refuse(text: str, status: HTTPStatus) -> Response:
    return JSONResponse({"status": "error", "text": text, "error": text}, status, NO_STORE)
