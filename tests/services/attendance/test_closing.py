"""Closing the doors of an event: who may, when, what it settles, and what is corrected afterwards (D6)."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlmodel import Session, col, select

from clubapp.database import reading, transaction
from clubapp.models import Act, ActChanges, Arrival, Event, EventReservation, Member, TouchKind, new_id
from clubapp.refusals import Conflict, Forbidden, NotFound
from clubapp.services.attendance import arrivals, attendee_detail, attendee_list, call_list, closing
from clubapp.services.attendance.arrivals import Touch, read_door, record_arrivals
from clubapp.services.attendance.people import guest_id
from clubapp.services.attendance.turnout import Turnout, count_turnout
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.events import admin_views
from clubapp.services.members import editing
from clubapp.services.monitoring.acts import ActQuery
from clubapp.services.monitoring.acts import read_page as read_acts
from clubapp.services.privacy import retention
from tests.factories import add_event, add_member, add_reservation

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")
NOON = datetime(2027, 1, 14, 11, tzinfo=UTC)
Move = Callable[[str], datetime]


@pytest.fixture
def event_id(club: str, at: Move) -> str:
    """A quarter past noon: Marie with two guests and Paul are expected, Luc said no, Ana is silent."""
    at("2027-01-14T11:15")
    with transaction() as session:
        event = add_event(session, date=NOON, status="confirmed", invitation_sent=True)
        for name, answer in {
            "Marie": {"will_attend": True, "guest_count": 2},
            "Paul": {"will_attend": True},
            "Luc": {"will_attend": False},
            "Ana": {},
        }.items():
            add_reservation(session, event, add_member(session, name, None), **answer)
        return event.id


def key_of(name: str) -> str:
    with reading() as session:
        return session.exec(select(Member.id).where(Member.name == name)).one()


def arrives(event_id: str, *names: str) -> None:
    with reading() as session:
        joined = select(EventReservation.id).join(Member).where(Member.name == "Marie")
        guest = guest_id(session.exec(joined).one(), 1)
    touches = [Touch(new_id(), guest if name == "guest" else key_of(name), TouchKind.ARRIVED, NOON) for name in names]
    with transaction() as session:
        record_arrivals(session, event_id, touches, HELENE.email)


def close(event_id: str) -> Turnout:
    with transaction() as session:
        return closing.close_doors(session, HELENE, event_id)


def mark(event_id: str, name: str, came: bool) -> None:
    with transaction() as session:
        closing.mark_arrival(session, HELENE, event_id, key_of(name), came)


def turnout(event_id: str) -> tuple[bool, int, int]:
    with reading() as session:
        found = count_turnout(session, session.exec(select(Event).where(Event.id == event_id)).one())
        door = read_door(session, event_id)
    if found.is_known:
        assert (found.arrived, found.arrived + found.no_show) == (door.arrived, door.expected)
    return found.is_known, found.arrived, found.no_show


def presences(event_id: str, group: str) -> dict[str, str]:
    with reading() as session:
        people = attendee_list.list_people(session, HELENE, event_id, group)
    return {row.name: row.presence for row in people.rows}


ACTS: list[Callable[[Session, Actor, str], Any]] = [
    closing.preview_closing,
    closing.close_doors,
    closing.reopen_doors,
    lambda session, actor, event_id: closing.mark_arrival(session, actor, event_id, "m", True),
]


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
def test_only_an_administrator_closes_and_corrects(event_id: str, actor: Actor, act: Callable[..., Any]) -> None:
    with pytest.raises(Forbidden), transaction() as session:
        act(session, actor, event_id)


def test_the_turnout_is_known_once_somebody_arrives_or_the_doors_are_closed(event_id: str) -> None:
    assert turnout(event_id) == (False, 0, 0)
    arrives(event_id, "Marie", "guest", "Ana")
    assert turnout(event_id) == (True, 3, 2)
    with reading() as session:
        detail = admin_views.read_detail(session, HELENE, event_id)
        asked = closing.preview_closing(session, HELENE, event_id)
    assert (detail.turnout, detail.can_close, detail.can_reopen) == (Turnout(True, 3, 2), True, False)
    assert asked.sentence == "3 personnes sont arrivées, 2 sont absentes malgré leur réponse."


def test_the_question_says_whom_the_closing_counts_as_absent_when_nobody_was_noted(event_id: str) -> None:
    with reading() as session:
        asked = closing.preview_closing(session, HELENE, event_id)
    assert asked.sentence == (
        "Aucune arrivée n’est notée\u00a0: 4 personnes attendues seront absentes malgré leur réponse."
    )
    assert close(event_id).no_show == 4


@pytest.mark.parametrize(
    ("arrived", "no_show", "said"),
    [
        (1, 1, "1 personne est arrivée, 1 est absente malgré sa réponse."),
        (2, 0, "2 personnes sont arrivées, aucune n’est absente malgré sa réponse."),
        (0, 1, "Aucune arrivée n’est notée\u00a0: 1 personne attendue sera absente malgré sa réponse."),
        (0, 0, "Aucune arrivée n’est notée, et personne n’était attendu."),
    ],
)
def test_the_question_agrees_with_its_numbers(arrived: int, no_show: int, said: str) -> None:
    assert closing.describe(Turnout(True, arrived, no_show)) == said


def test_closing_completes_the_event_once_and_stands_in_the_journal(event_id: str, at: Move) -> None:
    arrives(event_id, "Paul")
    closed_at = at("2027-01-14T11:40")
    assert close(event_id) == Turnout(True, 1, 3)
    at("2027-01-14T11:41")
    assert close(event_id) == Turnout(True, 1, 3)
    with reading() as session:
        event = session.exec(select(Event)).one()
        acts = session.exec(select(Act.action).where(Act.subject == event_id)).all()
        detail = admin_views.read_detail(session, HELENE, event_id)
    assert (event.status, event.doors_closed_at, acts) == ("completed", closed_at, ["doors.closed"])
    assert (detail.can_close, detail.can_reopen) == (False, True)


def test_nobody_closes_before_the_beginning_or_what_is_off(event_id: str, at: Move) -> None:
    at("2027-01-14T10:59")
    for act in (close, lambda event_id: mark(event_id, "Marie", True)):
        with pytest.raises(Conflict, match="jeudi 14 janvier 2027 à 12:00"):
            act(event_id)
    at("2027-01-14T11:00")
    with transaction() as session:
        session.exec(select(Event)).one().status = "cancelled"
    for act in (close, lambda event_id: mark(event_id, "Marie", True)):
        with pytest.raises(Conflict, match="annulée"):
            act(event_id)
    with pytest.raises(NotFound):
        close("nobody")


def test_doors_can_be_opened_again(event_id: str) -> None:
    arrives(event_id, "Paul")
    close(event_id)
    with transaction() as session:
        closing.reopen_doors(session, HELENE, event_id)
        closing.reopen_doors(session, HELENE, event_id)
    with reading() as session:
        event = session.exec(select(Event)).one()
        acts = session.exec(select(Act.action).where(Act.subject == event_id).order_by(col(Act.number))).all()
    assert (event.status, event.doors_closed_at) == ("confirmed", None)
    assert acts == ["doors.closed", "doors.reopened"]
    assert turnout(event_id) == (True, 1, 3)


def test_the_list_says_what_was_beside_what_was_said(event_id: str) -> None:
    arrives(event_id, "Marie", "Ana")
    assert presences(event_id, "coming") == {"Marie": "Venu", "Paul": ""}, "Paul may still come"
    close(event_id)
    assert presences(event_id, "coming") == {"Marie": "Venu", "Paul": "Absent malgré sa réponse"}
    assert presences(event_id, "silent") == {"Ana": "Venu"}
    assert presences(event_id, "declined") == {"Luc": ""}
    with reading() as session:
        assert attendee_detail.open_person(session, HELENE, event_id, key_of("Paul")).presence.startswith("Absent")
        people = attendee_list.list_people(session, HELENE, event_id, "no_show")
    assert [(group.key, group.label, group.count) for group in people.groups[-2:]] == [
        ("arrived", "Venus", 2),
        ("no_show", "Absents malgré leur réponse", 3),
    ]
    assert [(row.name, row.can_open) for row in people.rows] == [
        ("invité de Marie", False),
        ("invité de Marie", False),
        ("Paul", True),
    ]
    assert set(presences(event_id, "arrived")) == {"Marie", "Ana"}


def test_before_the_beginning_nothing_is_noted_of_who_came(event_id: str, at: Move) -> None:
    at("2027-01-14T10:00")
    with reading() as session:
        people = attendee_list.list_people(session, HELENE, event_id, "arrived")
    assert (people.chosen, len(people.groups)) == ("coming", 5)
    assert {row.person for row in people.rows} == {""}


def test_who_came_is_corrected_by_hand_weeks_later(event_id: str, at: Move) -> None:
    arrives(event_id, "Marie")
    close(event_id)
    at("2027-02-20T10:00")
    mark(event_id, "Paul", True)
    at("2027-02-20T10:01")
    mark(event_id, "Marie", False)
    assert turnout(event_id) == (True, 1, 3)
    assert presences(event_id, "coming") == {"Marie": "Absent malgré sa réponse", "Paul": "Venu"}
    with reading() as session:
        assert session.exec(select(Arrival.recorded_by)).all() == [HELENE.email]
        corrected = select(Act.detail).where(Act.action == "arrival.corrected").order_by(col(Act.number))
        details = session.exec(corrected).all()
        values = select(ActChanges.content).join(Act).where(Act.action == "arrival.corrected")
        changes = session.exec(values.order_by(col(Act.number))).all()
        notes = [row.note for row in read_acts(session, HELENE, ActQuery()).rows if row.action == "arrival.corrected"]
    assert details == [{"person": key_of("Paul")}, {"person": key_of("Marie")}]
    assert changes == [{"came": [False, True]}, {"came": [True, False]}]
    assert notes == ["personne\u00a0: Marie", "personne\u00a0: Paul"]


def test_a_correction_without_effect_is_no_act_and_one_that_is_refused_says_so(
    event_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark(event_id, "Paul", False)
    with transaction() as session:
        closing.mark_arrival(session, HELENE, event_id, "nobody", True)
    monkeypatch.setattr(arrivals, "MOST_TOUCHES", 1)
    mark(event_id, "Paul", True)
    mark(event_id, "Paul", True)
    with pytest.raises(Conflict, match=r"^Trop d’allers-retours"):
        mark(event_id, "Paul", False)
    with reading() as session:
        assert session.exec(select(Act.action)).all().count("arrival.corrected") == 1


def test_the_call_list_says_when_somebody_last_came(event_id: str, at: Move) -> None:
    arrives(event_id, "Ana")
    close(event_id)
    at("2027-02-20T10:00")
    with transaction() as session:
        upcoming = add_event(session, date=datetime(2027, 3, 18, 11, tzinfo=UTC), invitation_sent=True)
        for name in ("Ana", "Paul", "Luc"):
            member = session.exec(select(Member).where(Member.name == name)).one()
            add_reservation(session, upcoming, member)
        next_id = upcoming.id
    with reading() as session:
        rows = call_list.build_call_list(session, HELENE, next_id).rows
    assert {row.name: (row.last_time, row.has_come) for row in rows if row.name != "Marie"} == {
        "Ana": ("jeudi 14 janvier 2027", True),
        "Paul": ("jeudi 14 janvier 2027", False),
        "Luc": ("", False),
    }


@pytest.mark.parametrize("how", ["deleted", "kept for two years"])
def test_who_is_forgotten_stays_counted(event_id: str, at: Move, how: str) -> None:
    arrives(event_id, "Marie", "guest", "Ana")
    close(event_id)
    before = turnout(event_id)
    ids = {key_of(name) for name in ("Marie", "Ana")}
    with transaction() as session:
        if how == "deleted":
            for member_id in ids:
                editing.delete(session, HELENE, member_id)
        else:
            at("2029-01-14T11:00")
            retention.erase_expired(session)
    assert turnout(event_id) == before
    with reading() as session:
        assert ids.isdisjoint(session.exec(select(Arrival.person)).all())
