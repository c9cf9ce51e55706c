"""The limit of an event counts members and guests, whoever comes first, by link or by telephone (one transaction)."""

import os
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import EventReservation
from clubapp.refusals import Conflict, Forbidden, Invalid, NotFound, Refusal
from clubapp.services.answers import by_link, by_phone
from clubapp.services.answers.answer_form import parse_answer
from tests.services.answers.invitees import ADMIN, MEMBER, NOW, Invitee, Move, change_event, figures, invite

ROUNDS = int(os.environ.get("CLUB_TEST_ROUNDS", "6"))


def record_for(person: Invitee, *said: Any) -> str:
    with transaction() as session:
        return by_phone.record_answer(session, ADMIN, person.reservation_id, parse_answer(*said))


def test_guests_take_places_too(club: str, at: Move) -> None:
    at(NOW)
    marie, paul = invite("Marie", "Paul", max_participants=4)
    assert marie.open().event.places == "4 encore libres"
    assert marie.says(True, guests=2).event.places == "1 encore libre"
    assert (paul.open().event.places, paul.open().event.is_full) == ("1 encore libre", False)
    paul.says(True)
    assert paul.open().event.places == "complet pour le moment"
    assert paul.open().event.is_full is False, "who has a place is not told that there is none"
    change_event(marie.event_id, max_participants=None)
    assert marie.open().event.places == ""


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        (2, "Il ne reste plus de place pour des invités."),
        (3, "Il ne reste qu’une place pour vos invités."),
        (5, "Il ne reste que 3 places pour vos invités."),
    ],
)
def test_more_guests_than_places_are_refused_with_what_remains(club: str, at: Move, limit: int, sentence: str) -> None:
    at(NOW)
    marie, paul = invite("Marie", "Paul", max_participants=limit)
    paul.says(True, guests=0)
    marie.says(True)
    with pytest.raises(Invalid) as refused:
        marie.brings(4)
    assert (refused.value.text, refused.value.field) == (sentence, "guest_count")
    assert (marie.row.will_attend, marie.row.guest_count) == (True, 0)
    assert marie.brings(limit - 2).guest_count == limit - 2


def test_a_lowered_limit_throws_nobody_out_and_lets_nobody_in(club: str, at: Move) -> None:
    at(NOW)
    marie, paul, zoe = invite("Marie", "Paul", "Zoe", max_participants=9)
    marie.says(True, guests=3)
    paul.says(True, guests=1)
    change_event(marie.event_id, max_participants=2)
    assert figures(marie.event_id) == (2, 4, 0)
    assert marie.says(True, guests=3).step == "calendar", "what one had can be said again"
    with pytest.raises(Invalid, match="que 3 places"):
        marie.brings(4)
    assert marie.brings(2).guest_count == 2
    assert zoe.says(True).step == "waiting"
    assert figures(marie.event_id) == (2, 3, 1)


def at_once(*acts: Callable[[], Any]) -> list[str]:
    """Run them at the same instant; what each was refused with, or nothing."""
    gate = threading.Barrier(len(acts))
    refused = [""] * len(acts)

    def run(number: int, act: Callable[[], Any]) -> None:
        gate.wait()
        try:
            act()
        except Refusal as refusal:
            refused[number] = refusal.text

    threads = [threading.Thread(target=run, args=each) for each in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return refused


def test_of_two_people_for_the_last_place_one_comes_and_one_waits(club: str, at: Move) -> None:
    at(NOW)
    for number in range(ROUNDS):
        month = f"{2027 + number // 12}-{number % 12 + 1:02}"
        marie, paul = _pair(number, month)
        assert at_once(partial(marie.says, True), partial(paul.says, True)) == ["", ""]
        assert figures(marie.event_id) == (1, 0, 1), number
        assert sorted((marie.row.is_coming, paul.row.is_coming)) == [False, True]


def test_two_people_never_bring_more_guests_than_there_are_places(club: str, at: Move) -> None:
    at(NOW)
    for number in range(ROUNDS):
        marie, paul = _pair(number, f"{2027 + number // 12}-{number % 12 + 1:02}", limit=4)
        marie.says(True)
        paul.says(True)
        refused = at_once(partial(marie.brings, 2), partial(paul.brings, 2))
        assert sorted(refused) == ["", "Il ne reste plus de place pour des invités."], number
        assert figures(marie.event_id) == (2, 2, 0), number


def _pair(number: int, month: str, limit: int = 1) -> list[Invitee]:
    return invite(f"Marie{number}", f"Paul{number}", max_participants=limit, date=clock.from_local(f"{month}-14T12:00"))


@pytest.mark.parametrize("limit", [1, None])
def test_two_devices_of_one_person_give_one_answer(club: str, at: Move, limit: int | None) -> None:
    at(NOW)
    (marie,) = invite("Marie", max_participants=limit)
    assert at_once(*[partial(marie.says, True)] * 4) == [""] * 4
    assert figures(marie.event_id) == (1, 0, 0)
    assert len(marie.history) == 1
    assert len(marie.mails("answer_confirmed")) == 1


def test_only_an_administrator_records_for_somebody_else(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    with pytest.raises(Forbidden), transaction() as session:
        by_phone.record_answer(session, MEMBER, marie.reservation_id, parse_answer(True))
    with pytest.raises(NotFound), transaction() as session:
        by_phone.record_answer(session, ADMIN, "nobody", parse_answer(True))
    assert marie.row.will_attend is None


def test_what_was_told_by_telephone_is_recorded_as_such(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie", has_lunch=True)
    assert record_for(marie, True, True, "2") == "La réponse est enregistrée."
    row = marie.row
    assert (row.will_attend, row.with_lunch, row.guest_count) == (True, True, 2)
    assert (row.answered_via, row.recorded_by) == ("phone", "helene@beffroi.example")
    assert [(one.via, one.recorded_by, one.guest_count) for one in marie.history] == [
        ("phone", "helene@beffroi.example", 2)
    ]
    assert marie.open().step == "calendar"
    record_for(marie, False)
    assert [one.will_attend for one in marie.history] == [True, False]


def test_the_limit_binds_administrators_too(club: str, at: Move) -> None:
    at(NOW)
    marie, paul = invite("Marie", "Paul", max_participants=2)
    with pytest.raises(Invalid, match="qu’une place"):
        record_for(marie, True, False, 2)
    assert marie.row.will_attend is None, "nothing is recorded by halves"
    record_for(marie, True, False, 1)
    assert record_for(paul, True, False, 3).startswith("La rencontre est complète")
    assert (paul.row.is_waiting, paul.row.guest_count) == (True, 0)


def test_the_deadline_of_answers_binds_invitees_not_the_club(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie", answers_until=at("2027-01-10T11:00"))
    at("2027-01-10T10:59:59")
    marie.says(True, guests=1)
    at("2027-01-10T11:00")
    with pytest.raises(Conflict, match="closes depuis le dimanche 10 janvier 2027 à 12:00"):
        marie.says(False)
    record_for(marie, False)
    assert marie.row.will_attend is False


def test_once_answers_are_closed_the_page_still_shows_one_s_own(club: str, at: Move) -> None:
    at(NOW)
    marie, paul = invite("Marie", "Paul", answers_until=at("2027-01-10T11:00"))
    at(NOW)
    marie.says(True, guests=2)
    assert marie.open().event.closes == "dimanche 10 janvier 2027 à 12:00"
    at("2027-01-12T11:00")
    view = marie.open()
    assert (view.step, view.member_name, view.will_attend, view.guest_count) == ("closed", "Marie", True, 2)
    assert len(view.calendar_links) == 4
    assert (paul.open().step, paul.open().will_attend) == ("closed", None)
    with reading() as session:
        assert by_link.build_calendar_file(session, marie.event_id, marie.token)
        assert session.get(EventReservation, marie.reservation_id)
