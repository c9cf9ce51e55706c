"""What a first visit weighs, and when the list of members stands on a slow phone."""

import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from clubapp.server import _REFLEX  # pyright: ignore[reportPrivateUsage]
from tests.e2e.conftest import CHROMIUM_FLAGS
from tests.e2e.site import ROOT, Site
from tests.load.figures import Figure

VISITS = 5
LIMIT_KB = 200
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
    """Weights of `/` and `/membres`; times to the list with the first paint and without."""
    site, bare = Site(folder / "site"), Site(folder / "bare")
    with _browser() as browser, _served(site), _without_first_paint(bare):
        weights = {path: _weight(browser, site.url + path) for path in ("/", "/membres")}
        _time_to_list(browser, site.url)
        times = [_time_to_list(browser, site.url) for _ in range(VISITS)]
        plain = [_time_to_list(browser, bare.url) for _ in range(VISITS)]
    return [
        *(_weighed(path, *weight) for path, weight in weights.items()),
        Figure(
            "list visible on `/membres`, slow 4G, 4x CPU",
            f"{statistics.median(times) / 1000:.2f} s",
            f"{statistics.median(plain) / 1000:.2f} s without the first paint",
        ),
    ]


@contextmanager
def _browser() -> Iterator[Browser]:
    path = os.environ.get("CLUB_TEST_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        sys.exit("Chromium manque : apt-get install chromium")
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
    granian = [
        str(Path(sys.executable).with_name("granian")),
        "--interface",
        "asgi",
        "--factory",
        "--port",
        str(site.port),
    ]
    with site.log.open("ab") as log:
        process = subprocess.Popen(
            [*granian, "tests.load.without_first_paint:app"],
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


def _weight(browser: Browser, url: str) -> tuple[float, float]:
    """Kilobytes received on a first visit, headers and fonts included: the page, and its people's photographs."""
    page = browser.new_page(locale="fr-FR")
    addresses: dict[str, str] = {}
    sizes: dict[str, float] = {}
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.on(
        "Network.requestWillBeSent", lambda event: addresses.update({event["requestId"]: event["request"]["url"]})
    )
    devtools.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.goto(url, wait_until="networkidle")
    page.wait_for_timeout(1000)
    page.close()
    photographs = sum(size for request, size in sizes.items() if "/media/" in addresses.get(request, ""))
    return (sum(sizes.values()) - photographs) / 1000, photographs / 1000


def _weighed(path: str, weight: float, photographs: float) -> Figure:
    besides = f", {photographs:.0f} kB of photographs besides" if photographs else ""
    return Figure(f"first visit of `{path}`", f"{weight:.0f} kB{besides}", f"limit {LIMIT_KB} kB")


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
