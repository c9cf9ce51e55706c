"""GET /media/…: the kept pictures, as they are or in one of five sizes.

A name is never given twice, so an address always means the same picture. A browser that takes WebP gets the
sizes in it. What no public page shows is shown to those who may see it, and is not there for anyone else (W16).
"""

import asyncio
from functools import partial

import anyio
import anyio.to_thread
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.infra import image_store
from clubapp.refusals import Invalid, NotFound
from clubapp.services.images import processing, resize_cache, uploads
from clubapp.services.images.processing import Kind
from clubapp.web.documents import commit_stamp
from clubapp.web.security.current_actor import actor_of
from clubapp.web.service_calls import read

# Drawing is heavy: a page full of new faces leaves most threads to the readers of other pages.
_RESIZERS = anyio.CapacityLimiter(2)
_HARMLESS = {"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff"}
# Mails show what is public in webmails too.
_FOR_ALL = {
    "Cache-Control": image_store.CACHE_CONTROL,
    "Cross-Origin-Resource-Policy": "cross-origin",
} | _HARMLESS
_FOR_ONE = {"Cache-Control": "private, no-store"} | _HARMLESS
# The addresses of the public pictures, by the stamp of the data they were read from: the last few.
_MOST_STAMPS = 4
_public: dict[str, asyncio.Future[frozenset[str]]] = {}


def routes() -> list[Route]:
    """The one address of this module. Access: everyone; `uploads.may_see` says who else sees what is not public."""
    return [Route(f"{paths.MEDIA}/{{bucket}}/{{file}}", _answer)]


async def _answer(request: Request) -> Response:
    path = f"{request.path_params['bucket']}/{request.path_params['file']}"
    width = request.query_params.get("w")
    try:
        headers = await _headers(request, path)
        if width is None:
            return await _original(request, path, headers)
        return await _resized(request, path, _width(width), _kind(request), headers)
    except (NotFound, Invalid):
        return Response(status_code=404, headers={"Cache-Control": "no-store"})


async def _headers(request: Request, path: str) -> dict[str, str]:
    """How an answer with a picture begins.

    Raises:
        NotFound: when the person may not see it.
        SQLAlchemyError: when the database is away, and nobody knows who may.
    """
    if not image_store.is_path(path):
        raise NotFound
    if await _is_public(image_store.address(path)):
        return _FOR_ALL
    person = await actor_of(request)
    if not person.is_signed_in or not await read(uploads.may_see, person, path):
        raise NotFound
    return _FOR_ONE


async def _is_public(address: str) -> bool:
    """Whether a public record shows a picture. What became public this moment, elsewhere, is not missed."""
    recent = await commit_stamp.read_recent_stamp()
    return address in await _public_addresses(recent) or address in await _public_addresses(
        await commit_stamp.read_stamp()
    )


async def _public_addresses(now: str) -> frozenset[str]:
    """Read once after a change, for all who ask meanwhile."""
    if now not in _public:
        _public[now] = asyncio.ensure_future(read(uploads.list_public_addresses))
        while len(_public) > _MOST_STAMPS:
            del _public[next(iter(_public))]
    reading = _public[now]
    try:
        return await asyncio.shield(reading)
    except SQLAlchemyError:
        _public.pop(now, None)
        raise


async def _original(request: Request, path: str, headers: dict[str, str]) -> Response:
    content = await anyio.to_thread.run_sync(image_store.read, path)
    return _response(request, content, "jpeg", headers | {"ETag": f'"{path}"'})


async def _resized(request: Request, path: str, width: int, kind: Kind, headers: dict[str, str]) -> Response:
    content = await anyio.to_thread.run_sync(_read_resized, path, width, kind)
    if content is None:
        make = partial(resize_cache.make_size, path, width, kind)
        content = await anyio.to_thread.run_sync(make, limiter=_RESIZERS)
    return _response(request, content, kind, headers | {"ETag": f'"{path}-{width}-{kind}"', "Vary": "Accept"})


def _read_resized(path: str, width: int, kind: Kind) -> bytes | None:
    if not image_store.exists(path):
        resize_cache.delete_sizes(path)
        raise NotFound
    return resize_cache.read_size(path, width, kind)


def _response(request: Request, content: bytes, kind: Kind, headers: dict[str, str]) -> Response:
    if request.headers.get("if-none-match", "").removeprefix("W/") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=f"image/{kind}", headers=headers)


def _width(asked: str) -> int:
    found = next((width for width in processing.WIDTHS if str(width) == asked), None)
    if found is None:
        raise NotFound
    return found


def _kind(request: Request) -> Kind:
    return "webp" if "image/webp" in request.headers.get("accept", "") else "jpeg"
