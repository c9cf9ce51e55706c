"""A visitor reads the public site: what the server wrote, what the interface takes over, and the way around."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from clubapp.services.privacy.browser_memory import StoragePlace, describe_item, find_item
from tests.e2e.conftest import sign_in_by_link
from tests.e2e.invitation_steps import shuts_nobody_out
from tests.e2e.site import Site

# Cumulative layout shift, kept from the first moment.
WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push(entry.value);
}).observe({ type: "layout-shift", buffered: true });
"""
# What a page shows, without what only one of the two ways of drawing it writes.
OUTLINE = """
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
# Chromium reports the status of the document itself; the status is the point of the test.
a_404_is_expected = pytest.mark.console_errors("status of 404")


def open_page(page: Page, path: str) -> None:
    """Open a page and wait until the interface has taken over."""
    page.goto(path)
    page.locator("#first-paint").wait_for(state="detached")


def taken_over_as_written(page: Page, path: str) -> None:
    """The interface shows what the server wrote, and nothing moves."""
    page.add_init_script(WATCH_SHIFTS)
    html = page.request.get(path).text()
    written = page.evaluate(
        f"(html) => ({OUTLINE})(new DOMParser().parseFromString(html, 'text/html').getElementById('first-paint'))", html
    )
    open_page(page, path)
    page.wait_for_timeout(500)
    assert page.evaluate(f"({OUTLINE})(document)") == written
    assert sum(page.evaluate("window.shifts")) <= 0.01


def first_member_with_a_company(page: Page) -> str:
    """The address of a member whose company has a page."""
    open_page(page, "/membres")
    return page.locator(".member-card").first.get_attribute("href") or ""


def test_a_visitor_finds_a_member_and_comes_back(page: Page) -> None:
    open_page(page, "/")
    page.get_by_role("link", name="Voir les membres").click()
    expect(page.get_by_role("heading", level=1, name="Nos membres")).to_be_focused()
    expect(page.locator(".directory-count")).to_have_text(re.compile(r"^\d+ membres$"))

    page.get_by_role("button", name="Bâtiment & Travaux").click()
    expect(page).to_have_url(re.compile(r"/membres\?domaine=batiment-travaux$"))
    expect(page.get_by_role("button", name="Bâtiment & Travaux")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".directory-count")).to_contain_text("en Bâtiment & Travaux")
    for domain in page.locator(".member-domain").all_text_contents():
        assert domain == "Bâtiment & Travaux"

    card = page.locator(".member-card", has=page.locator(".member-company")).first
    name = card.get_by_role("heading").inner_text()
    card.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page).to_have_title(f"{name} · Cercle du Beffroi")
    company = page.locator("a.person-company")
    company_name = company.inner_text()
    company.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(company_name)
    expect(page.get_by_role("heading", name=re.compile(r"Notre équipe \(\d+ membres?\)"))).to_be_visible()
    expect(page.locator(".team")).to_contain_text(name)
    page.get_by_role("link", name="Retour aux membres").first.click()
    expect(page).to_have_url(re.compile(r"/membres\?domaine=batiment-travaux$"))
    expect(page.locator(".directory-count")).to_contain_text("en Bâtiment & Travaux")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text(company_name)

    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    page.go_back()
    expect(page.locator(".directory-count")).to_contain_text("en Bâtiment & Travaux")
    page.go_back()
    expect(page.locator(".directory-count")).to_have_text(re.compile(r"^\d+ membres$"))
    expect(page.get_by_role("button", name="Tous les domaines")).to_have_attribute("aria-pressed", "true")


def test_joining_leads_to_the_contact_section(page: Page) -> None:
    open_page(page, "/")
    page.get_by_role("link", name="Rejoindre le réseau").click()
    expect(page.locator("#contact")).to_be_in_viewport()
    join = page.get_by_role("link", name="Demander mon adhésion").get_attribute("href") or ""
    assert join.endswith("?subject=Demande%20d%E2%80%99adh%C3%A9sion")


def test_a_search_is_made_while_typing_and_stays_in_the_address(page: Page) -> None:
    open_page(page, "/")
    page.get_by_role("link", name="Voir les membres").click()
    cards = page.locator(".member-card")
    expect(cards.nth(7)).to_be_visible()
    everyone = cards.count()
    name = cards.nth(7).get_by_role("heading").inner_text()
    field = page.get_by_role("searchbox", name="Rechercher un membre")
    field.press_sequentially(name.lower(), delay=20)
    expect(page.locator(".directory-count")).to_contain_text(f"pour «\u00a0{name.lower()}\u00a0»")
    expect(cards.first.get_by_role("heading")).to_have_text(name)
    expect(field).to_be_focused()
    assert parse_qs(urlsplit(page.url).query) == {"q": [name.lower()]}

    domain = cards.first.locator(".member-domain").inner_text()
    page.get_by_role("button", name=domain).click()
    expect(page.locator(".directory-count")).to_contain_text(f"en {domain}")
    assert set(parse_qs(urlsplit(page.url).query)) == {"q", "domaine"}
    cards.first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    page.go_back()
    expect(field).to_have_value(name.lower())
    expect(page.locator(".directory-count")).to_contain_text(f"en {domain}")
    page.go_back()
    expect(field).to_have_value(name.lower())
    field.fill("xyzzy")
    expect(page.get_by_text("Aucun membre ne correspond à «\u00a0xyzzy\u00a0»")).to_be_visible()
    page.get_by_role("link", name="Voir tous les membres").click()
    expect(cards).to_have_count(everyone)
    expect(field).to_have_value("")


# Within the same task, before another key can arrive.
NOTE_FOCUS_AT_TAKEOVER = """() => new MutationObserver((_, watch) => {
  if (document.getElementById("first-paint")) return;
  watch.disconnect();
  window.focusedAtTakeover = document.activeElement.tagName;
}).observe(document.body, { childList: true })"""


def test_what_is_typed_before_the_interface_starts_is_not_lost(page: Page) -> None:
    held: list[Route] = []
    scripts = re.compile(r"/assets/.*\.js$")
    page.route(scripts, lambda route: held.append(route))  # noqa: PLW0108 - Playwright refuses a bare method
    page.goto("/membres", wait_until="commit")
    page.locator("#first-paint").get_by_role("searchbox").press_sequentially("xyz")
    page.evaluate(NOTE_FOCUS_AT_TAKEOVER)
    for route in held:
        route.continue_()
    page.unroute(scripts)
    page.locator("#first-paint").wait_for(state="detached")
    field = page.get_by_role("searchbox")
    expect(field).to_have_value("xyz")
    expect(field).to_be_focused()
    assert page.evaluate("window.focusedAtTakeover") == "INPUT"
    expect(page.get_by_text("Aucun membre ne correspond à «\u00a0xyz\u00a0»")).to_be_visible()


def test_a_member_goes_into_the_contacts_of_a_phone(page: Page) -> None:
    open_page(page, first_member_with_a_company(page))
    name = page.get_by_role("heading", level=1).inner_text()
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Ajouter aux contacts").click()
    assert waiting.value.suggested_filename.endswith(".vcf")
    assert f"FN:{name}" in waiting.value.path().read_text()


def test_everything_the_browser_keeps_is_told(page: Page, site: Site) -> None:
    sign_in_by_link(page, site, site.command("admin", "list").split()[0])
    # Each page is let come alive before it is left.
    expect(page.get_by_text("membres au total")).to_be_visible()
    cookies = [str(cookie.get("name")) for cookie in page.context.cookies()]
    open_page(page, "/connexion")
    expect(page.get_by_role("button", name="Se connecter par email")).to_be_enabled()
    expect(page.locator(".brand-name")).to_have_text("Cercle du Beffroi")
    open_page(page, "/membres")
    page.locator(".member-card").first.click()
    expect(page.get_by_role("link", name="Envoyer un email")).to_be_visible()
    open_page(page, "/")
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


def test_the_site_is_read_and_filtered_without_any_script(site: Site, new_context) -> None:
    page = new_context(site, java_script_enabled=False).new_page()
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


@pytest.mark.usefixtures("usual_font")
@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/membres",
        "/membres?q=xyzzy",
        "/mentions-legales",
        "/confidentialite",
        "/connexion",
        "/connexion?motif=expiree",
        "profile",
        "company",
    ],
)
def test_the_interface_takes_over_exactly_what_the_server_wrote(page: Page, path: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    if path in ("profile", "company"):
        path = first_member_with_a_company(page) if path == "profile" else _company_of_the_first(page)
    taken_over_as_written(page, path)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("window.scrollY") == 0
    assert page.locator("title").count() == 1


def _company_of_the_first(page: Page) -> str:
    open_page(page, first_member_with_a_company(page))
    return page.locator("a.person-company").get_attribute("href") or ""


@a_404_is_expected
def test_an_unknown_member_leads_back_to_the_directory(page: Page) -> None:
    for path in ("/membres/nobody", "/entreprises/nothing"):
        # The page that leads back does so while it is still loading: its load is not waited for, that of the next is.
        answer = page.goto(path, wait_until="commit")
        assert answer is not None
        assert answer.status == 404
        page.wait_for_url("**/membres")
        page.locator("#first-paint").wait_for(state="detached")
        expect(page.get_by_role("heading", level=1, name="Nos membres")).to_be_visible()


@a_404_is_expected
def test_an_unknown_address_is_a_404_with_the_way_home(page: Page) -> None:
    answer = page.goto("/nulle-part")
    assert answer is not None
    assert answer.status == 404
    page.locator("#first-paint").wait_for(state="detached")
    expect(page.get_by_role("heading", level=1)).to_have_text("Oops! Page not found")
    assert "not found" not in page.locator("head").inner_html()
    page.get_by_role("link", name="Retour à l’accueil").click()
    expect(page.get_by_role("link", name="Voir les membres")).to_be_visible()


def test_no_public_page_shuts_anyone_out(page: Page) -> None:
    someone, company = first_member_with_a_company(page), _company_of_the_first(page)
    for path in ("/", "/membres", "/membres?q=xyzzy", "/mentions-legales", "/confidentialite", someone, company):
        open_page(page, path)
        shuts_nobody_out(page)
