"""The link that opens the arrivals of one event to its helpers, and nothing else."""

from collections.abc import Callable
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest

from clubapp.database import reading, transaction
from clubapp.models import Event
from clubapp.refusals import Conflict, Forbidden
from clubapp.services.attendance import helper_link
from clubapp.services.base.actors import SYSTEM, VISITOR, Actor
from tests.conftest import on_sqlite
from tests.factories import add_admin, add_event

HELENE = Actor(email="helene@beffroi.example", is_admin=True)
pytestmark = on_sqlite


@pytest.fixture
def event_id(at: Callable[[str], datetime], club: str) -> str:
    """An event from noon to three."""
    at("2027-01-14T10:00")
    with transaction() as session:
        add_admin(session)
        return add_event(session, date=datetime(2027, 1, 14, 11, tzinfo=UTC), status="confirmed").id


@pytest.mark.parametrize("person", [VISITOR, Actor(email="marie@durand.example", member_id="m")])
def test_only_an_administrator_makes_shows_and_withdraws_it(event_id: str, person: Actor) -> None:
    acts = (helper_link.make_link, helper_link.withdraw_link, helper_link.read_link, helper_link.open_arrivals)
    with transaction() as session:
        for act in acts:
            with pytest.raises(Forbidden):
                act(session, person, event_id)


def test_it_opens_its_event_until_twelve_hours_after_the_end(event_id: str, at: Callable[[str], datetime]) -> None:
    token = make(event_id)
    assert is_open(event_id, token)
    at("2027-01-15T02:00")
    assert is_open(event_id, token)
    at("2027-01-15T02:01")
    assert not is_open(event_id, token)
    with transaction() as session:
        assert helper_link.read_link(session, HELENE, event_id).address == ""
        with pytest.raises(Conflict):
            helper_link.make_link(session, HELENE, event_id)


def test_withdrawn_or_made_anew_the_old_one_opens_nothing(event_id: str) -> None:
    first = make(event_id)
    with transaction() as session:
        assert helper_link.read_link(session, HELENE, event_id).address.endswith(first)
        helper_link.withdraw_link(session, HELENE, event_id)
    assert not is_open(event_id, first)
    second = make(event_id)
    assert (second != first, is_open(event_id, first), is_open(event_id, second)) == (True, False, True)


def test_it_opens_no_other_event_and_none_that_is_not_held(event_id: str) -> None:
    token = make(event_id)
    with transaction() as session:
        other = add_event(session, status="confirmed").id
    make(other)
    assert [is_open(one, token) for one in (other, "nothing", event_id)] == [False, False, True]
    assert [is_open(event_id, wrong) for wrong in ("", token[:-1], "é")] == [False] * 3
    with transaction() as session:
        event = session.get(Event, event_id)
        assert event
        assert (token in str(event.model_dump()), len(event.helper_token)) == (False, 64)
        event.status = "cancelled"
    assert not is_open(event_id, token)
    with reading() as session, pytest.raises(Conflict, match="annulé"):
        helper_link.open_arrivals(session, SYSTEM, event_id)


def make(event_id: str) -> str:
    with transaction() as session:
        made = helper_link.make_link(session, HELENE, event_id)
    assert made.picture.startswith("data:image/svg+xml")
    return parse_qs(urlsplit(made.address).query)["token"][0]


def is_open(event_id: str, token: str) -> bool:
    with reading() as session:
        try:
            return helper_link.open_by_link(session, event_id, token).event_id == event_id
        except Forbidden:
            return False
