"""Signing in as usual, where websockets are refused, and where no script runs."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext
from sqlalchemy import update
from sqlmodel import col

from clubapp.database import transaction
from clubapp.models import SignInLink
from clubapp.services.access import sign_in
from clubapp.services.access.sign_in_limits import MAX_PER_ADDRESS
from tests.e2e.conftest import SMALL_PHONE, without_socket
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier
from tests.e2e.sign_in_steps import admin, mailed_code, mailed_link
from tests.e2e.site import Site
from tests.e2e.visitors import Visitor

pytestmark = pytest.mark.console_errors("WebSocket", "422", "429")
SENT = "Vérifiez votre boîte mail et cliquez sur le lien de connexion."


def change_link(site: Site, email: str, **fields: Any) -> None:
    """Change what is kept of the mail that somebody asked for."""
    with database_of(site), transaction() as session:
        session.execute(update(SignInLink).where(col(SignInLink.email) == email).values(**fields))


def wrong(code: str, times: int = 1) -> str:
    return f"{(int(code) + times) % 1_000_000:06d}"


def test_what_is_refused_and_the_code_that_signs_in_after_the_page_was_left(
    site: Site, anywhere: Visitor, request: pytest.FixtureRequest
) -> None:
    """What is behind a link's # is never sent: without script, its page leads to the code."""
    name = re.sub(r"\W+", "-", request.node.callspec.id)
    email, busy = admin(site, f"porte-{name}"), admin(site, f"presse-{name}")
    with database_of(site), transaction() as session:
        for number in range(MAX_PER_ADDRESS):
            sign_in.request_link(session, busy, requester=f"192.0.2.{number}")
    anywhere.open("/connexion?motif=expiree")
    anywhere.reads("Session expirée", "Votre session a expiré. Veuillez vous reconnecter.")
    anywhere.press("Se connecter par email", email="helene@beffroi")
    anywhere.reads("Indiquez une adresse e-mail valide")
    anywhere.has_typed("email", "helene@beffroi")
    anywhere.press("Se connecter par email", email=busy)
    anywhere.reads("Trop de demandes pour cette adresse.", "15 minutes")
    anywhere.has_typed("email", busy)
    anywhere.press("Se connecter par email", email=email)
    anywhere.reads("Email envoyé !", SENT, f"Envoyé à {email}")
    code = mailed_code(site, email)
    anywhere.press("Valider le code", code=wrong(code))
    anywhere.reads("Code incorrect. Il vous reste 4 essais.")
    anywhere.looks()
    change_link(site, email, code_tries=5)
    anywhere.press("Valider le code", code=code)
    anywhere.reads("Trop de codes erronés. Utilisez le lien reçu par e-mail")
    change_link(site, email, code_tries=1)

    anywhere.open("/auth/callback")
    if anywhere.has_script:
        anywhere.reads("Tokens manquants")
        anywhere.is_at("/connexion")
        anywhere.press("J’ai déjà reçu un code")
    else:
        anywhere.reads("Ce lien a besoin de JavaScript")
        anywhere.misses("Vérification en cours...")
        anywhere.looks()
        anywhere.press("saisir le code")
    anywhere.press("Valider le code", code=f"{code[:3]} {code[3:]}")
    anywhere.is_at("/admin")
    if not anywhere.has_script:
        said = anywhere.page.locator("main").evaluate("(main) => getComputedStyle(main, '::before').content")
        assert "Cet espace a besoin de JavaScript" in said
    anywhere.open("/connexion")
    anywhere.reads("Votre session est déjà ouverte", email)


@pytest.mark.console_errors("WebSocket", "422", "ERR_INTERNET_DISCONNECTED")
def test_a_press_while_the_site_cannot_be_reached_keeps_what_is_typed_and_links_need_no_websocket(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    """A form that goes by itself ends at the browser's own page of an error, without what was typed."""
    page = without_socket(new_context(site, viewport=SMALL_PHONE))
    anywhere, email = Visitor(page), admin(site, "sans-fil")

    def press_twice(button: str, **typed: str) -> None:
        page.context.set_offline(True)
        anywhere.press(button, **typed)
        anywhere.reads("Le site ne répond pas\u00a0: rien n’a été envoyé.")
        if typed.get("email"):
            has_no_barrier(page)
        for field, text in typed.items():
            anywhere.has_typed(field, text)
        fits(page)
        page.context.set_offline(False)
        anywhere.press(button)

    anywhere.open("/connexion")
    anywhere.press("Se connecter par email", email="helene@beffroi")
    anywhere.reads("Indiquez une adresse e-mail valide")  # the page that refuses has forms of the same kind
    press_twice("Se connecter par email", email=email)
    anywhere.reads("Email envoyé !", f"Envoyé à {email}")
    code = mailed_code(site, email)
    anywhere.press("Valider le code", code=wrong(code))
    anywhere.reads("Code incorrect. Il vous reste 4 essais.")
    press_twice("Valider le code", code=wrong(code, 2))
    anywhere.reads("Code incorrect. Il vous reste 3 essais.")

    link = mailed_link(site, email)
    anywhere.open(link)
    anywhere.is_at("/admin")
    anywhere.open(link)
    anywhere.reads("Pas de session", "Ce lien a déjà servi, a expiré ou a été remplacé")
    anywhere.is_at("/connexion")
    with database_of(site), transaction() as session:
        unasked = sign_in.create_link(session, email)
    anywhere.open(unasked)
    anywhere.reads("Ce lien n’a pas été demandé depuis ce navigateur", "•••@beffroi.example")
    anywhere.press("Confirmer la connexion")
    anywhere.is_at("/admin")
