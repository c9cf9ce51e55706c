"""Tables to take away, read back by the csv module and by openpyxl."""

import csv
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from io import BytesIO, StringIO
from typing import Any

import pytest
from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from clubapp.services.base import table_files
from clubapp.services.base.table_files import Cell

HOSTILE = [
    '=HYPERLINK("http://ailleurs.example")', "+1+1", "-2+3", "@SUM(A1)", "\t=1+1", "\r=1+1", "\n=1+1", "  =1+1",
    "＝1+1", "+A1 2 3 4 5 6", "-", "+1-1-1-1-1-1|cmd",
]  # fmt: skip


def read_csv(content: bytes) -> list[list[str]]:
    return list(csv.reader(StringIO(content.decode("utf-8-sig"), newline=""), delimiter=";"))


def read_sheet(content: bytes) -> Worksheet:
    sheet = load_workbook(BytesIO(content)).active
    assert isinstance(sheet, Worksheet)
    return sheet


def both(rows: Sequence[Sequence[Cell]], headers: Sequence[str]) -> tuple[list[list[str]], list[list[Any]]]:
    """What each of the two files says below its head."""
    sheet = read_sheet(table_files.write_xlsx(rows, headers))
    return read_csv(table_files.write_csv(rows, headers))[1:], [
        [cell.value for cell in row] for row in sheet.iter_rows(min_row=2)
    ]


def test_a_french_spreadsheet_opens_the_csv_with_its_accents_and_columns() -> None:
    content = table_files.write_csv([["Zoé Lefèbvre ; d'Œuilly", 'dit "le Grand"\nde Douai']], ["Nom", "Précision"])
    assert content.startswith(b"\xef\xbb\xbfNom;Pr\xc3\xa9cision\r\n")
    assert read_csv(content) == [["Nom", "Précision"], ["Zoé Lefèbvre ; d'Œuilly", 'dit "le Grand"\nde Douai']]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_cell_and_no_head_is_run_as_a_formula(text: str) -> None:
    (in_csv,), (in_xlsx,) = both([[text]], ["Nom"])
    for found in (in_csv[0], in_xlsx[0]):
        assert not re.match(r"[=+\-@\t\r\n|%＝＋－＠]", found)
        assert not re.match(r"\s*[=+\-@]", found)
    assert read_csv(table_files.write_csv([], [text]))[0][0][0] not in "=+-@\t\r\n＝"
    sheet = read_sheet(table_files.write_xlsx([[text]], ["Nom"]))
    assert sheet["A2"].data_type == "s"


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("+33 3 20 55 55 01", "03 20 55 55 01"),
        ("+33320555501", "03 20 55 55 01"),
        ("0320555501", "03 20 55 55 01"),
        ("03 20 55 55 01", "03 20 55 55 01"),
        ("+32 56 12 34 56", "0032 56 12 34 56"),
    ],
)
def test_a_telephone_number_stays_one_that_can_be_dialled(typed: str, written: str) -> None:
    (in_csv,), (in_xlsx,) = both([[typed]], ["Téléphone"])
    assert (in_csv, in_xlsx) == ([written], [written])


def test_numbers_times_and_blanks_keep_their_nature() -> None:
    moment = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)
    rows: list[list[Cell]] = [[3, -2, moment, True, False, None, "", "59000"]]
    (in_csv,), (in_xlsx,) = both(rows, list("abcdefgh"))
    assert in_csv == ["3", "-2", "21/11/2026 00:30", "oui", "non", "", "", "59000"]
    assert in_xlsx == [3, -2, datetime(2026, 11, 21, 0, 30), "oui", "non", None, None, "59000"]  # noqa: DTZ001 - Excel's


def test_characters_that_no_file_takes_are_left_out() -> None:
    (in_csv,), (in_xlsx,) = both([["a\0b\x0bc\x1fd\ud800e\ufffe\uffff"]], ["Nom"])
    assert (in_csv, in_xlsx) == (["abcde"], ["abcde"])


def test_the_workbook_keeps_its_head_in_sight_and_can_be_filtered() -> None:
    sheet = read_sheet(
        table_files.write_xlsx([["Marie", 1]] * 3, ["Nom", "Invités"], title="Réponses : [mai]/juin " * 3)
    )
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("A2", "A1:B4")
    assert sheet["A1"].font.bold
    assert len(sheet.title) <= 31
    assert read_sheet(table_files.write_xlsx([], ["Nom"], title="''")).title == "Feuille"


def test_a_file_is_named_in_plain_ascii() -> None:
    named = table_files.make_file_name("Réponses", "Œufs & dîner d'été / «2027»", "2027-01-14", extension="csv")
    assert named == "reponses-oeufs-diner-d-ete-2027-2027-01-14.csv"
    assert table_files.make_file_name("…", extension="xlsx") == "export.xlsx"
    assert len(table_files.make_file_name("x" * 500, extension="pdf")) < 110
