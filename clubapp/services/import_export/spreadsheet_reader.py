"""Reading of spreadsheets: CSV as French programs write it, or XLSX."""

import csv
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from itertools import islice
from typing import Any

from clubapp.refusals import Invalid
from clubapp.services.base.form_fields import clean_block

MOST_BYTES = 5 * 1024 * 1024
MOST_ROWS = 5000
TOO_HEAVY = "Fichier trop volumineux (5 Mo maximum)."
TOO_LONG = "Ce fichier a plus de 5\u00a0000 lignes\u00a0: partagez-le en plusieurs."
UNREADABLE = "Ce fichier n’a pas pu être lu\u00a0: enregistrez-le au format CSV ou XLSX, puis réessayez."
IS_PDF = "C’est un PDF, ce n’est pas un tableau\u00a0: enregistrez la liste au format CSV ou XLSX, puis réessayez."
EMPTY = "Ce fichier est vide\u00a0: sa première ligne doit porter les titres des colonnes, les suivantes les fiches."
_MOST_UNPACKED = 60 * 1024 * 1024
_MOST_PARTS = 5_000
_MOST_COLUMNS = 200
_MOST_TITLES = 5  # lines above the headings, such as the name of the club
MOST_TAGS = 2_000_000  # of all parts: 5 000 lines of thirty columns have some 1 200 000
_PDF_MARK = 1024  # bytes in which readers look for the mark of a PDF
_DELIMITERS = ";,\t"
# The apostrophe that `table_files` writes before a formula.
_GUARDED = re.compile(r"'(?=\s*[=+\-@\t\r\n|％＝＋－＠])")


@dataclass(frozen=True)
class Sheet:
    """The headings of a table and its lines, as (number in the file, cells by heading)."""

    headings: tuple[str, ...]
    rows: tuple[tuple[int, dict[str, str]], ...]


def read_sheet(content: bytes, are_headings: Callable[[list[str]], bool] = bool) -> Sheet:
    """Read the first sheet of a file, without its empty lines and the titles above its headings.

    Raises:
        Invalid: when the file is too large, has another format, or no line below its headings.
    """
    if len(content) > MOST_BYTES:
        raise Invalid(TOO_HEAVY)
    if b"%PDF-" in content[:_PDF_MARK]:
        raise Invalid(IS_PDF)
    lines = _xlsx(content) if content.startswith(b"PK\x03\x04") else _csv(content, are_headings)
    numbered = [(number, cells) for number, cells in enumerate(lines, 1) if any(cells)]
    if len(numbered) < 2:
        raise Invalid(EMPTY)
    above = numbered[: min(_MOST_TITLES, len(numbered) - 2) + 1]
    first = next((place for place, (_, cells) in enumerate(above) if are_headings(cells)), 0)
    headings = tuple(heading.strip() for heading in numbered[first][1])
    return Sheet(headings, tuple((number, _by_heading(headings, cells)) for number, cells in numbered[first + 1 :]))


def _by_heading(headings: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    return {heading: cell for heading, cell in zip(headings, cells, strict=False) if heading}


def _csv(content: bytes, are_headings: Callable[[list[str]], bool]) -> list[list[str]]:
    if b"\0" in content:
        raise Invalid(UNREADABLE)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=lambda each: (_count_known(text, each, are_headings), first.count(each)))
    try:
        return _bounded(_read_lines(text, delimiter))
    except csv.Error:
        raise Invalid(UNREADABLE) from None


def _read_lines(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)


def _count_known(text: str, delimiter: str, are_headings: Callable[[list[str]], bool]) -> int:
    """How many columns a line at the top names by itself when it is read with a delimiter; 0 when it cannot be."""
    filled = (cells for cells in _read_lines(text, delimiter) if any(cells))
    try:
        top = [cells[:_MOST_COLUMNS] for cells in islice(filled, _MOST_TITLES + 1)]
    except csv.Error:
        return 0
    return max((sum(are_headings([_text(cell)]) for cell in cells if cell) for cells in top), default=0)


def _xlsx(content: bytes) -> list[list[str]]:
    from openpyxl import load_workbook  # imported late: the start of the site does not need it

    if content.count(b"PK\x01\x02") > _MOST_PARTS:
        raise Invalid(TOO_HEAVY)
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            if sum(part.file_size for part in archive.infolist()) > _MOST_UNPACKED:
                raise Invalid(TOO_HEAVY)
            if sum(archive.read(part).count(b"<") for part in archive.infolist()) > MOST_TAGS:
                raise Invalid(TOO_HEAVY)
        book = load_workbook(BytesIO(content), read_only=True, data_only=True)
        return _bounded(book.worksheets[0].iter_rows(max_col=_MOST_COLUMNS, values_only=True))
    except Invalid:
        raise
    except Exception:  # openpyxl raises errors of any type on damaged files
        raise Invalid(UNREADABLE) from None


def _bounded(lines: Iterator[Sequence[Any]]) -> list[list[str]]:
    found: list[list[str]] = []
    filled = 0
    for cells in lines:
        is_empty = all(cell is None or cell == "" for cell in cells)  # most of them, between two far apart
        found.append([] if is_empty else [_text(cell) for cell in cells])
        filled += any(found[-1])
        if filled > MOST_ROWS + 1 or len(found) > 10 * MOST_ROWS:
            raise Invalid(TOO_LONG)
    return found


def _text(cell: Any) -> str:
    if isinstance(cell, bool):
        return "oui" if cell else "non"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return _GUARDED.sub("", clean_block("" if cell is None else str(cell)), count=1)
