"""A full event has a waiting list: in order, with places offered one at a time and for a time."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.mail.messages.letter import Letter, Withdrawn
from clubapp.mail.transport.delivery import deliver
from clubapp.models import OutboxMail
from clubapp.refusals import Forbidden, NotFound
from clubapp.services.answers import by_phone, waiting_list_admin
from clubapp.services.answers import waiting_list as answer_waiting_list
from clubapp.services.answers.answer_form import parse_answer
from clubapp.services.mail_log import queue_pause
from clubapp.services.members import editing
from tests.factories import add_company
from tests.services.answers.invitees import (
    ADMIN,
    MEMBER,
    NOW,
    Invitee,
    Move,
    change_event,
    change_member,
    figures,
    invite,
)


def listed(event_id: str) -> list[str]:
    with reading() as session:
        rows = waiting_list_admin.read_waiting_list(session, ADMIN, event_id).rows
        return [f"{row.name}{'*' if row.offer else ''}" for row in rows]


def expire() -> int:
    with transaction() as session:
        return answer_waiting_list.expire_offers(session)


def full(*names: str, limit: int = 1, **event: object) -> list[Invitee]:
    """The first `limit` people come, the others wait in order."""
    people = invite(*names, max_participants=limit, **event)
    for person in people:
        person.says(True)
    return people


@pytest.mark.parametrize(
    "act", [waiting_list_admin.read_waiting_list, lambda s, a, e: waiting_list_admin.move(s, a, e, True)]
)
def test_only_administrators_see_and_order_the_list(club: str, at: Move, act: Callable[..., object]) -> None:
    at(NOW)
    with pytest.raises(Forbidden), transaction() as session:
        act(session, MEMBER, "any")


def test_who_comes_too_late_waits_in_order_and_counts_nowhere_else(club: str, at: Move) -> None:
    at(NOW)
    _, paul, zoe = full("Marie", "Paul", "Zoe")
    view = paul.open()
    assert (view.step, view.will_attend, view.waiting) == ("waiting", True, "Vous êtes en tête de la liste.")
    assert zoe.open().waiting == "Vous êtes en 2e position."
    assert view.calendar_links == ()
    assert listed(paul.event_id) == ["Paul", "Zoe"]
    assert figures(paul.event_id) == (1, 0, 2)
    assert paul.says(True).step == "waiting", "a second press changes nothing"
    assert listed(paul.event_id) == ["Paul", "Zoe"]


@pytest.mark.parametrize("step", [lambda one: one.takes_lunch(True), lambda one: one.brings(1)])
def test_who_waits_has_neither_lunch_nor_guests(club: str, at: Move, step: Callable[[Invitee], object]) -> None:
    at(NOW)
    _, paul = full("Marie", "Paul", has_lunch=True)
    with pytest.raises(Exception, match="une fois la place obtenue"):
        step(paul)


def test_a_freed_place_is_offered_to_the_first_in_line_and_kept_for_them(club: str, at: Move) -> None:
    now = at(NOW)
    marie, paul, zoe = full("Marie", "Paul", "Zoe")
    marie.says(False)
    assert listed(paul.event_id) == ["Paul*", "Zoe"]
    assert paul.row.offer_until == now + timedelta(hours=24)
    (mail,) = paul.mails("place_offered")
    assert zoe.mails("place_offered") == []
    with reading() as session:
        letter = mail_kinds.compose(session, mail)
    assert isinstance(letter, Letter)
    assert letter.context["until"] == "samedi 21 novembre 2026 à 11:00"
    assert (paul.open().step, paul.open().offer_until) == ("offer", "samedi 21 novembre 2026 à 11:00")
    assert marie.says(True).step == "waiting", "nobody takes a place that is kept for another"
    view = paul.says(True)
    assert (view.step, paul.row.is_coming, paul.row.offer_until) == ("guests", True, None)
    assert figures(paul.event_id) == (1, 0, 2)
    assert [one.via for one in paul.history] == ["link", "offer"]
    with pytest.raises(Withdrawn), reading() as session:
        mail_kinds.compose(session, mail)


def test_a_place_that_is_left_goes_to_the_next(club: str, at: Move) -> None:
    at(NOW)
    marie, paul, zoe = full("Marie", "Paul", "Zoe")
    marie.says(False)
    assert paul.says(False).step == "calendar"
    assert listed(paul.event_id) == ["Zoe*"]
    assert zoe.open().step == "offer"


def test_an_offer_nobody_takes_passes_to_the_next_once(club: str, at: Move) -> None:
    at(NOW)
    marie, paul, zoe = full("Marie", "Paul", "Zoe")
    marie.says(False)
    deliver()
    at("2026-11-21T09:59:59")
    assert expire() == 0
    at("2026-11-21T10:00")
    assert paul.open().step == "waiting", "an offer that is over is not shown"
    assert (expire(), expire()) == (1, 0)
    assert listed(paul.event_id) == ["Zoe*"]
    assert paul.open().step == "attendance"
    assert [one.will_attend for one in paul.history] == [True, None]
    assert len(zoe.mails("place_offered")) == 1
    assert paul.says(True).step == "waiting", "the same link puts them back, at the end"


def test_while_mail_is_held_no_offer_lapses_and_then_each_is_told_with_its_whole_time(club: str, at: Move) -> None:
    at(NOW)
    marie, paul, zoe = full("Marie", "Paul", "Zoe")
    with transaction() as session:
        queue_pause.pause_queue(session, ADMIN)
    marie.says(False)
    for day in (21, 22, 23):
        at(f"2026-11-{day}T10:30")
        assert expire() == 0
        assert listed(paul.event_id) == ["Paul*", "Zoe"]
        assert zoe.open().step == "waiting"
    now = at("2026-11-24T10:29")
    with transaction() as session:
        queue_pause.end_pause(session, ADMIN)
    assert paul.row.offer_until == now + timedelta(hours=24)
    deliver()
    assert [len(paul.mails("place_offered", state)) for state in ("sent", "withdrawn", "pending")] == [1, 1, 0]
    at("2026-11-25T10:30")
    assert expire() == 1
    assert listed(paul.event_id) == ["Zoe*"]


def test_who_was_told_before_mail_was_held_is_not_told_again(club: str, at: Move) -> None:
    at(NOW)
    marie, paul = full("Marie", "Paul")
    marie.says(False)
    deliver()
    with transaction() as session:
        queue_pause.pause_queue(session, ADMIN)
    now = at("2026-11-21T10:30")
    assert expire() == 0
    with transaction() as session:
        queue_pause.end_pause(session, ADMIN)
    assert paul.row.offer_until == now + timedelta(hours=24)
    assert [len(paul.mails("place_offered", state)) for state in ("sent", "pending")] == [1, 0]


def test_an_offer_whose_mail_has_not_left_is_made_anew(club: str, at: Move) -> None:
    at(NOW)
    marie, paul, _zoe = full("Marie", "Paul", "Zoe")
    marie.says(False)
    now = at("2026-11-21T10:30")
    assert expire() == 0
    assert listed(paul.event_id) == ["Paul*", "Zoe"]
    assert paul.row.offer_until == now + timedelta(hours=24)
    deliver()
    assert [len(paul.mails("place_offered", state)) for state in ("sent", "withdrawn", "pending")] == [1, 1, 0]


def test_those_behind_do_not_wait_for_ever_for_a_mail_that_does_not_leave(club: str, at: Move) -> None:
    at(NOW)
    marie, paul, _zoe = full("Marie", "Paul", "Zoe")
    marie.says(False)
    lapsed = []
    for day in range(21, 26):
        at(f"2026-11-{day}T10:{day}")
        lapsed.append(expire())
    assert lapsed == [0, 0, 0, 1, 0]
    assert listed(paul.event_id) == ["Zoe*"]


@pytest.mark.parametrize("is_held", [True, False])
def test_a_place_taken_meanwhile_is_not_promised_twice(club: str, at: Move, is_held: bool) -> None:
    """Fails when an offer that is over is made longer without a look at what is left."""
    at(NOW)
    marie, _luc, paul = full("Marie", "Luc", "Paul", limit=2)
    marie.says(False)
    if is_held:
        with transaction() as session:
            queue_pause.pause_queue(session, ADMIN)
    at("2026-11-21T10:30")
    change_event(marie.event_id, max_participants=1)
    assert expire() == 0
    assert listed(paul.event_id) == ["Paul"]
    assert paul.open().waiting == "Vous êtes en tête de la liste."
    change_event(marie.event_id, max_participants=2)
    expire()
    assert listed(paul.event_id) == ["Paul*"]


def test_after_a_hold_a_place_taken_meanwhile_is_not_promised_twice(club: str, at: Move) -> None:
    at(NOW)
    marie, _luc, paul = full("Marie", "Luc", "Paul", limit=2)
    marie.says(False)
    with transaction() as session:
        queue_pause.pause_queue(session, ADMIN)
    at("2026-11-21T10:30")
    change_event(marie.event_id, max_participants=1)
    with transaction() as session:
        queue_pause.end_pause(session, ADMIN)
    assert listed(paul.event_id) == ["Paul"]


def test_until_an_offer_that_is_over_was_passed_on_it_is_nobody_elses(club: str, at: Move) -> None:
    """Fails when who comes in between is let in, and the person who was offered the place as well."""
    now = at(NOW)
    marie, paul, luc = full("Marie", "Paul", "Luc")
    luc.says(False)
    marie.says(False)
    at("2026-11-21T10:30")
    assert luc.says(True).step == "waiting"
    at(now.replace(tzinfo=None).isoformat())
    assert paul.says(True).step == "guests"
    assert figures(paul.event_id) == (1, 0, 1)


def test_who_is_late_for_an_offer_that_was_not_passed_on_has_the_place(club: str, at: Move) -> None:
    at(NOW)
    marie, paul, _zoe = full("Marie", "Paul", "Zoe")
    marie.says(False)
    at("2026-11-21T10:30")
    assert paul.says(True).step == "guests"


def test_the_order_of_the_queue_leaves_those_with_an_offer_before_it(club: str, at: Move) -> None:
    at(NOW)
    marie, luc, paul, zoe, eve = full("Marie", "Luc", "Paul", "Zoe", "Eve", limit=2)
    marie.says(False)
    assert listed(paul.event_id) == ["Paul*", "Zoe", "Eve"]
    with transaction() as session:
        waiting_list_admin.move(session, ADMIN, eve.reservation_id, True)
    assert listed(luc.event_id) == ["Paul*", "Eve", "Zoe"]
    assert zoe.open().waiting == "Vous êtes en 2e position."


def test_nobody_is_put_in_order_once_answers_are_closed(club: str, at: Move) -> None:
    at(NOW)
    marie, *_ = full("Marie", "Paul", "Zoe")
    with reading() as session:
        open_list = waiting_list_admin.read_waiting_list(session, ADMIN, marie.event_id)
    change_event(marie.event_id, answers_until=at("2026-11-21T08:00"))
    at("2026-11-21T10:30")
    with reading() as session:
        closed_list = waiting_list_admin.read_waiting_list(session, ADMIN, marie.event_id)
    assert [(row.can_go_up, row.can_go_down) for row in open_list.rows] == [(False, True), (True, False)]
    assert [(row.name, row.can_go_up, row.can_go_down) for row in closed_list.rows] == [
        ("Paul", False, False),
        ("Zoe", False, False),
    ]
    assert (open_list.is_closed, closed_list.is_closed) == (False, True)


@pytest.mark.parametrize("is_held", [True, False])
def test_an_offer_of_an_event_that_takes_no_answers_lapses_told_or_not(club: str, at: Move, is_held: bool) -> None:
    at(NOW)
    marie, paul = full("Marie", "Paul")
    marie.says(False)
    change_event(marie.event_id, answers_until=at("2026-11-21T08:00"))
    if is_held:
        with transaction() as session:
            queue_pause.pause_queue(session, ADMIN)
    at("2026-11-21T10:30")
    assert expire() == 1
    assert paul.row.will_attend is None


def test_who_says_yes_to_an_offer_that_is_over_gets_the_place_if_nobody_else_waits(club: str, at: Move) -> None:
    at(NOW)
    marie, paul = full("Marie", "Paul")
    marie.says(False)
    at("2026-11-22T10:00")
    assert paul.says(True).step == "guests"


@pytest.mark.parametrize(
    ("moment", "until"),
    [
        ("2027-01-10T11:00", "2027-01-11T11:00"),
        ("2027-01-13T11:00", "2027-01-13T23:00"),
        ("2027-01-14T09:00", "2027-01-14T10:00"),
    ],
)
def test_an_offer_is_shorter_when_the_event_is_near(club: str, at: Move, moment: str, until: str) -> None:
    at(NOW)
    marie, paul = full("Marie", "Paul")
    expected = at(until)
    at(moment)
    marie.says(False)
    assert paul.row.offer_until == expected


def test_fewer_guests_free_places_too(club: str, at: Move) -> None:
    at(NOW)
    marie, paul, zoe = invite("Marie", "Paul", "Zoe", max_participants=3)
    marie.says(True, guests=2)
    paul.says(True)
    zoe.says(True)
    marie.brings(1)
    assert listed(marie.event_id) == ["Paul*", "Zoe"]
    marie.brings(0)
    assert listed(marie.event_id) == ["Paul*", "Zoe*"]
    assert paul.says(True).step == "guests"
    with pytest.raises(Exception, match="plus de place"):
        paul.brings(1)


def deleted(person: Invitee) -> None:
    with transaction() as session:
        editing.delete(session, ADMIN, person.member_id)


def deactivated(person: Invitee) -> None:
    with transaction() as session:
        form = replace(editing.open_form(session, ADMIN, person.member_id), is_active=False, role="R", description="D")
        company = add_company(session)
        editing.save(session, ADMIN, replace(form, company_id=company.id))


def recorded(person: Invitee) -> None:
    with transaction() as session:
        by_phone.record_answer(session, ADMIN, person.reservation_id, parse_answer(False))


def raised(person: Invitee) -> None:
    change_event(person.event_id, max_participants=2)
    with transaction() as session:
        answer_waiting_list.offer_free_places(session, person.event_id)


def raised_unsaid(person: Invitee) -> None:
    change_event(person.event_id, max_participants=2)
    expire()


@pytest.mark.parametrize("freed", [deleted, deactivated, recorded, raised, raised_unsaid])
def test_a_place_an_administrator_frees_is_offered_as_well(
    club: str, at: Move, freed: Callable[[Invitee], None]
) -> None:
    at(NOW)
    marie, _paul, _zoe = full("Marie", "Paul", "Zoe")
    freed(marie)
    assert listed(marie.event_id) == ["Paul*", "Zoe"]


def test_without_a_limit_everyone_who_waits_is_offered_a_place(club: str, at: Move) -> None:
    at(NOW)
    marie, *_ = full("Marie", "Paul", "Zoe")
    change_event(marie.event_id, max_participants=None)
    expire()
    assert listed(marie.event_id) == ["Paul*", "Zoe*"]


@pytest.mark.parametrize("status", ["cancelled", "completed"])
def test_nothing_is_offered_for_an_event_that_is_off(club: str, at: Move, status: str) -> None:
    at(NOW)
    marie, paul = full("Marie", "Paul")
    change_event(marie.event_id, status=status, max_participants=9)
    expire()
    assert paul.mails("place_offered") == []


def test_the_animator_orders_the_queue(club: str, at: Move) -> None:
    at(NOW)
    marie, paul, zoe, luc = full("Marie", "Paul", "Zoe", "Luc")

    def move(person: Invitee, up: bool) -> list[str]:
        with transaction() as session:
            waiting_list_admin.move(session, ADMIN, person.reservation_id, up)
        return listed(person.event_id)

    assert move(luc, True) == ["Paul", "Luc", "Zoe"]
    assert move(paul, False) == ["Luc", "Paul", "Zoe"]
    assert move(luc, True) == ["Luc", "Paul", "Zoe"]
    assert move(zoe, False) == ["Luc", "Paul", "Zoe"]
    with reading() as session:
        rows = waiting_list_admin.read_waiting_list(session, ADMIN, marie.event_id).rows
    assert [(row.can_go_up, row.can_go_down) for row in rows] == [(False, True), (True, True), (True, False)]
    marie.says(False)
    assert listed(marie.event_id) == ["Luc*", "Paul", "Zoe"]
    for gone in (luc, marie):
        with pytest.raises(NotFound, match="n’est plus sur la liste"):
            move(gone, True)
    with pytest.raises(NotFound), transaction() as session:
        waiting_list_admin.move(session, ADMIN, "nobody", True)


def test_who_has_no_address_is_to_be_called(club: str, at: Move) -> None:
    at(NOW)
    marie, paul = full("Marie", "Paul")
    change_member(paul.member_id, email=None)
    marie.says(False)
    with reading() as session:
        (row,) = waiting_list_admin.read_waiting_list(session, ADMIN, marie.event_id).rows
        assert session.exec(select(OutboxMail).where(OutboxMail.kind == "place_offered")).all() == []
    assert row.offer == "Place proposée jusqu’au 21/11/2026 à 11:00, à prévenir par téléphone"
    assert row.since == clock.short_date(clock.now())
