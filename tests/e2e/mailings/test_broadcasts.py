"""Writing to everyone: kept, tested, counted, sent once, paused, stopped; and figures that add up."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from sqlmodel import col, select

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Member
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, has_no_barrier, shuts_nobody_out
from tests.e2e.site import Site

SENT = "L'email a été envoyé avec succès à tous les membres !"
COUNTED = re.compile(r"Il partira maintenant vers \d+ membres\.")


@pytest.fixture
def screen(page: Page, site: Site) -> Page:
    return on_screen(page, site)


def on_screen(page: Page, site: Site) -> Page:
    sign_in(page, site, ADMIN_EMAIL, "/admin/emails")
    page.get_by_role("tab", name="Nouvel email vierge").click()
    return page


def write(page: Page, subject: str, content: str = "Bonjour à tous,\n\nÀ très vite.") -> Locator:
    page.get_by_role("button", name="Nouvel e-mail", exact=True).click()
    form = page.get_by_role("dialog")
    form.get_by_label("Objet", exact=True).fill(subject)
    form.get_by_label("Contenu").fill(content)
    return form


def row_of(page: Page, subject: str) -> Locator:
    row = page.locator("li[data-broadcast-id]").filter(has_text=subject)
    expect(row).to_be_visible()
    return row


def send(page: Page) -> None:
    page.get_by_role("alertdialog").get_by_role("button", name="Envoyer", exact=True).click()
    expect(page.get_by_text(SENT)).to_be_visible()


def test_a_draft_is_tested_kept_changed_and_thrown_away(screen: Page, site: Site) -> None:
    screen.get_by_role("button", name="Nouvel e-mail", exact=True).click()
    form = screen.get_by_role("dialog")
    test = form.get_by_role("button", name="Tester l'email")
    expect(test).to_be_disabled()
    form.get_by_role("button", name="Enregistrer en brouillon").click()
    expect(form.get_by_text("Indiquez l’objet de l’e-mail.")).to_be_visible()
    expect(form.get_by_text("Indiquez le contenu de l’e-mail.")).to_be_visible()
    expect(form.get_by_label("Objet", exact=True)).to_be_focused()
    form.get_by_label("Objet", exact=True).fill("Lettre à garder")
    expect(test).to_be_disabled()
    form.get_by_label("Contenu").fill("Bonjour,\n\nDeuxième <b>paragraphe</b>.")
    expect(test).to_be_enabled()
    frame = screen.frame_locator("iframe[title='Aperçu sur ordinateur']")
    expect(frame.get_by_text("Deuxième <b>paragraphe</b>.", exact=True)).to_be_visible()
    has_no_barrier(screen)

    test.click()
    dialog = screen.get_by_role("dialog").filter(has_text="Envoyer un e-mail de test").last
    dialog.get_by_label("Adresse e-mail de test").fill("essai-lettre@club.example")
    dialog.get_by_role("button", name="Envoyer le test").click()
    expect(dialog.get_by_text("Email de test envoyé avec succès à essai-lettre@club.example !")).to_be_visible()
    arrived = site.wait_for_mail("essai-lettre@club.example", "test")
    assert arrived["Subject"] == "[TEST] Lettre à garder"
    assert arrived["List-Unsubscribe"] is None
    dialog.get_by_role("button", name="Fermer").last.click()
    # The focus is given back as a dialog closes: nothing is typed before.
    expect(screen.locator("dialog[open]")).to_have_count(1)
    expect(screen.locator("dialog[open] :focus")).to_have_count(1)

    form.get_by_label("Objet", exact=True).fill("Lettre à garder vraiment")
    form.get_by_role("button", name="Enregistrer en brouillon").click()
    expect(screen.get_by_text("Le brouillon a été enregistré.")).to_be_visible()
    row = row_of(screen, "Lettre à garder vraiment")
    expect(row.get_by_text("Brouillon", exact=True)).to_be_visible()
    expect(screen.locator("li[data-broadcast-id]").filter(has_text="Lettre à garder")).to_have_count(1)

    row.get_by_role("button", name="Modifier").click()
    expect(form.get_by_label("Contenu")).to_have_value("Bonjour,\n\nDeuxième <b>paragraphe</b>.")
    form.get_by_role("button", name="Annuler").click()
    row.get_by_role("button", name="Supprimer").click()
    screen.get_by_role("alertdialog").get_by_role("button", name="Supprimer").click()
    expect(row).to_have_count(0)


def test_it_is_counted_sent_once_and_its_figures_add_up(
    screen: Page, site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    form = write(screen, "La grande lettre", "Bonjour,\n\nUn\n\nDeux\n\nTrois\n\nQuatre")
    form.get_by_role("button", name="Enregistrer en brouillon").click()
    row = row_of(screen, "La grande lettre")
    other = on_screen(new_context(site).new_page(), site)
    row_of(other, "La grande lettre").get_by_role("button", name="Modifier").click()

    row.get_by_role("button", name="Modifier").click()
    form.get_by_role("button", name="Enregistrer et envoyer").click()
    question = screen.get_by_role("alertdialog")
    expect(question).to_contain_text(COUNTED)
    has_no_barrier(screen)
    question.get_by_role("button", name="Annuler").click()
    expect(form).to_be_visible()
    form.get_by_role("button", name="Enregistrer et envoyer").click()
    question.get_by_role("button", name="Envoyer", exact=True).dblclick()
    expect(screen.get_by_text(SENT)).to_be_visible()
    expect(screen.get_by_role("dialog")).to_have_count(0)
    expect(row.get_by_text("Envoyé", exact=True)).to_be_visible()
    expect(row.get_by_text(re.compile(r"^Envoyé le \d\d/\d\d/\d{4} à \d\d:\d\d à \d+ membres$"))).to_be_visible()
    expect(row.get_by_text(re.compile(r"^(\d+) messages envoyés sur \1$"))).to_be_visible(timeout=60_000)
    expect(screen.get_by_text("Erreur lors de l'envoi de l'email")).to_have_count(0)

    other.get_by_role("dialog").get_by_role("button", name="Enregistrer et envoyer").click()
    expect(other.get_by_text("Erreur lors de la sauvegarde")).to_be_visible()
    expect(other.get_by_text("Cet e-mail a déjà été envoyé.")).to_be_visible()


def test_a_sending_names_those_it_leaves_out_and_is_paused_and_stopped(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site(CLUB_MAIL_PER_MINUTE="20")
    with database_of(site), transaction() as session:
        members = session.exec(select(Member).where(col(Member.is_active)).order_by(Member.name)).all()
        for member in members[:3]:
            member.email = None
        for member in members[3:5]:
            member.opted_out_at = clock.now()
    screen = on_screen(new_context(site).new_page(), site)
    form = write(screen, "À arrêter")
    form.get_by_role("button", name="Enregistrer et envoyer").click()
    counted = (
        f"Il partira maintenant vers {len(members) - 5} membres. "
        "3 n’ont pas d’adresse et 2 ne veulent plus d’e-mails\u00a0: ils ne le recevront pas."
    )
    expect(screen.get_by_role("alertdialog")).to_contain_text(counted)
    send(screen)
    row = row_of(screen, "À arrêter")
    row.get_by_text("Membres non destinataires\u00a0: 5").click()
    expect(row.get_by_text(f"{members[0].name}\u00a0: pas d’adresse e-mail")).to_be_visible()
    expect(row.get_by_text(f"{members[3].name} : désinscrit des envois")).to_be_visible()
    pause, resume = (row.get_by_role("button", name=name) for name in ("Mettre en pause", "Reprendre l’envoi"))
    pause.press("Enter")
    expect(resume).to_be_focused()
    expect(row.get_by_text("En pause")).to_be_visible()
    resume.press("Enter")
    expect(pause).to_be_focused()
    row.get_by_role("button", name="Arrêter l’envoi").click()
    question = screen.get_by_role("alertdialog")
    expect(question).to_contain_text("Cette action est irréversible.")
    question.get_by_role("button", name="Arrêter l’envoi").click()
    expect(row.get_by_text("Arrêté", exact=True)).to_be_visible()
    expect(row.get_by_text("retirés\u00a0: les messages ne sont pas partis")).to_be_visible()
    expect(row.get_by_role("button", name="Mettre en pause")).to_have_count(0)


def test_what_was_typed_is_found_again_in_another_tab(screen: Page, site: Site) -> None:
    form = write(screen, "Jamais enregistrée")
    expect(form.locator("[data-preview=subject]")).to_have_text("Jamais enregistrée")
    form.get_by_role("button", name="Annuler").click()
    expect(screen.get_by_role("dialog")).to_have_count(0)
    tab = screen.context.new_page()
    tab.goto("/admin/emails")
    tab.get_by_role("tab", name="Nouvel email vierge").click()
    tab.get_by_role("button", name="Nouvel e-mail", exact=True).click()
    again = tab.get_by_role("dialog")
    again.get_by_role("button", name="Reprendre").click()
    expect(again.get_by_label("Objet", exact=True)).to_have_value("Jamais enregistrée")
    expect(again.locator("[data-preview=subject]")).to_have_text("Jamais enregistrée")


def test_no_barrier_and_nothing_cut_off(screen: Page) -> None:
    shuts_nobody_out(screen)
    write(screen, "Un objet " + "très long " * 12)
    shuts_nobody_out(screen)
