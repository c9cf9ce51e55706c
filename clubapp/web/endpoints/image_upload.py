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
from clubapp.web.endpoints.auth import FOREIGN_REQUEST, NO_STORE, is_from_our_pages
from clubapp.web.endpoints.request_body import UnreadableBody, read_body
from clubapp.web.security.current_actor import actor_of
from clubapp.web.security.pace import limit_uploads
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
    return [Route(f"{paths.IMAGES}/{{bucket}}", limit_uploads(receive_image), methods=["POST"])]


async def receive_image(request: Request) -> Response:
    """Keep an image."""
    if not is_from_our_pages(request):
        return _refusal(FOREIGN_REQUEST, HTTPStatus.FORBIDDEN)
    person = await actor_of(request)
    if not person.is_signed_in:
        return _refusal(SESSION_ENDED, HTTPStatus.UNAUTHORIZED)
    try:
        bucket = _bucket(request.path_params["bucket"])
        await write(uploads.admit_upload, person, bucket)
        content = await _body(request)
        address = await anyio.to_thread.run_sync(uploads.store_image, bucket, content, limiter=_DRAWERS)
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
    try:
        return await read_body(request, processing.MOST_BYTES, drain_bytes=_DRAINED)
    except UnreadableBody:
        raise TooHeavy(processing.TOO_HEAVY) from None


def _refusal(text: str, status: HTTPStatus) -> Response:
    return JSONResponse({"status": "error", "text": text, "error": text}, status, NO_STORE)
