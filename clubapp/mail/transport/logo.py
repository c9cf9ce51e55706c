"""The picture at the head of every mail: the club's own logo, or else the emblem of the program."""

import io
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from clubapp.settings import ROOT, settings

WIDEST, HIGHEST = 200, 40  # on the screen, in CSS pixels; the file has twice as many
_EMBLEM = ROOT / "assets" / "icon-192.png"


@dataclass(frozen=True)
class Logo:
    """A PNG file, its size on the screen and its alternative text."""

    width: int
    height: int
    alt: str
    content: bytes = field(repr=False)


def read_logo() -> Logo:
    """The logo of `CLUB_LOGO`, as it was when this process first wrote a mail; the emblem where it is not set."""
    path = settings().logo
    # The club's name stands beside the emblem, which says nothing more; a logo of its own is named.
    return _shrink(path, settings().name) if path else _emblem()


@lru_cache(maxsize=1)
def _emblem() -> Logo:
    return Logo(HIGHEST, HIGHEST, "", _EMBLEM.read_bytes())


@lru_cache(maxsize=2)
def _shrink(path: Path, alt: str) -> Logo:
    from PIL import Image, ImageOps  # imported late: most installations have no logo

    with Image.open(path) as picture:
        upright = ImageOps.exif_transpose(picture).convert("RGBA")
    scale = min(WIDEST / upright.width, HIGHEST / upright.height)
    width, height = (max(1, round(side * scale)) for side in upright.size)
    upright.thumbnail((2 * WIDEST, 2 * HIGHEST), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    upright.save(file, "PNG", optimize=True)
    return Logo(width, height, alt, file.getvalue())
