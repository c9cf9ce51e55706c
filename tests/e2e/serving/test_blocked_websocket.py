"""A network that cuts websockets and lets pages through."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import SMALL_PHONE, sign_in, without_socket
from tests.e2e.invitation_steps import fits, has_no_barrier
from tests.e2e.site import Site
from tests.web.plain_socket import Closed
from tests.web.tab import Tab


@pytest.mark.console_errors("WebSocket")
def test_a_screen_that_needs_a_websocket_says_what_is_blocked_and_what_to_do(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    page = without_socket(new_context(site, viewport=SMALL_PHONE))
    sign_in(page, site, ADMIN_EMAIL, "/admin")
    told = page.get_by_role("status").get_by_text("WebSocket est bloqué sur votre réseau")
    expect(told).to_be_visible()
    assert told.evaluate("(line) => getComputedStyle(line).animationDelay") == "0s", "it is seen at once"
    expect(told).to_contain_text(f"ws://localhost:{site.port}, port {site.port}")
    expect(told).to_contain_text("Demandez à votre service informatique")
    fits(page)
    has_no_barrier(page)
    notice = page.locator(".offline-refusal")
    assert notice.evaluate("(box) => box.offsetHeight / innerHeight") < 0.36, "the screen under it can be seen"
    page.get_by_role("button", name="Fermer le message").click()
    expect(notice).to_have_count(0)
    expect(page.get_by_role("main")).to_be_focused()
    page.goto("/membres")
    expect(page.get_by_role("heading", name="Nos membres").first).to_be_visible()
    expect(told).to_have_count(0)


@pytest.mark.console_errors("WebSocket")
def test_an_address_holds_so_many_connections_and_a_screen_says_so_and_goes_on_once_they_have_left(
    page: Page, site: Site
) -> None:
    """Those that are open go on, and nobody else is kept out (W5)."""
    tabs: list[Tab] = []
    with suppress(Closed):
        while len(tabs) < 300:
            tabs.append(Tab(site.url))
    assert 20 <= len(tabs) < 300
    assert tabs[0].hydrate()
    with Tab(site.url, source="127.0.2.2") as other:
        assert other.hydrate()
    sign_in(page, site, ADMIN_EMAIL, "/admin")
    told = page.get_by_role("status").get_by_text("Trop de connexions depuis votre réseau")
    expect(told).to_be_visible()
    for tab in tabs:
        tab.close()
    expect(page.locator("[data-row]").first).to_be_visible()
    expect(told).to_have_count(0)
