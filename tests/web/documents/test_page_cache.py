"""A page is made once, until what it shows has changed; nothing a visitor writes into an address makes it anew."""

import asyncio
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
from sqlalchemy.exc import OperationalError
from sqlmodel import select
from starlette.requests import Request
from starlette.testclient import TestClient

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Event
from clubapp.services.base.actors import Actor
from clubapp.web.documents import commit_stamp, html_shell, page_cache, routes
from clubapp.web.security.current_actor import actor_of
from tests.factories import add_event, add_member

Move = Callable[[str], datetime]
PAGE = {"accept": "text/html"}
OF_DATA = ["/", "/membres", "/membres?domaine=batiment-travaux", "/calendrier.ics"]
FIXED = ["/mentions-legales", "/confidentialite", "/connexion", "/connexion?motif=expiree", "/nulle-part"]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, at: Move) -> list[str]:
    """The routes whose documents were made, in turn, within one minute."""
    at("2026-11-20T10:00")
    seen: list[str] = []
    make = html_shell.build_document
    monkeypatch.setattr(html_shell, "build_document", lambda *given: seen.append(given[1]) or make(*given))
    return seen


def confirmed(title: str, local: str = "2026-12-10T12:00") -> None:
    with transaction() as session:
        add_event(session, title=title, date=clock.from_local(local), status="confirmed")


@pytest.mark.parametrize("path", ["/", "/membres", *FIXED])
def test_a_document_is_made_once(visit: TestClient, made: list[str], path: str) -> None:
    answers = [visit.get(path, headers=PAGE) for _ in range(3)]
    assert len({answer.headers["etag"] for answer in answers}) == len({answer.text for answer in answers}) == 1
    assert len(made) == 1


@pytest.mark.parametrize("path", OF_DATA)
def test_what_shows_data_says_otherwise_right_after_a_commit(visit: TestClient, at: Move, path: str) -> None:
    at("2026-11-20T10:00")
    before = visit.get(path)
    assert visit.get(path, headers={"if-none-match": before.headers["etag"]}).status_code == 304
    confirmed("Visite de l'écluse")
    with transaction() as session:
        add_member(session, name="Zoé Lefèbvre", activity_domain="Bâtiment & Travaux")
    after = visit.get(path, headers={"if-none-match": before.headers["etag"]})
    assert after.status_code == 200
    assert "Visite de l" in after.text or "Zoé Lefèbvre" in after.text
    with transaction() as session:
        session.exec(select(Event)).one().status = "cancelled"
    assert "Visite de l" not in visit.get(path).text


@pytest.mark.parametrize("path", FIXED)
def test_what_shows_no_data_outlives_every_commit(visit: TestClient, made: list[str], path: str) -> None:
    before = visit.get(path, headers=PAGE)
    with transaction() as session:
        add_member(session)
    assert visit.get(path, headers=PAGE).text == before.text
    assert len(made) == 1


def test_an_event_is_announced_until_it_begins(visit: TestClient, at: Move) -> None:
    at("2026-11-20T10:00")
    confirmed("Visite de l’écluse", "2026-11-20T12:30")
    confirmed("Marché de Noël", "2026-12-10T12:00")
    assert "Visite de l’écluse" in visit.get("/").text
    at("2026-11-20T11:29:59.999999")
    first = visit.get("/")
    assert "Visite de l’écluse" in first.text
    at("2026-11-20T11:30")
    second = visit.get("/", headers={"if-none-match": first.headers["etag"]})
    assert "Visite de l’écluse" not in second.text
    assert "Marché de Noël" in second.text


def test_a_new_build_is_seen(visit: TestClient, build: Path) -> None:
    visit.get("/connexion")
    built = build / "connexion.html"
    built.write_text(built.read_text().replace("<div>React</div>", "<div>Newer</div>"))
    assert "<div>Newer</div>" in visit.get("/connexion").text


@pytest.mark.parametrize("path", ["/", "/mentions-legales", "/connexion", "/calendrier.ics", "/membres"])
def test_what_a_visitor_adds_to_an_address_is_not_kept(visit: TestClient, made: list[str], path: str) -> None:
    first = visit.get(path)
    names = len(page_cache._entries)
    for number in range(page_cache.MOST + 1):
        assert visit.get(path, params={"x": str(number), "suite": f"/{number}"}).text == first.text
    assert len(page_cache._entries) == names
    assert len(made) < 5  # one, and one more after each time that PostgreSQL cleaned up: its own commits count too


def test_neither_searches_nor_unknown_addresses_push_a_page_out(visit: TestClient, made: list[str]) -> None:
    visit.get("/mentions-legales")  # of no data: PostgreSQL's own housekeeping is no commit of ours
    for number in range(page_cache.MOST + 1):
        visit.get("/membres", params={"q": f"mot {number}"})
        visit.get("/membres", params={"page": str(number + 1)})
        visit.get("/membres", params={"domaine": f"domaine {number}"})
        visit.get(f"/membres/{number}")
        visit.get(f"/nulle-part/{number}", headers=PAGE)
        visit.get("/connexion", params={"motif": str(number)})
    visit.get("/mentions-legales")
    assert made.count("/mentions-legales") == 1
    assert made.count("/404") == made.count("/connexion") == 1


def test_a_404_stays_one(visit: TestClient) -> None:
    first = visit.get("/nulle-part", headers=PAGE)
    again = visit.get("/ailleurs", headers=PAGE | {"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.headers["cache-control"]) == (404, "no-store")
    assert again.text == first.text


def test_pages_stay_up_while_the_database_is_away(visit: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*given: object) -> None:
        raise OperationalError("select", {}, Exception("gone"))

    monkeypatch.setattr(commit_stamp, "read_stamp", gone)
    monkeypatch.setattr(routes, "read", gone)
    monkeypatch.setattr(routes, "actor_of", gone)
    visit.cookies.set("session", "somebody’s".encode().hex())
    for path in ("/", "/connexion", "/mentions-legales", "/confidentialite"):
        answer = visit.get(path)
        assert answer.status_code == 200
        assert "<first-paint" in answer.text


def test_the_sign_in_page_says_what_the_address_and_the_session_tell(
    visit: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, expired = visit.get("/connexion"), visit.get("/connexion?motif=expiree")
    assert "Se connecter par email" in plain.text
    assert "Cercle du Beffroi" in plain.text
    assert "Session expirée" not in plain.text
    assert "Session expirée" in expired.text

    async def someone(request: Request) -> Actor:
        return Actor(email="marie@durand.example", member_id="m", session_id="s")

    monkeypatch.setattr(routes, "actor_of", someone)
    visit.cookies.set("session", "of-marie")
    known = visit.get("/connexion")
    assert known.headers["cache-control"] == "no-store"
    assert "marie@durand.example" in known.text
    assert re.search(r'<a [^>]*href="/member"[^>]*>Ouvrir mon espace</a>', known.text)
    monkeypatch.setattr(routes, "actor_of", actor_of)
    assert visit.get("/connexion").text == plain.text


def test_those_who_ask_together_wait_for_one_making() -> None:
    begun: list[str] = []

    async def slow() -> str:
        begun.append("once")
        await anyio.sleep(0.05)
        return "page"

    async def ask() -> None:
        leaving = asyncio.ensure_future(page_cache.get_or_make("together", "1", slow))
        waiting = [asyncio.ensure_future(page_cache.get_or_make("together", "1", slow)) for _ in range(5)]
        await anyio.sleep(0.01)
        leaving.cancel()
        assert await asyncio.gather(*waiting) == ["page"] * 5
        assert await page_cache.get_or_make("together", "2", slow) == "page"

    asyncio.run(ask())
    assert begun == ["once", "once"]


def test_what_could_not_be_made_is_tried_again() -> None:
    async def fails() -> str:
        raise OperationalError("select", {}, Exception("gone"))

    async def works() -> str:
        return "page"

    async def ask() -> str:
        with pytest.raises(OperationalError):
            await page_cache.get_or_make("again", "1", fails)
        await anyio.lowlevel.checkpoint()
        assert "again" not in page_cache._entries
        return await page_cache.get_or_make("again", "1", works)

    assert asyncio.run(ask()) == "page"
