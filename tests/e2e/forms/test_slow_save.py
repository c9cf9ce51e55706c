"""A form whose answer takes its time: what is typed meanwhile, and what becomes of who does not wait."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from clubapp.database import reading
from clubapp.models import Member
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import SlowAnswers, sign_in
from tests.e2e.forms.test_draft_form import FOUND, asked, opened, typed
from tests.e2e.invitation_steps import database_of
from tests.e2e.member_steps import as_member, employed
from tests.e2e.site import Site


def test_what_is_typed_while_a_save_travels_is_not_yet_saved(page: Page, site: Site) -> None:
    """Fails when an answer counts as one to what the form holds by then."""
    answers = SlowAnswers(page)
    as_member(page, site, person := employed(site))
    role, save = page.get_by_label("Fonction"), page.get_by_role("button", name="Enregistrer")
    role.fill("Cheffe")
    answers.hold()
    save.click()
    role.press("End")
    role.press_sequentially(" de projet")
    page.wait_for_timeout(500)  # the pause after which a draft is kept
    answers.let_through()
    expect(page.get_by_text("Profil mis à jour avec succès !")).to_be_visible()
    expect(role).to_have_value("Cheffe de projet")
    page.get_by_role("link", name="Mes sessions").click()
    asked(page).get_by_role("button", name="Continuer la saisie").click()
    save.click()
    page.wait_for_function("() => !Object.keys(localStorage).some((key) => key.startsWith('saisie:'))")
    page.get_by_role("link", name="Mes sessions").click()
    expect(page.get_by_role("heading", level=1, name="Mes sessions")).to_be_visible()
    with database_of(site), reading() as session:
        assert session.get_one(Member, person.id).role == "Cheffe de projet"


def test_a_form_left_while_its_save_travels_asks_first_and_keeps_its_draft(page: Page, site: Site) -> None:
    """Fails when an answer that nobody heard counts as a success."""
    answers = SlowAnswers(page)
    sign_in(page, site, ADMIN_EMAIL, "/admin/members")
    typed(page)
    answers.hold()
    page.get_by_role("button", name="Créer").click()
    page.get_by_role("link", name="Entreprises").click()
    asked(page).get_by_role("button", name="Quitter").click()
    page.wait_for_url("**/admin/companies")
    answers.let_through()
    page.get_by_role("link", name="Membres").click()
    expect(opened(page).get_by_text(FOUND)).to_be_visible()


def test_the_next_address_may_be_typed_while_the_first_travels(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    """Fails when what is typed meanwhile falls between two fields, or stays stuck to what was sent."""
    site = own_site()
    page = new_context(site).new_page()
    answers = SlowAnswers(page)
    sign_in(page, site, ADMIN_EMAIL, "/admin/administrators")
    address = page.get_by_label("Adresse e-mail")
    address.press_sequentially("paul@alpha.example")
    answers.hold()
    address.press("Enter")
    address.press_sequentially("jeanne")
    answers.let_through()
    expect(address).to_have_value("jeanne")
    page.keyboard.type("@beta.example")
    expect(page.get_by_role("button", name="Retirer paul@alpha.example")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Retirer jeanne@beta.example")).to_be_visible()
    expect(address).to_have_value("")
    expect(address).to_be_focused()
