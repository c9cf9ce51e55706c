"""An answer link opens one's own event and nothing else, tells what a person needs, and ends with the event."""

from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Event, EventReservation, EventSpeaker
from clubapp.refusals import Conflict, NotFound
from clubapp.services.answers import by_link
from clubapp.services.answers.answer_form import parse_attendance, parse_guests, parse_lunch
from clubapp.services.answers.page import AnswerView, EventFacts
from clubapp.text.programme import ProgrammePart
from tests.factories import add_event, add_member, add_reservation
from tests.services.answers.invitees import NOW, Move
from tests.services.answers.maries_link import invite, opened, stored, wrote
from tests.statements import counted

INVALID = "Le lien que vous avez utilisé n'est pas valide ou a expiré."
WRITES = [(by_link.record_answer, given) for given in (parse_attendance(True), parse_lunch(True), parse_guests(2))]
EVERY_CALL = [(by_link.open_invitation,), (by_link.build_calendar_file,), *WRITES]


@pytest.mark.parametrize("call", EVERY_CALL, ids=lambda call: call[0].__name__)
def test_no_link_but_one_s_own_opens_anything(club: str, at: Move, call: tuple[Any, ...]) -> None:
    at(NOW)
    event_id, token = invite()
    with transaction() as session:
        other = add_event(session, title="Autre", date=clock.now() + timedelta(days=5))
        _, others = add_reservation(session, other, add_member(session, "Paul Petit", "paul@petit.example"))
    service, *value = call
    before = stored(event_id)
    for wrong in (
        (event_id, ""),
        (event_id, "x" * 43),
        (event_id, others),
        (other.id, token),
        ("", token),
        (event_id, before.response_token),
        (event_id, "é" * 10_000),
    ):
        with pytest.raises(NotFound) as refused, transaction() as session:
            service(session, *wrong, *value)
        assert refused.value.text == INVALID
    assert stored(event_id) == before


def test_wrong_and_foreign_links_ask_the_database_the_same(club: str, at: Move) -> None:
    at(NOW)
    event_id, token = invite()
    with transaction() as session:
        other = add_event(session, title="Autre", date=clock.now() + timedelta(days=5))
        _, foreign = add_reservation(session, other, add_member(session, "Paul Petit", "paul@petit.example"))
    asked: list[list[str]] = []
    wrong = ((event_id, "x" * 43), (event_id, foreign), (other.id, token), (event_id, token[:-1]), (event_id, ""))
    for link in wrong:
        with counted() as statements, pytest.raises(NotFound):
            opened(*link)
        asked.append(statements)
    assert asked[0]
    assert all(statements == asked[0] for statements in asked)


def test_a_link_ends_with_its_event_or_its_member(club: str, at: Move) -> None:
    at(NOW)
    event_id, token = invite()
    with transaction() as session:
        reservation = session.exec(select(EventReservation)).one()
        reservation.member_id = None
    with pytest.raises(NotFound):
        opened(event_id, token)
    with transaction() as session:
        session.delete(session.get(Event, event_id))
    with pytest.raises(NotFound):
        opened(event_id, token)


def test_the_page_tells_what_a_person_needs(club: str, at: Move) -> None:
    at(NOW)
    event_id, token = invite(
        title="Matinale d'hiver à l'Hôtel Élan",
        address="3 place d'Armes",
        max_participants=12,
        description=" Accueil. ",
    )
    with transaction() as session:
        session.add(EventSpeaker(event_id=event_id, name="Luc Ory", display_order=1))
        session.add(EventSpeaker(event_id=event_id, name="Zoé Lefèbvre", company="Atelier Lefèbvre", display_order=0))
    view = opened(event_id, token)
    assert view.event == EventFacts(
        id=event_id,
        title="Matinale d'hiver à l'Hôtel Élan",
        month_label="Rencontre de janvier",
        long_date="jeudi 14 janvier 2027 à 12:00",
        place="Valenciennes, 3 place d'Armes",
        map_link="https://www.openstreetmap.org/search?query=Valenciennes%2C+3+place+d%27Armes",
        description=(ProgrammePart("Accueil.", ()),),
        speakers=("Zoé Lefèbvre, Atelier Lefèbvre", "Luc Ory"),
        has_lunch=True,
        lunch="proposé",
        places="12 encore libres",
    )
    assert (view.member_name, view.step, view.will_attend) == ("Marie Durand", "attendance", None)


@pytest.mark.parametrize(
    ("month", "label"),
    [
        ("04", "Rencontre d’avril"),
        ("08", "Rencontre d’août"),
        ("10", "Rencontre d’octobre"),
        ("05", "Rencontre de mai"),
    ],
)
def test_the_month_elides_as_french_does(club: str, at: Move, month: str, label: str) -> None:
    at(NOW)
    assert opened(*invite(date=clock.from_local(f"2027-{month}-01T12:00"))).event.month_label == label


def test_opening_records_nothing(club: str, at: Move) -> None:
    at(NOW)
    link = invite()
    before = stored(link[0])
    at("2026-11-21T10:00")
    for _ in range(20):
        opened(*link)
    assert stored(link[0]) == before


@pytest.mark.parametrize(
    ("moment", "status", "sentence"),
    [
        (NOW, "cancelled", "Cette rencontre est annulée."),
        ("2027-01-14T11:00", "confirmed", "Cette rencontre a commencé\u00a0: les réponses sont closes."),
        ("2027-01-14T14:00", "confirmed", "Cette rencontre a eu lieu\u00a0: les réponses sont closes."),
        (NOW, "completed", "Cette rencontre a eu lieu\u00a0: les réponses sont closes."),
    ],
)
def test_links_end_with_the_event(club: str, at: Move, moment: str, status: str, sentence: str) -> None:
    at(NOW)
    link = invite()
    wrote(by_link.record_answer, *link, parse_attendance(True))
    with transaction() as session:
        session.exec(select(Event)).one().status = status
    at(moment)
    view = opened(*link)
    assert view == AnswerView(event=view.event, step="closed", closed=sentence)
    before = stored(link[0])
    for service, value in WRITES:
        with pytest.raises(Conflict) as refused, transaction() as session:
            service(session, *link, value)
        assert refused.value.text == sentence
    with pytest.raises(NotFound), reading() as session:
        by_link.build_calendar_file(session, *link)
    assert stored(link[0]) == before


def test_the_last_second_before_the_event_still_counts(club: str, at: Move) -> None:
    link = invite()
    at("2027-01-14T10:59:59")
    assert wrote(by_link.record_answer, *link, parse_attendance(True)).step == "lunch"
