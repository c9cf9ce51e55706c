"""The numbers of an event leave by themselves some days before it, once for each date it is given (D8)."""

from typing import Any

import pytest

from clubapp import clock
from clubapp.mail.transport.delivery import deliver
from clubapp.refusals import Conflict
from clubapp.services.events import announcement
from tests.conftest import forget_settings
from tests.services.events.announced import (
    Move,
    add_lunch,
    announce_by_itself,
    change,
    change_event,
    due,
    frozen,
    let_leave,
    letters,
    shown,
    tell,
)


@pytest.fixture
def event_id(club: str, at: Move) -> str:
    """The lunch, on 20 November."""
    at("2026-11-20T10:00")
    return add_lunch()


@pytest.mark.parametrize("columns", [{"status": "draft"}, {"caterer_email": "", "host_email": ""}])
def test_a_draft_or_an_event_without_an_address_is_not_due(event_id: str, at: Move, columns: dict[str, Any]) -> None:
    change_event(**columns)
    at("2027-01-12T08:00")
    assert due() == []


def test_the_numbers_leave_by_themselves_three_days_before_once(event_id: str, at: Move) -> None:
    at("2027-01-11T07:59")
    assert due() == []
    at("2027-01-11T08:00")
    assert due() == [event_id]
    for _ in range(2):  # two workers found it
        announce_by_itself(event_id)
    assert due() == []
    assert [row.announced_by for row in frozen()] == [""]
    assert len(letters("caterer")) == 1
    change("Paul Roy", with_lunch=True)
    assert due() == [], "what changes later is sent at a press"


@pytest.mark.parametrize(
    ("date", "leaves"),
    [
        ("2027-01-21T18:30", "2027-01-18T08:00"),
        ("2027-01-13T12:00", "2027-01-11T08:45"),  # earlier: their day has passed, they leave after a quiet time
    ],
)
def test_after_another_date_they_leave_again_by_themselves_once(
    event_id: str, at: Move, date: str, leaves: str
) -> None:
    at("2027-01-11T08:00")
    announce_by_itself(event_id)
    at("2027-01-11T08:30")
    change_event(date=clock.from_local(date))
    change("Luc Ory", will_attend=True, with_lunch=True, guest_count=0)
    if leaves.startswith("2027-01-18"):
        at("2027-01-18T07:59")
        assert (due(), shown(event_id).due) == ([], "Ils repartent d’eux-mêmes le lundi 18 janvier 2027 à 09:00.")
    at(leaves)
    assert (due(), shown(event_id).due) == ([event_id], "")
    let_leave()
    for _ in range(2):  # two workers found it
        announce_by_itself(event_id)
    assert due() == []
    assert [(row.number, row.meals) for row in frozen()] == [(1, 3), (2, 4)]
    told = [told.context["is_correction"] for _, told in letters("caterer")]
    assert (told, len(letters("host"))) == ([False, True], 2)


@pytest.mark.parametrize(("date", "status"), [("2027-01-13T12:00", "confirmed"), ("2027-01-14T12:00", "draft")])
def test_what_was_put_wrong_and_right_again_within_minutes_sends_nothing(
    event_id: str, at: Move, date: str, status: str
) -> None:
    at("2027-01-11T08:00")
    announce_by_itself(event_id)
    right = {"date": clock.from_local("2027-01-14T12:00"), "status": "confirmed"}
    at("2027-01-11T08:30")
    change_event(date=clock.from_local(date), status=status)
    at("2027-01-11T08:44")
    announce_by_itself(event_id)  # a worker had found it just before it was changed
    assert due() == []
    change_event(**right)
    at("2027-01-11T12:00")
    announce_by_itself(event_id)
    assert (due(), len(frozen())) == ([], 1)


def test_an_event_put_on_a_near_day_by_mistake_sends_nothing_for_it(event_id: str, at: Move) -> None:
    change_event(date=clock.from_local("2026-11-22T12:00"))
    assert (due(), shown(event_id).due) == ([], "Ils partent d’eux-mêmes le vendredi 20 novembre 2026 à 11:15.")
    at("2026-11-20T10:14")
    change_event(date=clock.from_local("2027-01-14T12:00"))
    at("2026-11-20T10:30")
    announce_by_itself(event_id)
    assert (due(), len(frozen())) == ([], 0)


@pytest.mark.parametrize("date", ["2027-01-14T18:30", "2027-01-14T00:15"])
def test_another_hour_of_the_same_day_sends_nothing_by_itself(event_id: str, at: Move, date: str) -> None:
    tell(event_id)
    change_event(date=clock.from_local(date))
    at("2027-01-11T08:00")
    assert (due(), shown(event_id).due) == ([], "")
    announce_by_itself(event_id)
    assert len(frozen()) == 1


def test_who_presses_for_the_new_date_has_told_them(event_id: str, at: Move) -> None:
    tell(event_id)
    change_event(date=clock.from_local("2027-01-21T18:30"))
    assert shown(event_id).due.startswith("Ils repartent d’eux-mêmes le lundi 18 janvier 2027")
    change_event(status="draft")
    assert shown(event_id).due == announcement.AGAIN_BY_THEMSELVES[1]
    change_event(status="confirmed")
    tell(event_id)
    at("2027-01-18T08:00")
    assert due() == []


def test_the_settings_say_when_they_leave(event_id: str, at: Move, environment: pytest.MonkeyPatch) -> None:
    assert shown(event_id).due == "Ils partent d’eux-mêmes le lundi 11 janvier 2027 à 09:00."
    environment.setenv("CLUB_ANNOUNCE_DAYS", "5")
    environment.setenv("CLUB_ANNOUNCE_HOUR", "17")
    forget_settings()
    assert shown(event_id).due == "Ils partent d’eux-mêmes le samedi 9 janvier 2027 à 17:00."
    change_event(status="draft")
    assert shown(event_id).due == announcement.BY_THEMSELVES[1]
    change_event(status="confirmed")
    at("2027-01-09T15:59")
    assert due() == []
    at("2027-01-09T16:00")
    assert due() == [event_id]
    tell(event_id)
    assert shown(event_id).due == ""


@pytest.mark.parametrize(("hour", "day"), [("08:30", "mercredi 13"), ("09:00", "mercredi 13"), ("09:30", "jeudi 14")])
def test_on_the_day_itself_they_leave_before_the_event_begins(
    event_id: str, at: Move, environment: pytest.MonkeyPatch, hour: str, day: str
) -> None:
    environment.setenv("CLUB_ANNOUNCE_DAYS", "0")
    forget_settings()
    change_event(date=clock.from_local(f"2027-01-14T{hour}"))
    assert shown(event_id).due == f"Ils partent d’eux-mêmes le {day} janvier 2027 à 09:00."
    at(f"2027-01-{day.split()[1]}T08:00")
    assert due() == [event_id]
    announce_by_itself(event_id)
    assert len(frozen()) == 1


def test_numbers_that_were_withdrawn_were_not_told(event_id: str, at: Move) -> None:
    tell(event_id)
    withdraw(event_id)
    assert (due(), shown(event_id).told) == ([], "")
    assert (shown(event_id).label, shown(event_id).due) == (
        announcement.FIRST,
        "Ils partent d’eux-mêmes le lundi 11 janvier 2027 à 09:00.",
    )
    at("2027-01-11T08:00")
    for _ in range(2):
        announce_by_itself(event_id)
    assert [row.number for row in frozen()] == [1, 2]
    for kind in ("caterer", "host"):
        _, (_, letter) = letters(kind)
        assert (letter.context["is_correction"], letter.context["are_numbers_the_same"]) == (False, False)


def test_after_a_difference_that_was_withdrawn_the_next_one_is_to_what_was_told(event_id: str) -> None:
    tell(event_id)
    let_leave()
    change("Paul Roy", with_lunch=True)
    tell(event_id)
    withdraw(event_id)
    assert shown(event_id).told.endswith("3 déjeuners.")
    assert shown(event_id).changes == "+1 déjeuner depuis l’envoi"
    tell(event_id)
    lines = {line.label: line.change for line in letters("caterer")[-1][1].context["lines"]}
    assert lines["Déjeuners"] == "3 auparavant, +1"
    let_leave()
    with pytest.raises(Conflict, match=announcement.NOTHING_NEW):
        tell(event_id)


def withdraw(event_id: str) -> None:
    """The event is cancelled while its numbers wait, and on again."""
    change_event(status="cancelled")
    deliver()
    change_event(status="confirmed")
