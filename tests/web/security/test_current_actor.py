"""Who a request comes from, also while the people cannot be read."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import text
from starlette.requests import HTTPConnection

from clubapp.database import transaction
from clubapp.services.access import sessions
from clubapp.web.security.current_actor import session_id_of
from tests.factories import add_admin

HELENE = "helene@beffroi.example"


def connection(cookie: str) -> HTTPConnection:
    return HTTPConnection({"type": "websocket", "headers": [(b"cookie", f"session={cookie}".encode())]})


@contextmanager
def without(table: str) -> Iterator[None]:
    """A table that cannot be read."""
    with transaction() as session:
        session.execute(text(f"ALTER TABLE {table} RENAME TO away"))
    try:
        yield
    finally:
        with transaction() as session:
            session.execute(text(f"ALTER TABLE away RENAME TO {table}"))


@pytest.mark.parametrize("table", ["members", "admins"])
def test_a_living_session_is_known_while_its_person_cannot_be_read(club: str, table: str) -> None:
    with transaction() as session:
        add_admin(session, HELENE)
        cookie, _ = sessions.open_session(session, HELENE)
    with without(table):
        known, forged = (asyncio.run(session_id_of(connection(shown))) for shown in (cookie, f"{cookie[:-4]}beef"))
    assert known == cookie.partition(".")[0]
    assert forged is None
