"""A search forgives accents, case, order and slips, and puts the nearest first."""

import pytest

from clubapp.services.base import search

PEOPLE = (
    ("Zoé Lefèbvre", "Directrice associée", "Atelier Lefèbvre", "Espaces de travail", "Architecture intérieure"),
    ("Karim Benali", "Gérant", "Nord Logis Transport", "Logistique urbaine", "Stockage, douane"),
    ("Bruno Vasseur", "Plombier", "Eaux Claires", "Chauffage", "Dépannage"),
    ("Élodie D'Hondt", "Gérante", "Maison D'Hondt", "Bâtiment ancien", "Plomberie sanitaire, électricité"),
    ("Marie Lefevre", "Experte-comptable", "Chiffres & Lettres", "Fiscalité", "Comptabilité des PME"),
    ("Paul Œuvrard", "Formateur", "Cœur de métier", "Vente", "Formation commerciale"),
    ("Inès Marquet", "Consultante", "Plombières Conseil", "Stratégie", "Marketing"),
)


def names(query: str) -> list[str]:
    return [PEOPLE[place][0] for place in search.find_records(PEOPLE, query)]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("plombier", ["Bruno Vasseur", "Inès Marquet", "Élodie D'Hondt"]),
        ("Lefebvre", ["Zoé Lefèbvre", "Marie Lefevre"]),
        ("LEFÈBVRE", ["Zoé Lefèbvre", "Marie Lefevre"]),
        ("logistqiue", ["Karim Benali"]),
        ("logistqi", ["Karim Benali"]),
        ("logisticien", ["Karim Benali"]),
        ("compta", ["Marie Lefevre"]),
        ("électricien", ["Élodie D'Hondt"]),
        ("formateurs", ["Paul Œuvrard"]),
        ("oeuvrard", ["Paul Œuvrard"]),
        ("cœur metier", ["Paul Œuvrard"]),
        ("zoé atelier", ["Zoé Lefèbvre"]),
        ("atelier zoe", ["Zoé Lefèbvre"]),
        ("d'hondt", ["Élodie D'Hondt"]),
        ("expert en compta", ["Marie Lefevre"]),
        ("plombier zoé", []),
        ("xylophone", []),
    ],
)
def test_a_query_finds_the_nearest_first(query: str, found: list[str]) -> None:
    assert names(query) == found


@pytest.mark.parametrize(
    ("query", "trade"),
    [
        ("couvreur", "Couverture et zinguerie"),
        ("couverture", "Couvreur"),
        ("chauffagiste", "Chauffage"),
        ("chauffage", "Chauffagiste"),
        ("rénover", "Rénovations"),
        ("isolant", "Isolation des combles"),
        ("nettoyer", "Nettoyage"),
        ("paysage", "Paysagiste"),
    ],
)
def test_a_word_finds_those_of_its_family(query: str, trade: str) -> None:
    assert search.find_records([("Paul Roux", "Notaire"), ("Anne Petit", trade)], query) == [1]


@pytest.mark.parametrize("query", ["", "   ", "&", "…"])
def test_a_query_without_words_finds_everyone_in_order(query: str) -> None:
    assert search.find_records(PEOPLE, query) == list(range(len(PEOPLE)))


@pytest.mark.parametrize("query", ["zou", "kari", "mare"])
def test_short_words_must_be_typed_right(query: str) -> None:
    assert names(query) == (["Karim Benali"] if query == "kari" else [])


def test_a_name_counts_more_than_a_service() -> None:
    records = (("Paul Roux", "", "", "", "Vente de bois"), ("Anne Bois", "", "", "", ""))
    assert search.find_records(records, "bois") == [1, 0]
    assert search.find_records(records, "boi") == [1, 0]


def test_equals_keep_their_order() -> None:
    records = tuple((f"Membre {number}", "Gérant") for number in range(50))
    assert search.find_records(records, "gérant") == list(range(50))


def test_an_edit_is_found_at_once() -> None:
    assert search.find_records([("Paul", "Maçon")], "notaire") == []
    assert search.find_records([("Paul", "Notaire")], "notaire") == [0]


@pytest.mark.parametrize("query", ["a" * 10_000, "mot " * 5_000, "\x00", "😀", "محمد", "%_\\", "'; --", "𝒵oé"])
def test_no_query_is_too_strange(query: str) -> None:
    search.find_records(PEOPLE, query)


def test_other_scripts_are_searched_too() -> None:
    assert search.find_records([("محمد علي",), ("Ольга Иванова",)], "ольга") == [1]


def test_words_stay_in_their_record_and_count_in_its_heaviest_field() -> None:
    records = (("", "Orme"), ("Frêne", "", "Chêne"), ("Chêne", "Frêne", "Orme"), (), ("Hêtre frêne",))
    assert [search.find_records(records, word) for word in ("orme", "chene", "frene", "hetre frene")] == [
        [0, 2],
        [2, 1],
        [1, 4, 2],
        [4],
    ]


def test_records_that_match_equally_are_sorted_as_asked() -> None:
    records = [("Orme",), ("Orme",), ("Chêne", "Orme"), ("Orme",)]
    assert search.find_records(records, "orme", lambda place: -place) == [3, 1, 0, 2]
