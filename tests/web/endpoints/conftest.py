"""The answer page in a browser that runs no script."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from clubapp.clubapp import SCREENS  # noqa: F401 - they say what the documents hold
from clubapp.web.endpoints import answer_page
from tests.services.answers.invitees import NOW, Move
from tests.services.answers.maries_link import invite
from tests.web.plain_visitor import ORIGIN, Person


@pytest.fixture
def visit(club: str, build: Path) -> Iterator[TestClient]:
    """A browser, which follows redirects."""
    with TestClient(Starlette(routes=answer_page.routes()), base_url=ORIGIN) as client:
        yield client


@pytest.fixture
def marie(visit: TestClient, at: Move) -> Callable[..., Person]:
    """Marie Durand at the page of an event: `marie(max_participants=2)`."""
    at(NOW)
    return lambda **event: Person(visit, invite(**event))
