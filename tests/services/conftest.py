"""What several files of services begin with: a relay that takes their mail, a clock, people, an announced event."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from clubapp.database import transaction
from tests.factories import add_admin, add_event, add_member, add_reservation
from tests.mail.conftest import relay
from tests.services.invitees import NOW
from tests.services.sign_ins import HELENE, MARIE

__all__ = ["relay"]

ANSWERS = {
    "Anne": {"will_attend": True},
    "Bruno": {"will_attend": True, "waiting_since": datetime(2026, 11, 1, tzinfo=UTC)},
    "Chloé": {},
    "David": {"will_attend": False},
}


@pytest.fixture
def in_november_2026(at: Callable[[str], datetime]) -> None:
    """The clock stands at ten in the morning (UTC) of 20 November 2026, until `at` moves it."""
    at(NOW)


@pytest.fixture
def known_people(club: str) -> None:
    """Hélène and Marie, who may sign in: an administrator and a member."""
    with transaction() as session:
        add_admin(session, HELENE)
        add_member(session, email=MARIE)


@pytest.fixture
def january_event(at: Callable[[str], datetime], club: str) -> str:
    """An event of 14 January at noon to which four people are invited, each with another answer; it is November."""
    at(NOW)
    with transaction() as session:
        date = datetime(2027, 1, 14, 11, tzinfo=UTC)
        event = add_event(session, date=date, status="confirmed", invitation_sent=True, max_participants=1)
        for name, given in ANSWERS.items():
            add_reservation(session, event, add_member(session, name, f"{name[0].lower()}@club.example"), **given)
        return event.id
