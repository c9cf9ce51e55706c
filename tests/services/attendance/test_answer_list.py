"""The list of an event's page: who said what, by what way and when; what could not reach them; how it is narrowed."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlmodel import Session

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Event, OutboxMail
from clubapp.refusals import Forbidden, NotFound
from clubapp.services.attendance import answer_list
from clubapp.services.attendance.answer_list import BY_NAME, AnswerList
from clubapp.services.base.actors import VISITOR, Actor
from tests.conftest import on_sqlite
from tests.factories import add_event, add_guest, add_member, add_reservation
from tests.statements import counted

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
At = Callable[[str], datetime]


@pytest.fixture(autouse=True)
def second_of_december(at: At) -> None:
    at("2026-12-02T09:00")


def invite(session: Session, event: Event, name: str, **given: Any) -> str:
    email = f"{name.split(maxsplit=1)[0].lower()}@club.example"
    member = add_member(session, name, email, company=f"Maison {name[0]}", phone="0320111213")
    return add_reservation(session, event, member, **given)[0].id


def add_mail(session: Session, event: Event, reservation_id: str, state: str, moment: str) -> None:
    at = clock.from_local(moment)
    key = f"{reservation_id}{moment}"
    about: dict[str, Any] = {"event_id": event.id, "reservation_id": reservation_id, "kind": "invitation", "key": key}
    session.add(OutboxMail(**about, state=state, sent_at=at, available_at=at, created_at=at, updated_at=at))


def a_full_house() -> str:
    """An event with someone in every group."""
    with transaction() as session:
        event = add_event(session, date=clock.from_local("2026-12-10T12:00"), max_participants=4)
        now = clock.now()
        sophie = invite(
            session, event, "Sophie Maës", will_attend=True, with_lunch=True, guest_count=2, responded_at=now,
            answered_via="link",
        )  # fmt: skip
        add_guest(session, event, sophie, 1, name="Anaïs Cuvelier", with_lunch=False)
        earlier = {"responded_at": now - timedelta(days=1), "answered_via": "phone", "recorded_by": HELENE.email}
        karim = invite(session, event, "Karim Benali", will_attend=False, **earlier)
        add_mail(session, event, karim, "failed", "2026-11-26T09:00")
        invite(
            session, event, "Sylvie Vandeputte", will_attend=True, with_lunch=True, guest_count=2, waiting_since=now,
            responded_at=now - timedelta(days=6), answered_via="member",
        )  # fmt: skip
        elodie = invite(session, event, "Élodie Vandamme")
        for moment in ("2026-11-16T09:00", "2026-11-26T09:00"):
            add_mail(session, event, elodie, "sent", moment)
        loic = invite(session, event, "Loïc L’Hôtelier")
        add_mail(session, event, loic, "sent", "2026-11-16T09:00")
        add_mail(session, event, loic, "failed", "2026-11-27T09:00")
        add_member(session, "Tard Venu", "tard@club.example")
        return event.id


def listed(event_id: str, chosen: str = "", **given: Any) -> AnswerList:
    with reading() as session:
        return answer_list.list_answers(session, HELENE, event_id, chosen, **given)


def names(found: AnswerList) -> list[str]:
    return [row.name.split(maxsplit=1)[0] for row in found.rows]


def test_only_administrators_read_who_answered(club: str) -> None:
    event_id = a_full_house()
    with reading() as session, pytest.raises(Forbidden):
        answer_list.list_answers(session, VISITOR, event_id)
    with reading() as session, pytest.raises(NotFound):
        answer_list.list_answers(session, HELENE, "nobody")


def test_the_latest_news_come_first_by_what_way_and_when(club: str) -> None:
    found = listed(a_full_house())
    assert [(row.name, row.says, row.news, row.when, row.is_fault) for row in found.rows] == [
        ("Sophie Maës", "Oui", "Par son lien", "aujourd’hui à 10:00", False),
        ("Karim Benali", "Non", "Par téléphone", "hier à 10:00", False),
        ("Sylvie Vandeputte", "En attente", "Depuis son espace", "le 26 novembre", False),
        ("Élodie Vandamme", "Sans réponse", "2 messages remis", "le 26 novembre", False),
        ("Loïc L’Hôtelier", "Sans réponse", "Message refusé", "le 27 novembre", True),
    ]
    assert [(chip.key, chip.count) for chip in found.chips] == [
        ("", 5), ("oui", 1), ("non", 1), ("attente", 1), ("sans", 2), ("non-invites", 1),
    ]  # fmt: skip


@on_sqlite
def test_a_mailing_does_not_bring_the_silent_before_those_who_answered(club: str) -> None:
    event_id = a_full_house()
    before = names(listed(event_id))
    with transaction() as session:
        event = session.get_one(Event, event_id)
        for row in listed(event_id, "sans").rows:
            add_mail(session, event, row.key, "sent", "2026-12-02T09:30")
    assert names(listed(event_id)) == before


@on_sqlite
def test_guests_are_named_and_meals_counted_for_each(club: str) -> None:
    rows = {row.name: row for row in listed(a_full_house()).rows}
    assert (rows["Sophie Maës"].guests, rows["Sophie Maës"].meals) == ("Anaïs Cuvelier et 1 sans nom", "2")
    assert (rows["Sylvie Vandeputte"].guests, rows["Sylvie Vandeputte"].meals) == ("2 invités, sans nom", "3")
    assert (rows["Karim Benali"].guests, rows["Karim Benali"].meals) == ("", "")


@on_sqlite
def test_the_list_is_narrowed_searched_sorted_and_cut(club: str) -> None:
    event_id = a_full_house()
    assert names(listed(event_id, "sans")) == ["Élodie", "Loïc"]
    assert names(listed(event_id, "rien de tel", order=BY_NAME)) == ["Élodie", "Karim", "Loïc", "Sophie", "Sylvie"]
    assert names(listed(event_id, wanted="maison e")) == ["Élodie"]
    assert [(row.name, row.says, row.news) for row in listed(event_id, "non-invites").rows] == [
        ("Tard Venu", "Pas invité", "Pas encore invité")
    ]
    first = listed(event_id, limit=2)
    assert (len(first.rows), first.shown, first.more) == (2, "2 sur 5", 3)


@on_sqlite
def test_three_hundred_people_ask_no_more_of_the_database_than_five(club: str) -> None:
    event_id = a_full_house()

    def count() -> int:
        with reading() as session, counted() as statements:
            answer_list.list_answers(session, HELENE, event_id, limit=1000)
        return len(statements)

    few = count()
    with transaction() as session:
        event = session.get_one(Event, event_id)
        for number in range(300):
            reservation_id = invite(session, event, f"m{number} Membre", guest_count=number % 3, will_attend=True)
            add_mail(session, event, reservation_id, "sent", "2026-11-16T09:00")
    assert count() == few <= 7
