"""The five stages of an event: which one it stands at, what it asks for, and how far its day is."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from sqlmodel import Session, select

from clubapp import clock, routes
from clubapp.database import reading, transaction
from clubapp.models import BroadcastEmail, Event, OutboxMail, PlannedMailing, PlannedState, ReminderType
from clubapp.services.events import stages
from clubapp.services.events.stages import Progress, StageActKind
from tests.factories import add_event

At = Callable[[str], datetime]


@pytest.fixture(autouse=True)
def second_of_december(at: At) -> None:
    at("2026-12-02T09:00")


def the_tenth(**given: Any) -> Event:
    """The event of 10 December at noon."""
    date = clock.from_local("2026-12-10T12:00")
    given = {"status": "confirmed", "description": "Programme", "created_at": clock.now()} | given
    return Event(title="Les réussites", date=date, month="2026-12", location="Lille", **given)


def stands(event: Event, **given: Any) -> tuple[list[str], str]:
    """The states of the stages by their first letter, and the act."""
    way = Progress(event, **given)
    return [stage.state[:2] for stage in stages.list_stages(way)], stages.find_act(way).key


@pytest.mark.parametrize(
    ("event", "given", "states", "act"),
    [
        ({"status": "draft", "description": None}, {}, ["cu", "co", "co", "co", "co"], StageActKind.WRITE),
        ({"status": "draft"}, {}, ["cu", "co", "co", "co", "co"], StageActKind.CONFIRM),
        ({"description": None}, {}, ["cu", "co", "co", "co", "co"], StageActKind.WRITE),
        ({}, {}, ["do", "cu", "co", "co", "co"], StageActKind.INVITE),
        ({"invitation_sent": True}, {"silent": 17}, ["do", "do", "cu", "co", "co"], StageActKind.CALL),
        ({"invitation_sent": True}, {}, ["do", "do", "cu", "co", "co"], StageActKind.PREPARE_DAY),
        (
            {"status": "cancelled", "invitation_sent": True},
            {"silent": 2},
            ["do", "do", "le", "le", "le"],
            StageActKind.NOTHING,
        ),
        ({"status": "cancelled"}, {}, ["do", "le", "le", "le", "le"], StageActKind.NOTHING),
    ],
)
def test_before_its_day_an_event_is_prepared_announced_and_recalled(
    event: dict[str, Any], given: dict[str, Any], states: list[str], act: StageActKind
) -> None:
    assert stands(the_tenth(**event), **given) == (states, act.value)


def test_nobody_is_to_be_called_three_weeks_before(at: At) -> None:
    at("2026-11-19T10:00")
    states = ["do", "do", "cu", "co", "co"]
    assert stands(the_tenth(invitation_sent=True), silent=17) == (states, StageActKind.NOTHING.value)
    at("2026-11-19T11:00:01")
    assert stands(the_tenth(invitation_sent=True), silent=17) == (states, StageActKind.CALL.value)


@pytest.mark.parametrize(
    ("now", "event", "given", "ends"),
    [
        ("2026-12-10T07:00", {}, {"silent": 3}, (["do", "do", "do", "cu", "co"], StageActKind.RECEIVE)),
        ("2026-12-10T07:00", {}, {"mailings": ()}, (["do", "do", "le", "cu", "co"], StageActKind.RECEIVE)),
        ("2026-12-10T12:00", {}, {"arrived": 23}, (["do", "do", "do", "cu", "co"], StageActKind.RECEIVE)),
        ("2026-12-10T15:00", {}, {"arrived": 40}, (["do", "do", "do", "cu", "co"], StageActKind.CLOSE)),
        ("2026-12-10T15:00", {"status": "completed"}, {}, (["do", "do", "do", "do", "cu"], StageActKind.THANK)),
        (
            "2026-12-12T15:00",
            {"status": "completed"},
            {"thanked": True},
            (["do", "do", "do", "do", "do"], StageActKind.NOTHING),
        ),
        (
            "2026-12-12T15:00",
            {"status": "draft", "invitation_sent": False},
            {"mailings": ()},
            (["cu", "le", "le", "co", "co"], StageActKind.CONFIRM),
        ),
    ],
)
def test_on_its_day_people_are_received_and_afterwards_thanked(
    at: At, now: str, event: dict[str, Any], given: dict[str, Any], ends: tuple[list[str], StageActKind]
) -> None:
    moment = at(now)
    if given.pop("thanked", False):
        given["thanked_at"] = moment
    reminded = PlannedMailing(
        event_id="", reminder_type=ReminderType.FIRST, due_at=moment, state=PlannedState.DONE, settled_at=moment
    )
    given = {"mailings": (reminded,)} | given
    assert stands(the_tenth(**{"invitation_sent": True} | event), **given) == ends


@pytest.mark.parametrize(
    ("now", "far"),
    [
        ("2026-12-02T09:00", ("8 jours", "avant la rencontre")),
        ("2026-12-09T22:30", ("Demain", "à 12:00")),
        ("2026-12-09T23:30", ("Aujourd’hui", "à 12:00")),
        ("2026-12-11T08:00", ("Hier", "")),
        ("2026-12-13T08:00", ("Il y a 3 jours", "")),
        ("2027-12-09T08:00", ("Il y a 364 jours", "")),
        ("2028-06-01T08:00", ("Il y a 1 an", "")),
        ("2031-06-26T08:00", ("Il y a 4 ans", "")),
        ("2025-06-01T08:00", ("Plus d’un an", "avant la rencontre")),
        ("2024-06-01T08:00", ("Plus de 2 ans", "avant la rencontre")),
    ],
)
def test_the_distance_is_told_in_days_of_the_club(at: At, now: str, far: tuple[str, str]) -> None:
    at(now)
    assert stages.describe_distance(the_tenth()) == far


def test_nobody_waits_for_the_day_of_an_event_that_is_off() -> None:
    off = the_tenth(status="cancelled", invitation_sent=True)
    assert stages.describe_distance(off) == ("", "")
    said = [stage.detail for stage in stages.list_stages(Progress(off, invited=60))]
    assert said == ["le 2 déc.", "60", "aucune de prévue", "n’a pas lieu", "sans objet"]


def test_a_closed_reception_without_arrivals_says_that_nobody_came() -> None:
    event = the_tenth(invitation_sent=True, status="completed")
    assert stages.list_stages(Progress(event))[3].detail == "venues non notées"
    event.doors_closed_at = clock.now()
    assert stages.list_stages(Progress(event))[3].detail == "personne n’est venu"


def add_planned(session: Session, event: Event, kind: ReminderType, due: str, **given: Any) -> None:
    moment = clock.from_local(due)
    session.add(PlannedMailing(event_id=event.id, reminder_type=kind, due_at=moment, updated_at=moment, **given))


def details(event_id: str, **given: Any) -> list[str]:
    with reading() as session:
        figures = {"silent": 0, "invited": 0} | given
        way = stages.read_progress(session, session.get_one(Event, event_id), **figures)
        return [stage.detail for stage in stages.list_stages(way)]


def test_each_stage_tells_its_date_from_what_was_really_done(club: str, at: At) -> None:
    with transaction() as session:
        at("2026-11-09T09:00")
        event = add_event(session, date=clock.from_local("2026-12-10T12:00"), status="confirmed", description="x")
        add_planned(session, event, ReminderType.INVITATION, "2026-12-03T09:00")
        add_planned(session, event, ReminderType.FIRST, "2026-12-05T09:00")
        add_planned(session, event, ReminderType.SECOND, "2026-12-07T09:00")
    at("2026-12-02T09:00")
    assert details(event.id) == [
        "le 9 nov.",
        "prévu demain à 09:00",
        "après les invitations",
        "le 10 déc., dès 12:00",
        "à venir",
    ]
    at("2026-12-05T08:02")
    assert details(event.id)[1] == "devait partir le jeu. 3 déc. à 09:00"
    at("2026-12-02T09:00")
    with transaction() as session:
        kept = session.get_one(Event, event.id)
        kept.status = "draft"
    assert details(event.id)[1:3] == ["rien de prévu", "après les invitations"], "nothing leaves of a draft"
    with transaction() as session:
        kept = session.get_one(Event, event.id)
        kept.status, kept.invitation_sent = "confirmed", True
        mail = {"kind": "invitation", "event_id": event.id, "available_at": clock.now(), "updated_at": clock.now()}
        session.add(OutboxMail(key="1", created_at=clock.from_local("2026-11-16T09:00"), **mail))
        session.add(OutboxMail(key="2", created_at=clock.from_local("2026-11-20T09:00"), **mail))
    # One more of the three who are listed was never written to: they answered by telephone.
    assert details(event.id, invited=3, silent=17)[1:3] == ["2, le 16 nov.", "prochaine le sam. 5 déc. à 09:00"]
    at("2026-12-05T08:02")
    assert details(event.id)[2] == "en cours d’envoi"
    at("2026-12-05T08:03")
    assert details(event.id)[2] == "devait partir aujourd’hui à 09:00"

    at("2026-12-13T09:00")
    with transaction() as session:
        kept = session.get_one(Event, event.id)
        kept.status, kept.doors_closed_at = "completed", clock.now()
        for row in session.exec(select(PlannedMailing).where(PlannedMailing.reminder_type == ReminderType.SECOND)):
            row.state, row.settled_at = PlannedState.DONE, clock.from_local("2026-12-07T09:00")
        sent = {"audience": f"event:{event.id}:yes", "status": "sent", "created_at": clock.now()}
        early = clock.from_local("2026-12-01T09:00")
        session.add(BroadcastEmail(subject="Avant", content="x", sent_at=early, **sent))
        absent: dict[str, Any] = sent | {"audience": f"event:{event.id}:absent"}
        session.add(BroadcastEmail(subject="Dommage", content="x", sent_at=clock.now(), **absent))
        noon = clock.from_local("2026-12-10T12:30")
        session.add(BroadcastEmail(subject="Parking", content="x", sent_at=noon, **sent))
    assert details(event.id, arrived=41)[2:] == ["la dernière le 7 déc.", "41 personnes venues", "à faire"]
    with transaction() as session:
        session.add(BroadcastEmail(subject="Merci", content="x", sent_at=clock.now(), **sent))
    assert details(event.id, arrived=41)[4] == "le 13 déc."


def test_the_act_leads_where_it_is_done() -> None:
    event = the_tenth(invitation_sent=True, id="e")
    act = stages.find_act(Progress(event, silent=17))
    assert (act.label, act.href) == ("Appeler les 17 sans réponse", routes.calling_list("e"))
    assert stages.find_act(Progress(event, silent=1)).label == "Appeler le membre sans réponse"
    assert stages.find_act(Progress(the_tenth())).href == ""
    past = the_tenth(status="completed", id="e")
    came, said_yes = "Écrire à ceux qui sont venus", "Écrire à ceux qui ont dit oui"
    for arrived, label, answer in ((41, came, "venus"), (0, said_yes, "oui")):
        act = stages.find_act(Progress(past, arrived=arrived))
        assert (act.label, act.href) == (label, routes.write_to(evenement="e", reponse=answer))
