"""Second factors in a browser: passkeys of Chromium's own authenticator, an app, recovery codes (S12)."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect
from pyotp.totp import TOTP
from sqlmodel import col, update

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import UserSession
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


def recover(page: Page, site: Site, email: str, code: str) -> None:
    """Sign in with the mail and a recovery code, without the factor that was lost."""
    open_link(page, site, email)
    press(page, "Utiliser un code de secours")
    page.get_by_label("Code de secours").fill(code)
    press(page, "Valider le code de secours")
    expect_path(page, "/admin")


def test_a_passkey_is_added_signs_in_alone_and_after_the_mail_and_is_lost(page: Page, site: Site) -> None:
    email = admin(site, "cle")
    lose = plug_in_authenticator(page)
    sign_in(page, site, email, "/admin/sessions")
    expect(page.get_by_text("À protéger")).to_be_visible()
    codes = add_passkey(page)
    assert len(codes) == 10
    press(page, "J’ai noté mes codes")
    page.reload()
    expect(page.get_by_text("Téléphone de Léa", exact=False).first).to_be_visible()
    expect(page.get_by_text("À protéger")).to_have_count(0)
    expect(page.get_by_text("Téléphone de Léa", exact=False).first).to_be_visible()
    has_no_barrier(page)
    sign_out(page)
    press(page, "Se connecter avec une clé d’accès")
    expect_path(page, "/admin")
    sign_out(page)
    open_link(page, site, email)
    page.goto("/admin/sessions")
    expect_path(page, "/connexion/verification")
    has_no_barrier(page)
    press(page, "Utiliser ma clé d’accès")
    expect_path(page, "/admin")
    sign_out(page)
    lose()
    recover(page, site, email, codes[0])


def test_a_device_without_a_passkey_is_told_what_to_do(page: Page, site: Site) -> None:
    plug_in_authenticator(page)
    page.goto("/connexion")
    press(page, "Se connecter avec une clé d’accès")
    expect(page.get_by_role("alert").filter(has_text="Aucune clé d’accès n’a répondu")).to_be_visible()


def sign_in_with_app(page: Page, site: Site, email: str, secret: str) -> None:
    open_link(page, site, email)
    page.get_by_label("Code à 6 chiffres de votre application").fill(code_of(secret, 1))
    press(page, "Valider le code")
    expect_path(page, "/admin")


@pytest.mark.console_errors("status of 422")
def test_an_app_is_added_asked_for_and_replaced_by_a_recovery_code(
    page: Page, site: Site, new_context: Callable[..., object]
) -> None:
    email = admin(site, "appli")
    sign_in(page, site, email, "/admin/sessions")
    secret, codes = add_app(page)
    assert len(codes) == 10
    press(page, "J’ai noté mes codes")
    expect(page.get_by_text("Il vous reste 10 codes de secours.")).to_be_visible()
    sign_out(page)
    sign_in_with_app(page, site, email, secret)
    sign_out(page)
    recover(page, site, email, codes[0])


@pytest.mark.console_errors("status of 422")
def test_an_administrator_without_a_factor_can_only_add_one_where_it_is_required(
    own_site: Callable[..., Site], new_context: Callable[..., object]
) -> None:
    site = own_site(CLUB_ADMIN_SECOND_FACTOR="required")
    page: Page = new_context(site).new_page()  # type: ignore[attr-defined]
    email = admin(site, "oblige")
    open_link(page, site, email)
    page.goto("/admin/administrators")
    expect_path(page, "/connexion/verification")
    secret, codes = add_app(page)
    page.get_by_role("link", name="J’ai noté mes codes, continuer").click()
    expect_path(page, "/admin")
    expect(page.get_by_role("heading", name="Membres", level=1)).to_be_visible()
    sign_out(page)
    sign_in_with_app(page, site, email, secret)
    sign_out(page)
    recover(page, site, email, codes[0])
    sign_out(page)
    lose, email = plug_in_authenticator(page), admin(site, "oblige-cle")
    open_link(page, site, email)
    codes = add_passkey(page)
    page.get_by_role("link", name="J’ai noté mes codes, continuer").click()
    expect_path(page, "/admin")
    sign_out(page)
    press(page, "Se connecter avec une clé d’accès")
    expect_path(page, "/admin")
    sign_out(page)
    lose()
    recover(page, site, email, codes[0])


def test_a_lasting_act_asks_for_a_proof_where_it_is_and_loses_nothing(page: Page, site: Site) -> None:
    email = admin(site, "preuve")
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


@pytest.mark.console_errors("status of 422")
def test_a_recovery_code_is_a_proof_of_whoever_has_lost_their_key_and_only_once(page: Page, site: Site) -> None:
    email = admin(site, "cleperdue")
    lose = plug_in_authenticator(page)
    sign_in(page, site, email, "/admin/sessions")
    codes = add_passkey(page)
    press(page, "J’ai noté mes codes")
    lose()
    sign_out(page)
    recover(page, site, email, codes[0])
    page.goto("/admin/administrators")
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


def test_a_file_is_downloaded_after_the_proof(page: Page, site: Site) -> None:
    email = admin(site, "export")
    sign_in(page, site, email, "/admin")
    expect(page.get_by_text(email)).to_be_visible()
    make_proof_old(site, email)
    page.get_by_role("link", name="Exporter en CSV").click()
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
