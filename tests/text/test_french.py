"""What becomes of names, numbers and addresses that people type."""

import pytest

from clubapp.text import french, phone_numbers, web_links


@pytest.mark.parametrize(
    ("typed", "written", "dialled"),
    [
        ("0320555501", "03 20 55 55 01", "tel:+33320555501"),
        ("+33 3 20 55 55 01", "03 20 55 55 01", "tel:+33320555501"),
        ("03.20.55.55.01", "03 20 55 55 01", "tel:+33320555501"),
        ("+32 2 555 12 12", "+32 2 555 12 12", "tel:+3225551212"),
        ("demander Paul", "demander Paul", ""),
        ("12", "12", ""),
        ("", "", ""),
    ],
)
def test_a_number_is_written_the_french_way_and_dialled_from_anywhere(typed: str, written: str, dialled: str) -> None:
    assert (phone_numbers.format_phone(typed), phone_numbers.tel_link(typed)) == (written, dialled)


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("Nord", "du Nord"),
        ("Hauts-de-France", "des Hauts-de-France"),
        ("Bretagne", "de Bretagne"),
        ("Occitanie", "d’Occitanie"),
        ("Île-de-France", "d’Île-de-France"),
        ("Grand Est", "du Grand Est"),
        ("Centre-Val de Loire", "du Centre-Val de Loire"),
        ("du Finistère", "du Finistère"),
        ("de la Somme", "de la Somme"),
    ],
)
def test_a_region_takes_its_article(name: str, phrase: str) -> None:
    assert french.of_place(name) == phrase


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("Marie Durand", "de Marie Durand"),
        ("Augustin Leroy", "d’Augustin Leroy"),
        ("Élise Caron", "d’Élise Caron"),
        ("Hélène Vasseur", "d’Hélène Vasseur"),
        ("Yann Le Goff", "de Yann Le Goff"),
        ("Yves Caron", "d’Yves Caron"),
        ("", "de "),
    ],
)
def test_a_person_takes_de_or_loses_its_vowel(name: str, phrase: str) -> None:
    assert french.of_person(name) == phrase


def test_a_subject_is_part_of_a_mail_link() -> None:
    assert web_links.mail_to("a+b@club.example", "Demande d’adhésion") == (
        "mailto:a%2Bb@club.example?subject=Demande%20d%E2%80%99adh%C3%A9sion"
    )
    assert web_links.mail_to("") == ""


def test_an_address_is_shown_short() -> None:
    assert web_links.format_web_address("https://www.club.fr/") == "club.fr"
    assert web_links.format_web_address("https://club.fr/equipe/") == "club.fr/equipe"
