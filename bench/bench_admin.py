"""What an administrator waits for in a browser: a table of 300 members, an answer on the tiles, a list of 5 000."""

import time
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from sqlmodel import col, select

from bench.bench_pages import _browser  # pyright: ignore[reportPrivateUsage]
from bench.figures import Figure
from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Member
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.event_steps import row_of
from tests.e2e.invitation_steps import database_of
from tests.e2e.members.test_import_export import workbook
from tests.e2e.site import Site
from tests.factories import add_event, add_reservation
from tests.web.answer_form import post_answer

ROWS, ANSWERS = 300, 5
FEW, MANY = 50, 5_000
IMPORT_SECONDS, TILE_SECONDS = 10, 2
WATCH_THE_FRAMES = """
window.longest = {frame: 0, task: 0};
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) longest.task = Math.max(longest.task, each.duration);
}).observe({type: "longtask"});
let last = 0;
const frame = (now) => {
  if (last) longest.frame = Math.max(longest.frame, now - last);
  last = now;
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
"""


def measure(folder: Path) -> list[Figure]:
    """Each in Chromium, on an installation of its own."""
    with _browser() as browser:
        few, many = (_scrolled(browser, folder / str(count), count) for count in (FEW, MANY))
        site = Site(folder / "site").start()
        try:
            imported, seen = _imported(browser, site, folder), _seen(browser, site)
        finally:
            site.stop()
    return [
        Figure(
            f"{ROWS} members from an XLSX file, chosen, looked at and imported",
            f"{imported:.1f} s",
            f"limit {IMPORT_SECONDS} s",
        ),
        Figure(
            "an answer on the tiles of an open event",
            f"{seen:.2f} s, the longest of {ANSWERS}",
            f"limit {TILE_SECONDS} s",
        ),
        Figure(f"list of {MANY} members, scrolled, extended and searched", many, f"{few} with {FEW} members"),
    ]


def _signed_in(browser: Browser, site: Site, path: str) -> Page:
    page = browser.new_context(base_url=site.url, locale="fr-FR", viewport={"width": 1280, "height": 800}).new_page()
    page.add_init_script(WATCH_THE_FRAMES)
    return sign_in(page, site, ADMIN_EMAIL, path)


def _imported(browser: Browser, site: Site, folder: Path) -> float:
    with database_of(site), reading() as session:
        company = session.exec(select(Member.company).where(col(Member.company_id).is_not(None))).first()
    assert company
    page, table = _signed_in(browser, site, "/admin/import/membres"), workbook(folder, company, count=ROWS)
    choose = page.locator("input[type=file]")
    expect(choose).to_be_attached()
    begun = time.perf_counter()
    choose.set_input_files(table)
    page.get_by_role("button", name=f"Importer {ROWS} fiches").click()
    expect(page.get_by_role("progressbar", name="Import en cours")).to_be_visible()
    page.get_by_text(f"{ROWS} fiches importées.").wait_for()
    return time.perf_counter() - begun


def _seen(browser: Browser, site: Site) -> float:
    """Seconds from the press of somebody else to the tile 'Présents', at the worst."""
    with database_of(site), transaction() as session:
        event = add_event(session, title="Souper mesuré", date=clock.now() + timedelta(days=700), status="confirmed")
        members = session.exec(select(Member).limit(ANSWERS)).all()
        tokens = [add_reservation(session, event, member)[1] for member in members]
    page, waits = _signed_in(browser, site, "/admin/events"), []
    row_of(page, event.title).get_by_role("button", name="Voir détails").click()
    tile = page.locator("[data-stat=total_attending]")
    expect(tile).to_contain_text("0")
    connection = HTTPConnection("127.0.0.1", site.port)
    for number, token in enumerate(tokens, 1):
        begun = time.perf_counter()
        post_answer(connection, event.id, token, will_attend="true")
        while str(number) not in tile.inner_text():
            time.sleep(0.02)
        waits.append(time.perf_counter() - begun)
    return max(waits)


def _scrolled(browser: Browser, folder: Path, members: int) -> str:
    """The longest the browser was busy, and the longest between two frames."""
    site = Site(folder)
    site.data_dir.mkdir(parents=True)
    site.command("migrate")
    site.command("demo", "--members", str(members))
    site.start()
    try:
        page = _signed_in(browser, site, "/admin/members")
        rows = page.locator("[data-record-id]")
        expect(rows.first).to_be_visible()
        for _ in range(4):
            page.mouse.wheel(0, 4_000)
            page.wait_for_timeout(200)
            more = page.get_by_role("button", name="Afficher plus")
            if more.is_visible():
                more.click()
                page.wait_for_timeout(500)
        page.keyboard.press("Home")
        page.get_by_role("search").get_by_role("searchbox").press_sequentially("durand", delay=80)
        page.wait_for_timeout(1_500)
        longest = page.evaluate("longest")
    finally:
        site.stop()
    return f"longest task {longest['task']:.0f} ms, longest frame {longest['frame']:.0f} ms"
