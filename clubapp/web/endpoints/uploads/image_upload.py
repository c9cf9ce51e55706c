"""POST /images/{bucket}: the body is an image file; the answer is the address under which what it shows is kept (W7).

Nothing is on the disk before an image is drawn and good (W8).
"""

from functools import partial

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.infra import image_store
from clubapp.infra.image_store import Bucket
from clubapp.refusals import NotFound, TooHeavy
from clubapp.services.base.actors import Actor
from clubapp.services.images import processing, uploads
from clubapp.web.endpoints.uploads.file_upload import read_file, upload_route
from clubapp.web.service_calls import write

# A picture of 40 million pixels takes 160 MB while it is drawn.
_DRAWERS = anyio.CapacityLimiter(2)


def routes() -> list[Route]:
    """The one address of this module. Access: administrators, and members for what is their own."""
    return [upload_route(f"{paths.IMAGES}/{{bucket}}", keep_image)]


async def keep_image(request: Request, person: Actor) -> dict[str, str]:
    """Keep an image."""
    bucket = _bucket(request.path_params["bucket"])
    await write(uploads.admit_upload, person, bucket)
    content = await read_file(request, processing.MOST_BYTES, TooHeavy(processing.TOO_HEAVY))
    store = partial(uploads.store_image, bucket, content, person.email)
    return {"url": await anyio.to_thread.run_sync(store, limiter=_DRAWERS)}


def _bucket(name: str) -> Bucket:
    known: dict[str, Bucket] = {bucket: bucket for bucket in image_store.BUCKETS}
    if name not in known:
        raise NotFound
    return known[name]
