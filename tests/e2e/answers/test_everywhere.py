"""The answer page where websockets are refused, and where nothing runs at all."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from sqlmodel import select

from clubapp.database import transaction
from clubapp.models import Event
from tests.e2e.conftest import SMALL_PHONE
from tests.e2e.invitation_steps import asked, database_of, fits, invite, press
from tests.e2e.site import Site


@pytest.fixture(params=["usual", "no socket", "no script"])
def anywhere(request: pytest.FixtureRequest, site: Site, new_context: Callable[..., BrowserContext]) -> Page:
    """A page as usual; on a small phone whose network cuts websockets; and on one whose browser runs no script."""
    if request.param == "usual":
        return new_context(site).new_page()
    context = new_context(site, viewport=SMALL_PHONE, java_script_enabled=request.param != "no script")
    page = context.new_page()
    page.route_web_socket("**/_event/**", lambda route: route.close())
    return page


@pytest.mark.console_errors("422")
def test_every_step_every_error_and_a_change_of_mind(site: Site, anywhere: Page) -> None:
    invitation = invite(site)
    page = anywhere
    page.goto(f"{invitation.path}&answer=oui")
    expect(page.get_by_text("Rien n’est encore enregistré")).to_be_visible()
    assert invitation.answer == (None, None, 0)
    press(page, "Oui, je viens")
    asked(page, "Resterez-vous déjeuner\u00a0?")
    press(page, "Oui, avec déjeuner")
    asked(page, "Combien d’invités vous accompagnent\u00a0?")
    page.get_by_label("Nombre d’invités").fill("6")
    press(page, "Valider")
    expect(page.get_by_role("alert").get_by_text("Maximum 5 invités par membre")).to_be_visible()
    expect(page.get_by_label("Nombre d’invités")).to_have_value("6")
    fits(page)
    page.get_by_label("Nombre d’invités").fill("2")
    press(page, "Valider")
    asked(page, "Merci pour votre confirmation !")
    assert invitation.answer == (True, True, 2)
    expect(page.get_by_role("link", name="Apple (.ics)")).to_be_visible()
    press(page, "Modifier ma réponse")
    press(page, "Garder ma réponse")
    asked(page, "Merci pour votre confirmation !")
    page.reload()
    press(page, "Modifier ma réponse")
    press(page, "Non, pas cette fois")
    asked(page, "Réponse enregistrée")
    assert invitation.answer == (False, None, 0)
    fits(page)


def test_with_a_script_the_page_is_never_left_and_shows_what_changes_meanwhile(site: Site, page: Page) -> None:
    invitation = invite(site)
    page.clock.install()
    page.goto(invitation.path)
    page.evaluate("window.isSame = true")
    press(page, "Oui, je viens")
    asked(page, "Resterez-vous déjeuner\u00a0?")
    with database_of(site), transaction() as session:
        session.exec(select(Event).where(Event.id == invitation.event_id)).one().status = "cancelled"
    page.clock.fast_forward(30_000)
    asked(page, "Cette rencontre est annulée.")
    assert page.evaluate("window.isSame")
