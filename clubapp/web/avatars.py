"""GET /avatars/…: the image of who has none, drawn here (specification, section 3, fallback images).

The address says what is drawn, 'ZL-3.png' for a person and 'NLT.png' for a company: no look-up, nothing personal.
"""

import io
import re
import unicodedata
from functools import lru_cache
from pathlib import Path

import anyio.to_thread
from PIL import Image, ImageDraw, ImageFont
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from clubapp.services import avatars

SIDE = 400
_FONT = Path(__file__).parent / "fonts" / "figtree-bold-capitals.ttf"
_FILE = re.compile(r"(?P<letters>[^\W_]{1,3}|\?)(-(?P<ground>[0-7]))?\.png")
# What the file holds: the capitals and figures of European languages in Latin script.
_DRAWN = frozenset(
    "0123456789?ABCDEFGHIJKLMNOPQRSTUVWXYZÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ"
    "ĀĂĄĆĈĊČĎĐĒĖĘĚĜĞĠĢĤĦĪĮİĲĴĶĹĻĽŁŃŅŇŊŌŐŒŔŖŘŚŜŞŠŤŪŬŮŰŲŴŶŸŹŻŽǍȘȚẞ"
)
_SIZES = {1: 184, 2: 168, 3: 132}
_LEVELS = 16
_KEPT_SECONDS = 30 * 24 * 3600


def routes() -> list[Route]:
    """The one route of this module. Access: everyone."""
    return [Route(f"{avatars.ADDRESS}/{{file}}", _answer)]


async def _answer(request: Request) -> Response:
    asked = _FILE.fullmatch(request.path_params["file"])
    if asked is None:
        return Response(status_code=404)
    ground = avatars.GROUNDS[int(asked["ground"])] if asked["ground"] else avatars.COMPANY_GROUND
    image = await anyio.to_thread.run_sync(draw, asked["letters"].upper()[:3], ground)
    return Response(image, media_type="image/png", headers={"Cache-Control": f"public, max-age={_KEPT_SECONDS}"})


@lru_cache(maxsize=512)
def draw(letters: str, ground: str) -> bytes:
    """A PNG of 400 pixels a side: the letters in bold white on their ground."""
    font = ImageFont.truetype(_FONT, _SIZES[len(letters)])
    # Drawn as the strength of white, then coloured by a palette: a tenth of the weight of full colour.
    strength = Image.new("L", (SIDE, SIDE), 0)
    cap_height = -font.getbbox("H", anchor="ls")[1]
    baseline = (SIDE / 2, (SIDE + cap_height) / 2)
    ImageDraw.Draw(strength).text(baseline, _drawable(letters), fill=255, font=font, anchor="ms")
    image = strength.point([value * (_LEVELS - 1) // 255 for value in range(256)])
    image = Image.frombytes("P", image.size, image.tobytes())
    image.putpalette(_palette(ground))
    kept = io.BytesIO()
    image.save(kept, "PNG", optimize=True, bits=4)
    return kept.getvalue()


def _palette(ground: str) -> list[int]:
    base = [int(ground[place : place + 2], 16) for place in (1, 3, 5)]
    steps = [step / (_LEVELS - 1) for step in range(_LEVELS)]
    return [round(channel + (255 - channel) * step) for step in steps for channel in base]


def _drawable(letters: str) -> str:
    """The letters that the typeface holds; a letter it lacks loses its accent, or becomes a question mark."""
    return "".join(_nearest(letter) for letter in letters)


def _nearest(letter: str) -> str:
    bare = unicodedata.normalize("NFKD", letter)[:1].upper()
    return next((candidate for candidate in (letter, bare) if candidate in _DRAWN), "?")
