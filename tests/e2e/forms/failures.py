"""An error that nobody foresaw."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import text

from clubapp.database import transaction
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import Site


@contextmanager
def without_audit(site: Site) -> Iterator[None]:
    """Nothing that is recorded can be saved."""
    with database_of(site), transaction() as session:
        session.connection().execute(text("ALTER TABLE acts RENAME TO away"))
    try:
        yield
    finally:
        with database_of(site), transaction() as session:
            session.connection().execute(text("ALTER TABLE away RENAME TO acts"))
