"""The Santé screen in front of a fault, its mending and an outage; the log and the figures beside it (W11).

The tests share one server whose relay is away, and begin with the one that reads its log (R7).
"""

import json
import re
import resource
import shutil
import sqlite3
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from sqlmodel import select

from clubapp import clock, routes
from clubapp.clubapp import SCREENS
from clubapp.database import reading, transaction
from clubapp.models import Company, Event, EventStatus, Member
from clubapp.pages.admin.call_list.state import CallListState
from clubapp.pages.admin.companies.company_page_state import CompanyRecordState
from clubapp.pages.admin.events.meeting.state import MeetingState
from clubapp.pages.admin.events.state import CalendarState
from clubapp.pages.admin.members.person_state import MemberRecordState
from clubapp.pages.admin.printing.state import PrintingState
from clubapp.pages.admin.seating.state import TablesState
from clubapp.services.access import sessions
from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from clubapp.web.screens.toasts import ToastState
from tests import images
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier, invite
from tests.e2e.several_servers import answer, ask, workers_of
from tests.e2e.site import EMBEDDED, Site
from tests.servers import free_port
from tests.smtp_server import running_relay
from tests.web.plain_document import PlainDocument
from tests.web.tab import Tab

HANDLER = "pages.admin.health.state.HealthState"
CALENDAR, TOASTS = CalendarState.get_full_name(), ToastState.get_full_name()
RESPONSE_LOST = "Erreur lors de l'enregistrement de votre réponse"
KINDS = {"company_id": Company, "member_id": Member}
# The pages of one record, with what reads each.
RECORDS = {
    routes.ADMIN_EVENT: MeetingState,
    routes.CALLING_LIST: CallListState,
    routes.ADMIN_TABLES: TablesState,
    routes.ADMIN_PRINTING: PrintingState,
    routes.ADMIN_COMPANY: CompanyRecordState,
    routes.ADMIN_MEMBER: MemberRecordState,
}
UNREAD = "Cette page n’a pas pu être chargée"


@pytest.fixture(scope="module")
def site(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server whose relay does not listen, with what the shared one began with."""
    environment = {**EMBEDDED, "CLUB_SMTP_URL": f"smtp://127.0.0.1:{free_port()}", "CLUB_LOG_FORMAT": "json"}
    made = Site(tmp_path_factory.mktemp("faulty") / "data", environment=environment)
    if site.is_embedded:
        shutil.copytree(site.demo_dir, made.data_dir)
    yield made.start()
    made.stop()


def admin_cookie(site: Site) -> str:
    with database_of(site), transaction() as session:
        return f"session={sessions.open_session(session, ADMIN_EMAIL)[0]}"


def logged(site: Site) -> list[dict[str, Any]]:
    """Every line of the log; what is no JSON fails the test."""
    return [json.loads(line) for line in site.log.read_text().splitlines() if line]


def reference_told(page: Page) -> str:
    """What a person is asked to pass on."""
    told = page.get_by_text("transmettez-nous la référence").first.inner_text()
    (reference,) = re.findall(r"référence ([0-9A-F]{8})", told)
    return reference


def figures_of(site: Site) -> str:
    with urllib.request.urlopen(f"{site.url}/metrics", timeout=10) as answer:
        return answer.read().decode()


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
def unreadable(site: Site, *tables: str) -> Iterator[None]:
    """What these tables hold cannot be read for as long as the block lasts."""
    with closing(sqlite3.connect(site.data_dir / "club.sqlite3")) as database:
        database.execute("PRAGMA legacy_alter_table = ON")
        for table in tables:
            database.execute(f"ALTER TABLE {table} RENAME TO {table}_away")
        database.commit()
        try:
            yield
        finally:
            for table in tables:
                database.execute(f"ALTER TABLE {table}_away RENAME TO {table}")
            database.commit()


@pytest.mark.console_errors("503")
def test_a_fault_is_told_with_its_mend_and_goes_when_it_is_mended(page: Page, site: Site) -> None:
    sign_in(page, site, ADMIN_EMAIL, "/admin/sante")
    fault, port = page.locator("[data-health=ill]"), urlsplit(site.environment["CLUB_SMTP_URL"]).port
    assert port
    expect(page.get_by_text("1 panne")).to_be_visible()
    expect(fault).to_contain_text("Envoi des e-mails")
    expect(fault).to_contain_text(f"127.0.0.1:{port}, connexion\u00a0: rien n’écoute")
    expect(fault).to_contain_text("Que faire\u00a0: Vérifiez CLUB_SMTP_URL.")
    page.set_viewport_size({"width": 320, "height": 800})
    has_no_barrier(page)
    fits(page)

    with running_relay(port):
        page.get_by_role("button", name="Vérifier maintenant").click()
        expect(page.get_by_text("1 point à voir")).to_be_visible()
        expect(page.locator("[data-health=doubtful]")).to_contain_text("Sauvegardes")
    expect(page.get_by_text("Dernier passage à").first).to_be_visible()

    with site.without_database():
        page.get_by_role("button", name="Vérifier maintenant").click()
        reference = reference_told(page)
        figures = figures_of(site)
        assert "club_database_up 0.0" in figures
    page.get_by_role("button", name="Vérifier maintenant").click()

    (line,) = [line for line in logged(site) if "does not answer" in line["message"]]
    assert line["level"] == "error"
    assert line["reference"] == reference, "what is shown names the one line"
    assert f"{HANDLER}.look_again" in figures
    assert 'club_job_failed{job="send-mail"}' in figures


def test_an_open_screen_says_what_is_wrong_once_and_works_again(site: Site) -> None:
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
def test_what_cannot_be_read_is_said_to_be_so_and_is_read_again(
    page: Page, site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    """Fails when the directory, for whoever has a session, waits for what it is about to fail to read."""
    with database_of(site), reading() as session:
        coming = select(Event.id).where(Event.date > clock.now(), Event.status == EventStatus.CONFIRMED)
        ids = {"event_id": session.exec(coming).all()[0]}
        ids |= {name: session.exec(select(kind.id)).all()[0] for name, kind in KINDS.items()}
    sign_in(page, site, ADMIN_EMAIL)
    with unreadable(site, "event_reservations", "companies"):
        page.goto(routes.admin_event(ids["event_id"]))
        told = page.get_by_role("alert").filter(has_text=UNREAD)
        expect(told).to_be_visible()
        assert reference_told(page) in {line["reference"] for line in logged(site) if line["level"] == "error"}
        for route, state in RECORDS.items():
            fails_to_read(site, re.sub(r"\[(\w+)\]", lambda found: ids[found[1]], route), state.get_full_name())
    told.get_by_role("button", name="Réessayer").click()
    expect(told).to_have_count(0)
    expect(page.get_by_role("heading", name="Intervenants")).to_be_visible()

    member = sign_in(new_context(site).new_page(), site, MEMBER_EMAIL)
    with unreadable(site, "members"):
        member.goto("/membres")
        told = member.get_by_role("alert").filter(has_text="Erreur de chargement")
        expect(told.get_by_role("button", name="Réessayer")).to_be_visible()


def fails_to_read(site: Site, path: str, state: str) -> None:
    """The screen at a path learns that what it shows could not be read."""
    with Tab(site.url, cookie=admin_cookie(site), path=path) as tab:
        tab.hydrate()
        tab.send(f"{state}.load")
        failed = tab.receive(10)
    assert failed is not None, path
    assert failed["delta"][state]["has_failed_rx_state_"], path


def test_the_page_of_every_record_says_that_it_cannot_be_read() -> None:
    """A browser is shown that on one of them: the part is the same."""
    pages = {page.route: page for screen in SCREENS for page in screen.PAGES}
    assert {route for route in pages if route.startswith("/admin") and "[" in route} == set(RECORDS)
    for route, state in RECORDS.items():
        shown = str(pages[route].content())
        assert json.dumps(UNREAD)[1:-1] in shown, route
        assert f"{state.get_full_name().replace('.', '__')}.has_failed" in shown, route


def test_a_full_disk_confirms_nothing_keeps_no_half_and_is_forgotten_once_there_is_room(site: Site) -> None:
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
