"""A small file that unpacks to much, or claims a distant cell, is refused before it costs long (W7)."""

import time
import zipfile
from io import BytesIO

import pytest

from clubapp.refusals import Invalid
from clubapp.services.import_export import spreadsheet_reader
from clubapp.services.import_export.spreadsheet_reader import TOO_HEAVY, TOO_LONG, UNREADABLE
from tests.services.import_export.import_tables import line, xlsx_of

SHEET, TEXTS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
NAMES = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
LONGEST_SECONDS = 4  # of a processor; each took ten or more
DISTANT = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
GROWING = "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefg", "bcdefgh", strict=True))


def rows_in(content: str, before: str = "") -> str:
    return f"{before}<worksheet {NAMES}><sheetData>{content}</sheetData></worksheet>"


def cell_of(text: str) -> str:
    return f'<row r="1"><c r="A1" t="inlineStr"><is><t>{text}</t></is></c></row>'


HOSTILE = {
    "shared texts without end": (TEXTS, f"<sst {NAMES}>{'<si><t>a</t></si>' * 3_000_000}</sst>", TOO_HEAVY),
    "rows without end": (SHEET, rows_in("<row><c><v>1</v></c></row>" * 2_000_000), TOO_HEAVY),
    "a part without end": ("xl/media/x.bin", "a" * 70_000_000, TOO_HEAVY),
    "a distant cell": (SHEET, rows_in(DISTANT), TOO_LONG),
    "entities": (SHEET, rows_in(cell_of("&h;"), f'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">{GROWING}]>'), UNREADABLE),
    "a file of ours": (SHEET, rows_in(cell_of("&x;"), '<!DOCTYPE a [<!ENTITY x SYSTEM "/etc/hostname">]>'), UNREADABLE),
}


def with_part(name: str, content: str) -> bytes:
    """A workbook of ours with another part in the place of its own."""
    kept = BytesIO()
    with zipfile.ZipFile(BytesIO(xlsx_of(line()))) as ours, zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as made:
        for part in ours.namelist():
            if part != name:
                made.writestr(part, ours.read(part))
        made.writestr(name, content)
    return kept.getvalue()


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_workbook_is_refused_at_once(what: str) -> None:
    part, content, sentence = HOSTILE[what]
    book = with_part(part, content)
    assert len(book) < spreadsheet_reader.MOST_BYTES
    begun = time.process_time()
    with pytest.raises(Invalid, match=sentence.split(maxsplit=1)[0]) as refused:
        spreadsheet_reader.read_sheet(book)
    assert refused.value.text == sentence
    assert time.process_time() - begun < LONGEST_SECONDS


def test_a_workbook_of_thousands_of_parts_is_refused_before_its_directory_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for number in range(6_000):
            archive.writestr(f"{number}", "")
    monkeypatch.setattr(zipfile, "ZipFile", None)
    with pytest.raises(Invalid, match="trop volumineux"):
        spreadsheet_reader.read_sheet(made.getvalue())


def test_the_longest_table_of_a_club_has_room() -> None:
    """Of thirty columns, a hundredth of which is made here."""
    some = spreadsheet_reader.MOST_ROWS // 100
    rows = [[f"{number} {column}" for column in range(30)] for number in range(some)]
    with zipfile.ZipFile(BytesIO(xlsx_of(*rows))) as book:
        tags = sum(book.read(part).count(b"<") for part in book.namelist())
    assert tags * 100 < spreadsheet_reader.MOST_TAGS
