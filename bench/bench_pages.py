"""What a first visit weighs, and when its content stands on a slow phone, without moving."""

import re
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from bench import weight
from bench.figures import UVICORN, Figure
from clubapp.serving.server import _REFLEX  # pyright: ignore[reportPrivateUsage]
from tests.e2e.conftest import CHROMIUM_FLAGS, found_chromium
from tests.e2e.site import ROOT, Site

VISITS = 5
SETTLING_SECONDS = 3
LIMIT_KB, FIRST_PAINT_KB = 195, 25
LIMIT_PAINT_SECONDS = 1.0
# Slow 4G: 1.6 Mbit/s down, 0.75 up, 150 ms there and back.
SLOW_4G = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 0.75e6 / 8,
}
WATCH_THE_LIST = """
(() => {
  const look = () => {
    const cards = [...document.querySelectorAll(':is(main, [role=main]) a[href^="/membres/"]')];
    if (cards.length >= 20 && cards[0].getBoundingClientRect().height > 0) window.listStoodAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
"""


# The last entry is the largest so far.
WATCH_PAINTS = """
window.largest = window.moved = 0;
new PerformanceObserver((seen) => {
  for (const entry of seen.getEntries()) window.largest = entry.startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((seen) => {
  for (const entry of seen.getEntries()) window.moved += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


def measure(folder: Path) -> list[Figure]:
    """Weights of the four kinds of pages; when what they show stands, with the first paint and without."""
    site, bare = Site(folder / "site"), Site(folder / "bare")
    with _browser() as browser, _served(site), _without_first_paint(bare):
        weights = list(_weighed(browser, site, bare))
        _time_to_list(browser, site.url)
        times = [_time_to_list(browser, site.url) for _ in range(VISITS)]
        plain = [_time_to_list(browser, bare.url) for _ in range(VISITS)]
        painted = [_painted(browser, site, bare, path) for path in ("/", "/connexion")]
    return [
        *weights,
        *painted,
        Figure(
            "list visible on `/membres`, slow 4G, 4x CPU",
            f"{statistics.median(times) / 1000:.2f} s",
            f"{statistics.median(plain) / 1000:.2f} s without the first paint",
        ),
    ]


@contextmanager
def _browser() -> Iterator[Browser]:
    path = found_chromium()
    if path is None:
        sys.exit("Chromium manque : apt-get install chromium-headless-shell")
    with sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield made
        made.close()


@contextmanager
def _served(site: Site) -> Iterator[None]:
    site.start()
    try:
        yield
    finally:
        site.stop()


@contextmanager
def _without_first_paint(site: Site) -> Iterator[None]:
    """The same server with empty documents."""
    site.command("demo")
    with site.log.open("ab") as log:
        process = subprocess.Popen(
            [*UVICORN, "--factory", "--port", str(site.port), "bench.without_first_paint:app"],
            cwd=ROOT,
            env=site.variables() | _REFLEX,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    site.process = process
    until = time.monotonic() + 60
    while not site.answers():
        if time.monotonic() > until or process.poll() is not None:
            raise SystemExit(site.tail())
        time.sleep(0.1)
    try:
        yield
    finally:
        site.stop()


def _weighed(browser: Browser, site: Site, bare: Site) -> Iterator[Figure]:
    """Weights of the four kinds of pages, beside the same pages without their first paint."""
    someone, company = _a_member_with_a_company(site)
    for name, path in (
        ("/", "/"),
        ("/membres", "/membres"),
        ("/membres/{id}", someone),
        ("/entreprises/{id}", company),
    ):
        ours, theirs = (weight.first_visit(browser, one.url + path) for one in (site, bare))
        yield Figure(
            f"first visit of `{name}` on a phone, fonts and visible pictures included",
            f"{ours.visit:.1f} kB, of which {ours.first_paint:.1f} for the first paint",
            f"{theirs.visit:.1f} and {theirs.first_paint:.1f} kB without the first paint; "
            f"limits {LIMIT_KB} and {FIRST_PAINT_KB}",
        )


def _a_member_with_a_company(site: Site) -> tuple[str, str]:
    """The addresses of a profile and of its company."""
    with urllib.request.urlopen(f"{site.url}/membres") as answer:
        someone = re.findall(r'href="(/membres/[^"]+)"', answer.read().decode())[0]
    with urllib.request.urlopen(site.url + someone) as answer:
        company = re.findall(r'href="(/entreprises/[^"]+)"', answer.read().decode())[0]
    return someone, company


def _time_to_list(browser: Browser, origin: str) -> float:
    """Milliseconds from the navigation to the list on the screen, as a first visit on a slow phone."""
    with _slow_phone(browser, WATCH_THE_LIST) as page:
        page.goto(f"{origin}/membres", wait_until="commit")
        # Asked from outside: the page's policy lets no text be evaluated in it.
        until = time.monotonic() + 60
        while not (stood := page.evaluate("window.listStoodAt || 0")) and time.monotonic() < until:
            time.sleep(0.1)
    assert stood, "the list never stood"
    return stood


def _painted(browser: Browser, site: Site, bare: Site, path: str) -> Figure:
    """The largest paint and the layout shift of a first visit, once the interface has come alive and settled."""
    _paints(browser, site.url + path)
    ours, theirs = ([_paints(browser, one.url + path) for _ in range(VISITS)] for one in (site, bare))
    seconds, plain = (statistics.median(largest for largest, _ in visits) / 1000 for visits in (ours, theirs))
    return Figure(
        f"largest paint of `{path}`, slow 4G, 4x CPU",
        f"{seconds:.2f} s, layout shift {max(moved for _, moved in ours):.4f}",
        f"{plain:.2f} s, shift {max(moved for _, moved in theirs):.4f} without the first paint; "
        f"limits {LIMIT_PAINT_SECONDS:.1f} s and 0",
    )


def _paints(browser: Browser, url: str) -> tuple[float, float]:
    with _slow_phone(browser, WATCH_PAINTS) as page:
        page.goto(url)
        until = time.monotonic() + 60
        while not page.evaluate("!!window.isAlive") and time.monotonic() < until:
            time.sleep(0.1)
        time.sleep(SETTLING_SECONDS)
        return page.evaluate("window.largest"), page.evaluate("window.moved")


@contextmanager
def _slow_phone(browser: Browser, script: str) -> Iterator[Page]:
    """A page of a new browser on a slow phone; `script` runs in it before any other."""
    context = browser.new_context(locale="fr-FR", viewport={"width": 390, "height": 844}, is_mobile=True)
    page = context.new_page()
    page.add_init_script(script)
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", SLOW_4G)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    yield page
    context.close()
