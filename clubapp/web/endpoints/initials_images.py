"""GET /avatars/…: the image of who has none, drawn here.

The address says what is drawn, 'ZL-3.png' for a person and 'NLT.png' for a company: no look-up, nothing personal.
"""

import io
import re
from functools import lru_cache

import anyio.to_thread
from PIL import Image, ImageDraw, ImageFont
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from clubapp.services.images import initials
from clubapp.settings import ROOT

SIDE = 400
_FONT = ROOT / "clubapp" / "fonts" / "figtree-bold-capitals.ttf"
_FILE = re.compile(r"(?P<letters>[^\W_]{1,3}|personne(?=-)|entreprise(?=\.))(-(?P<ground>[0-7]))?\.png")
_SIZES = {1: 184, 2: 168, 3: 132}
_LEVELS = 16
_SUPERSAMPLING = 3
Box = tuple[int, int, int, int]
# A head above shoulders; a house front with its windows and its door. The last number is the strength of white.
_PERSON = (("ellipse", (142, 88, 258, 204), 255), ("ellipse", (78, 226, 322, 520), 255))
_BUILDING = (
    ("rectangle", (112, 84, 288, 316), 255),
    *(("rectangle", (left, top, left + 36, top + 40), 0) for top in (120, 188) for left in (148, 216)),
    ("rectangle", (176, 256, 224, 330), 0),
)
_KEPT_SECONDS = 30 * 24 * 3600


def routes() -> list[Route]:
    """The one route of this module. Access: everyone."""
    return [Route(f"{initials.ADDRESS}/{{file}}", _answer)]


async def _answer(request: Request) -> Response:
    asked = _FILE.fullmatch(request.path_params["file"])
    if asked is None:
        return Response(status_code=404)
    is_person = bool(asked["ground"])
    ground = initials.GROUNDS[int(asked["ground"])] if is_person else initials.COMPANY_GROUND
    letters = initials.keep_drawable(asked["letters"])[:3] if len(asked["letters"]) <= 3 else ""
    image = await anyio.to_thread.run_sync(draw_initials, letters, ground, is_person)
    return Response(image, media_type="image/png", headers={"Cache-Control": f"public, max-age={_KEPT_SECONDS}"})


@lru_cache(maxsize=512)
def draw_initials(letters: str, ground: str, is_person: bool = True) -> bytes:
    """A PNG of 400 pixels a side, in white on its ground: the letters in bold, or the shape of who has none."""
    # Drawn as the strength of white, then coloured by a palette: a tenth of the weight of full colour.
    strength = Image.new("L", (SIDE, SIDE), 0) if letters else _shape(_PERSON if is_person else _BUILDING)
    if letters:
        font = ImageFont.truetype(_FONT, _SIZES[len(letters)])
        cap_height = -font.getbbox("H", anchor="ls")[1]
        baseline = (SIDE / 2, (SIDE + cap_height) / 2)
        ImageDraw.Draw(strength).text(baseline, letters, fill=255, font=font, anchor="ms")
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


def _shape(parts: tuple[tuple[str, Box, int], ...]) -> Image.Image:
    """Ellipses and rectangles, drawn larger and brought down for smooth edges."""
    drawn = Image.new("L", (SIDE * _SUPERSAMPLING, SIDE * _SUPERSAMPLING), 0)
    pen = ImageDraw.Draw(drawn)
    for kind, box, strength in parts:
        place = tuple(side * _SUPERSAMPLING for side in box)
        if kind == "ellipse":
            pen.ellipse(place, fill=strength)
        else:
            pen.rounded_rectangle(place, 10 * _SUPERSAMPLING, fill=strength)
    return drawn.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
