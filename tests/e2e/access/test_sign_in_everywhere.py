"""Signing in as usual, where websockets are refused, and where no script runs."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from sqlalchemy import delete, update
from sqlmodel import col

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import SignInLink
from clubapp.services.access import sign_in
from tests.e2e.conftest import SMALL_PHONE, without_socket
from tests.e2e.invitation_steps import database_of
from tests.e2e.sign_in_steps import admin, mailed_code, mailed_link
from tests.e2e.site import Site
from tests.e2e.visitors import Visitor

pytestmark = pytest.mark.console_errors("WebSocket", "422", "429")
SENT = "Vérifiez votre boîte mail et cliquez sur le lien de connexion."


@pytest.fixture(autouse=True)
def nobody_has_asked(site: Site) -> None:
    """Everybody here has one network address, which may ask twenty times in a quarter of an hour."""
    with database_of(site), transaction() as session:
        session.execute(delete(SignInLink))


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A name for somebody of this test and mode."""
    return re.sub(r"\W+", "-", request.node.name)[-50:].strip("-")


def ask(visitor: Visitor, email: str) -> None:
    visitor.open("/connexion")
    visitor.press("Se connecter par email", email=email)
    visitor.reads("Email envoyé !", SENT, f"Envoyé à {email}")


def change_link(site: Site, email: str, **fields: Any) -> None:
    """Change what is kept of the mail that somebody asked for."""
    with database_of(site), transaction() as session:
        session.execute(update(SignInLink).where(col(SignInLink.email) == email).values(**fields))


def test_what_is_no_address_then_a_wrong_code_and_the_right_one_after_the_page_was_left(
    site: Site, anywhere: Visitor, name: str
) -> None:
    email = admin(site, name)
    anywhere.open("/connexion?motif=expiree")
    anywhere.reads("Session expirée", "Votre session a expiré. Veuillez vous reconnecter.")
    anywhere.press("Se connecter par email", email="helene@beffroi")
    anywhere.reads("Indiquez une adresse e-mail valide")
    anywhere.has_typed("email", "helene@beffroi")
    anywhere.press("Se connecter par email", email=email)
    anywhere.reads("Email envoyé !", SENT, f"Envoyé à {email}")
    anywhere.looks()
    code = mailed_code(site, email)
    anywhere.press("Valider le code", code=f"{(int(code) + 1) % 1_000_000:06d}")
    anywhere.reads("Code incorrect. Il vous reste 4 essais.")
    anywhere.looks()
    anywhere.open("/membres")
    anywhere.open("/connexion")
    anywhere.press("J’ai déjà reçu un code")
    anywhere.press("Valider le code", code=f"{code[:3]} {code[3:]}")
    anywhere.is_at("/admin")
    anywhere.open("/connexion")
    anywhere.reads("Votre session est déjà ouverte", email)


def test_too_many_requests_are_refused_with_a_time_and_a_stranger_reads_the_same(
    site: Site, anywhere: Visitor, name: str
) -> None:
    stranger, busy = f"{name}@ailleurs.example", admin(site, name)
    with database_of(site), transaction() as session:
        for number in range(10):
            sign_in.request_link(session, busy, requester=f"192.0.2.{number}")
    anywhere.open("/connexion")
    anywhere.press("Se connecter par email", email=busy)
    anywhere.reads("Trop de demandes pour cette adresse.", "15 minutes")
    anywhere.has_typed("email", busy)
    anywhere.press("Se connecter par email", email=stranger)
    anywhere.reads("Email envoyé !", SENT, f"Envoyé à {stranger}")
    assert "access_token" not in site.wait_for_mail(stranger, "sign_in_unknown").as_string()


@pytest.mark.console_errors("WebSocket", "422", "ERR_INTERNET_DISCONNECTED")
def test_a_press_while_the_site_cannot_be_reached_keeps_what_is_typed_and_can_be_made_again(
    site: Site, new_context: Callable[..., BrowserContext], name: str
) -> None:
    """A form that goes by itself ends at the browser's own page of an error, without what was typed."""
    page = without_socket(new_context(site, viewport=SMALL_PHONE))
    anywhere, email = Visitor(page), admin(site, name)
    anywhere.open("/connexion")
    for button, field, wrong, right in (
        ("Se connecter par email", "email", "helene@beffroi", email),
        ("Valider le code", "code", "000000", lambda: mailed_code(site, email)),
    ):
        anywhere.press(button, **{field: wrong})  # the page that refuses has forms of the same kind
        anywhere.reads("Indiquez une adresse e-mail valide" if field == "email" else "Code incorrect")
        page.context.set_offline(True)
        typed = right() if callable(right) else right
        anywhere.press(button, **{field: typed})
        anywhere.reads("Le site ne répond pas\u00a0: rien n’a été envoyé.")
        anywhere.has_typed(field, typed)
        anywhere.looks()
        page.context.set_offline(False)
        anywhere.press(button)
    anywhere.is_at("/admin")


def test_another_address_typed_in_the_tab_that_asked_before_is_the_one_that_is_asked_for(
    site: Site, page: Page, name: str
) -> None:
    for email in (admin(site, name), f"{name}@ailleurs.example"):
        page.goto("/connexion", wait_until="commit")
        page.get_by_role("textbox", name="Adresse e-mail").fill(email)
        page.get_by_role("button", name="Se connecter par email").click()
        expect(page.get_by_text(f"Envoyé à {email}")).to_be_visible()


def test_codes_end_after_five_tries_and_with_the_link(site: Site, anywhere: Visitor, name: str) -> None:
    email = admin(site, name)
    ask(anywhere, email)
    code = mailed_code(site, email)
    change_link(site, email, code_tries=5)
    anywhere.press("Valider le code", code="000000")
    anywhere.reads("Trop de codes erronés. Utilisez le lien reçu par e-mail")
    change_link(site, email, expires_at=clock.now() - timedelta(minutes=1))
    anywhere.press("Valider le code", code=code)
    anywhere.reads("Ce code n’est plus valable. Demandez un nouvel e-mail.")


def test_the_link_of_the_mail(site: Site, anywhere: Visitor, name: str) -> None:
    """What is behind its # is never sent: without script, the page leads to the code."""
    email = admin(site, name)
    ask(anywhere, email)
    link = mailed_link(site, email)
    anywhere.open(link)
    if not anywhere.has_script:
        anywhere.reads("Ce lien a besoin de JavaScript")
        anywhere.misses("Vérification en cours...")
        anywhere.looks()
        anywhere.press("saisir le code")
        anywhere.press("Valider le code", code=mailed_code(site, email))
    anywhere.is_at("/admin")
    if not anywhere.has_script:
        said = anywhere.page.locator("main").evaluate("(main) => getComputedStyle(main, '::before').content")
        assert "Cet espace a besoin de JavaScript" in said
        return
    anywhere.open("/mentions-legales")
    anywhere.open(link)
    anywhere.reads("Pas de session", "Ce lien a déjà servi, a expiré ou a été remplacé")
    anywhere.is_at("/connexion")
    with database_of(site), transaction() as session:
        unasked = sign_in.create_link(session, email)
    anywhere.open(unasked)
    anywhere.reads("Ce lien n’a pas été demandé depuis ce navigateur", "•••@beffroi.example")
    anywhere.looks()
    anywhere.press("Confirmer la connexion")
    anywhere.is_at("/admin")


def test_a_link_without_tokens_leads_to_the_sign_in_page(anywhere: Visitor) -> None:
    anywhere.open("/auth/callback")
    if anywhere.has_script:
        anywhere.reads("Tokens manquants")
    else:
        anywhere.reads("Ce lien a besoin de JavaScript")
        anywhere.press("saisir le code")
    anywhere.is_at("/connexion")
