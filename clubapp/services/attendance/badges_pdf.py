"""How badges are drawn: the name large and whole, the company, the domain as a colour and a word."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clubapp.infra.pdf_sheet import LINE, LINE_HEIGHT, MUTED, SOFT, PdfSheet
from clubapp.models import DOMAINS
from clubapp.services.images.initials import GROUNDS
from clubapp.text import french

if TYPE_CHECKING:
    from clubapp.services.attendance.badges import LabelFormat
    from clubapp.services.attendance.people import Person

_BRICK = (138, 49, 34)
_EDGE, _BAND, _INDENT = 6.0, 3.0, 14.0
_LARGEST_NAME, _LARGEST_COMPANY, _LARGEST_FOOT, _CLUB = 32.0, 15.0, 12.0, 9.0
# Shares of a label's height: where the name begins, and what name and company may take. The foot is in millimetres.
_NAME_TOP, _NAME_HEIGHT, _COMPANY_HEIGHT, _FOOT_HEIGHT = 0.22, 0.31, 0.15, 8.5


@dataclass(frozen=True)
class _Box:
    """Where a label's text goes, in millimetres; `height` is the label's."""

    left: float
    top: float
    width: float
    height: float

    @property
    def bottom(self) -> float:
        return self.top + self.height - _EDGE


def draw_badges(club: str, title: str, people: Sequence["Person"], labels: "LabelFormat", skipped: int) -> bytes:
    """A PDF of A4 sheets, whose first `skipped` labels stay empty."""
    sheet = PdfSheet()
    sheet.set_title(f"Badges\u00a0: {title}")
    sheet.set_margin(0)
    sheet.set_auto_page_break(False)
    if not people:
        sheet.add_page()
        sheet.set_font("Text")
        sheet.lines(["Aucun badge à imprimer."], 20, 20, 14)
    for number, one in enumerate(people, skipped):
        place = number % labels.count
        if place == 0 or number == skipped:
            sheet.add_page()
        row, column = divmod(place, 2)
        x = labels.left + column * (labels.width + labels.gap)
        box = _Box(x + _INDENT, labels.top + row * labels.height, labels.width - _INDENT - _EDGE, labels.height)
        _draw_badge(sheet, club, one, box)
    return bytes(sheet.output())


def _draw_badge(sheet: PdfSheet, club: str, one: "Person", box: _Box) -> None:
    colour = _colour_of(one.domain)
    sheet.set_fill_color(*colour)
    sheet.rect(box.left - _INDENT + _EDGE, box.top + _EDGE, _BAND, box.height - 2 * _EDGE, style="F")
    sheet.set_font("Text")
    size, lines = sheet.fit(club, box.width, _CLUB, lines=1)
    sheet.lines(lines, box.left, box.top + _EDGE, size, colour=MUTED)
    _draw_name(sheet, one, box)
    if one.is_guest:
        _draw_guest_mark(sheet, one, box)
    else:
        sheet.set_font("Text")
        size, lines = sheet.fit(one.domain, box.width, _LARGEST_FOOT, height=_FOOT_HEIGHT)
        sheet.lines(lines, box.left, box.bottom - len(lines) * size * LINE_HEIGHT, size, colour=colour)


def _draw_name(sheet: PdfSheet, one: "Person", box: _Box) -> None:
    """The name and the company; a line to write on for a guest of whom no name is known."""
    y, largest = box.top + box.height * _NAME_TOP, _LARGEST_COMPANY
    if one.is_named:
        sheet.set_font("Heading")
        size, lines = sheet.fit(one.name, box.width, _LARGEST_NAME, height=box.height * _NAME_HEIGHT)
        y, largest = sheet.lines(lines, box.left, y, size), min(largest, size)
    else:
        y += box.height * _NAME_HEIGHT - 4
        sheet.set_draw_color(*LINE)
        sheet.line(box.left, y, box.left + box.width, y)
    if one.company:
        sheet.set_font("Text")
        size, lines = sheet.fit(one.company, box.width, largest, height=box.height * _COMPANY_HEIGHT)
        sheet.lines(lines, box.left, y + 2, size)


def _draw_guest_mark(sheet: PdfSheet, one: "Person", box: _Box) -> None:
    """Whose guest they are, on a ground of its own."""
    mark = f"Invité {french.of_person(one.host)}" if one.host else "Invité"
    sheet.set_font("Text")
    size, lines = sheet.fit(mark, box.width - 6, _LARGEST_FOOT, height=_FOOT_HEIGHT - 0.5)
    top = box.bottom - len(lines) * size * LINE_HEIGHT - 2
    sheet.set_fill_color(*SOFT)
    sheet.rect(box.left, top, box.width, box.bottom - top, style="F", round_corners=True, corner_radius=2)
    sheet.lines(lines, box.left + 3, top + 1, size, colour=_BRICK)


def _colour_of(domain: str) -> tuple[int, int, int]:
    """The colour of a domain; grey without one."""
    ground = GROUNDS[DOMAINS.index(domain) if domain in DOMAINS else -1].lstrip("#")
    return int(ground[:2], 16), int(ground[2:4], 16), int(ground[4:], 16)
