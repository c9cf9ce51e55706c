"""What open pages and addresses say while something below is away, that nothing is claimed, and that it heals (R7).

The relay's outages stand in tests/mail/transport/test_delivery.py, the clock's in tests/jobs/test_schedule.py.
"""

import json
import re
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect
from sqlalchemy import text
from sqlmodel import select

from clubapp import clock, routes
from clubapp.database import make_engine, reading, transaction
from clubapp.models import Company, Event, EventStatus, Member
from clubapp.services import demo
from clubapp.services.access import sessions
from tests import images
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import asked, database_of, invite, press
from tests.e2e.several_servers import Several, answer, ask, kill, several, workers_of
from tests.e2e.site import EMBEDDED, Site
from tests.servers import Postgres, Redis
from tests.web.plain_document import PlainDocument
from tests.web.tab import Tab

EVENTS = "reflex___state____state.clubapp___pages___admin___events___"
CALENDAR = f"{EVENTS}state____calendar_state"
MEMBERS = "reflex___state____state.clubapp___pages___admin___members___state____members_state"
TOASTS = "reflex___state____state.clubapp___web___screens___toasts____toast_state"
CUT = "Connexion interrompue. Vos saisies restent sur cet écran\u00a0; nouvelle tentative en cours…"
INCIDENT = "Un incident est survenu"
RESPONSE_LOST = "Erreur lors de l'enregistrement de votre réponse"


def admin_cookie(site: Site) -> str:
    with database_of(site), transaction() as session:
        return f"session={sessions.open_session(session, demo.ADMIN_EMAIL)[0]}"


@contextmanager
def full_disk(site: Site) -> Iterator[None]:
    """No process of the site can write a byte into any file, its log included."""
    processes = workers_of(site)
    before = [resource.prlimit(process, resource.RLIMIT_FSIZE) for process in processes]
    for process, (_, most) in zip(processes, before, strict=True):
        resource.prlimit(process, resource.RLIMIT_FSIZE, (0, most))
    yield
    for process, limits in zip(processes, before, strict=True):
        resource.prlimit(process, resource.RLIMIT_FSIZE, limits)


@contextmanager
def stopped(server: Postgres | Redis) -> Iterator[None]:
    """The server is away for as long as the block lasts, and back whatever happened in it."""
    server.stop()
    try:
        yield
    finally:
        server.start()


@pytest.fixture(scope="module")
def two(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Several]:
    """Two processes over PostgreSQL and Redis."""
    with several(tmp_path_factory.mktemp("two") / "data", 2) as made:
        yield made


def test_an_open_screen_says_what_is_wrong_once_and_works_again(own_site: Callable[..., Site]) -> None:
    site = own_site(**EMBEDDED)
    with Tab(site.url, cookie=admin_cookie(site), path="/admin/events") as tab:
        tab.hydrate()
        with site.without_database():
            tab.send(f"{CALENDAR}.load")
            failed, told = tab.receive(5), tab.receive(5)
            assert tab.receive(1) is None
        assert failed is not None
        assert failed["delta"][CALENDAR]["has_failed_rx_state_"]
        assert told is not None
        assert "Une erreur inattendue" in str(told["delta"][TOASTS])
        tab.send(f"{CALENDAR}.load")
        shown = tab.receive(5)
        assert shown is not None
        assert shown["delta"][CALENDAR]["entries_rx_state_"]


@pytest.mark.console_errors("status of 503")
def test_with_members_that_cannot_be_read_whoever_has_a_session_is_told_so(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    """Fails when the directory waits for what it is about to fail to read."""
    site = own_site(**EMBEDDED)
    page = sign_in(new_context(site).new_page(), site, demo.MEMBER_EMAIL)
    with sqlite3.connect(site.data_dir / "club.sqlite3") as database:
        database.execute("PRAGMA legacy_alter_table = ON")
        database.execute("ALTER TABLE members RENAME TO members_away")
    page.goto("/membres")
    told = page.get_by_role("alert").filter(has_text="Erreur de chargement")
    expect(told.get_by_role("button", name="Réessayer")).to_be_visible()


@pytest.mark.console_errors("status of 503")
def test_the_page_of_a_record_that_cannot_be_read_says_so_and_is_read_again(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site(**EMBEDDED)
    page = sign_in(new_context(site).new_page(), site, demo.ADMIN_EMAIL)
    with database_of(site), reading() as session:
        coming = select(Event.id).where(Event.date > clock.now(), Event.status == EventStatus.CONFIRMED)
        event = routes.admin_event(session.exec(coming).all()[0])
        member, company = (session.exec(select(kind.id)).all()[0] for kind in (Member, Company))
    paths = [event, f"{event}/appels", f"{event}/tables", f"{event}/imprimer"]
    paths += [routes.admin_company(company), routes.admin_member(member)]
    told = page.get_by_role("alert").filter(has_text="Cette page n’a pas pu être chargée")
    with sqlite3.connect(site.data_dir / "club.sqlite3") as database:
        database.execute("PRAGMA legacy_alter_table = ON")
        for table in ("event_reservations", "companies"):
            database.execute(f"ALTER TABLE {table} RENAME TO {table}_away")
        database.commit()
        for path in paths:
            page.goto(path)
            expect(told).to_be_visible()
        for table in ("event_reservations", "companies"):
            database.execute(f"ALTER TABLE {table}_away RENAME TO {table}")
    told.get_by_role("button", name="Réessayer").click()
    expect(told).to_have_count(0)
    expect(page.get_by_role("heading", name="Notes")).to_be_visible()


def test_a_full_disk_confirms_nothing_keeps_no_half_and_is_forgotten_once_there_is_room(
    own_site: Callable[..., Site],
) -> None:
    site = own_site(**EMBEDDED)
    invitation, cookie = invite(site, has_lunch=False), admin_cookie(site)
    picture = images.encoded(images.quarters(), "JPEG")
    assert ask(site, "POST", "/images/avatars", picture, Cookie=cookie)[0] == 201
    kept = sorted((site.data_dir / "media").rglob("*.*"))
    with full_disk(site):
        status, page = answer(site, invitation, will_attend="true")
        assert status in (500, 503)
        assert RESPONSE_LOST in PlainDocument(page).text
        status, told = ask(site, "POST", "/images/avatars", picture, Cookie=cookie, Accept="application/json")
        assert status in (500, 503)
        assert "Une erreur inattendue est survenue." in json.loads(told)["text"]
        assert ask(site, "GET", "/membres")[0] == 200
    assert invitation.answer == (None, None, 0)
    assert sorted((site.data_dir / "media").rglob("*.*")) == kept
    assert answer(site, invitation, will_attend="true")[0] == 303
    assert invitation.answer[0] is True
    assert ask(site, "POST", "/images/avatars", picture, Cookie=cookie)[0] == 201


def test_a_database_server_that_goes_away_confirms_nothing_and_is_found_again(two: Several) -> None:
    invitation = invite(two.site, has_lunch=False)
    with stopped(two.postgres):
        status, page = answer(two.site, invitation, will_attend="true")
        assert status in (500, 503)
        assert RESPONSE_LOST in PlainDocument(page).text
        for path in ("/membres", "/health", "/calendrier.ics"):
            assert {status for status, _ in two.get(path, 4)} == {503}
        assert INCIDENT in ask(two.site, "GET", "/calendrier.ics")[1]
    assert {status for status, _ in two.get("/health")} == {200}
    assert invitation.answer == (None, None, 0)
    assert answer(two.site, invitation, will_attend="true")[0] == 303
    assert invitation.answer[0] is True
    assert {status for status, _ in two.get("/membres")} == {200}


def test_a_list_that_cannot_be_read_says_so_whichever_process_was_asked(two: Several) -> None:
    """Fails when what an event changed before it failed stays in a process, and is told to nobody."""
    with Tab(two.site.url, cookie=two.cookie(), path="/admin/sante") as tab:
        tab.hydrate()
        with stopped(two.postgres):
            tab.send(f"{MEMBERS}.load")
            failed = tab.receive(20)
        assert failed is not None
        assert failed["delta"][MEMBERS]["has_failed_rx_state_"]
        tab.send(f"{MEMBERS}.load")
        while (shown := tab.receive(20)) is not None and MEMBERS not in shown["delta"]:
            pass  # what is said of the failure comes first
        assert shown is not None
        assert shown["delta"][MEMBERS]["is_loaded_rx_state_"]
        assert not shown["delta"][MEMBERS]["has_failed_rx_state_"]


@pytest.mark.console_errors("WebSocket", "ERR_CONNECTION_REFUSED", "403")
def test_while_redis_is_away_screens_say_so_and_answers_are_taken(
    two: Several, new_context: Callable[..., BrowserContext]
) -> None:
    """Fails when a page goes on pretending to listen while no process can hear it."""
    invitation = invite(two.site, has_lunch=False)
    context = new_context(two.site)
    screen, page = context.new_page(), context.new_page()
    screen.goto("/membres")
    page.goto(invitation.path)
    with stopped(two.redis):
        expect(screen.get_by_text(CUT)).to_be_visible()
        press(page, "Oui, je viens")
        asked(page, "Combien d’invités vous accompagnent\u00a0?")
        assert {status for status, _ in two.get("/membres")} == {200}
        assert invitation.answer == (True, None, 0)
    expect(screen.get_by_text(CUT)).to_have_count(0)


def test_an_outage_and_a_dead_worker_leave_a_line_each_in_the_log(built: None, tmp_path: Path) -> None:
    """Fails when each press, each job and each page of that minute writes its trace."""
    with several(tmp_path / "data", 2) as two:
        with new_lines(two.site) as killed:
            dead = two.workers[0]
            kill(dead)
            while dead in (living := two.workers) or len(living) < 2:  # until another one takes its place
                two.get("/health", 1)
            tabs = two.tabs(4, cookie=two.cookie(), path="/admin/events")
            for tab in tabs:
                tab.hydrate()
        assert [line for line in killed if "died" in line] == killed, "\n".join(killed)
        assert len(killed) == 1
        for server, name in ((two.redis, "redis"), (two.postgres, "database")):
            with new_lines(two.site) as told, stopped(server):
                for tab in tabs:
                    with suppress(OSError):  # Redis away, the page is cut
                        tab.send(f"{CALENDAR}.load")
                two.get("/membres")
                two.get("/health")
            assert told
            assert len(told) <= len(two.workers), "\n".join(told)
            assert all(name in line.lower() or "connecting to" in line for line in told)


@contextmanager
def new_lines(site: Site) -> Iterator[list[str]]:
    """The records and traces that the block adds to the log, the starts of workers left out."""
    before, found = len(site.log.read_text().splitlines()), list[str]()
    yield found
    added = site.log.read_text().splitlines()[before:]
    found += [line for line in added if re.match(r"\d|.*Traceback", line) and " INFO clubapp." not in line]


def test_a_tab_forgets_everything_when_its_session_has_ended(own_site: Callable[..., Site]) -> None:
    site = own_site()
    with Tab(site.url, cookie=admin_cookie(site), path="/admin") as tab:
        empty = tab.hydrate()["delta"][MEMBERS]
        tab.call(f"{MEMBERS}.load")
        assert tab.hydrate()["delta"][MEMBERS] != empty
        with make_engine(site.database_url).begin() as connection:
            connection.execute(text("UPDATE sessions SET ended_at = '2026-01-01 00:00:00'"))
        assert tab.hydrate()["delta"][MEMBERS] == empty
        assert tab.is_closed_within(5)
