"""How names are compared when they are sorted and searched."""

import pytest

from clubapp.text.collation import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Œuvre d’Élise", "oeuvre d'elise"),
        ("Łukasz Żółkiewski", "lukasz zolkiewski"),
        ("Đỗ Thị Ánh", "do thi anh"),
        ("Søren Iğdır", "soren igdir"),
        ("  Ægir ", "aegir"),
    ],
)
def test_neither_case_nor_accents_nor_strokes_count(text: str, folded: str) -> None:
    assert fold(text) == folded
