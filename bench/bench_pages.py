"""What a first visit weighs, and when the list of members stands on a slow phone."""

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
LIMIT_KB, FIRST_PAINT_KB = 200, 25
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
    const cards = [...document.querySelectorAll('main a[href^="/membres/"]')];
    if (cards.length >= 20 && cards[0].getBoundingClientRect().height > 0) window.listStoodAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
"""


def measure(folder: Path) -> list[Figure]:
    """Weights of the four kinds of pages; times to the list with the first paint and without."""
    site, bare = Site(folder / "site"), Site(folder / "bare")
    with _browser() as browser, _served(site), _without_first_paint(bare):
        weights = list(_weighed(browser, site, bare))
        _time_to_list(browser, site.url)
        times = [_time_to_list(browser, site.url) for _ in range(VISITS)]
        plain = [_time_to_list(browser, bare.url) for _ in range(VISITS)]
    return [
        *weights,
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
    context = browser.new_context(locale="fr-FR", viewport={"width": 390, "height": 844}, is_mobile=True)
    page: Page = context.new_page()
    page.add_init_script(WATCH_THE_LIST)
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", SLOW_4G)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(f"{origin}/membres", wait_until="commit")
    # Asked from outside: the page's policy lets no text be evaluated in it.
    until = time.monotonic() + 60
    while not (stood := page.evaluate("window.listStoodAt || 0")) and time.monotonic() < until:
        time.sleep(0.1)
    context.close()
    assert stood, "the list never stood"
    return stood
