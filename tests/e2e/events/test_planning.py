"""The events screen: planning by mouse, what is refused, inviting once."""

import re

from playwright.sync_api import Page, expect
from sqlmodel import select

from clubapp.database import transaction
from clubapp.models import Event
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.event_steps import create, fill, on_screen, row_of
from tests.e2e.events.steps import detail, event_form, new_form, turn
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import Site

MONTH_TAKEN = "Un événement existe déjà pour ce mois. Vous ne pouvez créer qu'un événement par mois."
ASK_TO_SEND = "Êtes-vous sûr de vouloir envoyer les invitations à tous les membres ?"
SENT = "Les invitations ont été envoyées avec succès !"


def test_a_slot_opens_the_form_at_noon_of_its_day_and_its_month_is_taken_then(page: Page, site: Site) -> None:
    on_screen(page, site, "/admin/events?vue=mois&date=2031-05-20")
    page.locator("[data-day='2031-05-15']").click()
    form = event_form(page)
    expect(form.locator("[name=date]")).to_have_value("2031-05-15T12:00")
    expect(form.locator("[name=has_lunch]")).to_be_checked()
    expect(form.locator("[name=status]")).to_have_value("draft")
    expect(form.get_by_role("button", name="Supprimer")).to_have_count(0)
    fill(form, title="Souper des brasseurs", location="Roubaix", speaker_name="Zoé Fauconnier", max_participants="44")
    for number, name in ((1, "Éric Lemoine"), (2, "Personne de trop")):
        form.get_by_role("button", name="Ajouter un intervenant").click()
        form.locator("[name=speaker_name]").nth(number).fill(name)
    form.get_by_role("button", name="Supprimer l’intervenant 3").click()
    form.get_by_role("button", name="Créer").click()
    row = row_of(page, "Souper des brasseurs")
    expect(row).to_contain_text("Zoé Fauconnier, Éric Lemoine")
    expect(page.get_by_role("button", name="12:00 Souper des brasseurs, Brouillon")).to_be_visible()
    sheet = detail(page, "Souper des brasseurs")
    expect(sheet).to_have_attribute("data-event-id", str(row.get_attribute("data-event-id")))
    expect(sheet).to_contain_text("0 / 44")
    for stat in ("attending", "not_attending", "no_response", "with_lunch", "guests", "invited"):
        expect(sheet.locator(f"[data-stat=total_{stat}]")).to_contain_text("0")
    page.keyboard.press("Escape")

    form = new_form(page)
    fill(form, title="Deuxième du mois", date="2031-05-20T14:00", location="Lille", speaker_name="Léo Martin")
    expect(form.get_by_text("Un événement existe déjà pour mai 2031.")).to_be_visible()
    form.get_by_role("button", name="Créer").click()
    expect(form.get_by_role("alert").filter(has_text=MONTH_TAKEN)).to_be_visible()
    expect(form.locator("[name=title]")).to_have_value("Deuxième du mois")
    form.get_by_role("button", name="Voir « Souper des brasseurs »").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Quitter").click()
    expect(page.get_by_role("dialog", name="Souper des brasseurs")).to_be_visible()
    page.keyboard.press("Escape")
    form = new_form(page, with_draft=True)
    form.get_by_role("button", name="Reprendre").click()
    expect(form.locator("[name=title]")).to_have_value("Deuxième du mois")
    fill(form, date="2031-06-19T14:00")
    expect(form.get_by_text("Un événement existe déjà")).to_have_count(0)
    form.get_by_role("button", name="Créer").click()
    row_of(page, "Deuxième du mois")

    page.locator("[data-day='2031-05-31']").click()
    refusal = page.get_by_role("alert").filter(has_text="Un événement existe déjà")
    expect(refusal).to_contain_text(
        "Un événement existe déjà pour mai 2031. Vous ne pouvez créer qu'un événement par mois."
    )
    expect(page.get_by_role("dialog")).to_have_count(0)
    refusal.get_by_role("button", name="Voir « ").click()
    expect(page.locator("dialog[data-event-id]")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Suivant").click()
    expect(refusal).to_have_count(0)


def test_invitations_go_out_once_whoever_presses(page: Page, site: Site) -> None:
    on_screen(page, site)
    create(page, "Grande invitation", "2033-01-13T12:00")
    sheet = detail(page, "Grande invitation")
    sheet.get_by_role("button", name="Envoyer les invitations").click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text(ASK_TO_SEND)
    question.get_by_role("button", name="Annuler").click()
    expect(sheet.get_by_role("button", name="Envoyer les invitations")).to_be_focused()
    sheet.get_by_role("button", name="Envoyer les invitations").click()
    question.get_by_role("button", name="Envoyer", exact=True).dblclick()
    expect(sheet.get_by_text(SENT)).to_be_in_viewport()
    expect(sheet.get_by_text("Invitations envoyées", exact=True)).to_be_visible()
    expect(sheet.get_by_role("button", name="Envoyer les invitations")).to_have_count(0)
    expect(sheet.get_by_text(re.compile(r"^(\d+) messages envoyés sur \1$"))).to_be_visible(timeout=60_000)
    failed = page.get_by_text("Erreur lors de l'envoi des invitations")
    expect(failed).to_have_count(0)
    page.keyboard.press("Escape")

    row = create(page, "Invitation d'un autre", "2033-03-10T18:30")
    row.get_by_role("button", name="Envoyer invitations").click()
    expect(question).to_contain_text(ASK_TO_SEND)
    with database_of(site), transaction() as session:
        event = session.exec(select(Event).where(Event.title == "Invitation d'un autre")).one()
        event.invitation_sent = True
    question.get_by_role("button", name="Envoyer", exact=True).click()
    expect(failed).to_be_visible()
    expect(page.get_by_text("Les invitations de cet événement ont déjà été envoyées.")).to_be_visible()
    expect(row.get_by_text("Invitations envoyées", exact=True)).to_be_visible()


def test_no_entry_of_the_menu_is_a_dead_end(page: Page, site: Site) -> None:
    sign_in(page, site, ADMIN_EMAIL, "/admin")
    for path, title, content in (
        ("/admin", "Membres", "membres au total"),
        ("/admin/companies", "Entreprises", "entreprises au total"),
        ("/admin/emails", "Gestion des Emails", "Template par défaut"),
    ):
        page.get_by_role("navigation", name="Administration").locator(f"a[href='{path}']").click()
        expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
        expect(page.get_by_text(content).first).to_be_visible()
    turn(page, "/admin/email-settings")
    expect(page.get_by_role("heading", name="Paramètres des relances", level=1)).to_be_visible()
    expect(page.get_by_text("1re relance").first).to_be_visible()
    turn(page, "/admin/members")
    expect(page.get_by_role("heading", name="Membres", level=1)).to_be_visible()
    expect(page.get_by_text("membres au total").first).to_be_visible()
