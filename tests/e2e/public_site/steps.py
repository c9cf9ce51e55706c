"""The public site: how a page is opened, whose pages are looked at, and what a page shows."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Route
from sqlmodel import col, select

from clubapp import routes
from clubapp.database import reading
from clubapp.models import Member
from tests.e2e.focus_walk import SETTLED
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import Site

SCRIPTS = re.compile(r"/assets/.*\.js$")
# What moved, when the largest thing was painted, and when the interface came alive.
WATCH = """
window.moved = [];
new PerformanceObserver((seen) => {
  for (const { value, sources, hadRecentInput } of seen.getEntries())
    if (!hadRecentInput) window.moved.push([value, ...sources.map(({ node }) => node?.className || node?.nodeName)]);
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((seen) => {
  for (const { startTime } of seen.getEntries()) window.largest = startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
const look = () => window.isAlive ? window.cameAlive = performance.now() : requestAnimationFrame(look);
look();
"""
# The typefaces of a first visit come after the interface.
_IS_WHOLE = """() => window.cameAlive && !document.getElementById("first-paint") && !document.querySelector(".plain")
    && document.fonts.status === "loaded" """
# What a page shows, without what only one of the two ways of drawing it writes.
_OUTLINE = """
(root) => {
  const kept = (node) => [...node.attributes]
    .filter(({ name, value }) => !(name === "role" && value === "main"))
    .filter(({ name }) => !node.matches(".sign-in-passkey button") || name === "class") // it waits for the interface
    .filter(({ name }) => !["id", "data-discover", "aria-controls"].includes(name))
    .filter(({ name }) => !(name === "value" && node.type === "search"))
    .filter(({ name }) => !node.matches(".sign-in-form") || name === "class") // without script it is posted
    .map(({ name, value }) => `${name}=${value}`).sort().join(" ");
  const isMain = (node) => node.localName === "main" || node.getAttribute("role") === "main";
  const nameOf = (node) => isMain(node) ? "main" : node.localName;
  const outline = (node) => node.nodeType === 3
    ? (node.textContent.trim() ? node.textContent : "")
    : `<${nameOf(node)} ${kept(node)}>${[...node.childNodes].map(outline).filter(Boolean).join("")}</>`;
  const text = (html) => html.replace(/\\s+/g, " ");
  return ["header.site-header", "main, [role=main]", "footer"].map((name) => text(outline(root.querySelector(name))));
}
"""


def open_page(page: Page, path: str) -> None:
    """Open a page and wait until the interface has taken over."""
    page.goto(path)
    page.locator("#first-paint").wait_for(state="detached")


def open_watched(page: Page, path: str) -> list[list[float | str]]:
    """Open a page for the first time, until it is whole and at rest; what has moved, by how much."""
    if page.url.startswith("http"):
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    page.goto(path)
    return what_moved(page)


def what_moved(page: Page) -> list[list[float | str]]:
    """What has moved on a page that is being watched, by how much, until it is whole and at rest."""
    page.wait_for_function(_IS_WHOLE)
    page.evaluate(SETTLED)
    return page.evaluate("window.moved")


def taken_over_as_written(page: Page, path: str, most: float = 0.01) -> None:
    """The interface shows what the server wrote, and nothing moves. The page is being watched."""
    html = page.request.get(path).text()
    written = page.evaluate(
        f"(html) => ({_OUTLINE})(new DOMParser().parseFromString(html, 'text/html').getElementById('first-paint'))",
        html,
    )
    moved = open_watched(page, path)
    assert page.evaluate(f"({_OUTLINE})(document)") == written, path
    assert sum(float(value) for value, *_ in moved) <= most, (path, moved)


@contextmanager
def scripts_held(page: Page, path: str) -> Iterator[None]:
    """The scripts of a page arrive after the block; until then it is what the server wrote."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(SCRIPTS, hold)
    page.goto(path, wait_until="commit")
    yield
    for route in held:
        route.continue_()
    page.unroute(SCRIPTS)
    page.locator("#first-paint").wait_for(state="detached")


def somebody(site: Site) -> tuple[str, str]:
    """The page of a member whose company has one, and that of the company."""
    with database_of(site), reading() as session:
        shown = select(Member).where(col(Member.is_active), col(Member.is_listed), col(Member.company_id).is_not(None))
        member = session.exec(shown.order_by(col(Member.name))).first()
        assert member
        assert member.company_id
        return routes.member_profile(member.id), routes.company(member.company_id)
