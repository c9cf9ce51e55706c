"""The emails screen: an event's three texts, the signature, and tests of both, as an administrator meets them."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from sqlmodel import delete

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import EmailSignature
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, has_no_barrier, shuts_nobody_out
from tests.e2e.site import Site
from tests.factories import add_event

EVENT = "Atelier des templates"
DRAFTS = "Object.keys(localStorage).filter((key) => key.startsWith('saisie:')).length"


@pytest.fixture(scope="module")
def event_id(site: Site) -> str:
    """An event of this file's own, far ahead."""
    with database_of(site), transaction() as session:
        return add_event(session, title=EVENT, date=clock.from_local("2071-03-12T12:00"), status="confirmed").id


@pytest.fixture
def screen(page: Page, site: Site, event_id: str) -> Page:
    return on_screen(page, site)


def on_screen(page: Page, site: Site) -> Page:
    sign_in(page, site, ADMIN_EMAIL, "/admin/emails")
    expect(page.get_by_role("heading", level=1, name="Gestion des Emails")).to_be_visible()
    return page


def open_templates(page: Page, event_id: str) -> Locator:
    page.locator(f"li[data-event-id='{event_id}']").get_by_role("button", name="Modifier les templates").click()
    form = page.locator(f"dialog[data-event-id='{event_id}']")
    expect(form).to_be_visible()
    return form


def mail(page: Page) -> Locator:
    """What stands in the frame of the preview."""
    return page.frame_locator("iframe[title='Aperçu sur ordinateur']").locator("body")


def send_test(page: Page, to: str) -> Locator:
    """Send a test from the dialog that is open on top."""
    dialog = page.get_by_role("dialog").filter(has_text="Envoyer un e-mail de test").last
    dialog.get_by_label("Adresse e-mail de test").fill(to)
    dialog.get_by_role("button", name="Envoyer le test").click()
    return dialog


def test_a_text_is_written_with_variables_seen_tested_saved_and_put_back(
    screen: Page, site: Site, event_id: str
) -> None:
    card = screen.locator(f"li[data-event-id='{event_id}']")
    expect(card.get_by_text("Template par défaut")).to_have_count(3)
    form = open_templates(screen, event_id)
    expect(form.get_by_role("tab")).to_have_text(
        ["E-mail initial", "1re relance (J-14)", "2e relance (J-7)", "Ordinateur", "Téléphone", "Texte"]
    )
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
    expect(mail(screen)).to_contain_text(re.compile(r"Plus que \d+ jours\."))
    reader = form.get_by_label("Aperçu pour").locator("option").nth(1).inner_text()
    form.get_by_label("Aperçu pour").select_option(index=1)
    expect(form.locator(".preview-head")).to_contain_text(reader)
    form.get_by_role("tab", name="Texte").click()
    expect(form.locator(".preview-text")).to_contain_text("Oui, je viens")

    form.get_by_role("button", name="Tester").first.click()
    told = send_test(screen, "essai-template@club.example")
    expect(
        told.get_by_text("Email de test envoyé avec succès à essai-template@club.example !", exact=True)
    ).to_be_visible()
    arrived = site.wait_for_mail("essai-template@club.example", "test")
    assert arrived["Subject"] == f"[TEST] Venez à {EVENT}"
    expect(card.get_by_text("Template par défaut")).to_have_count(3)
    told.get_by_role("button", name="Fermer").last.click()

    form.get_by_role("button", name="Enregistrer").click()
    expect(screen.get_by_text("Modèles enregistrés avec succès !")).to_be_visible()
    assert not screen.evaluate(DRAFTS), "what is saved is no draft"
    expect(card.get_by_text(f"Venez à {EVENT}")).to_be_visible()

    form = open_templates(screen, event_id)
    form.get_by_role("button", name="Réinitialiser").first.click()
    expect(form.locator("[name=email_subject]")).to_have_value("Invitation\u00a0: {{EVENT_TITLE}}, {{EVENT_DATE}}")
    form.get_by_role("button", name="Enregistrer").click()
    expect(card.get_by_text("Template par défaut")).to_have_count(3)


def test_an_unknown_variable_is_refused_by_name_in_its_own_tab(screen: Page, event_id: str) -> None:
    form = open_templates(screen, event_id)
    form.get_by_role("tab", name="2e relance (J-7)").click()
    field = form.locator("[name=reminder_2_template]")
    field.fill("Bonjour {{PRENOMS}}, à demain.")
    form.get_by_role("tab", name="E-mail initial").click()
    form.get_by_role("button", name="Enregistrer").click()
    told = form.get_by_role("alert").filter(has_text="Erreur lors de la sauvegarde des templates")
    expect(told.get_by_text("Variable inconnue : {{PRENOMS}}.")).to_be_in_viewport(ratio=1)
    expect(form.locator(".field-error").get_by_text("Variable inconnue : {{PRENOMS}}.")).to_be_visible()
    expect(form.locator("[data-editor-for=field-reminder_2_template]")).to_be_focused()
    expect(field).to_have_value("Bonjour {{PRENOMS}}, à demain.")
    has_no_barrier(screen)
    field.fill("Bonjour, à demain.")
    form.get_by_role("button", name="Annuler").click()


def test_on_a_phone_what_is_said_under_a_large_field_comes_in_sight(screen: Page, event_id: str) -> None:
    screen.set_viewport_size({"width": 390, "height": 844})
    form = open_templates(screen, event_id)
    form.locator("[name=email_template]").fill("Bonjour {{PRENOMS}}")
    form.get_by_role("button", name="Enregistrer").click()
    expect(form.locator(".field-error")).to_be_in_viewport(ratio=1)
    expect(form.locator("[data-editor-for=field-email_template]")).to_be_focused()


def test_a_cancelled_event_is_told_apart(page: Page, site: Site, event_id: str) -> None:
    with database_of(site), transaction() as session:
        date = clock.from_local("2071-04-09T12:00")
        cancelled = add_event(session, title="N'a pas lieu", date=date, status="cancelled").id
    on_screen(page, site)
    expect(page.locator(f"li[data-event-id='{cancelled}'] .badge")).to_have_text("Annulé")
    expect(page.locator(f"li[data-event-id='{event_id}'] .badge")).to_have_count(0)


def test_what_was_typed_is_found_again(screen: Page, event_id: str) -> None:
    form = open_templates(screen, event_id)
    form.locator("[name=reminder_1_subject]").evaluate("field => field.scrollIntoView()")
    form.get_by_role("tab", name="1re relance (J-14)").click()
    form.locator("[name=reminder_1_subject]").fill("À ne pas perdre")
    form.get_by_role("button", name="Annuler").click()
    expect(form).to_have_count(0)
    form = open_templates(screen, event_id)
    form.get_by_role("button", name="Reprendre").click()
    expect(form.locator("[name=reminder_1_subject]")).to_have_value("À ne pas perdre")
    form.get_by_role("tab", name="1re relance (J-14)").click()
    expect(form.locator("[data-preview=subject]")).to_have_text("À ne pas perdre")


def test_two_administrators_do_not_overwrite_each_other_unseen(
    screen: Page, site: Site, event_id: str, new_context: Callable[..., BrowserContext]
) -> None:
    mine = open_templates(screen, event_id)
    other = on_screen(new_context(site).new_page(), site)
    theirs = open_templates(other, event_id)
    theirs.locator("[name=email_subject]").fill("La sienne")
    theirs.get_by_role("button", name="Enregistrer").click()
    expect(other.get_by_text("Modèles enregistrés avec succès !")).to_be_visible()

    mine.locator("[name=email_subject]").fill("La mienne")
    mine.get_by_role("button", name="Enregistrer").click()
    expect(mine.get_by_text("Une autre personne a enregistré des changements")).to_be_visible()
    expect(mine.locator("[name=email_subject]")).to_have_value("La mienne")
    mine.get_by_role("button", name="Enregistrer").click()
    expect(screen.locator(f"li[data-event-id='{event_id}']").get_by_text("La mienne")).to_be_visible()


def test_the_signature_is_seen_as_it_is_typed_cleaned_and_signs_the_next_mail(
    screen: Page, site: Site, event_id: str
) -> None:
    screen.get_by_role("button", name="Configurer la signature").click()
    form = screen.get_by_role("dialog")
    expect(form.locator("[name=website]")).to_have_attribute("type", "url")
    form.locator("[name=sender_name]").fill("")
    form.locator("[name=website]").fill("pas une adresse")
    form.get_by_role("button", name="Enregistrer").click()
    expect(form.get_by_text("Erreur lors de la sauvegarde de la signature")).to_be_visible()
    expect(form.get_by_text("Indiquez le nom de la personne qui signe.")).to_be_visible()
    expect(form.locator("[name=sender_name]")).to_be_focused()

    form.locator("[name=sender_name]").fill("Zoé & Luc <direction>")
    form.locator("[name=website]").fill("https://club.example")
    expect(mail(screen)).to_contain_text("Zoé & Luc <direction>")
    has_no_barrier(screen)
    form.get_by_role("tab", name="HTML personnalisé").click()
    html = form.locator("[name=custom_html]")
    expect(html).to_have_attribute("rows", "15")
    html.fill("<p>Signé <b>le club</b></p><script>alert(1)</script><img src=x onerror=alert(2)>")
    expect(mail(screen)).to_contain_text("Signé le club")
    has_no_barrier(screen)
    form.get_by_role("button", name="Enregistrer").click()
    expect(screen.get_by_text("Signature enregistrée avec succès !")).to_be_visible()
    assert not screen.evaluate(DRAFTS), "what is saved is no draft"

    form = open_templates(screen, event_id)
    form.get_by_role("button", name="Tester").first.click()
    send_test(screen, "signe@club.example")
    sent = site.wait_for_mail("signe@club.example", "test").get_body(("html",))
    assert sent is not None
    assert "<b>le club</b>" in sent.get_content()
    assert "alert(" not in sent.get_content()
    with database_of(site), transaction() as session:
        session.exec(delete(EmailSignature))  # pyright: ignore[reportCallIssue, reportArgumentType]


def test_a_test_needs_an_address_and_is_sent_from_the_events_screen_too(
    screen: Page, site: Site, event_id: str
) -> None:
    screen.goto("/admin/events")
    row = screen.locator(f"li[data-event-id='{event_id}']")
    row.get_by_role("button", name="Tester l'email").click()
    dialog = screen.get_by_role("dialog")
    dialog.get_by_label("E-mail", exact=True).select_option("reminder_2")
    expect(dialog.get_by_label("Adresse e-mail de test")).to_have_value(ADMIN_EMAIL)
    dialog.get_by_label("Adresse e-mail de test").fill("")
    dialog.get_by_role("button", name="Envoyer le test").click()
    expect(dialog.get_by_text("Indiquez l’adresse qui recevra le test.")).to_be_visible()
    expect(dialog.get_by_label("Adresse e-mail de test")).to_be_focused()
    expect(dialog.get_by_label("Adresse e-mail de test")).to_have_attribute("type", "email")
    has_no_barrier(screen)
    send_test(screen, "depuis-les-evenements@club.example")
    expect(dialog.get_by_text(re.compile("^Email de test envoyé avec succès à depuis-les-evenements"))).to_be_visible()
    subject = site.wait_for_mail("depuis-les-evenements@club.example", "test")["Subject"]
    assert subject.startswith("[TEST] Dernier rappel")
    expect(row.get_by_text("Invitations envoyées")).to_have_count(0)


def test_no_barrier_and_nothing_cut_off(screen: Page, event_id: str) -> None:
    shuts_nobody_out(screen)
    form = open_templates(screen, event_id)
    for name in ("1re relance (J-14)", "Texte", "Téléphone"):
        form.get_by_role("tab", name=name).click()
        shuts_nobody_out(screen)
    form.get_by_role("button", name="Tester").click()
    expect(screen.get_by_role("dialog").filter(has_text="Envoyer un e-mail de test").last).to_be_visible()
    shuts_nobody_out(screen)
