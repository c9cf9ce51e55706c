"""POST /imports/…: a table is kept for an administrator on one of our pages, and for nobody else (W3)."""

import pytest
from sqlmodel import select
from starlette.applications import Starlette
from starlette.testclient import TestClient

from clubapp.database import reading, transaction
from clubapp.models import PendingImport
from clubapp.services.access import sessions
from clubapp.web.endpoints.uploads import file_upload, import_upload
from tests.conftest import on_sqlite
from tests.services.access.sign_ins import HELENE, MARIE
from tests.services.import_export.import_tables import csv_of, line

pytestmark = on_sqlite
ORIGIN = "http://localhost:3000"


@pytest.mark.parametrize(
    ("who", "origin", "status"),
    [
        ("", ORIGIN, 401),
        (MARIE, ORIGIN, 403),
        (HELENE, "https://evil.example", 403),
        (HELENE, "", 403),
        (HELENE, ORIGIN, 201),
    ],
    ids=["visitor", "member", "another site", "no page", "administrator"],
)
def test_only_an_administrator_brings_a_table(known_people: None, who: str, origin: str, status: int) -> None:
    with TestClient(Starlette(routes=import_upload.routes()), base_url=ORIGIN) as client:
        if who:
            with transaction() as session:
                client.cookies.set("session", sessions.open_session(session, who)[0])
        sent = client.post("/imports/members", content=csv_of(line()), headers={"Origin": origin} if origin else {})
    assert sent.status_code == status
    assert (sent.json().get("text") == file_upload.SESSION_ENDED) == (status == 401)
    with reading() as session:
        assert len(session.exec(select(PendingImport)).all()) == (status == 201)
