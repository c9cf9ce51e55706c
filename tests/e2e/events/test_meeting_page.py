"""The page of one event: from its stages to who said what, its mails and its day, each with an address."""

import re

from playwright.sync_api import Page, expect
from sqlalchemy import update
from sqlmodel import col

from clubapp.database import reading, transaction
from clubapp.models import Event, Member
from tests.e2e.conftest import sign_in
from tests.e2e.event_steps import announce
from tests.e2e.focus_walk import hidden_or_lost
from tests.e2e.invitation_steps import database_of, shuts_nobody_out
from tests.e2e.sign_in_steps import admin, expect_path
from tests.e2e.site import Site


def test_a_meeting_is_followed_on_its_own_page(page: Page, site: Site) -> None:
    event_id, addresses = announce(site, "Le goûter des fileuses")
    with database_of(site), transaction() as session:
        session.execute(update(Member).where(col(Member.email).in_(addresses)).values(phone="03 20 55 55 01"))
    page.set_viewport_size({"width": 1280, "height": 800})
    sign_in(page, site, admin(site, "fileuse"), f"/admin/events/{event_id}")
    expect(page.get_by_role("heading", level=1, name="Le goûter des fileuses")).to_be_visible()
    expect(page.locator("[data-stage=current]")).to_contain_text("Relancer")
    act = page.locator(".main .button-primary")
    expect(act).to_have_text("Appeler le membre sans réponse")
    expect(act).to_have_attribute("href", f"/admin/events/{event_id}/appels")
    rows = page.locator("tr[data-person]")
    expect(rows).to_have_count(len(addresses))
    shuts_nobody_out(page)
    assert hidden_or_lost(page) == []

    chips = page.get_by_role("navigation", name="Réponse")
    chips.get_by_role("link", name="Sans réponse").click()
    expect(rows).to_have_count(1)
    expect(page).to_have_url(re.compile(r"\?reponse=sans$"))
    expect(chips.locator("[aria-current=true]")).to_contain_text("Sans réponse")
    page.go_back()
    expect(rows).to_have_count(len(addresses))

    silent = page.locator("tr[data-answer=silent]")
    silent.get_by_role("button", name="Noter la réponse de").click()
    person = page.get_by_role("dialog")
    person.get_by_label("Vient", exact=True).check()
    person.get_by_role("button", name="Enregistrer la réponse").click()
    expect(person.locator(".banner-green")).to_be_visible()
    person.get_by_role("button", name="Fermer").click()
    expect(person).to_be_hidden()
    expect(silent).to_have_count(0)
    expect(page.locator("tr[data-answer=coming]")).to_have_count(3)
    expect(act).to_have_text("Préparer le jour\u00a0J")

    tabs = page.get_by_role("navigation", name="Rubriques de la rencontre")
    tabs.get_by_role("link", name="Messages").click()
    expect(page.locator("[data-mail=invitation]")).to_contain_text("Parti")
    shuts_nobody_out(page)
    act.click()
    expect(tabs.locator("[aria-current=page]")).to_have_text(re.compile("Jour"))
    expect(page.get_by_role("heading", name="Tables")).to_be_visible()
    shuts_nobody_out(page)
    page.go_back()
    expect(tabs.locator("[aria-current=page]")).to_contain_text("Messages")
    page.get_by_role("link", name="Modifier les textes").click()
    expect(page.get_by_role("dialog")).to_contain_text("Le goûter des fileuses")


def test_the_caterers_address_is_asked_where_it_is_typed(page: Page, site: Site) -> None:
    event_id, _ = announce(site, "La veillée des tisserands")
    sign_in(page, site, admin(site, "tisserande"), f"/admin/events/{event_id}?onglet=jour")
    page.get_by_role("button", name="Indiquer leurs adresses").click()
    field = page.get_by_role("dialog").get_by_label("E-mail du traiteur")
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport()
    page.keyboard.type("cuisine@tisserands.example")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    with database_of(site), reading() as session:
        event = session.get_one(Event, event_id)
    assert (event.title, event.caterer_email) == ("La veillée des tisserands", "cuisine@tisserands.example")


def test_the_season_and_the_dialog_lead_to_the_page_and_what_is_gone_says_so(page: Page, site: Site) -> None:
    event_id, _ = announce(site, "La foire aux dentelles")
    email = admin(site, "dentelle")
    sign_in(page, site, email, f"/admin/events/{event_id}")
    page.get_by_role("button", name="Autres actions").click()
    page.get_by_role("button", name="Supprimer").click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("La foire aux dentelles")
    question.get_by_role("button", name="Annuler").click()
    expect(page.get_by_role("button", name="Autres actions")).to_be_focused()

    year = page.locator(".calendar-title")
    page.get_by_role("link", name="Retour aux événements").click()
    expect(year).to_be_visible()
    row = page.locator("li[data-event-id]").first
    row.get_by_role("button", name="Voir détails").click()
    page.get_by_role("dialog").get_by_role("link", name="Ouvrir la page de la rencontre").click()
    expect(page.locator(".stage-track")).to_be_visible()
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("link", name="Retour aux événements").click()
    card = page.get_by_role("region", name="La saison").get_by_role("link").first
    address = card.get_attribute("href") or ""
    card.click()
    expect(page.locator(".stage-track")).to_be_visible()
    expect_path(page, address)

    page.goto(f"{site.url}/admin/events/personne")
    gone = page.get_by_role("alert").filter(has_text="n’existe plus")
    gone.get_by_role("link", name="Retour aux événements").click()
    expect(year).to_be_visible()
