"""A worker that takes another's place while the database is away serves, and claims the database later."""

import pytest

from clubapp.clubapp import _claim_database
from clubapp.infra import server_lock
from clubapp.infra.server_lock import DatabaseInWork
from tests.conftest import forget_settings


def test_a_database_that_is_away_ends_no_worker(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_DATABASE_URL", "postgresql://club@127.0.0.1:1/club")
    forget_settings()
    _claim_database()


@pytest.mark.parametrize("club", ["sqlite"], indirect=True)
def test_a_database_in_work_does(club: str) -> None:
    with server_lock.exclude_servers(), pytest.raises(DatabaseInWork):
        _claim_database()
