"""The page of one member, and that of a company: read, noted on, changed by a form with an address of its own."""

import re

from playwright.sync_api import Page, expect

from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.focus_walk import HOLDS_FOCUS
from tests.e2e.invitation_steps import fits, has_no_barrier
from tests.e2e.member_steps import company_of, employed
from tests.e2e.site import Site


def test_the_eye_leads_to_a_page_to_read_note_and_change(page: Page, site: Site) -> None:
    member = employed(site, "Philomène Vanoverschelde", phone="06 39 98 41 07")
    sister = employed(site, "Ombeline Vanoverschelde")
    sign_in(page, site, ADMIN_EMAIL, "/admin/members?q=Vanoverschelde&tri=-nom")
    page.get_by_role("link", name=f"Lire sa page\u00a0: {member.name}").click()
    expect(page.get_by_role("heading", level=1, name=member.name)).to_be_focused()
    expect(page.get_by_role("link", name="Appeler 06 39 98 41 07")).to_have_attribute("href", "tel:+33639984107")
    expect(page.get_by_role("link", name=member.company, exact=True)).to_have_attribute(
        "href", f"/admin/companies/{member.company_id}"
    )
    expect(page.get_by_text("1 sur 2")).to_be_visible()
    page.get_by_role("link", name="Membre suivant").click()
    expect(page.get_by_role("heading", level=1, name=sister.name)).to_be_focused()
    expect(page.get_by_role("link", name="Membre suivant")).to_have_count(0)
    page.get_by_role("link", name="Membre précédent").click()
    expect(page.get_by_role("heading", level=1, name=member.name)).to_be_focused()
    expect(page.get_by_role("link", name="Retour aux membres")).to_have_attribute(
        "href", re.compile("q=Vanoverschelde")
    )

    notes = page.get_by_role("list", name="Notes")
    field = page.get_by_label("Nouvelle note")
    press(page, "Enregistrer la note")
    expect(page.get_by_text("Écrivez la note avant de l’enregistrer.")).to_be_visible()
    field.fill("Cherche un menuisier.")
    press(page, "Enregistrer la note")
    expect(notes.get_by_role("listitem")).to_contain_text("Cherche un menuisier.")
    expect(field).to_have_value("")
    page.set_viewport_size({"width": 320, "height": 800})
    has_no_barrier(page)
    fits(page)
    assert page.locator("a.reading-target wbr").count() > 1, "an address breaks between its parts"
    notes.get_by_role("button").click()
    press(page, "Supprimer")
    expect(notes.get_by_role("listitem")).to_have_count(0)
    page.wait_for_function(HOLDS_FOCUS)
    page.set_viewport_size({"width": 1280, "height": 900})

    answers = page.get_by_role("group", name="Noter sa réponse")
    answers.get_by_role("button", name="Non").click()
    expect(answers.get_by_role("button", name="Non")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("A dit non")).to_be_visible()

    page.get_by_role("link", name="Modifier").click()
    form = page.locator(".record-form")
    expect(form.get_by_role("button", name="Mettre à jour")).to_be_in_viewport()
    page.go_back()
    expect(form).to_have_count(0)
    page.go_forward()
    form.locator("[name=role]").fill("Fileuse de lin")
    press(page, "Mettre à jour")
    expect(form).to_have_count(0)
    expect(page).not_to_have_url(re.compile("modifier"))
    expect(page.locator(".screen-hint")).to_contain_text("Fileuse de lin")


def test_a_company_is_read_with_its_people_and_changed_at_an_address(page: Page, site: Site) -> None:
    person = employed(site, "Ondine Delcourt")
    name = company_of(site, person).name
    sign_in(page, site, ADMIN_EMAIL, f"/admin/companies?q={name}")
    page.get_by_role("link", name=f"Lire sa page\u00a0: {name}").click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_focused()
    expect(page.get_by_role("list", name="Membres").get_by_role("listitem")).to_contain_text("Charpente, Zinc")
    page.set_viewport_size({"width": 320, "height": 800})
    has_no_barrier(page)
    fits(page)
    page.set_viewport_size({"width": 1280, "height": 800})

    page.get_by_role("link", name="Modifier").click()
    form = page.locator(".record-form")
    expect(form.get_by_role("heading", level=2, name=f"Modifier {name}")).to_be_focused()
    expect(form.get_by_role("button", name="Mettre à jour")).to_be_in_viewport()
    page.go_back()
    expect(form).to_have_count(0)
    page.go_forward()
    form.locator("[name=activity_domain]").select_option("Bâtiment & Travaux")
    form.locator("[name=phone]").fill("03 20 55 55 09")
    form.get_by_role("button", name="Mettre à jour").click()
    expect(page.get_by_role("link", name="Appeler 03 20 55 55 09")).to_be_visible()
    expect(form).to_have_count(0)
    expect(page).not_to_have_url(re.compile("modifier"))
    expect(page.locator(".timeline")).to_contain_text("Entreprise modifiée")

    page.get_by_role("link", name="Ondine Delcourt").click()
    expect(page.get_by_role("heading", level=1, name="Ondine Delcourt")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Retour aux entreprises").click()
    expect(page.get_by_role("searchbox", name="Rechercher une entreprise")).to_have_value(name)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
