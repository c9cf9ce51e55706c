"""The page of one member: read, noted on, changed by its form; the name in the list leads there."""

import re

from playwright.sync_api import Page, expect
from sqlmodel import select

from clubapp import routes
from clubapp.database import reading
from clubapp.models import Member
from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.focus_walk import HOLDS_FOCUS
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier
from tests.e2e.member_steps import employed
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
    has_no_barrier(page)
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


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_the_form_begins_with_its_fields_and_ends_with_what_is_only_read(page: Page, site: Site) -> None:
    with database_of(site), reading() as session:
        marie = session.exec(select(Member.id).where(Member.email == MEMBER_EMAIL)).one()
    sign_in(page, site, ADMIN_EMAIL, routes.edit_member(marie))
    shown = page.locator(".record-form .presence").first
    expect(shown).to_be_visible()
    boxes = [one.bounding_box() for one in (page.locator(".record-form [name=name]"), shown)]
    tops = [box["y"] for box in boxes if box]
    assert tops == sorted(tops)
