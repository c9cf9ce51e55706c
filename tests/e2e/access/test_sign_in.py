"""Asking and signing in as people do it: by mail, in the browser that asked and in another one."""

import re
import time
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from clubapp.database import transaction
from clubapp.services.access import sign_in as sign_in_links
from clubapp.services.access.sign_in_limits import MAX_PER_ADDRESS
from clubapp.services.demo import MEMBER_EMAIL
from tests.e2e.conftest import SMALL_PHONE, sign_in
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier
from tests.e2e.sign_in_steps import admin, expect_path, mailed_link
from tests.e2e.site import Site


def ask(page: Page, email: str, path: str) -> None:
    """Ask for a mail on the sign-in screen, before it has come alive."""
    page.goto(path, wait_until="commit")
    page.get_by_role("textbox", name="Adresse e-mail").fill(email)
    page.get_by_role("button", name="Se connecter par email").click()
    expect(page.get_by_role("heading", name="Email envoyé !")).to_be_focused()
    expect(page.get_by_text(f"Envoyé à {email}")).to_be_visible()


def newer_link(site: Site, email: str, than: str) -> str:
    """The link of a mail that follows another one."""
    until = time.monotonic() + 30
    while (link := mailed_link(site, email)) == than:
        assert time.monotonic() < until
        time.sleep(0.1)
    return link


def test_an_administrator_asks_follows_the_link_and_signs_out(site: Site, page: Page) -> None:
    """At the older paths too; and for another address in the tab that has asked before."""
    email = admin(site, "ada")
    ask(page, "passant@ailleurs.example", "/admin/login")
    ask(page, email, "/admin/login")
    told = page.get_by_text("Vérifiez votre boîte mail pour vous connecter.")
    expect(told).to_be_visible()
    expect(page.get_by_text("Vérifiez votre boîte mail et cliquez sur le lien de connexion.")).to_be_visible()
    link, again = mailed_link(site, email), page.get_by_role("button", name="Renvoyer un email")
    again.click()
    link = newer_link(site, email, link)
    expect(again).to_be_enabled()
    with database_of(site), transaction() as session:
        for number in range(MAX_PER_ADDRESS - 2):
            sign_in_links.request_link(session, email, requester=f"192.0.2.{number}")
    again.click()
    expect(page.get_by_text(re.compile("Trop de demandes pour cette adresse.* 15 minutes")).first).to_be_visible()

    page.goto(link.replace("/auth/callback", "/admin/callback"))
    expect_path(page, "/admin")
    assert "token" not in page.url
    expect(page.get_by_text(email)).to_be_visible()
    expect(page.get_by_text(re.compile(r"La session expire dans (59|60) min"))).to_be_visible()
    expect(page.locator(".toast")).to_have_count(0)  # what was said before
    (cookie,) = [held for held in page.context.cookies() if held.get("name") == "session"]
    assert (cookie.get("httpOnly"), cookie.get("sameSite")) == (True, "Lax")
    page.get_by_role("button", name="Déconnexion").click()
    expect_path(page, "/connexion")
    assert [held.get("name") for held in page.context.cookies()] == ["browser"]  # it gives no right


def test_a_link_is_confirmed_in_another_browser_and_then_used_up(
    site: Site, page: Page, new_context: Callable[..., BrowserContext]
) -> None:
    """No token reaches the socket or stays in the address; whose session would end is said before."""
    frames: list[str] = []
    requests: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: frames.append(str(frame))))
    page.on("request", lambda request: requests.append(request.url + str(request.headers)))
    email = admin(site, "denise")
    with database_of(site), transaction() as session:
        link = sign_in_links.create_link(session, email)

    other = sign_in(new_context(site, viewport=SMALL_PHONE).new_page(), site, MEMBER_EMAIL)
    other.goto(link)
    expect(other.get_by_text("de•••@beffroi.example")).to_be_visible()
    expect(other.get_by_text(f"La session de {MEMBER_EMAIL} est ouverte dans ce navigateur")).to_be_visible()
    fits(other)
    has_no_barrier(other)

    page.goto(link)
    confirm = page.get_by_role("button", name="Confirmer la connexion")
    expect(confirm).to_be_visible()
    fits(page)
    until = time.monotonic() + 30
    while not frames and time.monotonic() < until:
        page.wait_for_timeout(20)
    assert frames
    for secret in re.findall(r"token=([\w-]+)", link):
        assert not any(secret in seen for seen in [*frames, *requests])
        assert secret not in page.url
        assert secret not in page.evaluate("JSON.stringify([history.state, {...localStorage}, {...sessionStorage}])")
    confirm.click()
    expect_path(page, "/admin")

    other.get_by_role("button", name="Confirmer la connexion").click()
    expect(other.get_by_text("Pas de session", exact=True)).to_be_visible()
    expect(other.get_by_text("Ce lien a déjà servi, a expiré ou a été remplacé")).to_be_visible()
    expect_path(other, "/connexion")
    expect(other.get_by_text("Votre session est déjà ouverte")).to_be_visible()
    other.get_by_role("link", name="Ouvrir mon espace").click()
    expect_path(other, "/member")
    expect(other.get_by_role("heading", level=1, name="Mon profil")).to_be_visible()
