"""The headings of an import: which column each is, and what a cell may say shorter."""

from functools import partial

import pytest
from sqlmodel import select

from clubapp.database import reading
from clubapp.models import Member
from clubapp.services.import_export import import_run, spreadsheet_reader
from tests.services.import_export.import_tables import MEMBERS, confirm, csv_of, send


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        (("Métier",), {"expertise": "Plombière"}),
        (("Métier exercé",), {"expertise": "Plombière"}),
        (("Profession",), {"role": "Plombière"}),
        (("Métier", "Activité"), {"role": "Plombière", "expertise": "Chauffage"}),
        (("Profession", "Métier"), {"role": "Plombière", "expertise": "Chauffage"}),
    ],
)
def test_a_trade_goes_where_the_list_of_members_shows_it(
    club: str, headings: tuple[str, ...], expected: dict[str, str]
) -> None:
    row = ["Zoé Lefèbvre", "Plombière", "Chauffage"][: len(headings) + 1]
    plan = send(csv_of(row, headings=("Nom complet", *headings)))
    labels = {"role": "Fonction", "expertise": "Domaines d'expertise"}
    told = plan.renamed.split("\u00a0; ")
    assert set(told) == {f"{heading} → {labels[name]}" for heading, name in zip(headings, expected, strict=True)}
    confirm(plan)
    with reading() as session:
        kept = session.exec(select(Member)).one()
        assert {"role": kept.role, "expertise": ", ".join(kept.expertise)} == {"role": "", "expertise": ""} | expected


def test_a_domain_may_be_shortened(club: str) -> None:
    row = ["Zoé", "Lefèbvre", "bâtiment", "03 20 55 55 01"]
    plan = send(csv_of(row, headings=("Prénom", "Nom", "Secteur d’activité", "GSM")))
    assert plan.renamed.split("\u00a0; ") == [
        "Nom → Nom complet", "Secteur d’activité → Domaine d'activité", "GSM → Téléphone",
    ]  # fmt: skip
    confirm(plan)
    with reading() as session:
        assert session.exec(select(Member.activity_domain)).one() == "Bâtiment & Travaux"


@pytest.mark.parametrize(
    ("first", "name", "whole"),
    [
        ("Martin", "Martin", "Martin Martin"),
        ("Zoé", "Zoé Lefèbvre", "Zoé Lefèbvre"),
        ("Martin", "Martin Martin", "Martin Martin"),
        ("", "Lefèbvre", "Lefèbvre"),
    ],
)
def test_a_first_name_stands_before_the_name_unless_the_name_has_it(
    club: str, first: str, name: str, whole: str
) -> None:
    confirm(send(csv_of([first, name, "zoe@lefebvre.example"], headings=("Prénom", "Nom", "E-mail"))))
    with reading() as session:
        assert session.exec(select(Member.name)).one() == whole


def test_a_trade_beside_a_role_is_an_expertise(club: str) -> None:
    row = ["Zoé Lefèbvre", "Plombière", "Gérante", "Chauffage, plombière"]
    confirm(send(csv_of(row, headings=("Nom", "Métier", "Fonction", "Profession"))))
    with reading() as session:
        kept = session.exec(select(Member)).one()
        assert (kept.role, kept.expertise) == ("Gérante", ["Plombière", "Chauffage"])


@pytest.mark.parametrize(
    ("text", "headings", "first"),
    [
        ("Membres, saison 2026\nNom;E-mail;Téléphone\nZoé;z@a.example;1", ("Nom", "E-mail", "Téléphone"), "Zoé"),
        ("Nom, etc.\n\nNom;E-mail;Téléphone\nZoé;z@a.example;1", ("Nom", "E-mail", "Téléphone"), "Zoé"),
        ("Membres\n2026; mai; juin\nNom,E-mail\nZoé,z@a.example", ("Nom", "E-mail"), "Zoé"),
        ("Membres, 2026; mai\nNom\tE-mail\nZoé\tz@a.example", ("Nom", "E-mail"), "Zoé"),
        ('"Membres, ""2026"""\n"Nom";"E-mail"\n"Zoé, dite Zo";"z@a.example"', ("Nom", "E-mail"), "Zoé, dite Zo"),
        ("Nom;Description\nZoé;un, deux, trois, quatre\nLéa;un, deux", ("Nom", "Description"), "Zoé"),
        ('Nom,Description\n"Zoé;Élan","a;b;c\nd;e"', ("Nom", "Description"), "Zoé;Élan"),
        ("Nom\nDurand, Zoé\nRoux, Léa", ("Nom",), "Durand, Zoé"),
        ("Membres, saison 2026, mai\nNom\nZoé", ("Nom",), "Zoé"),
        ("Nom, prénom;Nom;E-mail\nx;Zoé;z@a.example", ("Nom, prénom", "Nom", "E-mail"), "Zoé"),
    ],
)
def test_the_delimiter_is_that_of_the_headings_whatever_stands_above(
    text: str, headings: tuple[str, ...], first: str
) -> None:
    sheet = spreadsheet_reader.read_sheet(text.encode(), partial(import_run.are_headings, MEMBERS))
    assert (sheet.headings, sheet.rows[0][1]["Nom"]) == (headings, first)
