"""GET /calendrier.ics: the public feed of the club's events."""

import hashlib

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.services.events import calendar_feed
from clubapp.web.documents.page_cache import get_or_make, read_minute_version
from clubapp.web.service_calls import read


def routes() -> list[Route]:
    """The one address of this module. Access: everyone; nothing in it is private."""
    return [Route(paths.FEED, _feed)]


async def _feed(request: Request) -> Response:
    content, tag = await get_or_make(paths.FEED, await read_minute_version(), _make_feed)
    headers = {
        "ETag": tag,
        "Cache-Control": "public, max-age=900",
        "Content-Disposition": 'inline; filename="calendrier.ics"',
        "X-Robots-Tag": "noindex",
    }
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="text/calendar; charset=utf-8", headers=headers)


async def _make_feed() -> tuple[bytes, str]:
    content = await read(calendar_feed.build_feed)
    return content, f'"{hashlib.sha256(content).hexdigest()[:24]}"'
