"""The end of a session: time that is up, signing out, a right that is lost; and one more hour for whoever stays."""

from datetime import timedelta

from playwright.sync_api import Page, WebSocketRoute, expect

from clubapp.database import transaction
from clubapp.services.access import administrators
from clubapp.services.base.actors import SYSTEM
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of
from tests.e2e.sign_in_steps import admin, expect_path, set_end
from tests.e2e.site import Site
from tests.services.access.sign_ins import code_of, newest, wrong_code_of

MINUTE = timedelta(minutes=1)


def leave_to(site: Site, email: str, left: timedelta, *tabs: Page) -> None:
    """Let the sessions of an address end that much later, and the tabs look, as when somebody comes back to them."""
    set_end(site, email, left)
    for tab in tabs:
        tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_whoever_stays_types_a_code_above_what_is_open_and_whoever_does_not_is_signed_out_in_every_tab(
    site: Site, page: Page
) -> None:
    email = admin(site, "hermine")
    sign_in(page, site, email, "/admin/events")
    expect(page.locator(".session-left")).to_have_text("La session expire dans 60 min")
    expect(page.get_by_role("link", name="Mon espace membre")).to_have_count(0)
    page.get_by_role("button", name="Nouvel événement").click()
    form = page.get_by_role("dialog")
    form.locator("[name=title]").fill("Sans rien perdre")
    leave_to(site, email, 4 * MINUTE, page)
    warning = page.get_by_text("Votre session expire dans 4 min")
    expect(warning).to_be_visible()
    stay = page.get_by_role("button", name="Rester connecté")
    for _ in range(40):
        if stay.evaluate("button => button === document.activeElement"):
            break
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    code = page.get_by_label("Code à 6 chiffres")
    expect(code).to_be_focused()
    lowest = page.get_by_role("button", name="Valider le code").bounding_box()
    title = form.get_by_role("heading", level=2).first.bounding_box()
    assert lowest
    assert title
    assert lowest["y"] + lowest["height"] < title["y"], "it covers nothing of the dialog"
    with database_of(site):
        wrong, right = wrong_code_of(newest(email)), code_of(newest(email))
    code.fill(wrong)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Code incorrect. Il vous reste 4 essais.")).to_be_visible()
    code.fill(right)
    page.keyboard.press("Enter")
    expect(stay).to_have_count(0)
    expect(code).to_have_count(0)
    expect(form.locator("[name=title]")).to_have_value("Sans rien perdre")
    expect(page.locator(".session-left")).to_have_text("La session expire dans 60 min")

    second = page.context.new_page()
    second.goto("/admin")
    expect(second.get_by_text(email)).to_be_visible()
    leave_to(site, email, 4 * MINUTE, page)
    expect(warning).to_be_visible()
    page.get_by_role("button", name="Fermer l’avertissement").click()
    expect(warning).to_have_count(0)
    leave_to(site, email, timedelta(seconds=5), page, second)
    for tab in (page, second):
        expect(tab.get_by_text("La session expire dans 1 min", exact=True)).to_have_count(1)
    for tab in (page, second):
        expect_path(tab, "/connexion")
        expect(tab.get_by_text("Votre session a expiré. Veuillez vous reconnecter.")).to_be_visible()
        expect(tab.get_by_text(email)).to_have_count(0)
        expect(tab.get_by_label("Adresse e-mail")).to_have_value(email)


def test_a_sign_out_reaches_the_other_tabs_and_a_removed_administrator_is_shown_out(site: Site, page: Page) -> None:
    email = admin(site, "irma")
    sign_in(page, site, email, "/admin")
    second = page.context.new_page()
    second.goto("/admin")
    expect(second.get_by_text(email)).to_be_visible()
    page.get_by_role("button", name="Déconnexion").click()
    expect_path(page, "/connexion")
    expect_path(second, "/connexion")
    expect(second.get_by_text(email)).to_have_count(0)
    expect(second.get_by_text("Session expirée")).to_have_count(0)

    sign_in(page, site, email, "/admin")
    expect(page.get_by_text(email)).to_be_visible()
    with database_of(site), transaction() as session:
        administrators.remove_administrator(session, SYSTEM, email)
    expect_path(page, "/connexion")


def test_the_address_is_filled_in_whatever_of_the_screen_arrives_first(site: Site, page: Page) -> None:
    """Two events of one screen may be handled in either order when the server is busy."""
    late: list[str | bytes] = []

    def connect(browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()

        def to_server(message: str | bytes) -> None:
            if "sign_in_state.begin" in str(message):
                late.append(message)
            else:
                server.send(message)

        def to_browser(message: str | bytes) -> None:
            browser.send(message)
            while late and "hortense@" in str(message):
                server.send(late.pop())

        browser.on_message(to_server)
        server.on_message(to_browser)

    kept = "sessionStorage.setItem('club-address', 'hortense@club.example')"
    page.add_init_script(f"if (location.protocol === 'http:') {kept}")
    page.route_web_socket("**/_event/**", connect)
    page.goto("/connexion?motif=expiree")
    expect(page.locator("#first-paint")).to_have_count(0)
    expect(page.get_by_label("Adresse e-mail")).to_have_value("hortense@club.example")
