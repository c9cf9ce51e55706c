"""What open pages and addresses say while a server below is away, that nothing is claimed, and that it heals (R7).

A database file that is away and a full disk stand in test_health.py, the relay's outages in
tests/mail/transport/test_delivery.py, the clock's in tests/jobs/test_schedule.py.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect
from sqlalchemy import text

from clubapp.database import make_engine, transaction
from clubapp.pages.admin.events.state import CalendarState
from clubapp.pages.admin.members.state import MembersState
from clubapp.services import demo
from clubapp.services.access import sessions
from tests.e2e.invitation_steps import database_of, invite
from tests.e2e.several_servers import Several, answer, ask, kill, several
from tests.e2e.site import Site
from tests.servers import Postgres, Redis
from tests.web.plain_document import PlainDocument
from tests.web.tab import Tab

CALENDAR, MEMBERS = CalendarState.get_full_name(), MembersState.get_full_name()
CUT = "Connexion interrompue. Vos saisies restent sur cet écran\u00a0; nouvelle tentative en cours…"
INCIDENT = "Un incident est survenu"
RESPONSE_LOST = "Erreur lors de l'enregistrement de votre réponse"


@contextmanager
def stopped(server: Postgres | Redis) -> Iterator[None]:
    """The server is away for as long as the block lasts, and back whatever happened in it."""
    server.stop()
    try:
        yield
    finally:
        server.start()


@contextmanager
def new_lines(site: Site) -> Iterator[list[str]]:
    """The records and traces that the block adds to the log, the starts of workers left out."""
    before, found = len(site.log.read_text().splitlines()), list[str]()
    yield found
    added = site.log.read_text().splitlines()[before:]
    found += [line for line in added if re.match(r"\d|.*Traceback", line) and " INFO clubapp." not in line]


def are_of_one_outage(told: list[str], name: str, two: Several) -> bool:
    """Whether each process has told of it in a line of its own at most."""
    is_about_it = all(name in line.lower() or "connecting to" in line for line in told)
    return 0 < len(told) <= len(two.workers) and is_about_it


@pytest.fixture(scope="module")
def two(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Several]:
    """Two processes over PostgreSQL and Redis."""
    with several(tmp_path_factory.mktemp("two") / "data", 2) as made:
        yield made


def test_a_worker_that_dies_leaves_one_line_and_has_a_successor(two: Several) -> None:
    with new_lines(two.site) as killed:
        dead = two.workers[0]
        kill(dead)
        while dead in (living := two.workers) or len(living) < 2:  # until another one takes its place
            two.get("/health", 1)
        for tab in two.tabs(4, cookie=two.cookie(), path="/admin/events"):
            tab.hydrate()
            tab.close()
    assert [line for line in killed if "died" in line] == killed, "\n".join(killed)
    assert len(killed) == 1


def told_of_members(tab: Tab) -> dict[str, Any]:
    """What the next update of the list says; toasts and the like come before it."""
    while (update := tab.receive(20)) is not None:
        if told := (update.get("delta") or {}).get(MEMBERS):
            return told
    raise AssertionError("nothing is said of the members")


def test_a_database_server_that_goes_away_confirms_nothing_leaves_a_line_and_is_found_again(two: Several) -> None:
    """Fails when each press, each job and each page of that minute writes its trace.

    And when what an event changed before it failed stays in a process, and is told to nobody.
    """
    invitation = invite(two.site, has_lunch=False)
    tabs = two.tabs(4, cookie=two.cookie(), path="/admin/events")
    list_tab = Tab(two.site.url, cookie=two.cookie(), path="/admin/sante")
    for tab in (*tabs, list_tab):
        tab.hydrate()
    with new_lines(two.site) as told, stopped(two.postgres):
        for tab in tabs:
            tab.send(f"{CALENDAR}.load")
        list_tab.send(f"{MEMBERS}.load")
        failed = told_of_members(list_tab)
        status, page = answer(two.site, invitation, will_attend="true")
        assert status in (500, 503)
        assert RESPONSE_LOST in PlainDocument(page).text
        for path in ("/membres", "/health", "/calendrier.ics"):
            assert {status for status, _ in two.get(path, 4)} == {503}
        assert INCIDENT in ask(two.site, "GET", "/calendrier.ics")[1]
    assert are_of_one_outage(told, "database", two), "\n".join(told)
    assert failed["has_failed_rx_state_"]
    assert {status for status, _ in two.get("/health")} == {200}
    list_tab.send(f"{MEMBERS}.load")
    shown = told_of_members(list_tab)
    assert shown["is_loaded_rx_state_"]
    assert not shown["has_failed_rx_state_"]
    assert invitation.answer == (None, None, 0)
    assert answer(two.site, invitation, will_attend="true")[0] == 303
    assert invitation.answer[0] is True
    assert {status for status, _ in two.get("/membres")} == {200}
    for tab in (*tabs, list_tab):
        tab.close()


@pytest.mark.console_errors("WebSocket", "ERR_CONNECTION_REFUSED", "403")
def test_while_redis_is_away_screens_say_so_answers_are_taken_and_a_line_tells_it(
    two: Several, new_context: Callable[..., BrowserContext]
) -> None:
    """Fails when a page goes on pretending to listen while no process can hear it."""
    invitation = invite(two.site, has_lunch=False)
    screen = new_context(two.site).new_page()
    screen.goto("/membres")
    tabs = two.tabs(4, cookie=two.cookie(), path="/admin/events")
    for tab in tabs:
        tab.hydrate()
    with new_lines(two.site) as told, stopped(two.redis):
        for tab in tabs:
            with suppress(OSError):  # the page is cut
                tab.send(f"{CALENDAR}.load")
        expect(screen.get_by_text(CUT)).to_be_visible()
        assert answer(two.site, invitation, will_attend="true")[0] == 303
        assert {status for status, _ in two.get("/membres")} == {200}
        two.get("/health")
        assert invitation.answer == (True, None, 0)
    assert are_of_one_outage(told, "redis", two), "\n".join(told)
    expect(screen.get_by_text(CUT)).to_have_count(0)


def test_a_tab_forgets_everything_when_its_session_has_ended(site: Site) -> None:
    with database_of(site), transaction() as session:
        cookie, _ = sessions.open_session(session, demo.ADMIN_EMAIL)
    with Tab(site.url, cookie=f"session={cookie}", path="/admin") as tab:
        empty = tab.hydrate()["delta"][MEMBERS]
        tab.call(f"{MEMBERS}.load")
        assert tab.hydrate()["delta"][MEMBERS] != empty
        with make_engine(site.database_url).begin() as connection:
            ended = text("UPDATE sessions SET ended_at = '2026-01-01 00:00:00' WHERE id = :id")
            connection.execute(ended, {"id": cookie.partition(".")[0]})
        assert tab.hydrate()["delta"][MEMBERS] == empty
        assert tab.is_closed_within(5)
