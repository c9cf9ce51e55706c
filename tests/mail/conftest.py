"""A club that sends its mail to a real SMTP server."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest

from clubapp import clock
from tests.conftest import forget_settings
from tests.smtp_server import Relay, running_relay


@pytest.fixture
def relay(club: str, environment: pytest.MonkeyPatch) -> Iterator[Relay]:
    """The relay that the club of this test is configured with."""
    with running_relay() as running:
        environment.setenv("CLUB_SMTP_URL", running.url)
        forget_settings()
        yield running


@pytest.fixture
def later(at: Callable[[str], datetime]) -> Callable[[timedelta], None]:
    """A clock that stands still, and the way to move it on."""
    at("2026-11-20T10:00")

    def move(wait: timedelta) -> None:
        at((clock.now() + wait).replace(tzinfo=None).isoformat())

    return move
