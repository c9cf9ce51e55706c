"""A real browser against a real server. No test may cause a console error or a request to someone else."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    WebError,
    WebSocket,
    WebSocketRoute,
    expect,
    sync_playwright,
)

from clubapp.database import transaction
from clubapp.services.access import sessions
from clubapp.services.access.sign_in import create_link
from tests.conftest import a_postgres, a_redis, missing
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import Site
from tests.e2e.visitors import Visitor
from tests.smtp_server import Relay, running_relay

STEP_MS = 30_000  # as long as a step may take on a machine that does more than this
expect.set_options(timeout=STEP_MS)

SMALL_PHONE = {"width": 320, "height": 568}
# A heartbeat crossed the closing of its page: nothing is lost.
CLOSING = "WebSocket is already in CLOSING or CLOSED state"
USUAL_FONTS = 'local("Arial"), local("Liberation Sans")'
# As with little data left: no screen is made ready before it is opened.
_SAVES_DATA = "Object.defineProperty(navigator, 'connection', { value: { saveData: %s }, configurable: true })"
KEPT_OF_PEOPLE = "cookies,local_storage,indexeddb,cache_storage,service_workers"
LOADED = '"is_hydrated_rx_state_":true'  # the last thing that Reflex says of a page that is loaded
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # A request to anybody else fails, and its failure is a console error.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder drives a browser, and comes last: the driver keeps an event loop running for good.

    The longest files come first in it, so that no process has the last one to itself: a test is as long as its text.
    """
    here = Path(__file__).parent
    ours = [item for item in items if here in item.path.parents]
    for item in ours:
        item.add_marker(pytest.mark.browser)
    sizes = {item.path: item.path.stat().st_size for item in ours}
    items.sort(key=lambda item: (1, -sizes[item.path], str(item.path)) if item.path in sizes else (0, 0, ""))


@pytest.fixture(scope="session")
def built() -> None:
    """The compiled front end; nothing is done when its sources have not changed."""
    from clubapp import frontend_build

    frontend_build.build()


@pytest.fixture(scope="session")
def several() -> Iterator[Callable[[], dict[str, str]]]:
    """The settings of a new site of several processes when CLUB_TEST_WORKERS=4 asks for it, none otherwise."""
    workers = os.environ.get("CLUB_TEST_WORKERS", "1")
    if workers == "1":
        yield dict
        return
    with a_postgres() as postgres, a_redis() as redis:
        yield lambda: {
            "CLUB_WORKERS": workers,
            "CLUB_DATABASE_URL": postgres.new_database(),
            "CLUB_REDIS_URL": redis.new_database(),
        }


@pytest.fixture(scope="session")
def site(
    built: None, several: Callable[[], dict[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A server with the demo club, shared by the tests that only look or that add their own things."""
    made = Site(tmp_path_factory.mktemp("site") / "data", environment=several()).start()
    if made.is_embedded:
        made.copy_data(made.demo_dir)
    yield made
    made.stop()


@pytest.fixture
def own_site(site: Site, several: Callable[[], dict[str, str]], tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """A server for one test alone, started: `own_site(relay, CLUB_DEMO="0")` sends its mail through a relay."""
    made: list[Site] = []

    def make(relay: Relay | None = None, **environment: str) -> Site:
        if relay:
            environment["CLUB_SMTP_URL"] = relay.url
        received = (lambda: list(relay.accepted)) if relay else None
        environment = several() | environment
        made.append(Site(tmp_path / f"site-{len(made)}", environment=environment, received=received))
        if site.is_embedded and made[-1].is_embedded and "CLUB_DEMO" not in environment:
            shutil.copytree(site.demo_dir, made[-1].data_dir)
        return made[-1].start()

    yield make
    for one in made:
        one.stop()


@pytest.fixture
def relay() -> Iterator[Relay]:
    """A real SMTP server."""
    with running_relay() as running:
        yield running


def found_chromium() -> str | None:
    """The program of this machine's Chromium. The one that never has a window takes half the processor's time."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    return os.environ.get("CLUB_TEST_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def chromium() -> str | None:
    """The same, asked for by name when it is missing."""
    path = found_chromium()
    if path is None:
        missing("Chromium", "apt-get install chromium-headless-shell, ou CLUB_TEST_CHROMIUM=/chemin/de/chromium")
    return path


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    with sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        yield made
        made.close()


@pytest.fixture(scope="session")
def usual_font(browser: Browser) -> None:
    """One of the typefaces that ours were measured against: without them, a page moves a little when ours arrive."""
    page = browser.new_page()
    found = page.evaluate(f"new FontFace('usual', '{USUAL_FONTS}').load().then(() => true, () => false)")
    page.close()
    if not found:
        missing("Arial ou Liberation Sans", "apt-get install fonts-liberation")


def _path(page: Page | None) -> str:
    return urlsplit(page.url).path if page else ""


class Watch:
    """What went wrong in the pages of a test, a request to another host included."""

    def __init__(self) -> None:
        self.complaints: list[str] = []

    def on_console(self, message: ConsoleMessage) -> None:
        """Note a console error."""
        if message.type == "error":
            self.complaints.append(f"console: {message.text} ({message.location.get('url', '')})")

    def on_error(self, error: WebError) -> None:
        """Note an error that a script did not catch."""
        self.complaints.append(f"script: {error.error} ({_path(error.page)})")

    def follow(self, context: BrowserContext) -> None:
        """Listen to every page of a browser context."""
        context.on("console", self.on_console)
        context.on("weberror", self.on_error)

    def leave(self, context: BrowserContext) -> None:
        """Listen no longer."""
        context.remove_listener("console", self.on_console)
        context.remove_listener("weberror", self.on_error)


@pytest.fixture
def watch(request: pytest.FixtureRequest) -> Iterator[Watch]:
    """Fails the test on a console error or a foreign request; `@pytest.mark.console_errors` says which are expected."""
    made = Watch()
    yield made
    expected = request.node.get_closest_marker("console_errors")
    patterns: tuple[str, ...] = (CLOSING, *(expected.args if expected else ()))
    left = [line for line in made.complaints if not any(pattern in line for pattern in patterns)]
    assert not left, "\n".join(left)


class ContextPool:
    """Browser contexts that keep what they fetched, but nothing of who used them: half of a page's load is spared."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[BrowserContext]] = {}

    def take(self, home: str, options: dict[str, Any]) -> BrowserContext:
        """One with these options, as good as new."""
        free = self._free.get(f"{home} {options}")
        if free:
            return free.pop()
        usual: dict[str, Any] = {
            "base_url": home,
            "locale": "fr-FR",
            "timezone_id": "Europe/Paris",
            "reduced_motion": "reduce",
            "saves_data": True,
        }
        told = usual | options
        script = _SAVES_DATA % str(told.pop("saves_data")).lower()
        made = self._browser.new_context(**told)
        made.add_init_script(script)
        return made

    def give_back(self, home: str, options: dict[str, Any], context: BrowserContext) -> None:
        """Empty one that is used no more of pages, cookies and storage."""
        blank = context.new_page()
        if blank.evaluate("'__pwClock' in window"):  # a clock that was set stays so
            context.close()
            return
        tools = context.new_cdp_session(blank)
        for page in context.pages:
            if page != blank:
                with suppress(Error):  # a page closed on its way elsewhere may keep the browser for ever
                    page.goto("about:blank", timeout=5_000)
                page.close()
        tools.send("Storage.clearDataForOrigin", {"origin": home, "storageTypes": KEPT_OF_PEOPLE})
        blank.close()
        context.clear_cookies()
        context.set_offline(False)
        self._free.setdefault(f"{home} {options}", []).append(context)


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> ContextPool:
    """The browser contexts of this run."""
    return ContextPool(browser)


@pytest.fixture
def new_context(site: Site, contexts: ContextPool, watch: Watch) -> Iterator[Callable[..., BrowserContext]]:
    """A browser of someone else: `new_context(site)`; its pages are watched.

    With `saves_data=False` screens are made ready before they are opened.
    """
    made: list[tuple[str, dict[str, Any], BrowserContext]] = []

    def make(of: Site, **options: Any) -> BrowserContext:
        context = contexts.take(of.url, options)
        context.set_default_timeout(STEP_MS)
        watch.follow(context)
        made.append((of.url, options, context))
        return context

    yield make
    for home, options, context in made:
        if home == site.url:
            contexts.give_back(home, options, context)
            watch.leave(context)
        else:
            context.close()


@pytest.fixture
def page(site: Site, new_context: Callable[..., BrowserContext]) -> Page:
    """A visitor's page on the shared site."""
    return new_context(site).new_page()


@pytest.fixture
def phone(site: Site, new_context: Callable[..., BrowserContext]) -> Page:
    """A visitor's page on the smallest of phones."""
    return new_context(site, viewport=SMALL_PHONE, has_touch=True).new_page()


@pytest.fixture(params=["normal", "no_socket", "no_script"])
def anywhere(request: pytest.FixtureRequest, site: Site, new_context: Callable[..., BrowserContext]) -> Visitor:
    """A visitor at a desk as usual; on a small phone whose network cuts websockets; on one that runs no script."""
    if request.param == "normal":
        return Visitor(new_context(site).new_page())
    if request.param == "no_socket":
        return Visitor(without_socket(new_context(site, viewport=SMALL_PHONE, has_touch=True)))
    context = new_context(site, viewport=SMALL_PHONE, has_touch=True, java_script_enabled=False)
    return Visitor(context.new_page(), has_script=False)


def without_socket(context: BrowserContext) -> Page:
    """A page on a network that cuts websockets."""
    page = context.new_page()
    page.route_web_socket("**/_event/**", lambda route: route.close())
    return page


class SlowAnswers:
    """What the server sends to a page that is opened after this, held back for as long as a test wants."""

    def __init__(self, page: Page) -> None:
        self.received: list[str] = []
        self._late: list[tuple[WebSocketRoute, str | bytes]] = []
        self._is_held = False
        page.route_web_socket("**/_event/**", self._pass)

    def hold(self) -> None:
        """Hold back what is sent from now on."""
        self._is_held = True

    def let_through(self) -> None:
        """Send what was held back, and what follows."""
        self._is_held = False
        late, self._late = self._late, []
        for route, message in late:
            route.send(message)

    def _pass(self, route: WebSocketRoute) -> None:
        def hear(message: str | bytes) -> None:
            self.received.append(str(message))
            if self._is_held:
                self._late.append((route, message))
            else:
                route.send(message)

        route.connect_to_server().on_message(hear)


def reload(page: Page) -> None:
    """Load the page again, until everything it begins with has arrived: before that it shows what was open."""
    arrived: list[str | bytes] = []

    def hear(frame: str | bytes) -> None:
        if LOADED in str(frame):
            arrived.append(frame)

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", hear)

    page.on("websocket", listen)
    page.reload()
    until = time.monotonic() + STEP_MS / 1000
    while not arrived and time.monotonic() < until:
        page.wait_for_timeout(20)
    page.remove_listener("websocket", listen)
    assert arrived


def sign_in(page: Page, site: Site, email: str, path: str = "", user_agent: str = "") -> Page:
    """Let a browser be signed in, and open a page. How people do it, `sign_in_by_link` does."""
    with database_of(site), transaction() as session:
        cookie, _ = sessions.open_session(session, email, user_agent=user_agent)
    page.context.add_cookies(
        [{"name": "session", "value": cookie, "url": site.url, "httpOnly": True, "sameSite": "Lax"}]
    )
    if path:
        page.goto(path)
    return page


def sign_in_by_link(page: Page, site: Site, email: str) -> None:
    """Sign a person in by a link as the command line prints it, confirming it as another browser must (S4)."""
    with database_of(site), transaction() as session:
        link = create_link(session, email)
    page.goto(link)
    page.get_by_role("button", name="Confirmer la connexion").click()
    page.wait_for_url(lambda url: urlsplit(url).path.startswith(("/admin", "/member")))
