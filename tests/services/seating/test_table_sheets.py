"""The tables on paper, as another program reads them."""

from collections.abc import Callable
from datetime import datetime
from io import BytesIO

import pytest
from pypdf import PdfReader

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.refusals import Forbidden, ProofRequired
from clubapp.services.base.actors import SYSTEM, VISITOR, Actor
from clubapp.services.seating import editing, table_sheets
from clubapp.services.seating.table_sheets import cards_pdf, names_pdf
from tests.conftest import on_sqlite
from tests.factories import add_event, add_member, add_reservation

pytestmark = on_sqlite
LONG = "Marie-Charlotte de la Très Longue Lignée des Montmorency-Hauteclocque"


@pytest.fixture
def event_id(club: str, at: Callable[[str], datetime]) -> str:
    """Sixty people at six tables of ten, the first of which has a name; one more has no seat."""
    at("2026-11-20T10:00")
    with transaction() as session:
        event = add_event(session, "Dîner d’été", clock.from_local("2026-12-10T12:00"), status="confirmed")
        for number in range(61):
            name = LONG if number == 7 else f"Œdipe N{number:02}"
            member = add_member(session, name, f"m{number}@club.example", company=f"Société {number % 30}")
            add_reservation(session, event, member, will_attend=True, with_lunch=True)
        made = event.id
    with transaction() as session:
        editing.set_tables(session, SYSTEM, made, 6, 10)
        editing.change_table(session, SYSTEM, made, 1, name="Beffroi", seats=10)
        editing.record_proposal(session, SYSTEM, made, editing.propose(session, SYSTEM, made, 1))
    return made


def pages_of(draw: Callable[..., table_sheets.Download], event_id: str) -> list[str]:
    with reading() as session:
        reader = PdfReader(BytesIO(draw(session, SYSTEM, event_id).content))
    return [" ".join(page.extract_text().split()) for page in reader.pages]


@pytest.mark.parametrize("draw", [names_pdf, cards_pdf])
def test_sheets_are_for_administrators_with_a_fresh_proof(event_id: str, draw: Callable[..., object]) -> None:
    with reading() as session:
        for person in (VISITOR, Actor("m@club.example", member_id="m", session_id="s")):
            with pytest.raises(Forbidden):
                draw(session, person, event_id)
        with pytest.raises(ProofRequired):
            draw(session, Actor("h@club.example", is_admin=True, needs_proof=True), event_id)


def test_the_list_has_everyone_once_by_name_with_their_table(event_id: str) -> None:
    text = " ".join(pages_of(names_pdf, event_id))
    assert "61 personnes, 6 tables, 60 places\u00a0: il manque 1 place." in text.replace(" :", "\u00a0:")
    places = [text.index(f"Œdipe N{number:02}") for number in range(61) if number != 7]
    assert places == sorted(places)
    assert text.count("Œdipe N") == 60
    assert text.count(LONG) == 1
    assert (text.count("Table 1, Beffroi"), text.count("Table 2"), text.count("à placer")) == (10, 10, 1)


def test_each_table_has_a_card_with_its_number_and_who_sits_there(event_id: str) -> None:
    pages = pages_of(cards_pdf, event_id)
    assert len(pages) == 6
    for number, page in enumerate(pages, 1):
        assert page.count(f"Table {number}") == 2  # on either side of the fold
        assert page.count("Œdipe N") + page.count(LONG) == 10
    assert "Beffroi" in pages[0]
    whole = " ".join(pages)
    assert [number for number in range(61) if number != 7 and whole.count(f"Œdipe N{number:02}") > 1] == []


def test_without_tables_the_cards_say_so(event_id: str) -> None:
    with transaction() as session:
        empty = add_event(session, "Vide", clock.from_local("2027-01-10T12:00")).id
    assert pages_of(cards_pdf, empty) == ["Aucune table n’est encore installée."]
