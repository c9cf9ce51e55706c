"""What several files of services begin with: a relay, a clock, people, an announced event, an empty place."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clubapp import migrations
from clubapp.database import transaction
from tests.conftest import database_at, forget_settings
from tests.factories import add_admin, add_company, add_event, add_member, add_reservation
from tests.services.access.sign_ins import HELENE, MARIE
from tests.services.answers.invitees import NOW
from tests.services.backups.club_copies import Move

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
def atelier(club: str) -> None:
    """The company that the members of a table work for."""
    with transaction() as session:
        add_company(session, "Atelier", activity_domain="Bâtiment & Travaux")


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


@pytest.fixture
def move(environment: pytest.MonkeyPatch, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Move]:
    """`move("postgres")`: from here on, an empty place on that engine, without any schema."""
    places, is_postgres_used = 0, False

    def to(engine: str) -> None:
        nonlocal places, is_postgres_used
        places += 1
        environment.setenv("CLUB_DATA_DIR", str(tmp_path / f"place-{places}"))
        environment.delenv("CLUB_DATABASE_URL", raising=False)
        if engine == "postgres":
            environment.setenv("CLUB_DATABASE_URL", request.getfixturevalue("postgres_url"))
        forget_settings()
        migrations.create_schema()
        if engine == "postgres":
            is_postgres_used = True
            with transaction() as session:
                session.connection().exec_driver_sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")

    yield to
    if is_postgres_used:  # the tests to come find the newest schema
        with database_at(request.getfixturevalue("postgres_url")):
            migrations.migrate()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a backup goes."""
    return tmp_path / "club.zip"
