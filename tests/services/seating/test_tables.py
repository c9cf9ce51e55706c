"""The tables of an event: who may change them, and what becomes of a seat when people come and go."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Arrival, Event, EventReservation, EventSpeaker, Seat
from clubapp.refusals import Conflict, Forbidden, Invalid, NotFound
from clubapp.services.attendance.people import list_expected
from clubapp.services.base.actors import SYSTEM, VISITOR, Actor
from clubapp.services.events.announcement import count_numbers
from clubapp.services.members import editing as members_editing
from clubapp.services.privacy import data_export, legal_pages, retention
from clubapp.services.seating import editing, plan
from clubapp.services.seating.history import read_meetings
from clubapp.services.seating.plan import SeatingPlan
from tests.conftest import on_sqlite
from tests.factories import add_event, add_guest, add_member, add_reservation

pytestmark = on_sqlite


@dataclass(frozen=True)
class Lunch:
    """Eight people 'A' to 'H' who come for lunch; 'A' brings a guest. `ids` are those of the members, by name."""

    event: str
    ids: dict[str, str]


@pytest.fixture
def lunch(club: str, at: Callable[[str], datetime]) -> Lunch:
    at("2026-11-20T10:00")
    with transaction() as session:
        event = add_event(session, date=clock.from_local("2026-12-10T12:00"), status="confirmed")
        ids = {}
        for name in "ABCDEFGH":
            member = add_member(session, name, f"{name}@club.example".lower(), company=f"Société {name}")
            answer = {"will_attend": True, "with_lunch": True, "guest_count": int(name == "A")}
            add_reservation(session, event, member, **answer)
            ids[name] = member.id
        return Lunch(event.id, ids)


def look(lunch: Lunch) -> SeatingPlan:
    with reading() as session:
        return plan.read_plan(session, SYSTEM, lunch.event)


def seated(lunch: Lunch) -> dict[str, str]:
    """The position of each name at a table."""
    return {one.name: one.table for table in look(lunch).tables for one in table.people}


def change(act: Callable[..., None], lunch: Lunch, *given: object) -> None:
    with transaction() as session:
        act(session, SYSTEM, lunch.event, *given)


def mix(lunch: Lunch, seed: int = 1) -> None:
    with reading() as session:
        proposal = editing.propose(session, SYSTEM, lunch.event, seed)
    change(editing.record_proposal, lunch, proposal)


def answer(lunch: Lunch, name: str, **values: object) -> None:
    with transaction() as session:
        query = select(EventReservation).where(EventReservation.member_id == lunch.ids[name])
        row = session.exec(query.where(EventReservation.event_id == lunch.event)).one()
        for column, value in values.items():
            setattr(row, column, value)
        session.add(row)


@pytest.mark.parametrize("person", [VISITOR, Actor("marie@durand.example", member_id="m", session_id="s")])
def test_only_administrators_see_and_change_tables(lunch: Lunch, person: Actor) -> None:
    with transaction() as session:
        proposal = editing.propose(session, SYSTEM, lunch.event, 1)
        acts: Any = (
            (plan.read_plan, ()),
            (editing.set_tables, (2, 8)),
            (partial(editing.change_table, name="", seats=8), (1,)),
            (editing.move_person, (lunch.ids["A"], 1)),
            (editing.lock_person, (lunch.ids["A"], True)),
            (editing.propose, (1,)),
            (editing.record_proposal, (proposal,)),
        )
        for act, given in acts:
            with pytest.raises(Forbidden):
                act(session, person, lunch.event, *given)


def test_an_event_without_lunch_has_no_tables(lunch: Lunch) -> None:
    with transaction() as session:
        event = session.get_one(Event, lunch.event)
        event.has_lunch = False
        session.add(event)
    assert (look(lunch).has_lunch, look(lunch).expected) == (False, 0)
    with pytest.raises(Conflict, match="sans déjeuner"):
        change(editing.set_tables, lunch, 2, 8)


def test_an_event_that_was_deleted_is_said(lunch: Lunch) -> None:
    with pytest.raises(NotFound), transaction() as session:
        editing.set_tables(session, SYSTEM, "gone", 1, 1)
    with pytest.raises(NotFound), reading() as session:
        plan.read_plan(session, SYSTEM, "gone")


def test_the_number_of_tables_is_proposed_from_who_is_expected(lunch: Lunch) -> None:
    found = look(lunch)
    assert (found.expected, found.table_count, found.usual_seats, found.tables) == (9, 2, 8, ())
    assert (found.sentence, len(found.unseated)) == ("9 personnes à placer.", 9)


def test_a_proposal_seats_everyone_with_who_brings_them(lunch: Lunch) -> None:
    change(editing.set_tables, lunch, 3, 3)
    mix(lunch)
    found = seated(lunch)
    assert sorted(found) == [*"ABCDEFGH", "invité d’A"]
    assert found["A"] == found["invité d’A"]
    assert [table.places for table in look(lunch).tables] == ["3 / 3", "3 / 3", "3 / 3"]
    assert look(lunch).outcome == "7 rencontres à table sur 7 sont nouvelles."


def test_who_is_locked_stays_when_the_others_are_mixed_again(lunch: Lunch) -> None:
    change(editing.set_tables, lunch, 3, 3)
    for name in "BC":
        change(editing.move_person, lunch, lunch.ids[name], 1)
        change(editing.lock_person, lunch, lunch.ids[name], True)
    results = []
    for seed in range(4):
        mix(lunch, seed)
        results.append(seated(lunch))
    assert {(found["B"], found["C"]) for found in results} == {("1", "1")}
    assert len({tuple(sorted(found.items())) for found in results}) > 1


def test_who_no_longer_comes_for_lunch_leaves_their_chair_and_who_is_new_is_to_be_placed(lunch: Lunch) -> None:
    change(editing.set_tables, lunch, 3, 3)
    mix(lunch)
    answer(lunch, "B", will_attend=False)
    answer(lunch, "C", with_lunch=False)
    answer(lunch, "D", guest_count=1)
    found = look(lunch)
    assert not {"B", "C"} & set(seated(lunch))
    assert [one.name for one in found.unseated] == ["invité de D"]
    assert found.sentence == "8 personnes, 3 tables, 9 places. À placer\u00a0: 1."


def test_who_has_not_answered_for_lunch_has_no_seat_as_the_caterer_has_no_meal_for_them(lunch: Lunch) -> None:
    with transaction() as session:
        event, member = session.get_one(Event, lunch.event), add_member(session, "Z", None)
        reservation, _ = add_reservation(session, event, member, will_attend=True, guest_count=1)
        held = reservation.id
    found = look(lunch)
    with reading() as session:
        numbers = count_numbers(list_expected(session, lunch.event), has_lunch=True)
    assert (found.expected, numbers.meals) == (9, 9)
    assert found.undecided.startswith("2 personnes attendues n’ont pas encore répondu pour le déjeuner")
    with transaction() as session:
        add_guest(session, session.get_one(Event, lunch.event), held, 1, with_lunch=True)
    assert (look(lunch).expected, look(lunch).undecided[:19]) == (10, "1 personne attendue")


def test_a_seat_that_was_given_to_somebody_else_is_lost_for_who_comes_back(lunch: Lunch) -> None:
    change(editing.set_tables, lunch, 1, 1)
    change(editing.move_person, lunch, lunch.ids["B"], 1)
    answer(lunch, "B", will_attend=False)
    change(editing.move_person, lunch, lunch.ids["C"], 1)
    answer(lunch, "B", will_attend=True)
    assert seated(lunch) == {"C": "1"}


def test_a_full_table_takes_nobody_and_the_last_move_of_a_person_stands(lunch: Lunch) -> None:
    change(editing.set_tables, lunch, 2, 1)
    change(editing.move_person, lunch, lunch.ids["B"], 1)
    change(editing.move_person, lunch, lunch.ids["B"], 1)
    with pytest.raises(Conflict, match="Table 1\u00a0: toutes les places sont prises"):
        change(editing.move_person, lunch, lunch.ids["C"], 1)
    change(editing.move_person, lunch, lunch.ids["B"], 2)
    change(editing.move_person, lunch, lunch.ids["C"], 1)
    assert seated(lunch) == {"B": "2", "C": "1"}
    assert [(one.label, one.is_full) for one in look(lunch).choices] == [
        ("Table 1", True),
        ("Table 2", True),
    ]
    change(editing.move_person, lunch, lunch.ids["B"], editing.UNSEATED)
    assert seated(lunch) == {"C": "1"}
    assert [one.is_full for one in look(lunch).choices] == [True, False]


def test_guests_go_with_who_invited_them_as_far_as_there_is_room_but_who_is_locked(lunch: Lunch) -> None:
    answer(lunch, "A", guest_count=3)
    change(editing.set_tables, lunch, 2, 4)
    guests = [one.id for one in look(lunch).unseated if one.is_guest]

    def places() -> list[str]:
        found = look(lunch)
        at = {one.id: one.table for one in (*found.unseated, *(one for table in found.tables for one in table.people))}
        return [at[person] for person in (lunch.ids["A"], *guests)]

    change(editing.move_person, lunch, lunch.ids["A"], 1)
    assert places() == ["1", "1", "1", "1"]
    change(editing.lock_person, lunch, guests[0], True)
    change(editing.move_person, lunch, lunch.ids["B"], 2)
    change(editing.move_person, lunch, lunch.ids["C"], 2)
    change(editing.move_person, lunch, lunch.ids["A"], 2)
    assert places() == ["2", "1", "2", "1"], "one place was left for two"
    change(editing.move_person, lunch, guests[1], 1)
    assert places() == ["2", "1", "1", "1"], "a guest moves alone"
    change(editing.move_person, lunch, lunch.ids["A"], editing.UNSEATED)
    assert places() == ["0", "1", "0", "0"]


@pytest.mark.parametrize(("person", "table"), [("nobody", 1), ("B", 9), ("B", -1)])
def test_nobody_is_moved_who_is_not_expected_or_to_a_table_that_is_not_there(
    lunch: Lunch, person: str, table: int
) -> None:
    change(editing.set_tables, lunch, 2, 4)
    with pytest.raises(NotFound):
        change(editing.move_person, lunch, lunch.ids.get(person, person), table)


def test_fewer_tables_or_seats_put_people_back_among_those_to_be_placed(lunch: Lunch) -> None:
    change(editing.set_tables, lunch, 3, 3)
    mix(lunch)
    change(editing.set_tables, lunch, 2, 4)
    assert len(look(lunch).unseated) == 3
    mix(lunch)
    keeps = look(lunch).tables[0].people[-1]
    change(editing.lock_person, lunch, keeps.id, True)
    change(partial(editing.change_table, name="  Beffroi ", seats=1), lunch, 1)
    table = look(lunch).tables[0]
    assert (table.label, table.people[0].name, table.places) == ("Table 1, Beffroi", keeps.name, "1 / 1")
    change(editing.set_tables, lunch, 3, 5)
    assert look(lunch).tables[0].name == "Beffroi"


@pytest.mark.parametrize(("count", "seats"), [(0, 8), (101, 8), (2, 0), (2, 51)])
def test_impossible_numbers_are_refused(lunch: Lunch, count: int, seats: int) -> None:
    with pytest.raises(Invalid):
        change(editing.set_tables, lunch, count, seats)
    assert look(lunch).tables == ()


def test_a_proposal_never_takes_the_seat_of_who_was_locked_meanwhile(lunch: Lunch) -> None:
    change(editing.set_tables, lunch, 3, 3)
    with reading() as session:
        proposal = editing.propose(session, SYSTEM, lunch.event, 1)
    theirs = [lunch.ids[name] for name in "BCD"]
    for person in theirs:
        change(editing.move_person, lunch, person, 1)
        change(editing.lock_person, lunch, person, True)
    answer(lunch, "E", will_attend=False)
    change(editing.record_proposal, lunch, proposal)
    found = look(lunch)
    assert sorted(one.id for one in found.tables[0].people) == sorted(theirs)
    assert "E" not in {*seated(lunch), *(one.name for one in found.unseated)}


def test_speakers_are_known_by_their_names_and_spread(lunch: Lunch) -> None:
    with transaction() as session:
        for order, name in enumerate(("b", "C", "Quelqu’un d’autre")):
            session.add(EventSpeaker(event_id=lunch.event, name=name, display_order=order))
    change(editing.set_tables, lunch, 2, 5)
    for seed in range(4):
        mix(lunch, seed)
        assert seated(lunch)["B"] != seated(lunch)["C"]


def test_a_table_says_who_is_of_one_company_and_a_guest_from_whom_they_are_separated(lunch: Lunch) -> None:
    with transaction() as session:
        event, member = session.get_one(Event, lunch.event), add_member(session, "Z", None, company="société b")
        add_reservation(session, event, member, will_attend=True, with_lunch=True)
        other = member.id
    change(editing.set_tables, lunch, 2, 8)
    guest = next(one for one in look(lunch).unseated if one.is_guest)
    for person, table in ((lunch.ids["B"], 1), (other, 1), (lunch.ids["A"], 1), (guest.id, 2)):
        change(editing.move_person, lunch, person, table)
    first, second = look(lunch).tables
    assert first.warning == "De la même entreprise\u00a0: B et Z"
    assert (second.warning, second.people[0].apart) == ("", "Séparé de A")


def add_past(
    lunch: Lunch, names: str, *, arrived: str = "", tables: dict[str, int] | None = None, days: int = 30
) -> str:
    """A past event at which those of `names` said yes."""
    with transaction() as session:
        event = add_event(session, date=clock.now() - timedelta(days=days), status="completed")
        for name in names:
            session.add(
                EventReservation(
                    event_id=event.id, member_id=lunch.ids[name], response_token=f"{event.id}{name}"[-60:],
                    will_attend=True, created_at=clock.now(), updated_at=clock.now(),
                )
            )  # fmt: skip
        for name in arrived:
            session.add(
                Arrival(event_id=event.id, person=lunch.ids[name], arrived_at=clock.now(), created_at=clock.now())
            )
        for name, table in (tables or {}).items():
            session.add(Seat(event_id=event.id, person=lunch.ids[name], table_position=table))
        return event.id


def test_who_met_is_known_from_arrivals_else_from_answers_and_a_table_counts_more(lunch: Lunch) -> None:
    add_past(lunch, "ABC", arrived="AB", tables={"A": 1, "B": 1, "C": 1})
    add_past(lunch, "CD", days=60)
    with reading() as session:
        weights = read_meetings(session, clock.now() + timedelta(days=1)).weigh_pairs(sorted(lunch.ids.values()))
    named = {tuple(sorted(name for name, id in lunch.ids.items() if id in two)): many for two, many in weights.items()}
    assert named == {("A", "B"): 4, ("C", "D"): 1}


def test_neighbours_of_the_last_meeting_are_separated(lunch: Lunch) -> None:
    add_past(lunch, "ABCDEFGH", tables=dict(zip("ABCDEFGH", (1, 1, 2, 2, 3, 3, 4, 4), strict=True)))
    answer(lunch, "A", guest_count=0)
    change(editing.set_tables, lunch, 4, 2)
    mix(lunch)
    found = seated(lunch)
    assert not [two for two in ("AB", "CD", "EF", "GH") if found[two[0]] == found[two[1]]]
    assert look(lunch).outcome == "4 rencontres à table sur 4 sont nouvelles."


def test_seats_end_with_the_member_and_two_years_after_the_event(lunch: Lunch) -> None:
    change(editing.set_tables, lunch, 2, 8)
    mix(lunch)
    old = add_past(lunch, "AB", tables={"A": 1, "B": 1}, days=731)
    marie = Actor("a@club.example", member_id=lunch.ids["A"], session_id="s")
    with transaction() as session:
        assert '"table": 1' in data_export.export_json(session, marie).content.decode()
        assert "place à table" in str(legal_pages.build_privacy_page())
        retention.erase_expired(session)
        members_editing.delete(session, SYSTEM, lunch.ids["C"])
        left = session.exec(select(Seat.event_id, Seat.person)).all()
    assert old not in {event for event, _ in left}
    assert {person for _, person in left} >= {lunch.ids[name] for name in "ABDEFGH"}
    assert lunch.ids["C"] not in {person for _, person in left}
