"""From one screen to the next without loading the page again, and a long list cut to its first rows."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page

# Everything is there: nothing stands for what is still to come.
READY = """() => window.isAlive && !document.getElementById("first-paint")
    && [...document.querySelectorAll(".skeleton, .skeleton-cards, .spinner, .calendar-coming")]
        .every((node) => !node.checkVisibility())"""
# As a link of the menu does it.
_GO = """async (to) => {
    const from = location.pathname;
    document.activeElement.blur();
    await window.__reactRouterDataRouter.navigate(to);
    return location.pathname !== from;
}"""
# A new screen gives the focus to its heading, or to a field (A5).
_ARRIVED = "() => document.activeElement.closest('main')"
# Rows that are like those before them: what is asked of a control is asked of eight of its kind.
_LATER_ROWS = "main :is(li, tr, article, .member-card):nth-child(n + 9) { display: none !important; }"


def go(page: Page, path: str) -> None:
    """Another screen, as a link leads to it: a fifth of what it costs to load it."""
    page.wait_for_function(READY)
    if page.evaluate(_GO, path):
        page.wait_for_function(_ARRIVED)
    page.wait_for_function(READY)


@contextmanager
def first_rows(page: Page) -> Iterator[None]:
    """Each list has eight rows at most, as long as the block lasts."""
    style = page.add_style_tag(content=_LATER_ROWS)
    yield
    style.evaluate("(node) => node.remove()")
