"""Who came, as a table and on paper: everyone who was expected or came once, and no more than the figures count."""

import csv
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from io import BytesIO, StringIO

import pytest
from pypdf import PdfReader
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.models import EventReservation, Member, TouchKind, new_id
from clubapp.refusals import Forbidden, NotFound, ProofRequired
from clubapp.services.attendance import arrival_sheets, closing
from clubapp.services.attendance.arrivals import Touch, record_arrivals
from clubapp.services.attendance.people import guest_id
from clubapp.services.attendance.turnout import Turnout
from clubapp.services.base.actors import SYSTEM, VISITOR, Actor
from tests.conftest import on_sqlite
from tests.factories import add_event, add_guest, add_member, add_reservation

NOON = datetime(2027, 1, 14, 11, tzinfo=UTC)
pytestmark = on_sqlite


@pytest.fixture
def event_id(club: str, at: Callable[[str], datetime]) -> str:
    """A quarter past noon: Marie is there with one of her two guests, Ana unasked, Ali unannounced; Paul is late."""
    at("2027-01-14T11:15")
    with transaction() as session:
        event = add_event(session, "Dîner", NOON, status="confirmed")
        marie = add_member(session, "Marie Durand", None, company="Atelier Lefèbvre")
        row, _ = add_reservation(session, event, marie, will_attend=True, guest_count=2)
        add_guest(session, event, row.id, 2, name="Zoé Lys", company="=Lys & Cie")
        add_reservation(session, event, add_member(session, "Paul Roy", None), will_attend=True)
        add_reservation(session, event, add_member(session, "Luc Ory", None), will_attend=False)
        ana = add_member(session, "Ana Bel", None)
        add_reservation(session, event, ana)
        came = [(marie.id, ""), (guest_id(row.id, 2), ""), (ana.id, ""), (new_id(), "Ali Baba")]
        touches = [Touch(new_id(), person, TouchKind.ARRIVED, NOON, name) for person, name in came]
        record_arrivals(session, event.id, touches, "")
        return event.id


def rows_of(event_id: str) -> list[list[str]]:
    with reading() as session:
        content = arrival_sheets.arrivals_csv(session, SYSTEM, event_id).content
    return list(csv.reader(StringIO(content.decode("utf-8-sig"), newline=""), delimiter=";"))


def words_of(event_id: str) -> str:
    with reading() as session:
        pages = PdfReader(BytesIO(arrival_sheets.arrivals_pdf(session, SYSTEM, event_id).content)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


@pytest.mark.parametrize("draw", [arrival_sheets.arrivals_csv, arrival_sheets.arrivals_pdf])
def test_arrivals_are_taken_away_by_administrators_with_a_fresh_proof(
    event_id: str, draw: Callable[..., object]
) -> None:
    with reading() as session:
        with pytest.raises(Forbidden):
            draw(session, VISITOR, event_id)
        with pytest.raises(ProofRequired):
            draw(session, Actor("h@club.example", is_admin=True, needs_proof=True), event_id)
        with pytest.raises(NotFound):
            draw(session, SYSTEM, "gone")


def close(event_id: str) -> Turnout:
    with transaction() as session:
        return closing.close_doors(session, SYSTEM, event_id)


def test_the_table_has_everyone_who_was_expected_or_came(event_id: str) -> None:
    moment = "14/01/2027 12:00"
    head, *rows = rows_of(event_id)
    assert head == ["Nom", "Entreprise", "Invité de", "Réponse", "Présence", "Arrivé le"]
    assert rows == [
        ["Marie Durand", "Atelier Lefèbvre", "", "A dit oui", "venu", moment],
        ["invité de Marie Durand", "", "Marie Durand", "A dit oui", "attendu", ""],
        ["Zoé Lys", "'=Lys & Cie", "Marie Durand", "A dit oui", "venu", moment],
        ["Paul Roy", "", "", "A dit oui", "attendu", ""],
        ["Ali Baba", "", "", "", "venu", moment],
        ["Ana Bel", "", "", "Pas de réponse", "venu", moment],
    ]
    turnout = close(event_id)
    counted = Counter(row[4] for row in rows_of(event_id)[1:])
    assert counted == {"venu": turnout.arrived, "absent malgré sa réponse": turnout.no_show}


def test_the_sheet_says_who_came_when(event_id: str) -> None:
    words = words_of(event_id)
    assert "4 arrivés sur 6, le 14/01/2027 à 12:15" in words
    assert words.count("12:00") == 5  # of the event, and of those who came
    for name in ("Zoé Lys, invité de Marie Durand", "Atelier Lefèbvre", "Ali Baba", "Ana Bel", "Paul Roy"):
        assert words.count(name) == 1, name
    assert "Luc Ory" not in words
    close(event_id)
    assert words_of(event_id).count("absent malgré sa réponse") == 2


def test_of_who_was_erased_the_count_stays(event_id: str) -> None:
    with transaction() as session:
        session.delete(session.exec(select(Member).where(Member.name == "Marie Durand")).one())
        session.flush()
        assert session.exec(select(EventReservation)).all()
    rows = rows_of(event_id)[1:]
    assert Counter(row[4] for row in rows)["venu"] == 4
    assert not [row for row in rows if "Marie" in " ".join(row)]
