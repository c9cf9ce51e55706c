"""A visitor reads the public site: the way around, by hand, by keyboard, on paper and without any script."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from bench import weight
from clubapp.services.demo import ADMIN_EMAIL
from clubapp.services.privacy.browser_memory import StoragePlace, describe_item, find_item
from tests.e2e.conftest import sign_in_by_link
from tests.e2e.invitation_steps import has_no_barrier, shuts_nobody_out
from tests.e2e.public_site.steps import open_page
from tests.e2e.screen_steps import first_rows
from tests.e2e.site import Site

PHONE = {"width": 390, "height": 844}
NOT_ON_PAPER = ("Retour aux membres", "Ajouter aux contacts", "Envoyer un email", "Connexion", "Mentions légales")


def test_a_visitor_finds_a_member_and_comes_back(page: Page) -> None:
    open_page(page, "/")
    page.get_by_role("link", name="Rejoindre le réseau").click()
    expect(page.locator("#contact")).to_be_in_viewport()
    page.get_by_role("link", name="Voir les membres").click()
    heading, count = page.get_by_role("heading", level=1), page.locator(".directory-count")
    expect(page.get_by_role("heading", level=1, name="Nos membres")).to_be_focused()
    expect(count).to_have_text(re.compile(r"^\d+ membres$"))

    page.get_by_role("button", name="Bâtiment & Travaux").click()
    expect(page).to_have_url(re.compile(r"/membres\?domaine=batiment-travaux$"))
    expect(page.get_by_role("button", name="Bâtiment & Travaux")).to_have_attribute("aria-pressed", "true")
    expect(count).to_contain_text("en Bâtiment & Travaux")
    for domain in page.locator(".member-domain").all_text_contents():
        assert domain == "Bâtiment & Travaux"
    with first_rows(page):
        shuts_nobody_out(page)

    card = page.locator(".member-card", has=page.locator(".member-company")).first
    name = card.get_by_role("heading").inner_text()
    card.click()
    expect(heading).to_have_text(name)
    expect(page).to_have_title(f"{name} · Cercle du Beffroi")
    is_kept_and_printed(page, name)
    company = page.locator("a.person-company")
    company_name = company.inner_text()
    company.click()
    expect(heading).to_have_text(company_name)
    expect(page.get_by_role("heading", name=re.compile(r"Notre équipe \(\d+ membres?\)"))).to_be_visible()
    expect(page.locator(".team")).to_contain_text(name)
    page.get_by_role("link", name="Retour aux membres").first.click()
    expect(page).to_have_url(re.compile(r"/membres\?domaine=batiment-travaux$"))
    expect(count).to_contain_text("en Bâtiment & Travaux")
    page.go_back()
    expect(heading).to_have_text(company_name)

    page.go_back()
    expect(heading).to_have_text(name)
    page.go_back()
    expect(count).to_contain_text("en Bâtiment & Travaux")
    page.go_back()
    expect(count).to_have_text(re.compile(r"^\d+ membres$"))
    expect(page.get_by_role("button", name="Tous les domaines")).to_have_attribute("aria-pressed", "true")
    searches(page)


def is_kept_and_printed(page: Page, name: str) -> None:
    """A member goes into the contacts of a phone; on paper there is what one reads, and nothing to press."""
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Ajouter aux contacts").click()
    assert waiting.value.suggested_filename.endswith(".vcf")
    assert f"FN:{name}" in waiting.value.path().read_text()
    page.emulate_media(media="print")
    for link_name in NOT_ON_PAPER:
        for link in page.get_by_role("link", name=link_name, include_hidden=True).all():
            expect(link).to_be_hidden()
    expect(page.get_by_text("Intéressé par une collaboration ?")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".contact-email .contact-detail")).to_contain_text("@")
    expect(page.locator(".brand-name")).to_be_visible()
    page.emulate_media(media="screen")


def searches(page: Page) -> None:
    """A search is made while one types, and stays in the address."""
    cards, count = page.locator(".member-card"), page.locator(".directory-count")
    expect(cards.nth(7)).to_be_visible()
    everyone = cards.count()
    name = cards.nth(7).get_by_role("heading").inner_text()
    field = page.get_by_role("searchbox", name="Rechercher un membre")
    field.press_sequentially(name.lower(), delay=20)
    expect(count).to_contain_text(f"pour «\u00a0{name.lower()}\u00a0»")
    expect(cards.first.get_by_role("heading")).to_have_text(name)
    expect(field).to_be_focused()
    assert parse_qs(urlsplit(page.url).query) == {"q": [name.lower()]}

    domain = cards.first.locator(".member-domain").inner_text()
    page.get_by_role("button", name=domain).click()
    expect(count).to_contain_text(f"en {domain}")
    assert set(parse_qs(urlsplit(page.url).query)) == {"q", "domaine"}
    cards.first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    page.go_back()
    expect(field).to_have_value(name.lower())
    expect(count).to_contain_text(f"en {domain}")
    page.go_back()
    expect(field).to_have_value(name.lower())
    field.fill("xyzzy")
    expect(page.get_by_text("Aucun membre ne correspond à «\u00a0xyzzy\u00a0»")).to_be_visible()
    shuts_nobody_out(page)
    page.set_viewport_size({"width": 320, "height": 568})
    page.get_by_role("button", name="Menu").click()
    has_no_barrier(page)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Voir tous les membres").click()
    expect(cards).to_have_count(everyone)
    expect(field).to_have_value("")


# Chromium reports the status of the document itself; the status is the point of the test.
@pytest.mark.console_errors("status of 404")
def test_the_keyboard_leads_to_a_member_s_address_and_a_wrong_address_leads_back(page: Page) -> None:
    open_page(page, "/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Aller au contenu")).to_be_focused()
    page.keyboard.press("Enter")
    tab_to(page, "Voir les membres")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Nos membres")).to_be_focused()
    name = page.locator(".member-card").nth(2).get_by_role("heading").inner_text()
    tab_to(page, name)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name=name)).to_be_focused()
    tab_to(page, "Envoyer un email")
    held = page.get_by_role("link", name="Envoyer un email")
    expect(held).to_have_attribute("href", re.compile("^mailto:"))
    assert held.evaluate("(node) => getComputedStyle(node).outlineStyle") == "solid"

    # The page that leads back does so while it is still loading: its load is not waited for, that of the next is.
    page.goto("/membres/nobody", wait_until="commit")
    page.wait_for_url("**/membres")
    page.locator("#first-paint").wait_for(state="detached")
    expect(page.get_by_role("heading", level=1, name="Nos membres")).to_be_visible()

    open_page(page, "/nulle-part")
    expect(page.get_by_role("heading", level=1)).to_have_text("Oops! Page not found")
    assert "not found" not in page.locator("head").inner_html()
    page.get_by_role("link", name="Retour à l’accueil").click()
    expect(page.get_by_role("link", name="Voir les membres")).to_be_visible()


def tab_to(page: Page, name: str, most: int = 40) -> None:
    """Move on by the keyboard alone, until the focus is on the link of that name."""
    target = page.get_by_role("link", name=name).first
    for _ in range(most):
        page.keyboard.press("Tab")
        if target.evaluate("(node) => node === document.activeElement"):
            return
    raise AssertionError(f"no way to {name} by keyboard")


def test_the_menu_the_search_and_the_domains_work_without_any_script(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(site, java_script_enabled=False, viewport=PHONE).new_page()
    page.goto("/membres")
    members = page.get_by_role("link", name="Les membres")
    expect(members).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    expect(members).to_be_visible()
    page.get_by_role("link", name="Activités").click()
    expect(page.locator("#first-paint #activites")).to_be_in_viewport()

    page.goto("/membres")
    page.get_by_role("searchbox").fill("xyzzy")
    page.get_by_role("searchbox").press("Enter")
    assert urlsplit(page.url).query == "q=xyzzy"
    page.get_by_role("link", name="Voir tous les membres").click()
    page.get_by_role("button", name="Sécurité & Qualité").click()
    assert urlsplit(page.url).query == "domaine=securite-qualite"
    page.locator(".member-card").first.click()
    expect(page.get_by_role("link", name="Retour aux membres").first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_everything_the_browser_keeps_is_told(page: Page, site: Site) -> None:
    sign_in_by_link(page, site, ADMIN_EMAIL)
    # Each page is let come alive before it is left.
    expect(page.get_by_text("membres au total")).to_be_visible()
    cookies = [str(cookie.get("name")) for cookie in page.context.cookies()]
    open_page(page, "/connexion")
    expect(page.get_by_role("button", name="Se connecter par email")).to_be_enabled()
    expect(page.locator(".brand-name")).to_have_text("Cercle du Beffroi")
    page.locator(".brand-name").click()
    page.get_by_role("link", name="Voir les membres").click()
    page.locator(".member-card").first.click()
    expect(page.get_by_role("link", name="Envoyer un email")).to_be_visible()
    page.get_by_role("link", name="Confidentialité").click()
    expect(page.get_by_role("heading", level=1, name="Confidentialité")).to_be_focused()
    expect(page.locator("main")).to_contain_text("Stockage local")
    expect(page.locator(".plain")).to_have_count(0)
    kept = page.evaluate("[...Object.keys(localStorage), ...Object.keys(sessionStorage)]")
    text = page.locator("main").inner_text()
    assert {"session", "theme", "token"} <= {*kept, *cookies}
    for name in (*kept, *cookies):
        item = next(filter(None, (find_item(place, name) for place in StoragePlace)), None)
        assert item, name
        assert describe_item(item) in text


def test_a_first_visit_is_light(site: Site, browser: Browser) -> None:
    """The directory is weighed where it is longest, in test_long_directory."""
    for path in ("/", "/mentions-legales", "/confidentialite"):
        weighed = weight.first_visit(browser, site.url + path)
        assert weighed.visit <= 200, path
        assert weighed.first_paint <= 25, path
