"""Who waits while nobody can take an offer: past the deadline of answers, and while the event is cancelled."""

import pytest

from clubapp.database import reading, transaction
from clubapp.mail.messages.letter import Letter
from clubapp.mail.transport.delivery import deliver
from clubapp.services.answers import by_phone, waiting_list_admin
from clubapp.services.answers.answer_form import parse_answer
from clubapp.services.members import editing
from tests.services.answers.invitees import ADMIN, NOW, Invitee, Move, change_event, figures, invite
from tests.services.answers.test_answer_history import letters
from tests.services.answers.test_seating import set_limit
from tests.services.answers.test_waiting_list import expire, full, listed
from tests.services.events.event_notices import save

DEADLINE = "2027-01-10T11:00"


def tell(person: Invitee, will_attend: bool) -> str:
    """An administrator writes down what somebody said on the telephone."""
    with transaction() as session:
        return by_phone.record_answer(session, ADMIN, person.reservation_id, parse_answer(will_attend))


@pytest.fixture
def people(club: str, at: Move) -> list[Invitee]:
    """Marie comes, Paul and Zoé wait, and the deadline is over."""
    deadline = at(DEADLINE)
    at(NOW)
    found = full("Marie", "Paul", "Zoe", answers_until=deadline)
    at("2027-01-11T10:00")
    return found


def test_past_the_deadline_an_administrator_gives_a_free_place_to_who_is_reached(people: list[Invitee]) -> None:
    marie, paul, zoe = people
    with reading() as session:
        assert waiting_list_admin.read_waiting_list(session, ADMIN, marie.event_id).is_given
    assert tell(zoe, True).startswith(by_phone.WAITING_LIST), "no place is free"
    assert listed(marie.event_id) == ["Paul", "Zoe"], "nor has she lost her rank"
    tell(marie, False)
    assert listed(marie.event_id) == ["Paul", "Zoe"], "nobody is offered it any more"
    assert tell(zoe, True) == by_phone.RECORDED
    assert (figures(marie.event_id), listed(marie.event_id)) == ((1, 0, 1), ["Paul"])
    assert isinstance(letters(zoe)[-1], Letter)
    assert tell(paul, True).startswith(by_phone.WAITING_LIST)
    assert tell(marie, True).startswith(by_phone.WAITING_LIST)
    tell(zoe, False)
    assert tell(marie, True) == by_phone.RECORDED
    assert figures(marie.event_id) == (1, 0, 1)


def test_past_the_deadline_whoever_waits_comes_when_the_limit_leaves_places_for_all(people: list[Invitee]) -> None:
    marie, *_ = people
    assert set_limit(marie.event_id, 2) == "", "one place for two: the club decides"
    assert listed(marie.event_id) == ["Paul", "Zoe"]
    assert set_limit(marie.event_id, 3) == "2 personnes de la liste d’attente ont désormais une place."
    assert figures(marie.event_id) == (3, 0, 0)


def test_before_the_deadline_the_line_is_kept_to(club: str, at: Move) -> None:
    at(NOW)
    marie, _paul, zoe = full("Marie", "Paul", "Zoe")
    tell(marie, False)
    assert listed(marie.event_id) == ["Paul*", "Zoe"]
    assert tell(zoe, True).startswith(by_phone.WAITING_LIST)
    assert figures(marie.event_id) == (0, 0, 2)


def test_who_had_an_offer_is_the_next_when_a_cancelled_event_takes_place_after_all(club: str, at: Move) -> None:
    at(NOW)
    marie, paul, _zoe = full("Marie", "Paul", "Zoe")
    marie.says(False)
    change_event(marie.event_id, status="cancelled")
    at("2026-11-22T10:00")
    assert expire() == 0
    assert (paul.row.will_attend, paul.row.offer_until) == (True, None)
    change_event(marie.event_id, status="confirmed")
    expire()
    assert listed(marie.event_id) == ["Paul*", "Zoe"]


def test_an_offer_that_is_over_takes_no_place_twice(club: str, at: Move) -> None:
    """A change of the event between the end of an offer and the job that passes it on."""
    at(NOW)
    marie, _paul, _zoe = full("Marie", "Paul", "Zoe")
    marie.says(False)
    at("2026-11-21T10:00:05")
    change_event(marie.event_id, max_participants=5)
    set_limit(marie.event_id, 1)
    assert figures(marie.event_id) == (0, 0, 2)


def test_a_change_of_anything_else_takes_nobody_off_the_list(club: str, at: Move) -> None:
    """Who has an offer has not answered it."""
    at(NOW)
    marie, paul = full("Marie", "Paul")
    marie.says(False)
    save(marie.event_id, tell=False, location="Douai")
    assert listed(marie.event_id) == ["Paul*"]
    set_limit(marie.event_id, 2)
    assert (listed(marie.event_id), paul.row.is_coming) == ([], True)


def test_who_is_active_again_and_waits_again_is_told_so(club: str, at: Move, relay: object) -> None:
    at(NOW)
    marie, paul = invite("Marie", "Paul", max_participants=1)
    marie.says(True)
    paul.says(True)
    at("2026-11-20T11:00")
    deliver()
    for act in (editing.deactivate, editing.activate):
        with transaction() as session:
            act(session, ADMIN, paul.member_id)
    at("2026-11-21T11:00")
    paul.says(True)
    assert [one.will_attend for one in paul.history] == [True, None, True]
    assert [mail.kind for mail in paul.mails("waiting_confirmed")] == ["waiting_confirmed"]
