"""A form whose answer takes its time or never comes: what is typed meanwhile, and who does not wait."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from sqlmodel import col, delete

from clubapp.database import reading, transaction
from clubapp.models import Admin, Member
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import SlowAnswers, sign_in
from tests.e2e.events.steps import turn
from tests.e2e.forms.failures import without_audit
from tests.e2e.forms.test_draft_form import FOUND, asked, opened, typed
from tests.e2e.invitation_steps import database_of
from tests.e2e.member_steps import as_member, employed
from tests.e2e.site import Site

# What unlocks a form after so long, whatever became of its answer.
WITHOUT_LIMIT = "const later = setTimeout; setTimeout = (act, ms, ...more) => ms !== 8000 && later(act, ms, ...more)"
NO_DRAFT = "() => !Object.keys(localStorage).some((key) => key.startsWith('saisie:'))"


@pytest.fixture
def newcomers(site: Site) -> Iterator[tuple[str, str]]:
    """The addresses of two who become administrators for a while."""
    addresses = "paul@alpha.example", "jeanne@beta.example"
    yield addresses
    with database_of(site), transaction() as session:
        session.execute(delete(Admin).where(col(Admin.email).in_(addresses)))


def test_what_is_typed_while_a_save_travels_is_not_yet_saved_nor_is_what_failed(page: Page, site: Site) -> None:
    """Fails when an answer counts as one to what the form holds by then, and when a form waits for an answer that came
    past its own handler: here it would wait for ever.
    """
    answers = SlowAnswers(page)
    page.add_init_script(WITHOUT_LIMIT)
    as_member(page, site, person := employed(site))
    role, save = page.get_by_label("Fonction"), page.get_by_role("button", name="Enregistrer")
    other = page.get_by_role("link", name="Mes sessions")
    role.fill("Cheffe")
    answers.hold()
    save.click()
    role.press("End")
    role.press_sequentially(" de projet")
    page.wait_for_function("() => Object.values(localStorage).some((kept) => kept.includes('Cheffe de projet'))")
    answers.let_through()
    expect(page.get_by_text("Profil mis à jour avec succès !")).to_be_visible()
    expect(role).to_have_value("Cheffe de projet")
    other.click()
    asked(page).get_by_role("button", name="Continuer la saisie").click()
    save.click()
    page.wait_for_function(NO_DRAFT)
    other.click()
    expect(page.get_by_role("heading", level=1, name="Mes sessions")).to_be_visible()
    with database_of(site), reading() as session:
        assert session.get_one(Member, person.id).role == "Cheffe de projet"

    page.go_back()
    role.fill("Directrice")
    with without_audit(site):
        save.click()
        expect(page.locator(".toast-error")).to_contain_text("Une erreur inattendue")
    other.click()
    asked(page).get_by_role("button", name="Continuer la saisie").click()
    save.click()
    expect(page.get_by_text("Profil mis à jour avec succès !")).to_be_visible()
    with database_of(site), reading() as session:
        assert session.get_one(Member, person.id).role == "Directrice"


def test_a_form_left_while_its_save_travels_keeps_its_draft_and_the_next_address_may_be_typed(
    page: Page, site: Site, newcomers: tuple[str, str]
) -> None:
    """Fails when an answer that nobody heard counts as a success, and when what is typed meanwhile falls between two
    fields or stays stuck to what was sent.
    """
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

    paul, jeanne = newcomers
    turn(page, "/admin/administrators")
    address = page.get_by_label("Adresse e-mail")
    address.press_sequentially(paul)
    answers.hold()
    address.press("Enter")
    address.press_sequentially("jeanne")
    answers.let_through()
    expect(address).to_have_value("jeanne")
    page.keyboard.type(jeanne.removeprefix("jeanne"))
    expect(page.get_by_role("button", name=f"Retirer {paul}")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=f"Retirer {jeanne}")).to_be_visible()
    expect(address).to_have_value("")
    expect(address).to_be_focused()
