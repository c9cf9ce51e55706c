"""The next event is announced to everyone, and only what everyone may know."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from clubapp.database import reading, transaction
from clubapp.services.events import next_event
from clubapp.services.events.next_event import NextEvent
from tests.factories import add_event

WINTER = datetime(2026, 12, 1, 8, 0, tzinfo=UTC)
SPRING = datetime(2027, 4, 1, 8, 0, tzinfo=UTC)


def announced() -> NextEvent:
    with reading() as session:
        return next_event.find_next_event(session)


def test_the_first_confirmed_event_is_announced(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")
    with transaction() as session:
        add_event(session, title="Plus tard", date=SPRING, status="confirmed")
        add_event(
            session,
            title="Vœux du beffroi",
            date=WINTER,
            status="confirmed",
            location="Arras",
            address="8 rue des Carillonneurs",
            description="Entre nous",
            max_participants=12,
        )
    assert announced() == NextEvent(
        title="Vœux du beffroi",
        date="mardi 1er décembre 2026 à 09:00",
        location="Arras",
        starts_at="2026-12-01T09:00:00+01:00",
        ends_at="2026-12-01T12:00:00+01:00",
    )
    at("2026-12-01T08:00")
    assert announced().title == "Plus tard"
    assert announced().starts_at == "2027-04-01T10:00:00+02:00"


@pytest.mark.parametrize("status", ["draft", "cancelled", "completed"])
def test_what_is_not_confirmed_is_not_announced(club: str, at: Callable[[str], datetime], status: str) -> None:
    at("2026-11-20T10:00")
    with transaction() as session:
        add_event(session, date=WINTER, status=status)
    assert announced() == NextEvent()
