"""Flat portraits of the fictional members, in the hand of the animator's own: no stock pictures, nobody real."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from random import Random

from clubapp.infra import image_store
from clubapp.services.demo.drawing import Pen, mirror_path, mix_colours

SIDE = 400
INK, PAPER, BRICK = "#1b2430", "#fbf8f3", "#a63d2a"

_GROUNDS = ("#f6e7e1", "#e3ecea", "#ece7f2", "#f5ebd3", "#e5ebf4", "#e6efe8", "#f3e3ea", "#e7e9ec")
_CLOTHES = (INK, "#2f5d62", BRICK, "#5b4b8a", "#3b5b92", "#1f6f54", "#7a5c1e", "#5b6472", "#9b3d66")
_SKINS = ("#f3d3ba", "#eec3a2", "#e8b795", "#d9a27c", "#b97f58", "#8f5b3c")
_DARK_HAIR, _FAIR_HAIR, _GREY_HAIR = ("#231a18", "#3b2a24", "#5a3d2e"), ("#8a5a36", "#c49a5f", "#94502f"), "#aaa39b"
_EYES = ("#3b2a24", "#2f5d62", "#4a5a3a", "#3b5b92")

_FACE = "M140 168 C140 118 166 90 208 90 C250 90 276 118 276 168 C276 216 246 262 208 262 C170 262 140 216 140 168 Z"
_JAW = (
    "M139 166 C139 116 164 88 208 88 C252 88 277 116 277 166 C277 204 271 226 252 246"
    " C240 258 224 265 208 265 C192 265 176 258 164 246 C145 226 139 204 139 166 Z"
)
_NECK = "M176 226 L240 226 L240 292 L208 326 L176 292 Z"
_NECK_SHADE = "M176 244 C192 268 224 268 240 244 L240 262 C222 282 194 282 176 262 Z"
_TORSO = "M62 430 C66 330 104 296 176 280 L208 326 L240 280 C312 296 350 330 354 430 Z"
_JUMPER = "M62 430 C66 330 104 298 170 283 C180 312 236 312 246 283 C312 298 350 330 354 430 Z"
_LAPEL = "M166 283 L138 294 L152 322 L136 332 L196 430 L208 430 L208 372 Z"
_COLLAR = "M176 274 L160 290 L188 330 L208 312 Z"
_SHIRT = "M176 278 L160 292 L198 430 L218 430 L256 292 L240 278 L208 324 Z"
_BEARD = (
    "M138 178 C140 238 166 276 208 276 C250 276 276 238 278 178 C272 198 264 210 252 214"
    " C238 205 224 209 208 209 C192 209 178 205 164 214 C152 210 144 198 138 178 Z"
)

Hair = tuple[tuple[str, ...], tuple[str, ...]]
_SWEPT = "M187 94 C181 134 157 162 135 174 C129 112 157 82 209 82 C257 82 287 108 281 178 C259 168 213 158 188 108 Z"
_PARTED = "M206 88 C196 130 164 158 135 180 C127 112 158 78 208 78 C258 78 289 112 281 180 C252 158 218 130 206 88 Z"
_FRINGE = (
    "M137 176 C127 108 160 76 208 76 C256 76 289 108 279 176 C277 154 272 142 266 136"
    " C230 146 186 146 150 136 C144 142 139 154 137 176 Z"
)
_BOB = (
    "M208 60 C142 60 112 106 112 166 C112 216 110 240 98 268 C120 288 152 290 170 282 L246 282"
    " C264 290 296 288 318 268 C306 240 304 216 304 166 C304 106 274 60 208 60 Z"
)
_LONG = (
    "M208 58 C138 58 108 106 108 172 C108 240 106 288 96 334 C128 352 288 352 320 334"
    " C310 288 308 240 308 172 C308 106 278 58 208 58 Z"
)
_CAP = "M208 66 C148 66 124 108 130 172 L142 190 L274 190 L286 172 C292 108 268 66 208 66 Z"
_QUIFF = (
    "M137 170 C124 112 150 68 212 66 C264 66 294 106 279 170 C276 148 270 134 262 124"
    " C232 126 198 120 172 102 C158 116 143 138 137 170 Z"
)
_BRUSHED = (
    "M138 166 C122 100 166 58 216 62 C268 60 292 104 278 166 C274 140 266 124 254 112"
    " C236 104 180 104 162 112 C150 124 142 140 138 166 Z"
)
_TEMPLE = "M137 184 C128 156 130 128 148 108 C150 132 144 152 142 184 Z"

_WOMEN_HAIR: dict[str, Hair] = {
    "bob": ((_BOB,), (_SWEPT,)),
    "long": ((_LONG,), (_PARTED,)),
    "long swept": ((_LONG,), (_SWEPT,)),
    "fringe": ((_BOB,), (_FRINGE,)),
    "short": ((_CAP,), (_SWEPT,)),
}
_MEN_HAIR: dict[str, Hair] = {
    "quiff": ((_CAP,), (_QUIFF,)),
    "brushed": ((_CAP,), (_BRUSHED,)),
    "bald": ((), (_TEMPLE, mirror_path(_TEMPLE))),
}


@dataclass(frozen=True)
class Look:
    """What someone looks like; the seed decides, and the same look is the same picture."""

    is_woman: bool
    hair: str
    hair_colour: str
    skin: str
    eyes: str
    clothes: str
    dress: str
    ground: str
    beard: float = 0
    has_glasses: bool = False
    smiles_openly: bool = True


def choose_look(random: Random, gender: str) -> Look:
    """Someone of the club."""
    is_woman = gender == "f"
    skin = random.choice((*_SKINS[:4], *_SKINS))
    fair = _FAIR_HAIR if skin in _SKINS[:3] else ()
    dresses = ("suit", "jumper") if is_woman else ("suit", "tie", "jumper")
    return Look(
        is_woman=is_woman,
        hair=random.choice(tuple(_WOMEN_HAIR if is_woman else _MEN_HAIR)),
        hair_colour=random.choice((*_DARK_HAIR, *_DARK_HAIR, *fair, _GREY_HAIR)),
        skin=skin,
        eyes=random.choice(_EYES if fair else _EYES[:1]),
        clothes=random.choice(_CLOTHES),
        dress=random.choice(dresses),
        ground=random.choice(_GROUNDS),
        beard=0 if is_woman else random.choice((0, 0, 0.3, 1)),
        has_glasses=random.random() < 0.3,
        smiles_openly=random.random() < 0.6,
    )


def store_portrait(member_id: str, gender: str, joined: datetime) -> str:
    """Draw someone's portrait and keep it; its address. The same member has the same one each time."""
    random = Random(member_id)  # noqa: S311 - the same face again, not a secret
    path = f"avatars/{int(joined.timestamp() * 1000)}-{random.getrandbits(64):016x}.jpg"
    image_store.restore_image(path, draw_portrait(choose_look(random, gender)))
    return image_store.address(path)


@lru_cache(maxsize=128)
def draw_portrait(seen: Look) -> bytes:
    """A JPEG of 400 pixels a side."""
    pen = Pen(SIDE, seen.ground)
    behind, before = (_WOMEN_HAIR | _MEN_HAIR)[seen.hair]
    for path in behind:
        pen.shape(path, seen.hair_colour)
    pen.shape(_NECK, mix_colours(seen.skin, "#7a3a20", 0.18))
    pen.shape(_NECK_SHADE, mix_colours(seen.skin, "#7a3a20", 0.34))
    _DRESSES[seen.dress](pen, seen)
    _head(pen, seen)
    for path in before:
        pen.shape(path, seen.hair_colour)
    _shine(pen, seen)
    if seen.has_glasses:
        _glasses(pen)
    kept = io.BytesIO()
    pen.finished().save(kept, "JPEG", quality=92, optimize=True)
    return kept.getvalue()


def _shine(pen: Pen, seen: Look) -> None:
    if seen.hair in ("bob", "long swept", "short"):
        shine = mix_colours(seen.hair_colour, "#ffffff", 0.12)
        pen.shape("M188 96 C181 126 163 144 145 154 C161 132 174 114 188 96 Z", shine)
        pen.shape("M190 98 C208 132 238 150 272 160 C238 142 210 122 190 98 Z", shine)


def _head(pen: Pen, seen: Look) -> None:
    shade = mix_colours(seen.skin, "#7a3a20", 0.25)
    for x in (134, 282):
        pen.oval((x, 190), (10, 16), seen.skin)
    pen.shape(_FACE if seen.is_woman else _JAW, seen.skin)
    for x in (161, 255):
        pen.oval((x, 212), (13, 12), mix_colours(seen.skin, "#d0654b", 0.2))
    if seen.beard:
        pen.shape(_BEARD, mix_colours(seen.skin, seen.hair_colour, 0.22 if seen.beard < 1 else 0.94))
    _eyes(pen, seen)
    pen.stroke("M210 186 L215 207 C213 211 209 211 204 210", shade, 3.5)
    _mouth(pen, seen)


def _eyes(pen: Pen, seen: Look) -> None:
    brow = mix_colours(seen.hair_colour, "#231a18", 0.35)
    thick = 4.5 if seen.is_woman else 6
    for turn in (str, mirror_path):
        pen.stroke(turn("M161 165 C169 159 178 158 188 162"), brow, thick)
        pen.shape(turn("M163 184 C171 176 180 176 187 184 C179 191 170 191 163 184 Z"), "#ffffff")
        pen.stroke(turn("M161 182 C170 174 181 175 189 184"), "#2a1f1c", 3 if seen.is_woman else 2.2)
    for x in (175, 241):
        pen.oval((x, 183), (5.6, 5.6), seen.eyes)
        pen.oval((x, 183), (2.7, 2.7), INK)
        pen.oval((x + 2, 181), (1.6, 1.6), "#ffffff")


def _mouth(pen: Pen, seen: Look) -> None:
    lips = mix_colours(BRICK, seen.skin, 0.05 if seen.is_woman else 0.35)
    if not seen.smiles_openly:
        pen.stroke("M188 228 C198 237 218 237 228 228", lips, 5 if seen.is_woman else 4)
        return
    pen.shape("M184 223 C198 227 218 227 232 223 C228 240 218 245 208 245 C198 245 188 240 184 223 Z", lips)
    pen.shape("M190 226 C202 229 214 229 226 226 C222 235 215 236 208 236 C201 236 194 235 190 226 Z", "#ffffff")


def _glasses(pen: Pen) -> None:
    for x in (174, 242):
        pen.ring((x, 185), (24, 21), INK, 3.6)
    pen.stroke("M197 181 C204 177 212 177 219 181", INK, 3.6)
    for turn in (str, mirror_path):
        pen.stroke(turn("M150 181 L138 177"), INK, 3.6)


def _suit(pen: Pen, seen: Look) -> None:
    pen.shape(_TORSO, seen.clothes)
    pen.shape(_SHIRT, PAPER)
    for turn in (str, mirror_path):
        pen.shape(turn(_LAPEL), mix_colours(seen.clothes, "#ffffff", 0.1))
        pen.shape(turn(_COLLAR), PAPER)
        pen.stroke(turn("M176 276 L160 291 L188 330 L208 313"), mix_colours(PAPER, INK, 0.12), 1.6)


def _tie(pen: Pen, seen: Look) -> None:
    _suit(pen, seen)
    colour = BRICK if seen.clothes in (INK, "#5b6472", "#3b5b92") else INK
    pen.shape("M197 318 L219 318 L224 338 L208 346 L192 338 Z", colour)
    pen.shape("M199 340 L217 340 L228 430 L188 430 Z", colour)


def _jumper(pen: Pen, seen: Look) -> None:
    pen.shape(_JUMPER, seen.clothes)
    pen.stroke("M170 284 C180 313 236 313 246 284", mix_colours(seen.clothes, "#000000", 0.22), 8)


_DRESSES: dict[str, Callable[[Pen, Look], None]] = {
    "suit": _suit,
    "tie": _tie,
    "jumper": _jumper,
}
