"""The events screen: planning by mouse, what is refused, inviting once."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.event_steps import create, fill, go_to_a_free_month, on_screen, row_of
from tests.e2e.site import Site

MONTH_TAKEN = "Un événement existe déjà pour ce mois. Vous ne pouvez créer qu'un événement par mois."
ASK_TO_SEND = "Êtes-vous sûr de vouloir envoyer les invitations à tous les membres ?"
SENT = "Les invitations ont été envoyées avec succès !"


@pytest.fixture
def screen(page: Page, site: Site) -> Page:
    """The events screen of an administrator."""
    return on_screen(page, site)


def test_a_slot_opens_the_form_at_noon_of_its_day_and_the_event_appears_everywhere(screen: Page) -> None:
    go_to_a_free_month(screen)
    screen.locator(".rbc-day-bg:not(.rbc-off-range-bg)").nth(14).click()
    form = screen.get_by_role("dialog")
    date = form.locator("[name=date]").input_value()
    assert re.fullmatch(r"\d{4}-\d{2}-15T12:00", date)
    expect(form.locator("[name=has_lunch]")).to_be_checked()
    expect(form.locator("[name=status]")).to_have_value("draft")
    expect(form.get_by_role("button", name="Supprimer")).to_have_count(0)

    fill(form, title="Souper des brasseurs", location="Roubaix", speaker_name="Zoé Fauconnier", max_participants="44")
    for number, name in ((1, "Éric Lemoine"), (2, "Personne de trop")):
        form.get_by_role("button", name="Ajouter un intervenant").click()
        form.locator("[name=speaker_name]").nth(number).fill(name)
    form.get_by_role("button", name="Supprimer l’intervenant 3").click()
    form.get_by_role("button", name="Créer").click()

    row = row_of(screen, "Souper des brasseurs")
    expect(row).to_contain_text("Zoé Fauconnier, Éric Lemoine")
    expect(screen.get_by_role("button", name="12:00 Souper des brasseurs, Brouillon")).to_be_visible()
    row.get_by_role("button", name="Voir détails").click()
    sheet = screen.get_by_role("dialog")
    expect(sheet).to_have_attribute("data-event-id", str(row.get_attribute("data-event-id")))
    expect(sheet).to_contain_text("0 / 44")
    for stat in ("attending", "not_attending", "no_response", "with_lunch", "guests", "invited"):
        expect(sheet.locator(f"[data-stat=total_{stat}]")).to_contain_text("0")


def test_a_taken_month_is_refused_at_the_slot_and_when_saving(screen: Page) -> None:
    create(screen, "Première du mois", "2031-05-05T14:00")
    screen.get_by_role("button", name="Nouvel événement").click()
    form = screen.get_by_role("dialog")
    fill(form, title="Deuxième du mois", date="2031-05-20T14:00", location="Lille", speaker_name="Léo Martin")
    expect(form.get_by_text("Un événement existe déjà pour mai 2031.")).to_be_visible()
    form.get_by_role("button", name="Créer").click()
    expect(form.get_by_role("alert").filter(has_text=MONTH_TAKEN)).to_be_visible()
    expect(form.locator("[name=title]")).to_have_value("Deuxième du mois")

    form.get_by_role("button", name="Voir « Première du mois »").click()
    screen.get_by_role("alertdialog").get_by_role("button", name="Quitter").click()
    expect(screen.get_by_role("dialog", name="Première du mois")).to_be_visible()
    screen.keyboard.press("Escape")
    screen.get_by_role("button", name="Nouvel événement").click()
    form.get_by_role("button", name="Reprendre").click()
    expect(form.locator("[name=title]")).to_have_value("Deuxième du mois")
    fill(form, date="2031-06-20T14:00")
    expect(form.get_by_text("Un événement existe déjà")).to_have_count(0)
    form.get_by_role("button", name="Annuler").click()

    screen.goto("/admin/events?vue=mois&date=2031-05-05")
    expect(screen.locator(".calendar-title")).to_have_text("mai 2031")
    expect(screen.locator(".rbc-month-view").get_by_role("button", name="Première du mois")).to_be_visible()
    screen.locator(".rbc-day-bg:not(.rbc-off-range-bg)").last.click()
    refusal = screen.get_by_role("alert").filter(has_text="Un événement existe déjà")
    expect(refusal).to_contain_text(
        "Un événement existe déjà pour mai 2031. Vous ne pouvez créer qu'un événement par mois."
    )
    expect(screen.get_by_role("dialog")).to_have_count(0)
    refusal.get_by_role("button", name="Voir « ").click()
    expect(screen.locator("dialog[data-event-id]")).to_be_visible()
    screen.keyboard.press("Escape")
    screen.get_by_role("button", name="Suivant").click()
    expect(refusal).to_have_count(0)


def test_wrong_fields_are_told_beside_them_and_nothing_typed_is_lost(screen: Page) -> None:
    screen.get_by_role("button", name="Nouvel événement").click()
    form = screen.get_by_role("dialog")
    form.get_by_role("button", name="Créer").click()
    for sentence in (
        "Indiquez le titre de l’événement.",
        "Indiquez la date et l’heure de l’événement.",
        "Indiquez le lieu de l’événement.",
        "Indiquez le nom du premier intervenant.",
    ):
        expect(form.get_by_text(sentence)).to_be_visible()
    expect(form.locator("[name=title]")).to_be_focused()

    fill(form, title="Nuit des idées", date="2031-03-30T02:30", location="Lens", speaker_name="Zoé Fauconnier")
    form.locator("[name=max_participants]").press_sequentially("4e")
    form.get_by_role("button", name="Ajouter un intervenant").click()
    form.locator("[name=speaker_name]").nth(1).fill("Éric Lemoine")
    form.get_by_role("button", name="Créer").click()
    expect(form.get_by_text("Cette heure n’existe pas")).to_be_visible()
    expect(form.get_by_text("Indiquez un nombre entier à partir de 1")).to_be_visible()
    expect(form.locator("[name=title]")).to_have_value("Nuit des idées")
    assert [field.input_value() for field in form.locator("[name=speaker_name]").all()] == [
        "Zoé Fauconnier",
        "Éric Lemoine",
    ]


def test_a_change_over_someone_elses_is_told_then_saved_knowingly(
    screen: Page, site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    row = create(screen, "Table ronde", "2032-02-12T12:00")
    row.get_by_role("button", name="Voir détails").click()
    screen.get_by_role("button", name="Modifier").click()
    mine = screen.get_by_role("dialog")
    expect(mine.locator("[name=title]")).to_have_value("Table ronde")

    other = on_screen(new_context(site).new_page(), site)
    row_of(other, "Table ronde").get_by_role("button", name="Voir détails").click()
    other.get_by_role("button", name="Modifier").click()
    fill(other.get_by_role("dialog"), title="Table ronde à Douai")
    other.get_by_role("button", name="Mettre à jour").click()
    row_of(other, "Table ronde à Douai")

    fill(mine, title="Table ronde à Arras")
    mine.get_by_role("button", name="Mettre à jour").click()
    expect(mine.get_by_text("modifié par une autre personne")).to_be_visible()
    expect(mine.locator("[name=title]")).to_have_value("Table ronde à Arras")
    mine.get_by_role("button", name="Mettre à jour").click()
    row_of(screen, "Table ronde à Arras")


def test_invitations_go_out_once_whoever_presses(
    screen: Page, site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    row = create(screen, "Grande invitation", "2033-01-13T12:00")
    other = on_screen(new_context(site).new_page(), site)
    theirs = row_of(other, "Grande invitation")
    theirs.get_by_role("button", name="Envoyer invitations").click()  # their list follows: asked while it still can be
    asked = other.get_by_role("alertdialog")
    expect(asked).to_contain_text(ASK_TO_SEND)

    row.get_by_role("button", name="Voir détails").click()
    sheet = screen.locator("dialog[data-event-id]")
    sheet.get_by_role("button", name="Envoyer les invitations").click()
    question = screen.get_by_role("alertdialog")
    expect(question).to_contain_text(ASK_TO_SEND)
    question.get_by_role("button", name="Annuler").click()
    expect(sheet.get_by_role("button", name="Envoyer les invitations")).to_be_focused()
    sheet.get_by_role("button", name="Envoyer les invitations").click()
    question.get_by_role("button", name="Envoyer", exact=True).click()
    expect(sheet.get_by_text(SENT)).to_be_in_viewport()
    expect(sheet.get_by_text("Invitations envoyées", exact=True)).to_be_visible()
    expect(sheet.get_by_role("button", name="Envoyer les invitations")).to_have_count(0)
    expect(sheet.get_by_text(re.compile(r"^(\d+) messages envoyés sur \1$"))).to_be_visible(timeout=60_000)

    asked.get_by_role("button", name="Envoyer", exact=True).click()
    expect(other.get_by_text("Erreur lors de l'envoi des invitations")).to_be_visible()
    expect(other.get_by_text("Les invitations de cet événement ont déjà été envoyées.")).to_be_visible()
    expect(theirs.get_by_text("Invitations envoyées", exact=True)).to_be_visible()


@pytest.mark.parametrize(
    "path", ["/admin", "/admin/members", "/admin/companies", "/admin/emails", "/admin/email-settings"]
)
def test_no_entry_of_the_menu_is_a_dead_end(page: Page, site: Site, path: str) -> None:
    sign_in(page, site, ADMIN_EMAIL, path)
    titles = {
        "/admin/companies": ("Entreprises", "entreprises au total"),
        "/admin/emails": ("Gestion des Emails", "Template par défaut"),
        "/admin/email-settings": ("Paramètres des relances", "1re relance"),
    }
    title, content = titles.get(path, ("Membres", "membres au total"))
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
    expect(page.get_by_text(content).first).to_be_visible()


def test_a_double_press_sends_once_and_reads_as_one_success(screen: Page) -> None:
    row = create(screen, "Deux doigts pressés", "2033-03-10T18:30")
    row.get_by_role("button", name="Envoyer invitations").click()
    screen.get_by_role("alertdialog").get_by_role("button", name="Envoyer").dblclick()
    expect(screen.get_by_text(SENT)).to_be_visible()
    expect(row).to_contain_text("Invitations envoyées")
    screen.wait_for_timeout(500)
    expect(screen.get_by_text("Erreur lors de l'envoi des invitations")).to_have_count(0)


@pytest.mark.console_errors("ERR_INTERNET_DISCONNECTED")
def test_a_lost_network_is_told_at_once(page: Page) -> None:
    page.goto("/connexion")
    page.locator("#first-paint").wait_for(state="detached")
    field = page.get_by_label("Adresse e-mail")
    field.fill("saisie@encore.example")
    page.context.set_offline(True)
    expect(page.get_by_text("Connexion interrompue.")).to_be_visible()
    expect(field).to_have_value("saisie@encore.example")
    page.context.set_offline(False)
    expect(page.get_by_text("Connexion interrompue.")).to_have_count(0)
