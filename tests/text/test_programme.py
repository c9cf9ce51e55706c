"""Programmes found in descriptions, and first names found in names."""

import pytest

from clubapp.text.person_names import first_name, last_name
from clubapp.text.programme import ProgrammePart, ProgrammeStep, read_parts


@pytest.mark.parametrize(
    ("line", "step"),
    [
        ("11:30 Accueil", ("11:30", "Accueil")),
        ("9h Café", ("09:00", "Café")),
        ("\t •  9h Café ", ("09:00", "Café")),
        ("- 12h15 : Trois réussites", ("12:15", "Trois réussites")),
        ("à 12h30 - 13h00 : Déjeuner", ("12:30 – 13:00", "Déjeuner")),
        ("12:15 – 13:00 Débat", ("12:15 – 13:00", "Débat")),
    ],
)
def test_a_line_that_begins_with_an_hour_is_a_step(line: str, step: tuple[str, str]) -> None:
    assert read_parts(f"Avant.\n{line}\nAprès.") == (
        ProgrammePart("Avant.", (ProgrammeStep(*step),)),
        ProgrammePart("Après.", ()),
    )


def test_a_line_of_spaces_costs_no_more_than_its_length() -> None:
    line = " " * 1_000_000 + "x"
    assert read_parts(f"Avant.\n{line}") == (ProgrammePart(f"Avant.\n{line}", ()),)


def test_prose_and_steps_keep_their_order() -> None:
    first, second = ProgrammeStep("18:30", "Accueil"), ProgrammeStep("20:00", "Dîner")
    assert read_parts("Une soirée.\n\n18:30 Accueil\n\n20:00 Dîner\n\nVenez nombreux !\n") == (
        ProgrammePart("Une soirée.", (first, second)),
        ProgrammePart("Venez nombreux !", ()),
    )
    assert read_parts("18:30 Accueil\nPuis :\n20:00 Dîner") == (
        ProgrammePart("", (first,)),
        ProgrammePart("Puis :", (second,)),
    )
    assert read_parts(" \n") == ()


@pytest.mark.parametrize("line", ["30 entreprises", "25:00 Rien", "12:75 Rien", "2026 Voeux", "Accueil à 11:30"])
def test_any_other_line_stays_in_the_description(line: str) -> None:
    assert read_parts(line) == (ProgrammePart(line, ()),)


@pytest.mark.parametrize(
    ("name", "known", "first", "last"),
    [
        ("Marie Durand", "", "Marie", "Durand"),
        ("Jean-François Boulinguez", "", "Jean-François", "Boulinguez"),
        ("DE SMET Léa", "", "Léa", "DE SMET"),
        ("M. Luc Dhaene", "", "Luc", "Dhaene"),
        ("Marie Claire Petit", "Marie Claire", "Marie Claire", "Petit"),
        ("Petit Marie Claire", "Marie Claire", "Marie Claire", "Petit"),
        ("Zoé", "", "Zoé", ""),
        ("MARTIN", "", "MARTIN", ""),
        ("Durand-Petit", "Marie", "Marie", "Durand-Petit"),
        ("Adrien Coquelle", "Jeff", "Jeff", "Coquelle"),
        ("", "", "", ""),
    ],
)
def test_first_and_last_names(name: str, known: str, first: str, last: str) -> None:
    assert (first_name(name, known), last_name(name, known)) == (first, last)
