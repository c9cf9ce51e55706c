"""Asking and signing in as people do it: by mail, by code, in another browser."""

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from clubapp.database import transaction
from clubapp.services.access.sign_in import create_link
from clubapp.services.demo import MEMBER_EMAIL
from tests.e2e.conftest import sign_in, sign_in_by_link
from tests.e2e.invitation_steps import database_of, shuts_nobody_out
from tests.e2e.sign_in_steps import admin, expect_path, mailed_link
from tests.e2e.site import Site

NewContext = Callable[..., BrowserContext]


def ask(page: Page, email: str, path: str = "/connexion") -> None:
    """Ask for a mail on the sign-in screen."""
    page.goto(path)
    page.get_by_role("textbox", name="Adresse e-mail").fill(email)
    page.get_by_role("button", name="Se connecter par email").click()
    expect(page.get_by_role("heading", name="Email envoyé !")).to_be_visible()


def test_an_administrator_asks_follows_the_link_and_signs_out(site: Site, page: Page) -> None:
    email = admin(site, "ada")
    ask(page, email)
    expect(page.get_by_text("Vérifiez votre boîte mail et cliquez sur le lien de connexion.")).to_be_visible()
    expect(page.get_by_text("Vérifiez votre boîte mail pour vous connecter.")).to_be_visible()
    tab = page.context.new_page()
    tab.goto(mailed_link(site, email))
    expect_path(tab, "/admin")
    assert "token" not in tab.url
    expect(tab.get_by_text(email)).to_be_visible()
    expect(tab.get_by_text(re.compile(r"La session expire dans (59|60) min"))).to_be_visible()
    (cookie,) = [held for held in tab.context.cookies() if held.get("name") == "session"]
    assert (cookie.get("httpOnly"), cookie.get("sameSite")) == (True, "Lax")
    tab.get_by_role("button", name="Déconnexion").click()
    expect_path(tab, "/connexion")
    assert [held.get("name") for held in tab.context.cookies()] == ["browser"]  # it gives no right
    tab.goto("/admin")
    expect_path(tab, "/connexion")


def test_a_link_of_the_older_path_works(site: Site, page: Page) -> None:
    email = admin(site, "berthe")
    ask(page, email, "/admin/login")
    page.goto(mailed_link(site, email).replace("/auth/callback", "/admin/callback"))
    expect_path(page, "/admin")


def test_no_token_reaches_the_socket_or_stays_in_the_address(site: Site, page: Page) -> None:
    email = admin(site, "colette")
    frames: list[str] = []
    requests: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: frames.append(str(frame))))
    page.on("request", lambda request: requests.append(request.url + str(request.headers)))
    link = site.command("sign-in-link", email)
    page.goto(link)
    expect(page.get_by_role("button", name="Confirmer la connexion")).to_be_visible()
    assert frames
    for secret in re.findall(r"token=([\w-]+)", link):
        assert not any(secret in seen for seen in [*frames, *requests])
        assert secret not in page.url
        assert secret not in page.evaluate("JSON.stringify([history.state, {...localStorage}, {...sessionStorage}])")
    page.reload()
    expect(page.get_by_text("Tokens manquants")).to_be_visible()


def test_another_browser_confirms_and_the_link_is_then_used_up(site: Site, page: Page, new_context: NewContext) -> None:
    email = admin(site, "denise")
    ask(page, email)
    link = mailed_link(site, email)
    scanner = new_context(site).new_page()
    for _ in range(3):
        scanner.goto("about:blank")
        scanner.goto(link)
        expect(scanner.get_by_text("de•••@beffroi.example")).to_be_visible()
    other = new_context(site).new_page()
    other.goto(link)
    other.get_by_role("button", name="Confirmer la connexion").click()
    expect_path(other, "/admin")
    scanner.get_by_role("button", name="Confirmer la connexion").click()
    expect(scanner.get_by_text("Pas de session", exact=True)).to_be_visible()
    expect_path(scanner, "/connexion")


def test_whose_session_would_end_is_said_before_another_persons_link_ends_it(site: Site, page: Page) -> None:
    sign_in(page, site, MEMBER_EMAIL, "/member")
    email = admin(site, "gersende")
    with database_of(site), transaction() as session:
        link = create_link(session, email)
    page.goto(link)
    expect(page.get_by_text(f"La session de {MEMBER_EMAIL} est ouverte dans ce navigateur")).to_be_visible()
    shuts_nobody_out(page)
    page.goto("/member")
    expect(page.get_by_role("heading", level=1, name="Mon profil")).to_be_visible()


def test_a_link_opened_again_says_why_it_fails_and_the_open_session_is_offered(site: Site, page: Page) -> None:
    email = admin(site, "rosalie")
    ask(page, email)
    expect(page.get_by_role("heading", name="Email envoyé !")).to_be_focused()
    link = mailed_link(site, email)
    page.goto(link)
    expect_path(page, "/admin")
    page.goto("about:blank")
    page.goto(link)
    expect(page.get_by_text("Pas de session", exact=True)).to_be_visible()
    expect(page.get_by_text("Ce lien a déjà servi, a expiré ou a été remplacé")).to_be_visible()
    expect_path(page, "/connexion")
    expect(page.get_by_text("Votre session est déjà ouverte")).to_be_visible()
    page.get_by_role("link", name="Ouvrir mon espace").click()
    expect_path(page, "/admin")


def test_what_was_said_long_ago_does_not_come_back_with_another_page(site: Site, page: Page) -> None:
    ask(page, admin(site, "suzanne"))
    told = page.get_by_text("Vérifiez votre boîte mail pour vous connecter.")
    expect(told).to_be_visible()
    page.goto("about:blank")
    page.wait_for_timeout(6500)
    page.goto("/membres")
    expect(page.get_by_role("heading", name="Nos membres")).to_be_visible()
    page.wait_for_timeout(1500)
    expect(told).to_have_count(0)


def test_too_many_requests_are_refused_with_a_time(site: Site, page: Page) -> None:
    email = admin(site, "fanny")
    ask(page, email)
    for _ in range(4):
        page.get_by_role("button", name="Renvoyer un email").click()
        expect(page.get_by_role("button", name="Renvoyer un email")).to_be_enabled()
        page.wait_for_timeout(300)
    page.get_by_role("button", name="Renvoyer un email").click()
    expect(page.get_by_text(re.compile("Trop de demandes pour cette adresse.* 15 minutes")).first).to_be_visible()


def test_the_banner_says_our_words_and_never_those_of_the_address(site: Site, page: Page) -> None:
    page.goto("/connexion?motif=expiree")
    expect(page.get_by_text("Session expirée", exact=True)).to_be_visible()
    expect(page.get_by_text("Votre session a expiré. Veuillez vous reconnecter.")).to_be_visible()
    page.goto("/connexion?motif=Appelez+le+0899")
    expect(page.get_by_role("button", name="Se connecter par email")).to_be_enabled()
    expect(page.get_by_text("Appelez")).to_have_count(0)
    expect(page.get_by_text("Session expirée")).to_have_count(0)


def test_a_member_sees_their_own_profile_and_company(site: Site, page: Page) -> None:
    from clubapp.services.demo import MEMBER_EMAIL

    sign_in_by_link(page, site, MEMBER_EMAIL)
    expect_path(page, "/member")
    expect(page.get_by_role("heading", name="Mon profil")).to_be_visible()
    expect(page.get_by_label("E-mail", exact=True)).to_have_value(MEMBER_EMAIL)
    page.get_by_role("link", name="Mon entreprise").click()
    expect_path(page, "/member/company")
    expect(page.get_by_role("heading", name="Mon entreprise")).to_be_visible()
    expect(page.get_by_label("Nom de l'entreprise")).not_to_have_value("")
    page.goto("/admin")
    expect_path(page, "/connexion")
