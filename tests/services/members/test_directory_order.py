"""A long directory: in the database's own order, sixty at a time, whoever writes a member."""

from dataclasses import replace
from random import Random

import pytest
from sqlalchemy import insert, text, update

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Member
from clubapp.services.base.actors import Actor
from clubapp.services.companies import editing
from clubapp.services.directory import for_visitors
from clubapp.services.members import directory_order
from tests.factories import add_company, add_member

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")


def _shown(**asked: str) -> list[str]:
    with reading() as session:
        return [card.name for card in for_visitors.search_members(session, **asked).members]


def test_sixty_are_shown_at_a_time_and_all_are_counted(club: str) -> None:
    with transaction() as session:
        for number in range(130):
            add_member(session, name=f"Membre {number:03}", email=None)
        add_member(session, name="Parti", email=None, is_active=False)
        add_member(session, name="Discret", email=None, is_listed=False)
    with reading() as session:
        first, second, last, beyond = (
            for_visitors.search_members(session, page=page) for page in ("", "2", "3", "9999")
        )
    assert [len(found.members) for found in (first, second, last, beyond)] == [60, 120, 130, 130]
    assert first.members == last.members[:60]
    assert [found.more_href for found in (first, second, last)] == ["/membres?page=2", "/membres?page=3", ""]
    assert {found.count_label for found in (first, last)} == {"130 membres"}
    assert (first.shown_label, last.shown_label) == ("60 membres affichés sur 130", "")


@pytest.mark.parametrize("page", ["0", "-1", "2.5", "deux", "٢", "1e3", "99999"])
def test_what_is_no_page_means_the_first(club: str, page: str) -> None:
    with transaction() as session:
        for number in range(61):
            add_member(session, name=f"Membre {number:03}", email=None)
    assert len(_shown(page=page)) == 60


def test_what_a_search_or_a_domain_finds_goes_on_in_the_same_way(club: str) -> None:
    with transaction() as session:
        for number in range(70):
            add_member(
                session, name=f"Membre {number:03}", email=None, role="Plombier", activity_domain="Bâtiment & Travaux"
            )
        add_member(session, name="Camion", email=None, activity_domain="Logistique & Transport")
    with reading() as session:
        domain = for_visitors.search_members(session, "batiment-travaux")
        assert domain.more_href == "/membres?domaine=batiment-travaux&page=2"
        assert domain.count_label == "70 membres en Bâtiment & Travaux"
        found = for_visitors.search_members(session, "batiment-travaux", "plombier")
        assert (len(found.members), found.more_href) == (60, "/membres?domaine=batiment-travaux&q=plombier&page=2")
        assert len(for_visitors.search_members(session, "", "plombier", "2").members) == 70


def test_both_engines_order_signs_and_letters_alike(club: str) -> None:
    """A collation of a language would pass over spaces and hyphens."""
    houses = [
        "Nord",
        "Nord Logis",
        "nord-est",
        "NORDIC",
        "Nord'Est",
        "Œuvre",
        "Ofen",
        "Ölwerk",
        "3D Nord",
        "@Nord",
        "Ñandú",
    ]
    with transaction() as session:
        for house in houses:
            add_member(session, name=house, email=None, company=house)
    expected = ["3D Nord", "@Nord", "Ñandú", "Nord", "Nord Logis", "Nord'Est", "nord-est", "NORDIC", "Œuvre", "Ofen"]
    assert _shown() == [*expected, "Ölwerk"]
    if club == "postgres":  # whose own order may be the same by chance
        collation = text("SELECT collation_name FROM information_schema.columns WHERE column_name = 'directory_place'")
        with reading() as session:
            assert session.connection().execute(collation).scalar_one() == "C"


def test_a_member_moves_with_their_name_and_with_that_of_their_company(club: str) -> None:
    with transaction() as session:
        home = add_company(session, name="Atelier", activity_domain="Bâtiment & Travaux", description="Bois.").id
        add_member(session, name="Zoé", email=None, company="Atelier", company_id=home)
        someone = add_member(session, name="Éric", email=None, company="Beffroi").id
    assert _shown() == ["Zoé", "Éric"]
    with transaction() as session:
        typed = editing.open_form(session, HELENE, home)
        editing.save(session, HELENE, replace(typed, name="Zinc"))
    assert _shown() == ["Éric", "Zoé"]
    with transaction() as session:
        session.get_one(Member, someone).company = ""
    assert _shown() == ["Zoé", "Éric"]


def test_whom_an_older_program_wrote_stands_last_until_put_in_place(club: str) -> None:
    now = clock.now()
    texts = dict.fromkeys(("role", "activity_domain", "description", "phone", "linkedin", "website", "image_url"), "")
    row = {"id": "old", "name": "Adam", "company": "Aaa", "is_active": True, "expertise": [], "services": []}
    table = Member.__table__  # type: ignore[attr-defined]
    with transaction() as session:
        add_member(session, name="Zoé", email=None)
        renamed = add_member(session, name="Bruno", email=None, company="Atelier").id
        written = insert(table).values(row | texts | {"created_at": now, "updated_at": now, "directory_place": "2"})
        session.connection().execute(written)
        session.connection().execute(update(table).where(table.c.id == renamed).values(company="Zinc"))
    assert _shown() == ["Bruno", "Zoé", "Adam"]
    with transaction() as session:
        assert directory_order.repair_places(session) == 2
        assert directory_order.repair_places(session) == 0
    assert _shown() == ["Adam", "Bruno", "Zoé"]


def test_the_longest_names_have_a_place_too(club: str) -> None:
    """An entry of an index has a limit on PostgreSQL, and letters may open into several."""
    letters = Random(1).choices([chr(code) for code in range(0x4E00, 0x9FFF)], k=9000)
    with transaction() as session:
        add_member(session, name="\ufdfa" * 3000, email=None, company="".join(letters), activity_domain="é" * 200)
        add_member(session, name="".join(letters), email=None, company="".join(letters), activity_domain="é" * 200)
    assert len(_shown()) == 2
