"""The two screens an administration is built around, first opened on slow 4G with the processor slowed four times."""

from collections.abc import Callable
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page
from sqlmodel import col, select

from bench.bench_pages import SLOW_4G, _browser  # pyright: ignore[reportPrivateUsage]
from bench.figures import Figure
from clubapp import clock, routes
from clubapp.database import reading
from clubapp.models import Event
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import Site

SLOWED, VISITS, MOVES = 4, 3, 6
READ_MS = 5000  # nobody leaves 'Aujourd'hui' before they have looked at it
LOOK_MS = 1500  # nor another screen at the moment its head stands
PAINT_SECONDS, USABLE_SECONDS, MOVE_SECONDS = 1.0, 3.0, 0.3
# Milliseconds since the address was opened, or since the press, until something of the screen's own data stands in it.
STANDS = """([what, since]) => new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error(`never seen: ${what}`)), 15000);
  const look = () => window.isAlive && document.querySelector(what)?.checkVisibility()
    ? resolve(performance.now() - since) : requestAnimationFrame(look);
  requestAnimationFrame(look);
})"""
PAINT = "performance.getEntriesByType('paint').find((one) => one.name === 'first-contentful-paint').startTime"
TODAY, MEETING = ".today-meeting-title", ".meeting-main"


def measure(folder: Path) -> list[Figure]:
    """First paint and use of 'Aujourd'hui' and of an event's page, and the way between them."""
    site = Site(folder / "cockpit").start()
    try:
        with database_of(site), reading() as session:
            upcoming = select(Event.id).where(Event.date > clock.now(), Event.status == "confirmed")
            meeting = routes.admin_event(session.exec(upcoming.order_by(col(Event.date))).first() or "")
        with _browser() as browser:
            opened = {
                name: [_open(browser, site, path, what) for _ in range(VISITS)]
                for name, path, what in (
                    ("'Aujourd'hui'", routes.ADMIN_TODAY, TODAY),
                    ("the page of an event", meeting, MEETING),
                )
            }
            moves = _move(browser, site, meeting)
    finally:
        site.stop()
    where = f"slow 4G, {SLOWED}x CPU"
    return [
        Figure(
            f"first visit of {name}, {where}",
            f"first paint {median(one[0] for one in visits):.2f} s, usable {median(one[1] for one in visits):.2f} s",
            f"limits {PAINT_SECONDS} s and {USABLE_SECONDS} s",
        )
        for name, visits in opened.items()
    ] + [
        Figure(
            f"from one of them to the other and back, {where}",
            f"{median(moves):.2f} s, the first {moves[0]:.2f} s",
            f"limit {MOVE_SECONDS} s",
        )
    ]


def _slow(browser: Browser, site: Site) -> tuple[Page, Callable[[], None]]:
    """A signed-in page of a browser that has fetched nothing yet, and what slows it."""
    context = browser.new_context(base_url=site.url, locale="fr-FR", viewport={"width": 390, "height": 844})
    page = sign_in(context.new_page(), site, ADMIN_EMAIL)
    devtools = context.new_cdp_session(page)

    def slow() -> None:
        devtools.send("Network.enable")
        devtools.send("Network.clearBrowserCache")
        devtools.send("Network.emulateNetworkConditions", SLOW_4G)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})

    return page, slow


def _open(browser: Browser, site: Site, path: str, what: str) -> tuple[float, float]:
    page, slow = _slow(browser, site)
    slow()
    page.goto(path, wait_until="commit")
    usable = page.evaluate(STANDS, [what, 0]) / 1000
    paint = page.evaluate(PAINT) / 1000
    page.context.close()
    return paint, usable


def _move(browser: Browser, site: Site, meeting: str) -> list[float]:
    page, slow = _slow(browser, site)
    slow()
    page.goto(routes.ADMIN_TODAY)
    page.evaluate(STANDS, [TODAY, 0])
    page.wait_for_timeout(READ_MS)
    took = list[float]()
    for number in range(MOVES):
        address, what = ((meeting, MEETING), (routes.ADMIN_TODAY, TODAY))[number % 2]
        page.evaluate(
            "(to) => [...document.querySelectorAll(`a[href='${to}']`)].find((a) => a.checkVisibility()).focus()",
            address,
        )
        since = page.evaluate("performance.now()")
        page.keyboard.press("Enter")
        took.append(page.evaluate(STANDS, [what, since]) / 1000)
        page.wait_for_timeout(LOOK_MS)
    page.context.close()
    return took
