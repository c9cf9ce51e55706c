"""Drawing of flat, antialiased shapes from SVG path notation onto an image."""

import re
from functools import lru_cache

from PIL import Image, ImageDraw

Point = tuple[float, float]

_STEPS = 14
_COMMAND = re.compile(r"([MLCZ])([^MLCZ]*)")


class Pen:
    """A square drawing in the coordinates of the animator's portrait: the middle of a face is at (208, 176)."""

    def __init__(self, side: int, ground: str, *, finer: int = 2, larger: float = 1.22) -> None:
        self._side = side
        self._scale = side * finer / 400 * larger
        self._image = Image.new("RGB", (side * finer, side * finer), ground)
        self._draw = ImageDraw.Draw(self._image)

    def shape(self, path: str, colour: str) -> None:
        """A filled outline of absolute M, L and C commands."""
        self._draw.polygon([self._at(point) for point in flatten_path(path)], fill=colour)

    def stroke(self, path: str, colour: str, width: float) -> None:
        """A line with round ends."""
        points = [self._at(point) for point in flatten_path(path)]
        thick = width * self._scale
        self._draw.line(points, fill=colour, width=round(thick), joint="curve")
        for x, y in (points[0], points[-1]):
            self._draw.ellipse((x - thick / 2, y - thick / 2, x + thick / 2, y + thick / 2), fill=colour)

    def oval(self, centre: Point, radii: Point, colour: str) -> None:
        """A filled ellipse."""
        (x, y), (wide, high) = self._at(centre), (radii[0] * self._scale, radii[1] * self._scale)
        self._draw.ellipse((x - wide, y - high, x + wide, y + high), fill=colour)

    def ring(self, centre: Point, radii: Point, colour: str, width: float) -> None:
        """The outline of an ellipse."""
        (x, y), (wide, high) = self._at(centre), (radii[0] * self._scale, radii[1] * self._scale)
        self._draw.ellipse((x - wide, y - high, x + wide, y + high), outline=colour, width=round(width * self._scale))

    def finished(self) -> Image.Image:
        """The drawing, scaled to its final size."""
        return self._image.resize((self._side, self._side), Image.Resampling.LANCZOS)

    def _at(self, point: Point) -> Point:
        middle = self._image.width / 2
        return middle + (point[0] - 208) * self._scale, middle * 0.93 + (point[1] - 176) * self._scale


def mix_colours(colour: str, other: str, part: float) -> str:
    """Mix two colours; `part` is the share of the other, from 0 to 1."""
    both = [[int(text[place : place + 2], 16) for place in (1, 3, 5)] for text in (colour, other)]
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(*both, strict=True))


def mirror_path(path: str) -> str:
    """Mirror a path to the other side of the face."""
    count = iter(range(10_000))
    return re.sub(r"-?\d+(\.\d+)?", lambda found: _mirror(found[0]) if next(count) % 2 == 0 else found[0], path)


def _mirror(x: str) -> str:
    return f"{416 - float(x):g}"


@lru_cache(maxsize=256)
def flatten_path(path: str) -> tuple[Point, ...]:
    """Convert a path to points, its curves to short line segments."""
    points: list[Point] = []
    for command, given in _COMMAND.findall(path):
        numbers = [float(number) for number in given.split()]
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
        if command in "ML":
            points += pairs
        for start in range(0, len(pairs) - 2, 3) if command == "C" else ():
            points += _curve(points[-1], *pairs[start : start + 3])
    return tuple(points)


def _curve(start: Point, first: Point, second: Point, end: Point) -> list[Point]:
    steps = (step / _STEPS for step in range(1, _STEPS + 1))
    return [
        (
            (1 - t) ** 3 * start[0] + 3 * (1 - t) ** 2 * t * first[0] + 3 * (1 - t) * t**2 * second[0] + t**3 * end[0],
            (1 - t) ** 3 * start[1] + 3 * (1 - t) ** 2 * t * first[1] + 3 * (1 - t) * t**2 * second[1] + t**3 * end[1],
        )
        for t in steps
    ]
