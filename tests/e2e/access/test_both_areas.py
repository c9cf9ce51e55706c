"""Who is both administrator and member goes from one area to the other, each in its own style sheet."""

import re

from playwright.sync_api import Page, expect

from clubapp.database import transaction
from clubapp.models import Member
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import Site
from tests.factories import add_member

NAVIGATES = "() => window.__reactRouterDataRouter?.navigate"


def test_who_is_both_switches_between_administration_and_their_own_space(page: Page, site: Site) -> None:
    with database_of(site), transaction() as session:
        person = add_member(session, "Hélène Caudrelier", ADMIN_EMAIL).id
    sign_in(page, site, ADMIN_EMAIL, "/admin")
    expect(page.locator(".session-email")).to_have_text(ADMIN_EMAIL)
    page.get_by_role("link", name="Mon espace membre").click()
    expect(page.get_by_role("heading", level=1, name="Mon profil")).to_be_visible()
    sheets = page.locator("link[rel=stylesheet][href*=area-]")
    expect(sheets).to_have_attribute("href", re.compile("area-member"))
    page.get_by_role("link", name="Mes invitations").click()
    expect(page.get_by_role("heading", level=1, name="Mes invitations")).to_be_visible()
    page.get_by_role("link", name="Administration").last.click()
    expect(page.get_by_role("heading", level=1, name="Membres")).to_be_visible()
    expect(sheets).to_have_attribute("href", re.compile("area-admin"))
    page.wait_for_function(NAVIGATES)
    page.evaluate("() => { __reactRouterDataRouter.navigate('/member'); }")  # as a redirect does
    expect(sheets).to_have_attribute("href", re.compile("area-member"))
    page.goto("/connexion")
    page.get_by_role("link", name="Ouvrir mon espace").click()
    expect(sheets).to_have_attribute("href", re.compile("area-admin"))
    with database_of(site), transaction() as session:
        session.delete(session.get(Member, person))
