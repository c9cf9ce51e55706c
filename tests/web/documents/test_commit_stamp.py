"""What is kept in memory is made again after any change, whoever makes it, and only then."""

import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import select
from starlette.testclient import TestClient

from clubapp import database, routes
from clubapp.database import reading, transaction
from clubapp.models import Member
from clubapp.services.directory import for_visitors
from clubapp.settings import settings
from clubapp.web.documents import commit_stamp
from tests.factories import add_member


def _stamp() -> str:
    return anyio.run(commit_stamp.read_stamp)


def test_every_commit_changes_the_stamp_and_nothing_else_does(club: str) -> None:
    first = _stamp()
    with reading() as session:
        for_visitors.search_members(session)
    assert _stamp() == first
    with transaction() as session:
        add_member(session)
    second = _stamp()
    assert second != first
    with transaction() as session:
        session.exec(select(Member)).one().role = "Gérante"
    assert _stamp() not in (first, second)


def test_another_process_is_noticed(club: str) -> None:
    before = _stamp()
    command = [sys.executable, "-m", "clubapp", "admin", "add", "helene@beffroi.example"]
    subprocess.run(command, check=True, capture_output=True, cwd=Path(__file__).parents[3])
    assert _stamp() != before


def test_a_database_that_was_replaced_is_another_one(environment: pytest.MonkeyPatch, migrated_sqlite: Path) -> None:
    file = settings().data_dir / "club.sqlite3"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(migrated_sqlite.read_bytes())
    before = _stamp()
    file.unlink()
    with pytest.raises(SQLAlchemyError):
        _stamp()
    file.write_bytes(migrated_sqlite.read_bytes())
    assert _stamp() != before


def test_a_page_is_made_once_until_something_changes(visit: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    with transaction() as session:
        someone = add_member(session, name="Zoé Lefèbvre", role="Gérante").id
    searched: list[str] = []
    search = for_visitors.search_members
    monkeypatch.setattr(for_visitors, "search_members", lambda *given: searched.append("once") or search(*given))
    first = visit.get("/membres")
    assert visit.get("/membres").headers["etag"] == first.headers["etag"]
    assert searched == ["once"]
    profile = visit.get(routes.member_profile(someone))
    with transaction() as session:
        session.get_one(Member, someone).role = "Présidente"
    for path, old in (("/membres", first), (routes.member_profile(someone), profile)):
        seen = {"if-none-match": old.headers["etag"]}
        answer = visit.get(path, headers=seen)
        assert answer.status_code == 200
        assert "Présidente" in answer.text
        assert "Gérante" not in answer.text
    with transaction() as session:
        session.get_one(Member, someone).is_active = False
    assert visit.get(routes.member_profile(someone)).status_code == 404
    assert "Zoé Lefèbvre" not in visit.get("/membres").text


def test_a_stamp_that_many_share_knows_of_this_process_at_once_and_of_others_soon(club: str) -> None:
    async def look() -> None:
        first = await commit_stamp.read_recent_stamp()
        assert await commit_stamp.read_recent_stamp() == first
        with transaction() as session:
            add_member(session)
        second = await commit_stamp.read_recent_stamp()
        assert second != first
        with database.engine().begin() as elsewhere:  # what no session of this process commits
            elsewhere.exec_driver_sql("UPDATE members SET role = 'Gérante'")
        await anyio.sleep(commit_stamp.RECENT_SECONDS * 1.5)
        assert await commit_stamp.read_recent_stamp() not in (first, second)

    anyio.run(look)
