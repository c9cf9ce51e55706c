"""POST /images/{bucket}: the body is an image file; the answer is the address under which what it shows is kept (W7).

Refusals are JSON with the French sentence in `text`. Nothing is on the disk before an image is drawn and good (W8).
"""

from http import HTTPStatus

import anyio
import anyio.to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.infra import image_store
from clubapp.infra.image_store import Bucket
from clubapp.refusals import Forbidden, NotFound, Refusal, TooHeavy, TooMany
from clubapp.services.images import processing, uploads
from clubapp.web.endpoints.auth import NO_STORE, NOT_OURS, is_ours
from clubapp.web.security.current_actor import actor_of
from clubapp.web.service_calls import write

SESSION_ENDED = "Votre session a expiré. Veuillez vous reconnecter."
# What a browser goes on sending is read and dropped, up to here, so that it comes to read the answer.
_DRAINED = 4 * processing.MOST_BYTES
# A picture of 40 million pixels takes 160 MB while it is drawn.
_DRAWERS = anyio.CapacityLimiter(2)
_STATUS = {
    Forbidden: HTTPStatus.FORBIDDEN,
    NotFound: HTTPStatus.NOT_FOUND,
    TooHeavy: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    TooMany: HTTPStatus.TOO_MANY_REQUESTS,
}


def routes() -> list[Route]:
    """The one address of this module. Access: administrators, and members for what is their own."""
    return [Route(f"{paths.IMAGES}/{{bucket}}", upload, methods=["POST"])]


async def upload(request: Request) -> Response:
    """Keep an image."""
    if not is_ours(request):
        return _refusal(NOT_OURS, HTTPStatus.FORBIDDEN)
    person = await actor_of(request)
    if not person.is_signed_in:
        return _refusal(SESSION_ENDED, HTTPStatus.UNAUTHORIZED)
    try:
        bucket = _bucket(request.path_params["bucket"])
        await write(uploads.admit, person, bucket)
        content = await _body(request)
        address = await anyio.to_thread.run_sync(uploads.keep, bucket, content, limiter=_DRAWERS)
    except Refusal as refusal:
        return _refusal(refusal.text, _STATUS.get(type(refusal), HTTPStatus.UNPROCESSABLE_ENTITY))
    except ClientDisconnect:
        return Response(status_code=HTTPStatus.BAD_REQUEST)
    return JSONResponse({"url": address}, HTTPStatus.CREATED, NO_STORE)


def _bucket(name: str) -> Bucket:
    known: dict[str, Bucket] = {bucket: bucket for bucket in image_store.BUCKETS}
    if name not in known:
        raise NotFound
    return known[name]


async def _body(request: Request) -> bytes:
    """The file. Never more of it in memory than may be kept.

    Raises:
        TooHeavy: past 5 MB, as soon as that is seen.
    """
    received, total = bytearray(), 0
    async for chunk in request.stream():
        total += len(chunk)
        if total <= processing.MOST_BYTES:
            received += chunk
        elif total > _DRAINED:
            break
        else:
            received.clear()
    if total > processing.MOST_BYTES:
        raise TooHeavy(processing.TOO_HEAVY)
    return bytes(received)


def _refusal(text: str, status: HTTPStatus) -> Response:
    return JSONResponse({"status": "error", "text": text, "error": text}, status, NO_STORE)
