"""GET /media/…: the kept pictures, as they are or in one of five sizes (contract, section 3).

A name is never given twice, so an address always means the same picture. A browser that takes WebP gets the
sizes in it.
"""

from functools import partial

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from clubapp import media
from clubapp import routes as paths
from clubapp.refusals import Invalid, NotFound
from clubapp.services import pictures, variants
from clubapp.services.pictures import Kind

# Drawing is heavy: a page full of new faces leaves most threads to the readers of other pages.
_MAKERS = anyio.CapacityLimiter(2)
_HEADERS = {
    "Cache-Control": media.CACHE_CONTROL,
    "Content-Security-Policy": "default-src 'none'",
    "X-Content-Type-Options": "nosniff",
}


def routes() -> list[Route]:
    """The one address of this module. Access: everyone."""
    return [Route(f"{paths.MEDIA}/{{bucket}}/{{file}}", _answer)]


async def _answer(request: Request) -> Response:
    path = f"{request.path_params['bucket']}/{request.path_params['file']}"
    width = request.query_params.get("w")
    try:
        if width is None:
            return await _whole(request, path)
        return await _size(request, path, _width(width), _kind(request))
    except (NotFound, Invalid):
        return Response(status_code=404, headers={"Cache-Control": "no-store"})


async def _whole(request: Request, path: str) -> Response:
    content = await anyio.to_thread.run_sync(media.read, path)
    return _response(request, content, "jpeg", _HEADERS | {"ETag": f'"{path}"'})


async def _size(request: Request, path: str, width: int, kind: Kind) -> Response:
    content = await anyio.to_thread.run_sync(_kept, path, width, kind)
    if content is None:
        make = partial(variants.make, path, width, kind)
        content = await anyio.to_thread.run_sync(make, limiter=_MAKERS)
    return _response(request, content, kind, _HEADERS | {"ETag": f'"{path}-{width}-{kind}"', "Vary": "Accept"})


def _kept(path: str, width: int, kind: Kind) -> bytes | None:
    if not media.exists(path):
        variants.forget(path)
        raise NotFound
    return variants.kept(path, width, kind)


def _response(request: Request, content: bytes, kind: Kind, headers: dict[str, str]) -> Response:
    if request.headers.get("if-none-match", "").removeprefix("W/") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=f"image/{kind}", headers=headers)


def _width(asked: str) -> int:
    found = next((width for width in pictures.WIDTHS if str(width) == asked), None)
    if found is None:
        raise NotFound
    return found


def _kind(request: Request) -> Kind:
    return "webp" if "image/webp" in request.headers.get("accept", "") else "jpeg"
