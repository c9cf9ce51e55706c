"""Who arrived: touches of several devices, in any order, sent once or twice."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import permutations
from threading import Barrier

import pytest
from sqlalchemy import update
from sqlmodel import col, select

from clubapp.database import reading, transaction
from clubapp.mail.queue.outbox import UNNAMED
from clubapp.models import Arrival, ArrivalTouch, EventGuest, EventReservation, Member, TouchKind, new_id
from clubapp.services.attendance import arrivals
from clubapp.services.attendance.arrivals import Door, RefusedTouch, Touch
from clubapp.services.attendance.people import guest_id
from clubapp.services.base.actors import SYSTEM
from clubapp.services.members import editing as member_editing
from clubapp.services.privacy import retention
from tests.conftest import on_sqlite
from tests.factories import add_event, add_member, add_reservation

NOON = datetime(2027, 1, 14, 11, tzinfo=UTC)


@pytest.fixture
def event_id(at: Callable[[str], datetime], club: str) -> str:
    """An event at noon, two hours ago: Marie comes with two guests, Luc does not, Ana is silent, Zoé was not asked."""
    at("2027-01-14T13:00")
    with transaction() as session:
        event = add_event(session, date=NOON, status="confirmed")
        add_reservation(session, event, add_member(session, "Marie Durand", None), will_attend=True, guest_count=2)
        add_reservation(session, event, add_member(session, "Luc Ory", None), will_attend=False)
        add_reservation(session, event, add_member(session, "Ana Bel", None))
        add_member(session, "Zoé Lys", None, company="Lys & Cie")
        add_member(session, "Éva Roc", None, is_active=False)
        return event.id


def test_the_door_lists_who_is_expected_then_the_other_members(event_id: str) -> None:
    door = read_door(event_id)
    assert [(row.name, row.is_guest, row.status) for row in door.rows] == [
        ("Marie Durand", False, "coming"),
        ("invité de Marie Durand", True, "coming"),
        ("invité de Marie Durand", True, "coming"),
        ("Ana Bel", False, "silent"),
        ("Luc Ory", False, "declined"),
        ("Zoé Lys", False, "uninvited"),
    ]
    assert (door.arrived, door.expected) == (0, 3)
    with transaction() as session:
        session.execute(update(Member).values(is_active=False))
    assert [row.name for row in read_door(event_id).rows if row.status] == [row.name for row in door.rows[:5]], (
        "who was invited counts everywhere, active or not"
    )


def test_members_guests_and_those_nobody_expected_arrive(event_id: str) -> None:
    who = people(event_id)
    guest = guest_id(reservation_of("Marie Durand"), 2)
    press(event_id, arrived(who["Marie Durand"], 1), arrived(guest, 2), arrived(who["Zoé Lys"], 3))
    press(event_id, Touch(new_id(), new_id(), TouchKind.ARRIVED, minute(4), " Ali  Baba ", "Quarante & fils"))
    door = read_door(event_id)
    there = {(row.name, row.company, row.arrived_at) for row in door.rows if row.arrived_at}
    assert there == {
        ("Marie Durand", "", minute(1)),
        ("invité de Marie Durand", "", minute(2)),
        ("Zoé Lys", "Lys & Cie", minute(3)),
        ("Ali Baba", "Quarante & fils", minute(4)),
    }
    assert (door.arrived, door.expected, count(event_id)) == (4, 5, 4)


@on_sqlite
def test_devices_agree_whatever_the_order_their_touches_come_in(event_id: str) -> None:
    """Each order of an arrival, its undo, a later arrival and an older one that was kept back; each sent twice (D7)."""
    member = people(event_id)["Marie Durand"]
    pressed = [arrived(member, 3), undone(member, 5), arrived(member, 7), arrived(member, 9), undone(member, 1)]
    ends = set()
    for order in permutations(pressed):
        with transaction() as session:
            for touch in (*order, *reversed(order)):
                arrivals.record_arrivals(session, event_id, [touch], "")
            ends |= {(row.person, row.arrived_at) for row in session.exec(select(Arrival)).all()}
            session.rollback()
    assert ends == {(member, minute(7))}


def test_the_first_arrival_wins_and_an_undo_before_it_takes_nothing_back(event_id: str) -> None:
    member = people(event_id)["Marie Durand"]
    press(event_id, arrived(member, 8), by="helene@beffroi.example")
    press(event_id, arrived(member, 6), undone(member, 2))
    with reading() as session:
        row = session.exec(select(Arrival)).one()
    assert (row.arrived_at, row.recorded_by) == (minute(6), "")


def test_an_undo_takes_back_and_an_older_touch_that_comes_late_changes_nothing(event_id: str) -> None:
    member = people(event_id)["Marie Durand"]
    first, undo = arrived(member, 1), undone(member, 5)
    press(event_id, first)
    press(event_id, undo)
    press(event_id, first, arrived(member, 4))
    assert count(event_id) == 0
    press(event_id, arrived(member, 6))
    assert read_door(event_id).arrived == 1


def test_a_guest_who_came_by_mistake_leaves_no_name(event_id: str) -> None:
    person = new_id()
    first = Touch(new_id(), person, TouchKind.ARRIVED, minute(1), "Ali Baba")
    press(event_id, first)
    press(event_id, undone(person, 2))
    press(event_id, first)
    with reading() as session:
        assert session.exec(select(EventGuest)).all() == []
    assert (count(event_id), read_door(event_id).expected) == (0, 3)


def test_what_a_wrong_clock_says_is_brought_into_the_day_in_its_order(event_id: str) -> None:
    member = people(event_id)["Marie Durand"]
    future = [TouchKind.ARRIVED, TouchKind.UNDONE, TouchKind.ARRIVED]
    press(event_id, *(Touch(new_id(), member, kind, NOON + timedelta(days=400 + n)) for n, kind in enumerate(future)))
    press(event_id, arrived(people(event_id)["Ana Bel"], -60 * 24 * 400))
    times = sorted(row.arrived_at for row in read_door(event_id).rows if row.arrived_at)
    assert NOON - arrivals.EARLIEST <= times[0] < NOON - arrivals.EARLIEST + timedelta(seconds=1)
    assert NOON + timedelta(hours=2) <= times[1] < NOON + timedelta(hours=2, seconds=1)
    with reading() as session:
        kept = session.exec(select(ArrivalTouch).where(ArrivalTouch.person == member)).all()
    assert [row.kind for row in sorted(kept, key=lambda row: row.at)] == future
    assert len({row.at for row in kept}) == len(future), "which came first is kept, not left to the database"


def test_strangers_and_what_never_ends_are_dropped(event_id: str) -> None:
    with transaction() as session:
        other = add_event(session, date=NOON + timedelta(days=40))
        reservation, _ = add_reservation(session, other, session.exec(select(Member)).first(), will_attend=True)  # type: ignore[arg-type]
        declined = session.get_one(EventReservation, reservation_of("Luc Ory"))
        declined.guest_count = 1
        strangers = "nobody", guest_id(reservation.id, 1), guest_id(declined.id, 1)
    held = reservation_of("Marie Durand")
    refused = press(event_id, *(arrived(who, 1) for who in (*strangers, guest_id(held, 5), guest_id(held, 6))))
    assert [one.text for one in refused] == [arrivals.UNKNOWN] * 5
    member = people(event_id)["Marie Durand"]
    refused = press(event_id, *(arrived(member, n) for n in range(arrivals.MOST_TOUCHES + 5)))
    assert {one.text for one in refused} == {arrivals.TOO_MANY_TOUCHES}
    with reading() as session:
        assert len(session.exec(select(ArrivalTouch)).all()) == arrivals.MOST_TOUCHES
    assert count(event_id) == 1


def test_what_helpers_press_uses_up_nothing_of_an_administrator(event_id: str) -> None:
    member = people(event_id)["Marie Durand"]
    assert press(event_id, *(arrived(member, 0) for n in range(arrivals.MOST_TOUCHES))) == ()
    assert len(press(event_id, undone(member, 1))) == 1
    assert count(event_id) == 1
    assert press(event_id, undone(member, 2), by="helene@beffroi.example") == ()
    assert count(event_id) == 0


def test_unannounced_guests_have_a_name_and_an_end_of_each_keeper(
    event_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrivals, "MOST_UNANNOUNCED", 1)

    def come(name: str, by: str = "") -> list[str]:
        touch = Touch(new_id(), new_id(), TouchKind.ARRIVED, minute(1), name)
        return [one.text for one in press(event_id, touch, by=by)]

    assert come(" \u200b") == [arrivals.UNKNOWN]
    assert come("Ali Baba") == []
    assert come("Encore Un") == [arrivals.TOO_MANY_UNANNOUNCED]
    assert come("Sésame", "helene@beffroi.example") == []
    assert {row.name for row in read_door(event_id).rows if row.arrived_at} == {"Ali Baba", "Sésame"}


def test_whoever_arrived_stays_counted_when_their_row_is_gone(event_id: str) -> None:
    who, held = people(event_id), reservation_of("Marie Durand")
    press(event_id, arrived(who["Zoé Lys"], 1), arrived(guest_id(held, 2), 2))
    with transaction() as session:
        session.delete(session.get(Member, who["Zoé Lys"]))
        session.get(EventReservation, held).guest_count = 0  # type: ignore[union-attr]
    door = read_door(event_id)
    assert {row.name for row in door.rows if row.arrived_at} == {UNNAMED, "invité de Marie Durand"}
    assert (door.arrived, door.expected) == (2, 3)
    assert press(event_id, undone(guest_id(held, 2), 3)) == (), "it can still be undone"
    assert read_door(event_id).arrived == 1


def test_devices_that_press_at_the_same_instant_make_one_arrival(event_id: str) -> None:
    """Fails on PostgreSQL when the transactions of one event do not wait for each other."""
    members, start = [row.id for row in read_door(event_id).rows], Barrier(8)

    def press_all(device: int) -> None:
        start.wait()
        for person in members:
            press(event_id, arrived(person, device))

    with ThreadPoolExecutor(8) as devices:
        list(devices.map(press_all, range(8)))
    assert {row.id: row.arrived_at for row in read_door(event_id).rows} == dict.fromkeys(members, minute(0))


def test_of_an_erased_member_the_count_stays_and_nothing_else(event_id: str) -> None:
    who = people(event_id)
    press(event_id, arrived(who["Marie Durand"], 1), arrived(who["Zoé Lys"], 2))
    with transaction() as session:
        for name in ("Marie Durand", "Zoé Lys"):
            member_editing.delete(session, SYSTEM, who[name])
    with reading() as session:
        assert not {who["Marie Durand"], who["Zoé Lys"]} & set(session.exec(select(Arrival.person)))
        assert session.exec(select(ArrivalTouch)).all() == []
    door = read_door(event_id)
    assert [row.name for row in door.rows if row.arrived_at] == [UNNAMED, UNNAMED]
    assert (door.arrived, door.expected) == (2, 4)


def test_touches_go_after_a_month_and_names_after_two_years(event_id: str, at: Callable[[str], datetime]) -> None:
    member, came = people(event_id)["Marie Durand"], new_id()
    press(event_id, arrived(member, 1), Touch(new_id(), came, TouchKind.ARRIVED, minute(2), "Ali Baba"))
    at("2027-02-20T10:00")
    with transaction() as session:
        retention.erase_expired(session)
        assert session.exec(select(ArrivalTouch)).all() == []
    assert {row.name for row in read_door(event_id).rows if row.arrived_at} == {"Marie Durand", "Ali Baba"}
    press(event_id, Touch(new_id(), member, TouchKind.ARRIVED, minute(60)))
    assert [row.arrived_at for row in read_door(event_id).rows if row.id == member] == [minute(1)]
    at("2029-02-20T10:00")
    with transaction() as session:
        retention.erase_expired(session)
        assert member not in set(session.exec(select(Arrival.person)))
    assert [row.name for row in read_door(event_id).rows if row.arrived_at] == [UNNAMED, UNNAMED]


def minute(number: int) -> datetime:
    return NOON + timedelta(minutes=number)


def arrived(person: str, at: int) -> Touch:
    return Touch(new_id(), person, TouchKind.ARRIVED, minute(at))


def undone(person: str, at: int) -> Touch:
    return Touch(new_id(), person, TouchKind.UNDONE, minute(at))


def press(event_id: str, *touches: Touch, by: str = "") -> tuple[RefusedTouch, ...]:
    with transaction() as session:
        return arrivals.record_arrivals(session, event_id, touches, by)


def read_door(event_id: str) -> Door:
    with reading() as session:
        return arrivals.read_door(session, event_id)


def count(event_id: str) -> int:
    with reading() as session:
        return arrivals.count_arrived(session, event_id)


def people(event_id: str) -> dict[str, str]:
    return {row.name: row.id for row in read_door(event_id).rows if not row.is_guest}


def reservation_of(name: str) -> str:
    with reading() as session:
        of_them = select(EventReservation.id).join(Member).where(Member.name == name)
        return session.exec(of_them.order_by(col(EventReservation.created_at))).first() or ""
