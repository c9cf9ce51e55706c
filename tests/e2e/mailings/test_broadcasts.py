"""Writing to everyone: kept, tested, counted, sent once, paused, stopped; and figures that add up."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect
from sqlmodel import col, select

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Member
from clubapp.services.base.actors import SYSTEM
from clubapp.services.demo import ADMIN_EMAIL
from clubapp.services.mail_log import queue_pause
from clubapp.services.mailings import broadcasts
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier, shuts_nobody_out
from tests.e2e.site import Site
from tests.factories import add_event, add_member, add_reservation

LEFT_OUT = "Aimée Sans-Adresse", "Albin Las"
SENT_TO_ALL = "L'email a été envoyé avec succès à tous les membres !"


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


def keep(form: Locator) -> None:
    form.get_by_role("button", name="Enregistrer en brouillon").click()


def ask_to_send(form: Locator) -> None:
    form.get_by_role("button", name="Enregistrer et envoyer").click()


def row_of(page: Page, subject: str) -> Locator:
    row = page.locator("li[data-broadcast-id]").filter(has_text=subject)
    expect(row).to_be_visible()
    return row


@pytest.fixture
def coming(site: Site) -> str:
    """Those who come to an event, as the choice of a broadcast's form: two members."""
    with database_of(site), transaction() as session:
        date = clock.from_local("2075-03-12T12:00")
        event = add_event(session, "Le bal des lettres", date, status="confirmed", invitation_sent=True)
        for name in ("Berthe", "Octave"):
            member = add_member(session, name, f"{name.lower()}@bal.example")
            add_reservation(session, event, member, will_attend=True)
        return f"event:{event.id}:yes"


@pytest.fixture
def held(site: Site) -> Iterator[Site]:
    """No mail leaves from a moment of the test on, and two members are not written to."""
    yield site
    with database_of(site), transaction() as session:
        queue_pause.end_pause(session, SYSTEM)
        for member in session.exec(select(Member).where(col(Member.name).in_(LEFT_OUT))).all():
            session.delete(member)


def test_a_draft_is_tested_kept_changed_and_thrown_away(page: Page, site: Site) -> None:
    screen = on_screen(page, site)
    screen.get_by_role("button", name="Nouvel e-mail", exact=True).click()
    form = screen.get_by_role("dialog")
    subject, test = form.get_by_label("Objet", exact=True), form.get_by_role("button", name="Tester l'email")
    expect(test).to_be_disabled()
    keep(form)
    expect(form.get_by_text("Indiquez l’objet de l’e-mail.")).to_be_visible()
    expect(form.get_by_text("Indiquez le contenu de l’e-mail.")).to_be_visible()
    expect(subject).to_be_focused()
    subject.fill("Lettre à garder")
    expect(test).to_be_disabled()
    form.get_by_label("Contenu").fill("Bonjour,\n\nDeuxième <b>paragraphe</b>.")
    expect(test).to_be_enabled()
    frame = screen.frame_locator("iframe[title='Aperçu sur ordinateur']")
    expect(frame.get_by_text("Deuxième <b>paragraphe</b>.", exact=True)).to_be_visible()

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

    subject.fill("Lettre à garder vraiment")
    keep(form)
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

    long = "Jamais enregistrée, " + "très longue " * 12
    form = write(screen, long)
    expect(form.locator("[data-preview=subject]")).to_have_text(long.strip())
    screen.set_viewport_size({"width": 320, "height": 720})
    fits(screen)
    has_no_barrier(screen)
    screen.set_viewport_size({"width": 1280, "height": 720})
    form.get_by_role("button", name="Annuler").click()
    expect(screen.get_by_role("dialog")).to_have_count(0)
    tab = screen.context.new_page()
    tab.goto("/admin/emails")
    tab.get_by_role("tab", name="Nouvel email vierge").click()
    tab.get_by_role("button", name="Nouvel e-mail", exact=True).click()
    again = tab.get_by_role("dialog")
    again.get_by_role("button", name="Reprendre").click()
    expect(again.get_by_label("Objet", exact=True)).to_have_value(long)
    expect(again.locator("[data-preview=subject]")).to_have_text(long.strip())


def test_it_is_counted_sent_once_and_its_figures_add_up_and_it_is_paused_and_stopped(
    page: Page, held: Site, coming: str
) -> None:
    screen = on_screen(page, held)
    question = screen.get_by_role("alertdialog")
    another_has_sent_it(screen, held, coming)

    form = write(screen, "La grande lettre", "Bonjour,\n\nUn\n\nDeux\n\nTrois\n\nQuatre")
    form.get_by_label("Destinataires").select_option(coming)
    ask_to_send(form)
    expect(question).to_contain_text("Il partira maintenant vers 2 membres")
    has_no_barrier(screen)
    question.get_by_role("button", name="Annuler").click()
    expect(form).to_be_visible()
    ask_to_send(form)
    question.get_by_role("button", name="Envoyer", exact=True).dblclick()
    expect(screen.get_by_text("L'email a été envoyé avec succès à 2 membres !")).to_be_visible()
    expect(screen.get_by_role("dialog")).to_have_count(0)
    row = row_of(screen, "La grande lettre")
    expect(row.get_by_text("Envoyé", exact=True)).to_be_visible()
    expect(row.get_by_text(re.compile(r"^Envoyé le \d\d/\d\d/\d{4} à \d\d:\d\d à 2 membres$"))).to_be_visible()
    expect(row.get_by_text("2 messages envoyés sur 2", exact=True)).to_be_visible()
    expect(screen.get_by_text("Erreur lors de l'envoi de l'email")).to_have_count(0)
    is_paused_and_stopped(screen, held)


def another_has_sent_it(screen: Page, site: Site, audience: str) -> None:
    """A form that was opened before somebody else sent its mail sends nothing."""
    form = write(screen, "Lettre de deux personnes")
    form.get_by_label("Destinataires").select_option(audience)
    keep(form)
    row = row_of(screen, "Lettre de deux personnes")
    row.get_by_role("button", name="Modifier").click()
    expect(form).to_be_visible()
    with database_of(site), transaction() as session:
        broadcasts.send_broadcast(session, SYSTEM, str(row.get_attribute("data-broadcast-id")))
    ask_to_send(form)
    expect(form.get_by_text("Erreur lors de la sauvegarde")).to_be_visible()
    expect(form.get_by_text("Cet e-mail a déjà été envoyé.")).to_be_visible()
    form.get_by_role("button", name="Annuler").click()


def is_paused_and_stopped(screen: Page, site: Site) -> None:
    """A mail to everybody, while nothing leaves: it names whom it leaves out."""
    with database_of(site), transaction() as session:
        queue_pause.pause_queue(session, SYSTEM)
        add_member(session, LEFT_OUT[0], None)
        add_member(session, LEFT_OUT[1], "albin@las.example", opted_out_at=clock.now())
    form = write(screen, "À arrêter")
    ask_to_send(form)
    question = screen.get_by_role("alertdialog")
    expect(question).to_contain_text(re.compile(r"Il partira maintenant vers \d+ membres\."))
    question.get_by_role("button", name="Envoyer", exact=True).click()
    expect(screen.get_by_text(SENT_TO_ALL)).to_be_visible()
    row = row_of(screen, "À arrêter")
    row.get_by_text(re.compile(r"Membres non destinataires\s:\s\d+$")).click()
    expect(row.get_by_text("Aimée Sans-Adresse\u00a0: pas d’adresse e-mail")).to_be_visible()
    expect(row.get_by_text("Albin Las : désinscrit des envois")).to_be_visible()
    pause, resume = (row.get_by_role("button", name=name) for name in ("Mettre en pause", "Reprendre l’envoi"))
    pause.press("Enter")
    expect(resume).to_be_focused()
    expect(row.get_by_text("En pause")).to_be_visible()
    shuts_nobody_out(screen)
    resume.press("Enter")
    expect(pause).to_be_focused()
    row.get_by_role("button", name="Arrêter l’envoi").click()
    expect(question).to_contain_text("Cette action est irréversible.")
    question.get_by_role("button", name="Arrêter l’envoi").click()
    expect(row.get_by_text("Arrêté", exact=True)).to_be_visible()
    expect(row.get_by_text("retirés\u00a0: les messages ne sont pas partis")).to_be_visible()
    expect(row.get_by_role("button", name="Mettre en pause")).to_have_count(0)
    screen.get_by_role("link", name="Écrire avec des pièces jointes").click()
    expect(screen.get_by_role("heading", name="À qui voulez-vous écrire")).to_be_visible()
