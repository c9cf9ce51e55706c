"""The companies and administrators screens: create, change, delete, refuse; a right that ends at once."""

import re

from playwright.sync_api import Page, expect
from sqlmodel import select

from clubapp.clubapp import app
from clubapp.database import transaction
from clubapp.models import BroadcastEmail, Company
from clubapp.pages.admin.companies.state import CompanyFormState
from clubapp.pages.admin.mailings.broadcast_state import BroadcastState
from clubapp.services.access import sessions
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of
from tests.e2e.members.test_members import (
    ask_to_delete,
    fill,
    fits_a_phone,
    form_of,
    open_row,
    press,
    row_of,
    rows,
    told,
)
from tests.e2e.site import Site
from tests.factories import add_company
from tests.web.tab import Tab

CREATED = "Entreprise créée avec succès !"
UPDATED = "Entreprise mise à jour avec succès !"
DELETED = "Entreprise supprimée avec succès !"
ASK_TO_DELETE = "Êtes-vous sûr de vouloir supprimer cette entreprise ? Les membres associés ne seront pas supprimés."
NEW_ADMIN = "emmanuelle.vandenbroucke0@wanadoo.fr"


def test_a_company_is_created_refused_until_it_is_right_changed_and_deleted(page: Page, site: Site) -> None:
    with database_of(site), transaction() as session:
        add_company(session, "Écluse du Nord")
    sign_in(page, site, ADMIN_EMAIL, "/admin/companies?q=ecluse")
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_text(re.compile(r"^\d+ entreprises au total$"))).to_be_visible()
    expect(page.get_by_role("heading", name="Liste des entreprises")).to_be_visible()
    press(page, "Nouvelle entreprise")
    form, refused, question = form_of(page), page.locator(".toast-error"), page.get_by_role("alertdialog")
    assert not form.locator("option[value='']").count()
    press(page, "Créer")
    for sentence in (
        "Indiquez le nom de l’entreprise.",
        "Choisissez le domaine d’activité.",
        "Présentez l’entreprise en quelques phrases.",
    ):
        expect(form.get_by_text(sentence)).to_be_visible()
    expect(form.locator("[name=name]")).to_be_focused()
    fits_a_phone(page)
    expect(refused).to_be_visible()
    press(page, "Annuler")
    expect(form).to_have_count(0)
    ask_to_delete(rows(page).first)
    expect(question).to_be_visible()
    expect(refused).to_have_count(0)  # it is not said in the next question
    page.reload()
    expect(rows(page)).to_have_count(1)
    expect(question).to_have_count(0)
    expect(refused).to_have_count(0)

    press(page, "Nouvelle entreprise")
    fill(form, name="écluse & Fils", description="Bateaux.", city="Douai", founded_year="abc", phone="1")
    form.locator("[name=activity_domain]").select_option(label="Bâtiment & Travaux")
    press(page, "Créer")
    expect(form.get_by_text("Indiquez une année à quatre chiffres")).to_be_visible()
    expect(form.locator("[name=phone]")).to_be_focused()
    fill(form, founded_year="", phone="")
    press(page, "Créer")
    told(page, CREATED)
    expect(form).to_have_count(0)
    for text in ("ÉCL", "écluse & Fils", "Bâtiment & Travaux", "Douai"):
        expect(rows(page).first).to_contain_text(text)

    open_row(page, "écluse & Fils")
    expect(form.locator("[name=founded_year]")).to_have_value("")
    fill(form, name="écluse et Filles", founded_year="1998", employee_count="10-50", certifications="RGE, ISO 9001")
    press(page, "Mettre à jour")
    told(page, UPDATED)
    open_row(page, "écluse et Filles")
    expect(form.locator("[name=certifications]")).to_have_value("RGE, ISO 9001")
    fill(form, city="Ailleurs")
    press(page, "Annuler")
    row = row_of(page, "écluse et Filles")
    expect(row).to_contain_text("Douai")

    row.locator("[data-row]").click()
    cancel, search = page.get_by_role("button", name="Annuler"), page.get_by_role("searchbox")
    expect(cancel).to_be_visible()
    search.fill("aucune entreprise de ce nom")
    expect(page.locator("[data-row]")).to_have_count(0)
    cancel.click()
    expect(page.get_by_role("heading", level=1)).to_be_focused()  # the row to return to has gone
    search.fill("ecluse")
    ask_to_delete(row)
    expect(question).to_contain_text(ASK_TO_DELETE)
    question.get_by_role("button", name="Annuler").click()
    ask_to_delete(row)
    question.get_by_role("button", name="Supprimer").click()
    told(page, DELETED)
    expect(row).to_have_count(0)


def test_administrators_come_and_go_and_a_removed_one_is_out_at_once(page: Page, site: Site) -> None:
    """On the smallest phone, with a long address."""
    page.set_viewport_size({"width": 320, "height": 568})
    sign_in(page, site, ADMIN_EMAIL, "/admin/administrators")
    field, wrong = page.get_by_label("Adresse e-mail"), page.locator(".field-error")
    expect(page.get_by_text("Vous", exact=True)).to_be_visible()
    field.fill("pas une adresse")
    press(page, "Ajouter")
    expect(wrong).to_contain_text("Indiquez une adresse e-mail valide")
    expect(field).to_be_focused()
    fits_a_phone(page)
    field.fill(f" {ADMIN_EMAIL.upper()} ")
    press(page, "Ajouter")
    expect(wrong).to_contain_text(f"{ADMIN_EMAIL} administre déjà le club.")
    field.fill(NEW_ADMIN.replace("emma", "Emma"))
    press(page, "Ajouter")
    toast = page.locator(".toast-success")
    expect(toast).to_contain_text(f"{NEW_ADMIN} administre désormais le club.")
    for shown in (toast, toast.get_by_role("button", name="Fermer le message")):
        expect(shown).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("Une saisie non enregistrée")).to_have_count(0)
    expect(field).to_have_value("")
    expect(field).to_be_focused()
    field.fill("pas bon")
    press(page, "Ajouter")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("link", name="Santé").click()
    expect(page.get_by_role("heading", level=1, name="Santé")).to_be_visible()
    page.go_back()
    expect(field).to_have_attribute("aria-invalid", "false")

    question = page.get_by_role("alertdialog")
    page.get_by_role("button", name=f"Retirer {ADMIN_EMAIL}").click()
    expect(question).to_contain_text("votre propre accès")
    fits_a_phone(page)
    question.get_by_role("button", name="Annuler").click()
    remove = page.get_by_role("button", name=f"Retirer {NEW_ADMIN}")
    with database_of(site), transaction() as session:
        cookie, _ = sessions.open_session(session, NEW_ADMIN)
    with Tab(site.url, cookie=f"session={cookie}") as theirs:
        theirs.hydrate()
        remove.click()
        question.get_by_role("button", name="Annuler").click()
        expect(remove).to_be_focused()
        remove.click()
        question.get_by_role("button", name="Retirer", exact=True).click()
        told(page, f"{NEW_ADMIN} n’administre plus le club.")
        expect(remove).to_have_count(0)
        assert theirs.is_closed_within(5)


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
