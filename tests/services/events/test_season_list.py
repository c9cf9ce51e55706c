"""The events of a season, each with its answers and places."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from clubapp import clock, routes
from clubapp.database import reading, transaction
from clubapp.models import Arrival, Event
from clubapp.refusals import Forbidden
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.events import season_list
from clubapp.services.events.season_list import Season
from tests.factories import add_event, add_member, add_reservation
from tests.statements import counted

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")


@pytest.fixture(autouse=True)
def second_of_december(at: Callable[[str], datetime]) -> None:
    at("2026-12-02T09:00")


def season_of(day: str = "") -> Season:
    with reading() as session:
        return season_list.list_season(session, HELENE, day)


def test_a_season_holds_its_events_from_september_to_august(club: str) -> None:
    with transaction() as session:
        for title, date in (
            ("Août", "2026-08-31T23:30"),
            ("Septembre", "2026-09-01T00:30"),
            ("Juin", "2027-06-10T12:00"),
            ("Rentrée", "2027-09-02T12:00"),
        ):
            add_event(session, title, clock.from_local(date))
    assert (season_of().name, [card.title for card in season_of().cards]) == (
        "Saison 2026-2027", ["Septembre", "Juin"],
    )  # fmt: skip
    assert [card.title for card in season_of("2027-09-01").cards] == ["Rentrée"]
    assert (season_of().previous, season_of().following) == ("2025-2026", "2027-2028")
    with reading() as session, pytest.raises(Forbidden):
        season_list.list_season(session, VISITOR)


def test_a_card_counts_answers_and_places_and_one_statement_is_enough(club: str) -> None:
    with transaction() as session:
        event = add_event(session, "Noël", clock.from_local("2026-12-10T12:00"), status="confirmed", max_participants=9)
        add_event(session, "Janvier", clock.from_local("2027-01-14T12:00"))
        answers = ({"will_attend": True, "guest_count": 2}, {"will_attend": False}, {}, {})
        for number, answer in enumerate(answers):
            add_reservation(session, event, add_member(session, f"M {number}", f"m{number}@x.example"), **answer)
    with reading() as session, counted() as statements:
        first, second = season_list.list_season(session, HELENE).cards
    assert [statement for statement in statements if not statement.startswith("BEGIN")] == statements[-1:]
    assert (first.month, first.day, first.status_label, first.places) == ("décembre", "10", "Confirmé", "3 / 9 places")
    assert (first.said, first.href) == ("1 oui, 1 non, 2 sans réponse", routes.admin_event(first.id))
    assert second.month == "janv. 2027"
    assert (second.bar, second.said, second.places) == ((), "Personne n’est encore invité", "")


def test_a_card_says_how_many_came_once_the_doors_are_closed(club: str) -> None:
    with transaction() as session:
        event = add_event(session, "Passée", clock.now() - timedelta(days=1), status="confirmed", max_participants=9)
        for number in range(3):
            member = add_member(session, f"M {number}", f"m{number}@x.example")
            add_reservation(session, event, member, will_attend=True)
            if number:
                moment = clock.now()
                session.add(Arrival(event_id=event.id, person=member.id, arrived_at=moment, created_at=moment))
        event_id = event.id
    assert season_of().cards[0].places == "3 / 9 places"
    with transaction() as session:
        session.get_one(Event, event_id).doors_closed_at = clock.now()
    assert season_of().cards[0].places == "2 venus"


def test_a_season_is_over_in_september(club: str) -> None:
    assert [season_of(day).is_over for day in ("2026-08-31", "2026-09-01", "2027-09-01")] == [True, False, False]


def test_to_whom_nobody_was_invited_is_said_as_it_stands(club: str) -> None:
    with transaction() as session:
        add_event(session, "Passée", clock.now() - timedelta(days=20))
        add_event(session, "Annulée", clock.now() + timedelta(days=1), status="cancelled")
        add_event(session, "À venir", clock.now() + timedelta(days=40))
    assert [card.said for card in season_of().cards] == ["Personne n’a été invité", "", "Personne n’est encore invité"]
