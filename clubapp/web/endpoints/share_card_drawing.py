"""Draws the picture of a shared link: 1200 by 630, in the style of the site.

The typefaces hold what European names need; a letter they lack loses its accent, and what has none is left out.
"""

import io
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont, ImageOps
from PIL.ImageFont import FreeTypeFont

from clubapp.services.public_site.share_cards import ShareCard
from clubapp.settings import ROOT
from clubapp.web.endpoints import initials_images

WIDTH, HEIGHT = 1200, 630
INK, MUTED, PAPER, BRICK, BRICK_SOFT, SUN = "#1B2430", "#5B6472", "#FBF8F3", "#A63D2A", "#F6E7E1", "#F6DDA6"
_BAND_TOP, _MARGIN = 522, 80
_FACE = 250
# Gables from left to right: left edge, width, height of the wall, colour.
_GABLES = ((0, 74, 92, "#C96A52"), (78, 92, 138, BRICK), (174, 66, 74, "#D98B72"), (300, 84, 116, "#B5482F"))
_TOWER = (248, 44, 196)
_SKYLINE_WIDTH, _SUPERSAMPLING = 460, 3
_COLOURS = 128
_FONTS = ROOT / "clubapp" / "fonts"
_EMBLEM = ROOT / "assets" / "icon-192.png"
_SIGNS = "–—‘’‚“”„…•€№→←\u2011\u2212ȘșȚțẞ"
_LACKING = "ĔĕĨĩĬĭĸĿŀŉŎŏŢţŦŧŨũſ"
_LETTERS = (*range(0x20, 0x7F), *range(0xA1, 0x180), *map(ord, _SIGNS))
_DRAWN = frozenset(map(chr, _LETTERS)) - frozenset(_LACKING)
# Romanian is often typed with a cedilla, for want of the comma that the typefaces have.
_RIGHTLY = str.maketrans("ţŢ", "țȚ")


def draw_card(card: ShareCard, photo: bytes = b"") -> bytes:
    """The picture of a card, as PNG; `photo` is the image file that stands in place of the initials, if any."""
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    _band(image, card.club)
    if card.ground:
        _face(image, card, photo)
    else:
        skyline = _skyline()
        image.paste(skyline, (WIDTH - _MARGIN - skyline.width, _BAND_TOP - skyline.height))
    _words(image, card)
    kept = io.BytesIO()
    image.quantize(_COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(kept, "PNG", optimize=True)
    return kept.getvalue()


@dataclass(frozen=True)
class _Style:
    """How a text is set: in at most so many rows, in the largest of the sizes that allows it; `space` comes after."""

    face: str
    sizes: tuple[int, ...]
    colour: str
    rows: int = 1
    space: int = 0


_KICKER = _Style("figtree-500", (32, 26), BRICK, space=20)
_NAME = _Style("fraunces-600", (78, 70, 62, 54, 46), INK, rows=3, space=24)
_HEADLINE = replace(_NAME, rows=4)
_LINE = _Style("figtree-500", (36, 32, 28), MUTED, space=10)
_CLUB = _Style("fraunces-600", (38, 32, 26), PAPER)


class _Row(NamedTuple):
    """A row of text; `height` leads to the next one."""

    text: str
    font: FreeTypeFont
    colour: str
    height: int


def _words(image: Image.Image, card: ShareCard) -> None:
    """Domain, title and lines, as one block in the middle of what the band leaves."""
    left = _MARGIN + (_FACE + 60 if card.ground else 0)
    width = WIDTH - left - _MARGIN - (0 if card.ground else _SKYLINE_WIDTH)
    rows = _set_text(card.kicker, _KICKER, width)
    rows += _set_text(keep_drawable(card.title) or card.club, _NAME if card.ground else _HEADLINE, width)
    for line in card.lines:
        rows += _set_text(line, _LINE, width)
    top = (_BAND_TOP - sum(row.height for row in rows)) // 2
    pen = ImageDraw.Draw(image)
    for row in rows:
        pen.text((left, top), row.text, font=row.font, fill=row.colour, anchor="la")
        top += row.height


def _set_text(text: str, style: _Style, width: int) -> list[_Row]:
    """The rows of a text, cut when even the smallest size needs too many; none for a text that cannot be drawn."""
    shown = keep_drawable(text)
    if not shown:
        return []
    for size in style.sizes:
        font = _font(style.face, size)
        rows = wrap_text(shown, font, width)
        if len(rows) <= style.rows:
            break
    else:
        rows = [*rows[: style.rows - 1], _cut(rows[style.rows - 1], font, width)]
    height = round(font.size * 1.15)
    return [_Row(row, font, style.colour, height) for row in rows[:-1]] + [
        _Row(rows[-1], font, style.colour, height + style.space)
    ]


def wrap_text(text: str, font: FreeTypeFont, width: int) -> list[str]:
    """The text in rows no wider than `width`; a word that is wider alone is broken."""
    rows = [""]
    for word in text.split():
        joined = f"{rows[-1]} {word}".strip()
        if font.getlength(joined) <= width:
            rows[-1] = joined
            continue
        if rows[-1]:
            rows.append("")
        for letter in word:
            if font.getlength(rows[-1] + letter) > width:
                rows.append("")
            rows[-1] += letter
    return rows


def keep_drawable(text: str) -> str:
    """What the typefaces can draw of a text."""
    whole = unicodedata.normalize("NFC", " ".join(text.split())).translate(_RIGHTLY)
    kept = (_nearest(letter) for letter in whole)
    return " ".join("".join(kept).split())


def _nearest(letter: str) -> str:
    bare = unicodedata.normalize("NFKD", letter)[:1]
    return next((candidate for candidate in (letter, bare) if candidate in _DRAWN), "")


def _cut(row: str, font: FreeTypeFont, width: int) -> str:
    while font.getlength(row + "…") > width:
        row = row[:-1]
    return row.rstrip() + "…"


@lru_cache(maxsize=32)
def _font(face: str, size: int) -> FreeTypeFont:
    return ImageFont.truetype(_FONTS / f"{face}.ttf", size)


def _band(image: Image.Image, name: str) -> None:
    """The ink band at the foot: emblem and club, and the gables that stand on it."""
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, _BAND_TOP, WIDTH, HEIGHT), fill=INK)
    side = 60
    emblem = _emblem(side)
    image.paste(emblem, (_MARGIN, (_BAND_TOP + HEIGHT - side) // 2), emblem)
    for row in _set_text(name, _CLUB, 860):
        middle = (_MARGIN + side + 22, (_BAND_TOP + HEIGHT) // 2)
        pen.text(middle, row.text, font=row.font, fill=row.colour, anchor="lm")
    pen.rectangle((0, _BAND_TOP, WIDTH, _BAND_TOP + 5), fill=BRICK)


@lru_cache(maxsize=2)
def _emblem(side: int) -> Image.Image:
    with Image.open(_EMBLEM) as emblem:
        return emblem.convert("RGBA").resize((side, side), Image.Resampling.LANCZOS)


def _face(image: Image.Image, card: ShareCard, photo: bytes) -> None:
    """The photograph, or the initials: a circle for a person, a rounded square for a company."""
    source = Image.open(
        io.BytesIO(photo or initials_images.draw_initials(card.initials, card.ground, card.is_person))
    ).convert("RGB")
    # A face may lose its edges, a logo may not.
    placed = ImageOps.fit if card.is_person else partial(ImageOps.pad, color="white")
    face = placed(source, (_FACE, _FACE), Image.Resampling.LANCZOS)
    mask = Image.new("L", (_FACE * 4, _FACE * 4), 0)
    radius = _FACE * 2 if card.is_person else _FACE // 2
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, _FACE * 4 - 1, _FACE * 4 - 1), radius, fill=255)
    image.paste(face, (_MARGIN, (_BAND_TOP - _FACE) // 2), mask.resize((_FACE, _FACE), Image.Resampling.LANCZOS))


@lru_cache(maxsize=1)
def _skyline() -> Image.Image:
    """Stepped gables, a belfry and the sun, on paper; drawn larger and brought down, for smooth edges."""
    drawn = Image.new("RGB", (384, 250), PAPER).resize((384 * _SUPERSAMPLING, 250 * _SUPERSAMPLING))
    pen = ImageDraw.Draw(drawn)
    pen.ellipse(_scale_up(270, 30, 374, 134), fill=SUN)
    for gable in _GABLES:
        _gable(pen, *gable)
    left, width, height = _TOWER
    middle, top = left + width // 2, 250 - height
    pen.rectangle(_scale_up(left, top, left + width, 250), fill=INK)
    pen.polygon(_scale_up(left - 4, top, middle, top - 50, left + width + 4, top), fill=INK)
    pen.ellipse(_scale_up(middle - 13, 78, middle + 13, 104), fill=PAPER)
    height = round(_SKYLINE_WIDTH * 250 / 384)
    return drawn.resize((_SKYLINE_WIDTH, height), Image.Resampling.LANCZOS)


def _gable(pen: ImageDraw.ImageDraw, left: int, width: int, height: int, colour: str) -> None:
    top, steps = 250 - height, 4
    pen.rectangle(_scale_up(left, top, left + width, 250), fill=colour)
    for step in range(1, steps + 1):
        inset = width * step // (2 * steps + 1)
        pen.rectangle(_scale_up(left + inset, top - 9 * step, left + width - inset, top), fill=colour)
    for row in range(top + 18, 220, 34):
        for x in (left + width * column // 4 for column in (1, 2, 3)):
            pen.rounded_rectangle(_scale_up(x - 5, row, x + 5, row + 18), 4 * _SUPERSAMPLING, fill=BRICK_SOFT)


def _scale_up(*sides: int) -> list[int]:
    return [side * _SUPERSAMPLING for side in sides]
