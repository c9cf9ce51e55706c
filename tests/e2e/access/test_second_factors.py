"""Second factors in a browser: passkeys of Chromium's own authenticator, an app, recovery codes (S12)."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pyotp.totp import TOTP
from sqlmodel import col, update

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import UserSession
from clubapp.services.access import sessions
from clubapp.services.access.sign_in import create_link
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, has_no_barrier
from tests.e2e.sign_in_steps import admin, expect_path
from tests.e2e.site import Site
from tests.services.access.sign_ins import code_of as mail_code_of
from tests.services.access.sign_ins import newest


def plug_in_authenticator(page: Page) -> Callable[[], object]:
    """A device with a fingerprint reader that always recognises its owner; what is returned loses it."""
    tools = page.context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    made = tools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return lambda: tools.send("WebAuthn.removeVirtualAuthenticator", made)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def open_link(page: Page, site: Site, email: str) -> None:
    """Open the link of a mail, in another browser than the one that asked."""
    with database_of(site), transaction() as session:
        link = create_link(session, email)
    page.goto(link)
    press(page, "Confirmer la connexion")
    expect_path(page, "/connexion/verification")


def code_of(secret: str, steps: int = 0) -> str:
    """What an app shows; the next step is good too, for the one before has served."""
    return TOTP(secret).at(int(clock.now().timestamp()) + 30 * steps)


def add_app(page: Page) -> tuple[str, list[str]]:
    """Add an app; its seed, and the recovery codes."""
    press(page, "Ajouter une application")
    secret = page.locator(".factor-secret").inner_text().replace(" ", "")
    page.get_by_label("Code affiché par l’application").fill("000000")
    press(page, "Vérifier le code")
    expect(page.get_by_text("Code incorrect.")).to_be_visible()
    page.get_by_label("Code affiché par l’application").fill(code_of(secret))
    press(page, "Vérifier le code")
    expect(page.get_by_role("heading", name="Vos dix codes de secours")).to_be_focused()
    return secret, page.locator(".factor-codes li").all_inner_texts()


def add_passkey(page: Page) -> list[str]:
    """Add a passkey; the recovery codes."""
    press(page, "Ajouter une clé d’accès")
    page.get_by_label("Nom de cette clé").fill("Téléphone de Léa")
    press(page, "Enregistrer la clé")
    expect(page.get_by_role("heading", name="Vos dix codes de secours")).to_be_focused()
    return page.locator(".factor-codes li").all_inner_texts()


def sign_out(page: Page) -> None:
    press(page, "Déconnexion")
    expect_path(page, "/connexion")


def begin_second_step(page: Page, site: Site, email: str) -> None:
    """Be where the link of a mail leads whoever has a factor."""
    with database_of(site), transaction() as session:
        cookie, _ = sessions.open_session(session, email, is_half_open=True)
    page.context.add_cookies([{"name": "session", "value": cookie, "url": site.url}])
    page.goto("/connexion/verification")


@pytest.mark.console_errors("status of 422")
def test_a_passkey_signs_in_alone_and_after_the_mail_and_is_lost(page: Page, site: Site) -> None:
    """Whoever has lost it is let in by a recovery code, and gives a proof by another one; each is good once."""
    email = admin(site, "cle")
    lose = plug_in_authenticator(page)
    page.goto("/connexion?motif=Appelez+le+0899")
    press(page, "Se connecter avec une clé d’accès")
    expect(page.get_by_role("alert").filter(has_text="Aucune clé d’accès n’a répondu")).to_be_visible()
    expect(page.get_by_text(re.compile("Appelez|Session expirée"))).to_have_count(0)  # never the words of the address

    sign_in(page, site, email, "/admin/sessions")
    expect(page.get_by_text("À protéger")).to_be_visible()
    codes = add_passkey(page)
    assert len(codes) == 10
    press(page, "J’ai noté mes codes")
    expect(page.get_by_text("Téléphone de Léa", exact=False).first).to_be_visible()
    expect(page.get_by_text("Il vous reste 10 codes de secours.")).to_be_visible()
    has_no_barrier(page)
    sign_out(page)
    press(page, "Se connecter avec une clé d’accès")
    expect_path(page, "/admin")
    expect(page.get_by_text(email)).to_be_visible()
    expect(page.get_by_text("À protéger")).to_have_count(0)

    begin_second_step(page, site, email)
    expect(page.get_by_role("button", name="Utiliser ma clé d’accès")).to_be_visible()
    has_no_barrier(page)
    press(page, "Utiliser ma clé d’accès")
    expect_path(page, "/admin")

    lose()
    begin_second_step(page, site, email)
    press(page, "Utiliser un code de secours")
    page.get_by_label("Code de secours").fill(codes[0])
    press(page, "Valider le code de secours")
    expect_path(page, "/admin")
    page.get_by_role("link", name="Administrateurs").click()
    page.get_by_label("Adresse e-mail").fill("secours@beffroi.example")
    make_proof_old(site, email)
    press(page, "Ajouter")
    dialog = page.get_by_role("dialog", name="C’est bien vous")
    dialog.get_by_role("button", name="Utiliser un code de secours").click()
    field = dialog.get_by_label("Code de secours")
    field.fill(codes[0])
    dialog.get_by_role("button", name="Confirmer").click()
    expect(dialog.get_by_role("alert").filter(has_text="il a déjà servi")).to_be_visible()
    has_no_barrier(page)
    field.fill(codes[1])
    dialog.get_by_role("button", name="Confirmer").click()
    expect(page.get_by_text("secours@beffroi.example administre désormais le club.")).to_be_visible()
    expect(dialog).to_be_hidden()


@pytest.mark.console_errors("status of 422")
def test_an_administrator_without_a_factor_can_only_add_one_where_it_is_required(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    """An app, which is asked for from then on."""
    site = own_site(CLUB_ADMIN_SECOND_FACTOR="required")
    page = new_context(site).new_page()
    email = admin(site, "oblige")
    open_link(page, site, email)
    secret, codes = add_app(page)
    assert len(codes) == 10
    page.get_by_role("link", name="J’ai noté mes codes, continuer").click()
    expect_path(page, "/admin")
    expect(page.get_by_role("heading", name="Membres", level=1)).to_be_visible()
    open_link(page, site, email)
    page.get_by_label("Code à 6 chiffres de votre application").fill(code_of(secret, 1))
    press(page, "Valider le code")
    expect_path(page, "/admin")


def test_a_lasting_act_and_a_file_ask_for_a_proof_where_they_are_and_lose_nothing(page: Page, site: Site) -> None:
    email = admin(site, "preuves")
    sign_in(page, site, email, "/admin/administrators")
    field = page.get_by_label("Adresse e-mail")
    field.fill("nouvelle@beffroi.example")
    make_proof_old(site, email)
    press(page, "Ajouter")
    dialog = page.get_by_role("dialog", name="C’est bien vous")
    expect(dialog).to_be_visible()
    has_no_barrier(page)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(field).to_have_value("nouvelle@beffroi.example")
    press(page, "Ajouter")
    prove_by_mail(page, site, email)
    expect(page.get_by_text("nouvelle@beffroi.example administre désormais le club.")).to_be_visible()
    expect(dialog).to_be_hidden()

    page.get_by_role("link", name="Membres", exact=True).click()
    export = page.get_by_role("link", name="Exporter en CSV")
    expect(export).to_be_visible()
    make_proof_old(site, email)
    export.click()
    with page.expect_download() as download:
        prove_by_mail(page, site, email)
    assert download.value.suggested_filename.startswith("membres")


def make_proof_old(site: Site, email: str) -> None:
    """Let the sessions of an address have proved eleven minutes ago whose they are."""
    mine = update(UserSession).where(col(UserSession.email) == email)
    with database_of(site), transaction() as session:
        session.execute(mine.values(proved_at=clock.now() - timedelta(minutes=11)))


def prove_by_mail(page: Page, site: Site, email: str) -> None:
    """Give the proof of whoever has no second factor."""
    dialog = page.get_by_role("dialog", name="C’est bien vous")
    dialog.get_by_role("button", name="Recevoir un code par e-mail").click()
    field = dialog.get_by_label("Code à 6 chiffres reçu par e-mail")
    expect(field).to_be_visible()
    with database_of(site):
        field.fill(mail_code_of(newest(email)))
    dialog.get_by_role("button", name="Confirmer").click()
