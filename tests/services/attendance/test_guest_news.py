"""A change of guests alone, in number or in names, is news of an event and of the day."""

from datetime import datetime

from clubapp.database import reading, transaction
from clubapp.services.answers import by_phone, guest_link
from clubapp.services.answers.answer_form import Answer
from clubapp.services.answers.guests import GuestEntry
from clubapp.services.attendance import answer_list
from clubapp.services.today import news
from tests.services.answers.invitees import ADMIN, NOW, Invitee, Move, invite
from tests.services.answers.test_answer_history import sent
from tests.services.answers.test_guest_link import link
from tests.services.answers.test_guests import names

LONG_AGO = datetime.fromisoformat("2026-11-01T00:00Z")
MORNING, NOON, EVENING = "2026-11-22T08:00", "2026-11-22T11:00", "2026-11-22T18:00"


def row_of(person: Invitee) -> tuple[str, str, str]:
    with reading() as session:
        found = answer_list.list_answers(session, ADMIN, person.event_id)
    (row,) = [row for row in found.rows if row.member_id == person.member_id]
    return row.guests, row.news, row.when


def told(since: str = "") -> list[str]:
    with reading() as session:
        return [one.text for one in news.list_news(session, _instant(since) if since else LONG_AGO).rows]


def _instant(moment: str) -> datetime:
    return datetime.fromisoformat(f"{moment}Z")


def test_another_number_of_guests_is_the_latest_news(club: str, at: Move) -> None:
    at(NOW)
    marie, paul = invite("Marie", "Paul")
    for person in (marie, paul):
        person.says(True, guests=0)
    at(NOON)
    marie.brings(2)
    assert row_of(marie) == ("2 invités, sans nom", "Par son lien", "aujourd’hui à 12:00")
    assert row_of(paul)[1:] == ("Par son lien", "le 20 novembre")
    assert told(MORNING) == ["vient, avec 2 invités"]


def test_guests_who_are_named_later_are_news_and_within_one_sitting_part_of_the_answer(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    marie.says(True, guests=2)
    names(marie, GuestEntry("Zoé Lys"))
    assert (row_of(marie)[1], told()) == ("Par son lien", ["vient, avec 2 invités"])
    at(NOON)
    names(marie, GuestEntry("Zoé Lys"), GuestEntry("Éric Œil", "Ateliers"))
    assert row_of(marie) == ("Zoé Lys, Éric Œil", "Invités nommés", "aujourd’hui à 12:00")
    assert told(MORNING) == ["vient avec Zoé Lys, Éric Œil"]
    at(EVENING)
    with transaction() as session:
        said = Answer(guests=(GuestEntry("Zoé Lys"), GuestEntry("Éric Œil", "Autre")))
        by_phone.record_answer(session, ADMIN, marie.reservation_id, said)
    assert told(MORNING) == []  # who wrote it down knows it
    assert row_of(marie)[1:] == ("Invités nommés", "aujourd’hui à 19:00")


def test_a_guest_who_declines_is_news(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    marie.says(True, guests=2)
    names(marie, GuestEntry("Zoé Lys", email="zoe@lys.example"))
    sent(marie)
    at(EVENING)
    with transaction() as session:
        guest_link.decline(session, *link(marie))
    assert row_of(marie) == ("1 invité, sans nom", "Un invité s’est désisté", "aujourd’hui à 19:00")
    assert told(NOON) == ["vient, avec 1 invité\u00a0: un invité s’est désisté"]
