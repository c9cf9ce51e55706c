"""A club that sends its mail to a real SMTP server."""

from collections.abc import Iterator

import pytest

from tests.conftest import forget_settings
from tests.smtp_server import Relay, running_relay


@pytest.fixture
def relay(club: str, environment: pytest.MonkeyPatch) -> Iterator[Relay]:
    """The relay that the club of this test is configured with."""
    with running_relay() as running:
        environment.setenv("CLUB_SMTP_URL", running.url)
        forget_settings()
        yield running
