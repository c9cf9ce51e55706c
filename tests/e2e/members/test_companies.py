"""The companies and administrators screens: create, change, delete, refuse; two people; a right that ends at once."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from sqlmodel import select

from clubapp.clubapp import app
from clubapp.database import reading, transaction
from clubapp.models import BroadcastEmail, Company
from clubapp.pages.admin.companies.state import CompanyFormState
from clubapp.pages.admin.mailings.broadcast_state import BroadcastState
from clubapp.services.access import sessions
from clubapp.services.demo import ADMIN_EMAIL, SECOND_ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, shuts_nobody_out
from tests.e2e.member_steps import company_of, employed, stored
from tests.e2e.members.test_members import ask_to_delete, fill, form_of, open_row, press, row_of, rows, told
from tests.e2e.site import Site
from tests.factories import add_company
from tests.web.tab import Tab

CREATED = "Entreprise créée avec succès !"
UPDATED = "Entreprise mise à jour avec succès !"
DELETED = "Entreprise supprimée avec succès !"
ASK_TO_DELETE = "Êtes-vous sûr de vouloir supprimer cette entreprise ? Les membres associés ne seront pas supprimés."


@pytest.fixture
def screen(page: Page, site: Site) -> Page:
    return on_screen(page, site)


def on_screen(page: Page, site: Site) -> Page:
    sign_in(page, site, ADMIN_EMAIL, "/admin/companies")
    rows(page).first.wait_for()
    return page


def test_a_company_is_created_refused_until_it_is_right_then_changed(screen: Page) -> None:
    expect(screen.get_by_text(re.compile(r"^\d+ entreprises au total$"))).to_be_visible()
    expect(screen.get_by_role("heading", name="Liste des entreprises")).to_be_visible()
    press(screen, "Nouvelle entreprise")
    form = form_of(screen)
    assert not form.locator("option[value='']").count()
    press(screen, "Créer")
    for sentence in (
        "Indiquez le nom de l’entreprise.",
        "Choisissez le domaine d’activité.",
        "Présentez l’entreprise en quelques phrases.",
    ):
        expect(form.get_by_text(sentence)).to_be_visible()
    expect(form.locator("[name=name]")).to_be_focused()
    fill(form, name="écluse & Fils", description="Bateaux.", city="Douai", founded_year="abc", phone="1")
    form.locator("[name=activity_domain]").select_option(label="Bâtiment & Travaux")
    press(screen, "Créer")
    expect(form.get_by_text("Indiquez une année à quatre chiffres")).to_be_visible()
    expect(form.locator("[name=phone]")).to_be_focused()
    fill(form, founded_year="", phone="")
    press(screen, "Créer")
    told(screen, CREATED)
    expect(form).to_have_count(0)
    row = rows(screen).first
    for text in ("ÉCL", "écluse & Fils", "Bâtiment & Travaux", "Douai"):
        expect(row).to_contain_text(text)

    form = open_row(screen, "écluse & Fils")
    expect(form.locator("[name=founded_year]")).to_have_value("")
    fill(form, founded_year="1998", employee_count="10-50", certifications="RGE, ISO 9001")
    press(screen, "Mettre à jour")
    told(screen, UPDATED)
    form = open_row(screen, "écluse & Fils")
    expect(form.locator("[name=certifications]")).to_have_value("RGE, ISO 9001")
    fill(form, city="Ailleurs")
    press(screen, "Annuler")
    expect(row_of(screen, "écluse & Fils")).to_contain_text("Douai")


def test_members_follow_a_new_name_and_outlive_their_company(screen: Page, site: Site) -> None:
    person = employed(site, "Salarié Fidèle")
    name = company_of(site, person).name
    screen.reload()
    form = open_row(screen, name)
    fill(form, name=f"{name} et Filles")
    form.locator("[name=activity_domain]").select_option(label="Formation & Conseil")
    press(screen, "Mettre à jour")
    told(screen, UPDATED)
    assert stored(site, person).company == f"{name} et Filles"

    ask_to_delete(row_of(screen, f"{name} et Filles"))
    question = screen.get_by_role("alertdialog")
    expect(question).to_contain_text(ASK_TO_DELETE)
    question.get_by_role("button", name="Annuler").click()
    ask_to_delete(row_of(screen, f"{name} et Filles"))
    question.get_by_role("button", name="Supprimer").click()
    told(screen, DELETED)
    expect(row_of(screen, f"{name} et Filles")).to_have_count(0)
    left = stored(site, person)
    assert (left.company, left.company_id) == (f"{name} et Filles", None)

    screen.goto("/admin/members")
    form = open_row(screen, "Salarié Fidèle")
    expect(form.locator("[name=company_id] option:checked")).to_have_text(f"{name} et Filles (hors liste)")
    fill(form, role="Retraité")
    press(screen, "Mettre à jour")
    told(screen, "Membre mis à jour avec succès !")
    assert stored(site, person).company == f"{name} et Filles"


def test_of_two_administrators_the_second_sees_both_values(
    screen: Page, site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    with database_of(site), transaction() as session:
        made = add_company(session, "Forge à Deux", activity_domain="Bâtiment & Travaux", description="Fer.")
    screen.reload()
    mine = open_row(screen, "Forge à Deux")
    other = on_screen(new_context(site).new_page(), site)
    fill(open_row(other, "Forge à Deux"), city="Lens")
    press(other, "Mettre à jour")
    told(other, UPDATED)
    fill(mine, city="Lille")
    press(screen, "Mettre à jour")
    expect(screen.get_by_role("group", name="Ville")).to_contain_text("Lens")
    press(screen, "Mettre à jour")
    told(screen, UPDATED)
    with database_of(site), reading() as session:
        assert session.exec(select(Company.city).where(Company.id == made.id)).one() == "Lille"


def test_the_screens_are_open_to_everyone(screen: Page) -> None:
    press(screen, "Nouvelle entreprise")
    press(screen, "Créer")
    expect(form_of(screen).get_by_text("Indiquez le nom")).to_be_visible()
    shuts_nobody_out(screen)
    press(screen, "Annuler")
    screen.goto("/admin/administrators")
    press(screen, "Ajouter")
    expect(screen.locator(".field-error")).to_be_visible()
    shuts_nobody_out(screen)
    screen.get_by_role("button", name=f"Retirer {ADMIN_EMAIL}").click()
    expect(screen.get_by_role("alertdialog")).to_contain_text("votre propre accès")
    shuts_nobody_out(screen)


def test_what_was_refused_is_not_said_in_the_next_question(screen: Page) -> None:
    press(screen, "Nouvelle entreprise")
    press(screen, "Créer")
    refused = screen.locator(".toast-error")
    expect(refused).to_be_visible()
    press(screen, "Annuler")
    ask_to_delete(rows(screen).first)
    expect(screen.get_by_role("alertdialog")).to_be_visible()
    expect(refused).to_have_count(0)
    screen.reload()
    expect(rows(screen).first).to_be_visible()
    expect(screen.get_by_role("alertdialog")).to_have_count(0)
    expect(refused).to_have_count(0)


def test_administrators_come_and_go_and_a_removed_one_is_out_at_once(
    page: Page, site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    sign_in(page, site, ADMIN_EMAIL, "/admin")
    page.wait_for_function("() => window.isAlive")  # a link pressed before loads the page anew, which moves no focus
    page.get_by_role("link", name="Administrateurs").click()
    expect(page.get_by_role("heading", name="Administrateurs", level=1)).to_be_focused()
    field = page.get_by_label("Adresse e-mail")
    field.fill("pas une adresse")
    press(page, "Ajouter")
    expect(page.locator(".field-error")).to_contain_text("Indiquez une adresse e-mail valide")
    expect(field).to_be_focused()
    field.fill(f" {ADMIN_EMAIL.upper()} ")
    press(page, "Ajouter")
    expect(page.locator(".field-error")).to_contain_text(f"{ADMIN_EMAIL} administre déjà le club.")
    field.fill("Nouvelle@Beffroi.example")
    press(page, "Ajouter")
    told(page, "nouvelle@beffroi.example administre désormais le club.")
    expect(field).to_have_value("")
    expect(page.get_by_text("Vous", exact=True)).to_be_visible()

    other = new_context(site).new_page()
    sign_in(other, site, "nouvelle@beffroi.example", "/admin")
    expect(other.get_by_role("heading", name="Membres", level=1)).to_be_visible()
    remove = page.get_by_role("button", name="Retirer nouvelle@beffroi.example")
    remove.click()
    question = page.get_by_role("alertdialog")
    question.get_by_role("button", name="Annuler").click()
    expect(remove).to_be_focused()
    remove.click()
    question.get_by_role("button", name="Retirer", exact=True).click()
    told(page, "nouvelle@beffroi.example n’administre plus le club.")
    expect(remove).to_have_count(0)
    other.wait_for_url("**/connexion*")


def test_a_toast_with_a_long_address_stays_on_the_smallest_phone(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site()
    phone = new_context(site, viewport={"width": 320, "height": 568}).new_page()
    sign_in(phone, site, ADMIN_EMAIL, "/admin/administrators")
    phone.get_by_label("Adresse e-mail").fill("emmanuelle.vandenbroucke0@wanadoo.fr")
    press(phone, "Ajouter")
    toast = phone.locator(".toast")
    expect(toast).to_contain_text("vandenbroucke0")
    for shown in (toast, toast.get_by_role("button", name="Fermer le message")):
        expect(shown).to_be_in_viewport(ratio=1)
    expect(phone.get_by_text("Une saisie non enregistrée")).to_have_count(0)
    address = phone.get_by_label("Adresse e-mail")
    expect(address).to_be_focused()
    address.fill("pas bon")
    press(phone, "Ajouter")
    expect(address).to_have_attribute("aria-invalid", "true")
    address.fill("")
    phone.set_viewport_size({"width": 1280, "height": 800})
    phone.get_by_role("link", name="Santé").click()
    expect(phone.get_by_role("heading", level=1, name="Santé")).to_be_visible()
    phone.go_back()
    expect(address).to_have_attribute("aria-invalid", "false")


def test_the_last_administrator_stays(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site()
    page = new_context(site).new_page()
    sign_in(page, site, ADMIN_EMAIL, "/admin/administrators")
    page.get_by_role("button", name=f"Retirer {SECOND_ADMIN_EMAIL}").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Retirer", exact=True).click()
    expect(page.locator(".administrator-row")).to_have_count(1)
    page.get_by_role("button", name=f"Retirer {ADMIN_EMAIL}").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Retirer", exact=True).click()
    told(page, "Le club garde au moins un administrateur")
    expect(page.locator(".administrator-row")).to_have_count(1)


def test_the_same_press_sent_again_over_a_bad_connection_makes_one_record(site: Site) -> None:
    with database_of(site), transaction() as session:
        cookie, _ = sessions.open_session(session, ADMIN_EMAIL)
    firm = {
        "id": "",
        "name": "Pressée deux fois",
        "activity_domain": "Digital & Communication",
        "description": "Logiciels.",
    }
    draft = {"id": "", "seen": "", "subject": "Pressé deux fois", "content": "Bonjour.", "action": "save"}
    with app.set_contexts(), Tab(site.url, cookie=f"session={cookie}") as tab:
        for form, opening, saving, typed in (
            (CompanyFormState, "toggle_new", "save", firm),
            (BroadcastState, "open_new", "submit", draft),
        ):
            tab.call(f"{form.get_full_name()}.{opening}")
            for _ in range(3):
                tab.call(f"{form.get_full_name()}.{saving}", entries=typed)
    with database_of(site), transaction() as session:
        assert len(session.exec(select(Company).where(Company.name == firm["name"])).all()) == 1
        drafts = session.exec(select(BroadcastEmail).where(BroadcastEmail.subject == draft["subject"])).all()
        assert len(drafts) == 1
        session.delete(drafts[0])
