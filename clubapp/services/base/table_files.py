"""Tables as CSV and XLSX files, safe to open in a spreadsheet (W9).

A cell that a spreadsheet would run as a formula is prefixed with an apostrophe. Telephone numbers are written in their
national form, which never begins with '+'.
"""

import csv as csv_module
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO, StringIO
from typing import TYPE_CHECKING

from clubapp import clock
from clubapp.services.base.search import fold
from clubapp.text import phone_numbers

if TYPE_CHECKING:  # imported late: the start of the site does not need it
    from openpyxl.worksheet.worksheet import Worksheet

Cell = str | int | bool | datetime | None
Rows = Iterable[Sequence[Cell]]

CSV = "text/csv; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PDF = "application/pdf"

# The full-width forms count too: some spreadsheets fold them.
_FORMULA = tuple("=+-@\t\r\n|％＝＋－＠")
# A telephone number that a spreadsheet would read as a formula ('+33…') or as a number without its leading zero.
_DIALLED = re.compile(r"\+\d[\d\s().\-]{5,}|0\d{9}")
_WIDEST, _NARROWEST = 48, 8
_MOMENT = "dd/mm/yyyy hh:mm"
_HEAD = "F6E7E1"


@dataclass(frozen=True)
class Download:
    """A file to download; its name is plain ASCII."""

    name: str
    media_type: str
    content: bytes


def write_csv(rows: Rows, headers: Sequence[str]) -> bytes:
    """A CSV file that French spreadsheets open directly: UTF-8 with BOM, ';' as delimiter."""
    text = StringIO(newline="")
    writer = csv_module.writer(text, delimiter=";", lineterminator="\r\n")
    writer.writerow([escape_formula(header) for header in headers])
    writer.writerows([_in_csv(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def write_xlsx(rows: Rows, headers: Sequence[str], title: str = "Feuille") -> bytes:
    """An XLSX workbook of one sheet, with a frozen header row and filters."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = re.sub(r"[\[\]:*?/\\']", " ", title)[:31].strip() or "Feuille"
    sheet.append([escape_formula(header) for header in headers])
    for row in rows:
        sheet.append([_in_xlsx(cell) for cell in row])
    _dress(sheet)
    kept = BytesIO()
    book.save(kept)
    return kept.getvalue()


def make_file_name(*words: str, extension: str) -> str:
    """'reponses-souper-des-tisserands-2027-01-14.csv': the parts as plain ASCII."""
    found = re.findall(r"[a-z0-9]+", fold(" ".join(words)))
    return f"{'-'.join(found)[:100].strip('-') or 'export'}.{extension}"


def escape_formula(text: str) -> str:
    """Make a text safe for a spreadsheet: no formula, no control characters, nothing that XML cannot hold."""
    kept = "".join(sign for sign in text if sign in "\t\r\n" or unicodedata.category(sign) not in ("Cc", "Cs"))
    kept = re.sub("[\ufffe\uffff]", "", kept)
    if _DIALLED.fullmatch(kept.strip()):
        return phone_numbers.format_phone(kept).replace("+", "00", 1)
    return f"'{kept}" if kept[:1] in _FORMULA or kept.lstrip()[:1] in _FORMULA else kept


def _in_csv(cell: Cell) -> str:
    if isinstance(cell, datetime):
        return clock.to_local(cell).strftime("%d/%m/%Y %H:%M")
    return escape_formula(_worded(cell)) if isinstance(cell, bool | str) else _worded(cell)


def _in_xlsx(cell: Cell) -> str | int | datetime | None:
    if isinstance(cell, datetime):
        return clock.to_local(cell).replace(tzinfo=None)
    return escape_formula(_worded(cell)) if isinstance(cell, bool | str) else cell


def _worded(cell: Cell) -> str:
    if isinstance(cell, bool):
        return "oui" if cell else "non"
    return "" if cell is None else str(cell)


def _dress(sheet: "Worksheet") -> None:
    from openpyxl.styles import Alignment, Font, PatternFill
    from openpyxl.utils import get_column_letter

    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = sheet.dimensions
    for cell in sheet[1]:
        cell.font, cell.fill = Font(bold=True), PatternFill("solid", fgColor=_HEAD)
    for number, column in enumerate(sheet.iter_cols(), 1):
        longest = max(len(str(cell.value or "").partition("\n")[0]) for cell in column)
        sheet.column_dimensions[get_column_letter(number)].width = max(_NARROWEST, min(_WIDEST, longest + 3))
        for cell in column[1:]:
            cell.alignment = Alignment(vertical="top", wrap_text=True)
            if isinstance(cell.value, datetime):
                cell.number_format = _MOMENT
            elif isinstance(cell.value, str):
                cell.data_type = "s"
