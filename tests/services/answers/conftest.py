"""An event with guests."""

import pytest

from tests.services.answers.invitees import NOW, Invitee, Move, invite
from tests.services.answers.test_guests import ALI, ZOE, names


@pytest.fixture
def people(club: str, at: Move) -> list[Invitee]:
    """An event for three: Marie comes with two guests, of whom Zoé has an address; Paul waits."""
    at(NOW)
    marie, paul = invite("Marie", "Paul", max_participants=3)
    marie.says(True, 2)
    paul.says(True)
    names(marie, ZOE, ALI)
    return [marie, paul]
