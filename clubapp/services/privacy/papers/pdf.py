"""A paper as PDF, in the club's letters."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from fpdf import FontFace
from fpdf.enums import TableBordersLayout, XPos, YPos

from clubapp.infra.pdf_sheet import INK, LINE, MUTED, SOFT, PdfSheet
from clubapp.services.privacy.papers.parts import (
    BLANK,
    FactList,
    Heading,
    NewPage,
    Paper,
    Paragraph,
    Part,
    Points,
    SignatureBox,
    Table,
    share_widths,
    split_at_blanks,
)
from clubapp.settings import settings

_SIZE, _LINE = 10.0, 5.2
_BLANK_GROUND = (254, 243, 199)
_BOX, _INDENT = 3.2, 7.0


def draw_paper(paper: Paper) -> bytes:
    """The file."""
    sheet = PdfSheet(f"{settings().name}\u00a0: {paper.title}")
    sheet.set_title(paper.title)
    sheet.set_author(settings().name)
    sheet.add_page()
    sheet.paragraph(paper.title, 22, font="Heading")
    sheet.ln(1)
    sheet.paragraph(paper.lead, 10, muted=True)
    sheet.ln(3)
    for part, following in zip_longest(paper.parts, paper.parts[1:]):
        if isinstance(part, Heading) and isinstance(following, FactList):
            _begin_page_unless_fits(sheet, part, following)
        elif isinstance(part, FactList):
            _begin_page_unless_fits(sheet, part)
        _draw(sheet, part)
    return bytes(sheet.output())


def _begin_page_unless_fits(sheet: PdfSheet, *parts: Part) -> None:
    """Keep parts together where a page can hold them."""
    with sheet.offset_rendering() as trial:
        for part in parts:
            _draw(trial, part)
    if trial.page_break_triggered:
        sheet.add_page()


def _draw(sheet: Any, part: Part) -> None:
    if isinstance(part, Heading):
        _draw_heading(sheet, part.text)
    elif isinstance(part, Paragraph):
        _write(sheet, part.text)
        sheet.ln(2)
    elif isinstance(part, Points):
        _draw_points(sheet, part)
    elif isinstance(part, FactList):
        _draw_table(sheet, (), tuple((name, value or BLANK) for name, value in part.rows), (34, 66))
    elif isinstance(part, Table):
        _draw_table(sheet, part.head, part.rows, share_widths(part))
    elif isinstance(part, SignatureBox):
        _draw_signature(sheet, part)
    elif isinstance(part, NewPage):
        sheet.add_page()


def _draw_heading(sheet: PdfSheet, text: str) -> None:
    """With room for what follows: a heading never ends a page."""
    if sheet.will_page_break(36):
        sheet.add_page()
    sheet.ln(5)
    sheet.paragraph(text, 13, font="Heading")
    sheet.ln(1)


def _write(sheet: PdfSheet, text: str, indent: float = 0) -> None:
    sheet.set_font("Text", size=_SIZE)
    sheet.set_text_color(*INK)
    sheet.set_x(sheet.l_margin + indent)
    sheet.multi_cell(sheet.epw - indent, _LINE, _known(sheet, text), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def _known(sheet: PdfSheet, text: str) -> str:
    """The text in letters the fonts have, its no-break spaces kept."""
    return "\u00a0".join(sheet.known(piece) for piece in text.split("\u00a0"))


def _draw_points(sheet: PdfSheet, points: Points) -> None:
    for text in points.items:
        if sheet.will_page_break(2 * _LINE):
            sheet.add_page()
        top = sheet.get_y() + (_LINE - _BOX) / 2
        left = sheet.l_margin + sheet.c_margin
        sheet.set_draw_color(*LINE)
        if points.to_tick:
            sheet.rect(left, top, _BOX, _BOX)
        else:
            sheet.set_fill_color(*INK)
            sheet.ellipse(left + 1, top + _BOX / 2 - 0.6, 1.2, 1.2, style="F")
            sheet.set_fill_color(255)
        _write(sheet, text, _INDENT)
        sheet.ln(1)
    sheet.ln(1)


def _draw_table(sheet: PdfSheet, head: Sequence[str], rows: Sequence[Sequence[str]], shares: Sequence[int]) -> None:
    sheet.set_font("Text", size=_SIZE)
    sheet.set_text_color(*INK)
    sheet.set_draw_color(*LINE)
    with sheet.table(
        col_widths=tuple(shares),
        first_row_as_headings=bool(head),
        headings_style=FontFace(emphasis="", color=INK, fill_color=SOFT),
        borders_layout=TableBordersLayout.HORIZONTAL_LINES if not head else TableBordersLayout.ALL,
        text_align="LEFT",
        v_align="TOP",
        line_height=_LINE,
        padding=(1.5, 1.5),
    ) as table:
        if head:
            table.row([_known(sheet, cell) for cell in head])
        for cells in rows:
            row = table.row(min_height=9)
            for place, cell in enumerate(cells):
                row.cell(_known(sheet, cell), style=_style(cell, is_label=not head and place == 0))
    sheet.ln(2)


def _style(cell: str, *, is_label: bool) -> FontFace | None:
    if len(split_at_blanks(cell)) > 1:
        return FontFace(fill_color=_BLANK_GROUND)
    return FontFace(color=MUTED) if is_label else None


def _draw_signature(sheet: PdfSheet, part: SignatureBox) -> None:
    if sheet.will_page_break(30):
        sheet.add_page()
    sheet.ln(6)
    _write(sheet, f"Fait à {BLANK}, le {BLANK}")
    _write(sheet, part.who or BLANK)
    sheet.paragraph("Signature", 9, muted=True)
    sheet.ln(18)
