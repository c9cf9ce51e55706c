"""Everyone reaches everything: by keyboard, on a phone before any script has run, on paper, with awkward names."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from bench import weight
from tests.e2e.invitation_steps import has_no_barrier, shuts_nobody_out
from tests.e2e.public_site.test_public_pages import first_member_with_a_company, open_page
from tests.e2e.site import Site

PHONE = {"width": 390, "height": 844}
SCRIPTS = re.compile(r"/assets/.*\.js$")


def tab_to(page: Page, name: str, most: int = 40) -> None:
    """Move on by the keyboard alone, until the focus is on the link of that name."""
    target = page.get_by_role("link", name=name).first
    for _ in range(most):
        page.keyboard.press("Tab")
        if target.evaluate("(node) => node === document.activeElement"):
            return
    raise AssertionError(f"no way to {name} by keyboard")


def test_the_keyboard_leads_from_the_landing_page_to_a_member_s_address(page: Page) -> None:
    open_page(page, "/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Aller au contenu")).to_be_focused()
    page.keyboard.press("Enter")
    tab_to(page, "Voir les membres")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Nos membres")).to_be_focused()
    cards = page.locator(".member-card")
    name = cards.nth(2).get_by_role("heading").inner_text()
    tab_to(page, name)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name=name)).to_be_focused()
    tab_to(page, "Envoyer un email")
    held = page.get_by_role("link", name="Envoyer un email")
    expect(held).to_have_attribute("href", re.compile("^mailto:"))
    assert held.evaluate("(node) => getComputedStyle(node).outlineStyle") == "solid"


def test_the_menu_of_a_phone_opens_without_any_script(site: Site, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(site, java_script_enabled=False, viewport=PHONE).new_page()
    page.goto("/membres")
    members = page.get_by_role("link", name="Les membres")
    expect(members).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    expect(members).to_be_visible()
    page.get_by_role("link", name="Activités").click()
    expect(page.locator("#first-paint #activites")).to_be_in_viewport()


def test_an_open_menu_and_the_focus_stay_through_the_takeover(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(reduced_motion="reduce")
    held: list[Route] = []
    page.route(SCRIPTS, lambda route: held.append(route))  # noqa: PLW0108 - Playwright refuses a bare method
    page.goto("/membres", wait_until="commit")
    page.locator("#first-paint").get_by_role("button", name="Menu").click()
    page.keyboard.press("Tab")
    expect(page.locator("#first-paint").get_by_role("link", name="Le club")).to_be_focused()
    for route in held:
        route.continue_()
    page.unroute(SCRIPTS)
    page.locator("#first-paint").wait_for(state="detached")
    expect(page.get_by_role("link", name="Le club")).to_be_visible()
    expect(page.get_by_role("link", name="Le club")).to_be_focused()
    header = page.locator("header.site-header").bounding_box()
    menu = page.locator("#menu").bounding_box()
    assert header
    assert menu
    assert abs(menu["y"] - header["y"] - header["height"]) <= 1
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Le club")).to_be_hidden()
    expect(page.get_by_role("button", name="Menu")).to_be_focused()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Contact").first.click()
    expect(page.locator("#contact")).to_be_in_viewport()
    expect(page.get_by_role("link", name="Les membres", exact=True)).to_be_hidden()


def test_a_profile_on_paper_has_what_one_reads_and_nothing_to_press(page: Page) -> None:
    open_page(page, first_member_with_a_company(page))
    page.emulate_media(media="print")
    for name in ("Retour aux membres", "Ajouter aux contacts", "Envoyer un email", "Connexion", "Mentions légales"):
        for link in page.get_by_role("link", name=name, include_hidden=True).all():
            expect(link).to_be_hidden()
    expect(page.get_by_text("Intéressé par une collaboration ?")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".contact-email .contact-detail")).to_contain_text("@")
    expect(page.locator(".brand-name")).to_be_visible()


@pytest.mark.console_errors("ERR_FAILED", "status of 404")
def test_no_state_of_a_public_page_shuts_anyone_out(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    open_page(page, "/membres?domaine=securite-qualite")
    shuts_nobody_out(page)
    page.set_viewport_size({"width": 320, "height": 568})
    page.get_by_role("button", name="Menu").click()
    has_no_barrier(page)
    open_page(page, "/nulle-part")
    shuts_nobody_out(page)
    # Before the interface has started, the same.
    page.route(SCRIPTS, lambda route: route.abort())
    page.goto("/membres", wait_until="commit")
    expect(page.locator("#first-paint footer")).to_be_visible()
    shuts_nobody_out(page)


def test_a_first_visit_is_light(site: Site, browser: Browser) -> None:
    for path in ("/", "/membres", "/mentions-legales", "/confidentialite"):
        weighed = weight.first_visit(browser, site.url + path)
        assert weighed.visit <= 200, path
        assert weighed.first_paint <= 25, path
