"""GET /partage/…: the picture that a shared link shows. Drawn once for what it says, and again when that changes.

A member's is asked for again each time, by any cache on the way: what they hide is gone from it at once (W16).
"""

import hashlib
from collections.abc import Awaitable, Callable
from functools import lru_cache

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from clubapp import routes as paths
from clubapp.refusals import NotFound
from clubapp.services.public_site import share_cards
from clubapp.services.public_site.share_cards import ShareCard
from clubapp.web.endpoints.share_card_drawing import draw_card
from clubapp.web.security.guard import is_clean
from clubapp.web.service_calls import read

Reader = Callable[[str], Awaitable[ShareCard]]


def routes() -> list[Route]:
    """The addresses of this module. Access: everyone; a picture says what the public page says."""
    return [
        Route(paths.SHARED_CLUB, _picture(_network)),
        Route(paths.shared_member("{id}"), _picture(_member)),
        Route(paths.shared_company("{id}"), _picture(_company)),
    ]


async def _network(_nobody: str) -> ShareCard:
    return share_cards.club_card()


async def _member(member_id: str) -> ShareCard:
    return await read(share_cards.member_card, member_id)


async def _company(company_id: str) -> ShareCard:
    return await read(share_cards.company_card, company_id)


def _picture(reader: Reader) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        wanted = request.path_params.get("id", "")
        try:
            card = await reader(wanted if is_clean(wanted) else "")
        except NotFound:
            return Response(status_code=404, headers={"Cache-Control": "no-store"})
        image = await anyio.to_thread.run_sync(_draw_cached, card)
        return _respond(request, image, "public, no-cache" if card.is_person else "public, max-age=60")

    return answer


@lru_cache(maxsize=256)
def _draw_cached(card: ShareCard) -> bytes:
    return draw_card(card, share_cards.read_photo(card))


def _respond(request: Request, image: bytes, kept: str) -> Response:
    headers = {
        "Cache-Control": kept,
        "ETag": f'"{hashlib.sha256(image).hexdigest()[:24]}"',
        # Other sites show it beside the link.
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(image, media_type="image/png", headers=headers)
