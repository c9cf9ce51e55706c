"""A paper as a document for a word processor, to be changed and completed."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from docx import Document
from docx.enum.text import WD_COLOR_INDEX
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor

from clubapp import clock
from clubapp.services.privacy.papers.parts import (
    BLANK,
    BOX,
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

_INK, _MUTED = RGBColor(27, 36, 48), RGBColor(91, 100, 114)
_SERIF, _SANS = "Georgia", "Calibri"
_WIDTH, _ROW = 17, Cm(0.9)  # of the text in cm; of a row to write in


def write_document(paper: Paper) -> bytes:
    """The file."""
    document = Document()
    _prepare(document, paper)
    document.add_heading(paper.title, 0)
    document.add_paragraph(paper.lead).runs[0].font.color.rgb = _MUTED
    for part in paper.parts:
        _add(document, part)
    found = BytesIO()
    document.save(found)
    return found.getvalue()


def _prepare(document: Any, paper: Paper) -> None:
    about, section = document.core_properties, document.sections[0]
    about.title, about.author, about.language = paper.title, settings().name, "fr-FR"
    about.created = about.modified = clock.now().replace(tzinfo=None)
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = Cm(2)
    foot = section.footer.paragraphs[0]
    foot.text = f"{settings().name}\u00a0: {paper.title}. Page "
    _add_field(foot, "PAGE")
    foot.add_run(" / ")
    _add_field(foot, "NUMPAGES")
    for name, face, size in (("Normal", _SANS, 10.5), ("Heading 1", _SERIF, 14), ("Title", _SERIF, 22)):
        style = document.styles[name]
        style.font.name, style.font.size, style.font.color.rgb = face, Pt(size), _INK
        faces = style.element.rPr.rFonts
        for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
            faces.attrib.pop(qn(f"w:{theme}"), None)
        faces.set(qn("w:hAnsi"), face)


def _add(document: Any, part: Part) -> None:
    if isinstance(part, Heading):
        document.add_heading(part.text, 1)
    elif isinstance(part, Paragraph):
        _fill(document.add_paragraph(), part.text)
    elif isinstance(part, Points):
        for text in part.items:
            point = document.add_paragraph(style=None if part.to_tick else "List Bullet")
            point.paragraph_format.space_after = Pt(3)
            _fill(point, f"{BOX} {text}" if part.to_tick else text)
    elif isinstance(part, FactList):
        _add_table(document, (), [(name, value or BLANK) for name, value in part.rows], (34, 66))
    elif isinstance(part, Table):
        _add_table(document, part.head, part.rows, share_widths(part))
    elif isinstance(part, SignatureBox):
        for text in (f"Fait à {BLANK}, le {BLANK}", part.who or BLANK):
            line = document.add_paragraph()
            line.paragraph_format.keep_with_next = True
            _fill(line, text)
        document.add_paragraph("Signature").runs[0].font.color.rgb = _MUTED
    elif isinstance(part, NewPage):
        document.add_page_break()


def _add_table(document: Any, head: Sequence[str], rows: Sequence[Sequence[str]], shares: Sequence[int]) -> None:
    """A table as wide as the text. One without a head stays on a page, with its heading; no row goes over two pages."""
    lines = [*([head] if head else []), *rows]
    table = document.add_table(rows=len(lines), cols=len(shares), style="Table Grid")
    table.autofit = False
    for column, share in zip(table.columns, shares, strict=True):
        column.width = Cm(_WIDTH * share / sum(shares))  # LibreOffice reads this one, Word that of each cell
    for number, (row, cells) in enumerate(zip(table.rows, lines, strict=True)):
        row._tr.get_or_add_trPr().append(OxmlElement("w:cantSplit"))
        if not any(cells):
            row.height = _ROW
        for cell, column, text in zip(row.cells, table.columns, cells, strict=True):
            cell.width = column.width
            line = cell.paragraphs[0]
            line.paragraph_format.keep_with_next = not head and number < len(rows) - 1
            line.paragraph_format.space_before = line.paragraph_format.space_after = Pt(2)
            _fill(line, text)
            if head and number == 0 and line.runs:
                line.runs[0].bold = True
    if head:
        table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
    document.add_paragraph()


def _add_field(paragraph: Any, code: str) -> None:
    """What the word processor counts: PAGE or NUMPAGES."""
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), code)
    paragraph._p.append(field)


def _fill(paragraph: Any, text: str) -> None:
    """Write a text, its blanks on a ground of their own."""
    for number, piece in enumerate(split_at_blanks(text)):
        if number:
            paragraph.add_run(BLANK).font.highlight_color = WD_COLOR_INDEX.YELLOW
        if piece:
            paragraph.add_run(piece)
