"""Arrivals of 300 people on a slow phone: how long a touch and a letter of the search take to be seen, and an opening.

The processor is slowed six times. What is waited depends on whatever else runs on this machine; the processor time
that a touch costs stands beside it and does not.
"""

import sys
import time
from datetime import timedelta
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright
from sqlmodel import select

from bench.bench_pages import SLOW_4G
from bench.figures import Figure, percentile
from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Member
from clubapp.services.attendance import helper_link
from clubapp.services.base.actors import SYSTEM
from tests.e2e.conftest import CHROMIUM_FLAGS, chromium
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import Site
from tests.factories import add_event, add_reservation

PEOPLE, TOUCHES, SLOWED, OPENINGS = 300, 60, 6, 5
BETWEEN_MS = 400  # somebody quick, so that the answers to one touch come while the next is made
FINGER_MS = 80  # how long a finger rests on the glass; a touch is waited for from its end
TOUCH_MS, SEARCH_MS, FIRST_MS, NEXT_MS = 100, 150, 2500, 1000
# From the event to the frame that shows what it did; both are stamped by the browser.
WATCH = """
window.waits = { click: [], input: [] };
for (const kind of ["click", "input"]) addEventListener(kind, (event) => {
  if (!event.isTrusted) return;
  const begun = event.timeStamp;
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => window.waits[kind].push(performance.now() - begun);
    port2.postMessage(null);
  });
}, { capture: true });
"""
# Where the middle of a row's button stands, once it is in view.
STANDS_AT = """(number) => {
  const button = document.querySelectorAll("li[data-expected] .press")[number];
  button.scrollIntoView({ block: "center" });
  const { x, y, width, height } = button.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""
BARE = """<!doctype html><meta name="viewport" content="width=device-width"><style>
  li { display: grid; grid-template-columns: 1fr auto; min-height: 76px; }
  button { min-height: 52px; touch-action: manipulation; }
  .done { background: #ecfaf1; }
</style><ul>%s</ul>"""
BARE_ROW = '<li data-expected><span>Personne</span><button class="press">Arrivé</button></li>'
BARE_TOUCH = """addEventListener("click", ({ target }) => {
  target.textContent = "Annuler";
  target.parentNode.classList.add("done");
});"""
SHOWN = "performance.getEntriesByType('paint').find((one) => one.name === 'first-contentful-paint')?.startTime"


def measure(folder: Path) -> list[Figure]:
    """Touches, letters and openings, each with its limit."""
    site = Site(folder / "arrivals")
    site.data_dir.mkdir(parents=True, exist_ok=True)
    site.command("migrate")
    site.command("demo", "--members", str(PEOPLE))
    with database_of(site), transaction() as session:
        event = add_event(session, date=clock.now() + timedelta(days=900), status="confirmed")
        for member in session.exec(select(Member).limit(PEOPLE)):
            add_reservation(session, event, member, will_attend=True, with_lunch=True)
        link = helper_link.make_link(session, SYSTEM, event.id).address
    site.start()
    try:
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
            return [*_used(browser, link), *_opened(browser, site, link)]
    finally:
        site.stop()


def _phone(browser: Browser) -> tuple[Page, CDPSession]:
    context = browser.new_context(
        locale="fr-FR", viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True
    )
    page = context.new_page()
    page.add_init_script(WATCH)
    devtools = context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    return page, devtools


def _open(page: Page, link: str) -> None:
    page.goto(link)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")


def _touch_rows(page: Page, devtools: CDPSession) -> None:
    for number in range(TOUCHES):
        # A finger on the glass: a locator's own checks would run in the slowed page and be measured with the touch.
        x, y = page.evaluate(STANDS_AT, number)
        page.wait_for_timeout(BETWEEN_MS / 2)
        devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        page.wait_for_timeout(FINGER_MS)
        devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_timeout(BETWEEN_MS / 2)


def _touched_bare(browser: Browser) -> float:
    """The same touches on a list that does nothing else, milliseconds at p95."""
    page, devtools = _phone(browser)
    page.set_content(BARE % (BARE_ROW * PEOPLE))
    page.evaluate(WATCH + BARE_TOUCH)
    _touch_rows(page, devtools)
    waits = page.evaluate("window.waits.click")
    page.context.close()
    return percentile(waits, 0.95)


def _used(browser: Browser, link: str) -> list[Figure]:
    page, devtools = _phone(browser)
    _open(page, link)
    page.locator("li[data-expected]").first.wait_for()
    before = _processor_ms(devtools)
    _touch_rows(page, devtools)
    spent = (_processor_ms(devtools) - before) / TOUCHES
    idle = _processor_ms(devtools)
    page.wait_for_timeout(TOUCHES * BETWEEN_MS)
    idle = (_processor_ms(devtools) - idle) / TOUCHES
    for wanted in ("lefebvre", "durand", "martin"):
        page.locator("#search").fill("")
        page.keyboard.type(wanted, delay=BETWEEN_MS)
    waits = {kind: page.evaluate(f"window.waits.{kind}") for kind in ("click", "input")}
    page.context.close()
    bare = _touched_bare(browser)
    assert len(waits["click"]) >= TOUCHES
    where = f"{PEOPLE} people, processor slowed {SLOWED} times"
    return [
        Figure(
            f"a touch at the arrivals, {where}, p95 of {TOUCHES}",
            f"{percentile(waits['click'][:TOUCHES], 0.95):.0f} ms",
            f"limit {TOUCH_MS} ms; {bare:.0f} ms on a bare list; "
            f"{spent:.1f} ms of the processor each, sending included; {idle:.1f} without a touch",
        ),
        Figure(
            f"a letter of the search, {where}, p95",
            f"{percentile(waits['input'], 0.95):.0f} ms",
            f"limit {SEARCH_MS} ms",
        ),
    ]


def _opened(browser: Browser, site: Site, link: str) -> list[Figure]:
    first, again = list[float](), list[float]()
    for _ in range(OPENINGS):
        page, devtools = _phone(browser)
        devtools.send("Network.enable")
        devtools.send("Network.emulateNetworkConditions", SLOW_4G)
        _open(page, link)
        first.append(page.evaluate(SHOWN))
        kept = page.evaluate("location.pathname")
        page.evaluate("(base) => caches.match(base).then(Boolean)", kept)
        time.sleep(1)
        page.context.set_offline(True)
        page.goto(site.url + kept)
        again.append(page.evaluate(SHOWN))
        page.context.close()
    return [
        Figure(
            f"first opening of the arrivals, slow 4G, processor slowed {SLOWED} times, worst of {OPENINGS}",
            f"{max(first) / 1000:.2f} s",
            f"limit {FIRST_MS / 1000:.1f} s",
        ),
        Figure(
            "the next opening, without network",
            f"{max(again) / 1000:.2f} s",
            f"limit {NEXT_MS / 1000:.1f} s",
        ),
    ]


def _processor_ms(devtools: CDPSession) -> float:
    """What the page's main thread has used of the processor, in milliseconds, as if nothing slowed it."""
    named = {one["name"]: one["value"] for one in devtools.send("Performance.getMetrics")["metrics"]}
    return named["TaskDuration"] * 1000


if __name__ == "__main__":
    for figure in measure(Path(sys.argv[1])):
        print(figure)
