"""The emails screen: an event's three texts, the signature, and tests of both, as an administrator meets them."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect
from sqlmodel import delete

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import EmailSignature, Event
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier
from tests.e2e.site import Site
from tests.factories import add_event

EVENT = "Atelier des templates"
DRAFTS = "Object.keys(localStorage).filter((key) => key.startsWith('saisie:')).length"
FIRST, SECOND = "1re relance (J-14)", "2e relance (J-7)"
UNKNOWN = "Variable inconnue : {{PRENOMS}}."


@pytest.fixture(scope="module")
def event_id(site: Site) -> str:
    """An event of this file's own, far ahead."""
    with database_of(site), transaction() as session:
        return add_event(session, title=EVENT, date=clock.from_local("2071-03-12T12:00"), status="confirmed").id


@pytest.fixture
def unsigned(site: Site) -> Iterator[None]:
    """The built-in signature signs the mails of the tests that follow."""
    yield
    with database_of(site), transaction() as session:
        session.exec(delete(EmailSignature))  # pyright: ignore[reportCallIssue, reportArgumentType]


def on_screen(page: Page, site: Site) -> Page:
    sign_in(page, site, ADMIN_EMAIL, "/admin/emails")
    expect(page.get_by_role("heading", level=1, name="Gestion des Emails")).to_be_visible()
    return page


def card_of(page: Page, event_id: str) -> Locator:
    return page.locator(f"li[data-event-id='{event_id}']")


def open_templates(page: Page, event_id: str) -> Locator:
    card_of(page, event_id).get_by_role("button", name="Modifier les templates").click()
    form = page.locator(f"dialog[data-event-id='{event_id}']")
    expect(form).to_be_visible()
    return form


def turn_to(form: Locator, name: str) -> None:
    form.get_by_role("tab", name=name).click()


def save(form: Locator) -> None:
    form.get_by_role("button", name="Enregistrer").click()


def mail(page: Page) -> Locator:
    """What stands in the frame of the preview."""
    return page.frame_locator("iframe[title='Aperçu sur ordinateur']").locator("body")


def send_test(page: Page, to: str) -> Locator:
    """Send a test from the dialog that is open on top."""
    dialog = page.get_by_role("dialog").filter(has_text="Envoyer un e-mail de test").last
    dialog.get_by_label("Adresse e-mail de test").fill(to)
    dialog.get_by_role("button", name="Envoyer le test").click()
    sent = f"Email de test envoyé avec succès à {to} !"
    expect(dialog.get_by_text(sent, exact=True)).to_be_visible()
    return dialog


def test_a_text_is_written_with_variables_seen_tested_saved_and_put_back(page: Page, site: Site, event_id: str) -> None:
    with database_of(site), transaction() as session:
        date = clock.from_local("2071-04-09T12:00")
        cancelled = add_event(session, title="N'a pas lieu", date=date, status="cancelled").id
    on_screen(page, site)
    card = card_of(page, event_id)
    expect(card_of(page, cancelled).locator(".badge")).to_have_text("Annulé")
    expect(card.locator(".badge")).to_have_count(0)
    expect(card.get_by_text("Template par défaut")).to_have_count(3)
    form = open_templates(page, event_id)
    expect(form.get_by_role("tab")).to_have_text(["E-mail initial", FIRST, SECOND, "Ordinateur", "Téléphone", "Texte"])
    write_with_variables(page, form)

    form.get_by_role("button", name="Tester").first.click()
    told = send_test(page, "essai-template@club.example")
    arrived = site.wait_for_mail("essai-template@club.example", "test")
    assert arrived["Subject"] == f"[TEST] Venez à {EVENT}"
    expect(card.get_by_text("Template par défaut")).to_have_count(3)
    told.get_by_role("button", name="Fermer").last.click()
    save(form)
    expect(page.get_by_text("Modèles enregistrés avec succès !")).to_be_visible()
    assert not page.evaluate(DRAFTS), "what is saved is no draft"
    expect(card.get_by_text(f"Venez à {EVENT}")).to_be_visible()

    form = open_templates(page, event_id)
    form.locator("[name=reminder_1_subject]").evaluate("field => field.scrollIntoView()")
    turn_to(form, FIRST)
    form.locator("[name=reminder_1_subject]").fill("À ne pas perdre")
    form.get_by_role("button", name="Annuler").click()
    expect(form).to_have_count(0)
    form = open_templates(page, event_id)
    form.get_by_role("button", name="Reprendre").click()
    expect(form.locator("[name=reminder_1_subject]")).to_have_value("À ne pas perdre")
    turn_to(form, FIRST)
    expect(form.locator("[data-preview=subject]")).to_have_text("À ne pas perdre")

    form.get_by_role("button", name="Réinitialiser").first.click()
    turn_to(form, "E-mail initial")
    form.get_by_role("button", name="Réinitialiser").first.click()
    expect(form.locator("[name=email_subject]")).to_have_value("Invitation\u00a0: {{EVENT_TITLE}}, {{EVENT_DATE}}")
    save(form)
    expect(card.get_by_text("Template par défaut")).to_have_count(3)


def write_with_variables(page: Page, form: Locator) -> None:
    """A press on a variable puts it where the cursor is; the preview follows, as a chosen member reads it."""
    content = form.locator("[name=email_template]")
    expect(content).to_have_attribute("rows", "20")
    expect(form.locator(".variable:visible")).to_have_count(13)
    subject = form.locator("[name=email_subject]")
    subject.fill("Venez à ")
    form.get_by_role("button", name="{{EVENT_TITLE}}").first.click()
    expect(subject).to_have_value("Venez à {{EVENT_TITLE}}")
    expect(form.locator(".subject-reading:visible")).to_have_text("Se lit\u00a0: Venez à Titre")
    expect(form.locator("[data-preview=subject]")).to_have_text(f"Venez à {EVENT}")
    content.fill("Bonjour,\n\nPlus que  jours.")
    content.evaluate("field => field.setSelectionRange(19, 19)")
    form.get_by_role("button", name="{{DAYS_UNTIL}}").first.click()
    expect(content).to_have_value("Bonjour,\n\nPlus que {{DAYS_UNTIL}} jours.")
    expect(mail(page)).to_contain_text(re.compile(r"Plus que \d+ jours\."))
    reader = form.get_by_label("Aperçu pour").locator("option").nth(1).inner_text()
    form.get_by_label("Aperçu pour").select_option(index=1)
    expect(form.locator(".preview-head")).to_contain_text(reader)
    turn_to(form, "Texte")
    expect(form.locator(".preview-text")).to_contain_text("Oui, je viens")


def test_a_refusal_is_told_in_its_own_tab_and_nobody_overwrites_what_another_saved(
    page: Page, site: Site, event_id: str
) -> None:
    on_screen(page, site)
    form = open_templates(page, event_id)
    turn_to(form, SECOND)
    field = form.locator("[name=reminder_2_template]")
    field.fill("Bonjour {{PRENOMS}}, à demain.")
    turn_to(form, "E-mail initial")
    save(form)
    told = form.get_by_role("alert").filter(has_text="Erreur lors de la sauvegarde des templates")
    expect(told.get_by_text(UNKNOWN)).to_be_in_viewport(ratio=1)
    expect(form.locator(".field-error").get_by_text(UNKNOWN)).to_be_visible()
    expect(form.locator("[data-editor-for=field-reminder_2_template]")).to_be_focused()
    expect(field).to_have_value("Bonjour {{PRENOMS}}, à demain.")
    field.fill("Bonjour, à demain.")

    page.set_viewport_size({"width": 390, "height": 844})
    turn_to(form, "E-mail initial")
    form.locator("[name=email_template]").fill("Bonjour {{PRENOMS}}")
    save(form)
    expect(form.locator(".field-error")).to_be_in_viewport(ratio=1)
    expect(form.locator("[data-editor-for=field-email_template]")).to_be_focused()
    page.set_viewport_size({"width": 320, "height": 844})
    for name in ("Texte", "Téléphone"):
        turn_to(form, name)
        fits(page)
    has_no_barrier(page)
    page.set_viewport_size({"width": 1280, "height": 720})

    with database_of(site), transaction() as session:
        session.get_one(Event, event_id).email_subject = "La sienne"
    form.locator("[name=email_template]").fill("Bonjour")
    form.locator("[name=email_subject]").fill("La mienne")
    save(form)
    expect(form.get_by_text("Une autre personne a enregistré des changements")).to_be_visible()
    expect(form.locator("[name=email_subject]")).to_have_value("La mienne")
    save(form)
    expect(card_of(page, event_id).get_by_text("La mienne")).to_be_visible()


@pytest.mark.usefixtures("unsigned")
def test_the_signature_is_seen_as_it_is_typed_and_signs_a_test_that_leaves_from_the_events_screen(
    page: Page, site: Site, event_id: str
) -> None:
    on_screen(page, site)
    page.get_by_role("button", name="Configurer la signature").click()
    form = page.get_by_role("dialog")
    expect(form.locator("[name=website]")).to_have_attribute("type", "url")
    form.locator("[name=sender_name]").fill("")
    form.locator("[name=website]").fill("pas une adresse")
    save(form)
    expect(form.get_by_text("Erreur lors de la sauvegarde de la signature")).to_be_visible()
    expect(form.get_by_text("Indiquez le nom de la personne qui signe.")).to_be_visible()
    expect(form.locator("[name=sender_name]")).to_be_focused()
    has_no_barrier(page)
    form.locator("[name=sender_name]").fill("Zoé & Luc <direction>")
    form.locator("[name=website]").fill("https://club.example")
    expect(mail(page)).to_contain_text("Zoé & Luc <direction>")
    turn_to(form, "HTML personnalisé")
    html = form.locator("[name=custom_html]")
    expect(html).to_have_attribute("rows", "15")
    html.fill("<p>Signé <b>le club</b></p><script>alert(1)</script><img src=x onerror=alert(2)>")
    expect(mail(page)).to_contain_text("Signé le club")
    has_no_barrier(page)
    save(form)
    expect(page.get_by_text("Signature enregistrée avec succès !")).to_be_visible()
    assert not page.evaluate(DRAFTS), "what is saved is no draft"

    page.get_by_role("link", name="Événements", exact=True).first.click()
    row = card_of(page, event_id)
    row.get_by_role("button", name="Tester l'email").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("E-mail", exact=True).select_option("reminder_2")
    to = dialog.get_by_label("Adresse e-mail de test")
    expect(to).to_have_value(ADMIN_EMAIL)
    expect(to).to_have_attribute("type", "email")
    to.fill("")
    dialog.get_by_role("button", name="Envoyer le test").click()
    expect(dialog.get_by_text("Indiquez l’adresse qui recevra le test.")).to_be_visible()
    expect(to).to_be_focused()
    has_no_barrier(page)
    send_test(page, "depuis-les-evenements@club.example")
    arrived = site.wait_for_mail("depuis-les-evenements@club.example", "test")
    assert arrived["Subject"].startswith("[TEST] Dernier rappel")
    expect(row.get_by_text("Invitations envoyées")).to_have_count(0)
    sent = arrived.get_body(("html",))
    assert sent is not None
    assert "<b>le club</b>" in sent.get_content()
    assert "alert(" not in sent.get_content()
