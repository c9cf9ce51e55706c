"""What is printed, as another program reads it: accents as far as the fonts have them, and nothing over an edge."""

from io import BytesIO

import pytest
from pypdf import PdfReader

from clubapp.infra.pdf_sheet import PdfSheet


def read(sheet: PdfSheet) -> str:
    (page,) = PdfReader(BytesIO(bytes(sheet.output()))).pages
    return page.extract_text()


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("Œdipe Şahin", "Œdipe Şahin"),
        ("Anh Nguye\u0302\u0303n", "Anh Nguyễn"),
        ("Ǻsa", "Åsa"),
        ("e\u0301te\u0301 🎉", "été "),
        ("Ţepeş", "Țepeş"),
        ("漢", "?"),
    ],
)
def test_of_several_accents_those_the_fonts_have_are_printed(typed: str, printed: str) -> None:
    assert PdfSheet().known(typed) == printed


def test_a_foot_that_is_too_long_ends_before_the_number_of_the_page_and_says_that_it_goes_on() -> None:
    for foot, shown in (("Cercle\u00a0: souper", "Cercle\u00a0: souper"), ("Mmmm " * 40, "…")):
        sheet = PdfSheet(foot)
        sheet.add_page()
        text = read(sheet).replace("Cercle :", "Cercle\u00a0:")
        assert shown in text
        assert "Page 1 / 1" in text


@pytest.mark.parametrize(
    ("text", "count", "glue"),
    [
        ("Zoé Lys", 1, ""),
        ("Marie-Antoinette Françoise de La Rochefoucauld-Montmorency d’Haussonville et de Broglie", 3, " "),
        ("Rochefoucauld-Montmorency-Haussonville-Beauharnais", 3, ""),
        ("Z" + "oé" * 40, 3, ""),
    ],
)
def test_a_long_text_takes_three_lines_and_a_long_word_is_broken_as_a_last_resort(
    text: str, count: int, glue: str
) -> None:
    sheet = PdfSheet()
    sheet.set_font("Heading")
    size, lines = sheet.fit(text, 79, 32, height=21)
    assert (len(lines), glue.join(lines)) == (count, text)
    assert size >= 10
    sheet.set_font_size(size)
    assert max(map(sheet.get_string_width, lines)) <= 79.1
