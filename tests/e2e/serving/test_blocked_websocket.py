"""A network that cuts websockets and lets pages through."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import SMALL_PHONE, sign_in
from tests.e2e.invitation_steps import fits
from tests.e2e.site import Site


@pytest.mark.console_errors("WebSocket")
def test_a_screen_that_needs_a_websocket_says_what_is_blocked_and_what_to_do(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(site, viewport=SMALL_PHONE).new_page()
    page.route_web_socket("**/_event/**", lambda route: route.close())
    sign_in(page, site, ADMIN_EMAIL, "/admin")
    told = page.get_by_role("status").get_by_text("WebSocket est bloqué sur votre réseau")
    expect(told).to_be_visible()
    expect(told).to_contain_text(f"ws://localhost:{site.port}, port {site.port}")
    expect(told).to_contain_text("Demandez à votre service informatique")
    fits(page)
    page.goto("/membres")
    expect(page.get_by_role("heading", name="Nos membres").first).to_be_visible()
    expect(told).to_have_count(0)
