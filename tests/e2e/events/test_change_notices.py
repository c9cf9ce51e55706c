"""A change of what was announced: the questions before it, what is told, and how far that has come; deleting."""

import re
from datetime import UTC
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.calendars import read as read_calendar
from tests.e2e.event_steps import announce, create, edit, fill, on_screen, row_of
from tests.e2e.events.steps import detail, shuts_out_nobody_here
from tests.e2e.layout_checks import box
from tests.e2e.site import Site

SAVED = "Événement mis à jour avec succès !"
ASK_TO_DELETE = "Êtes-vous sûr de vouloir supprimer cet événement ? Cette action est irréversible."


@pytest.fixture
def question(page: Page) -> Locator:
    return page.get_by_role("alertdialog")


def entry_in(site: Site, address: str, kind: str) -> Any:
    """The calendar entry of the newest mail of that kind to someone."""
    mail = site.wait_for_mail(address, kind)
    found = {part.get_content() for part in mail.walk() if part.get_content_type() == "text/calendar"}
    (content,) = found
    return read_calendar(content)


def save(form: Locator) -> None:
    form.get_by_role("button", name="Mettre à jour").click()


def ends_with_its_actions(sheet: Locator) -> None:
    """In the dialog of an event, its journal is below what was sent, and nothing is below its buttons on either tab."""
    sent, journal = sheet.get_by_text("Invitations envoyées"), sheet.get_by_role("link", name="Voir ces envois")
    assert box(journal)["y"] >= box(sent)["y"] + box(sent)["height"] + 8
    for tab in ("Vue d’ensemble", "Personnes"):
        sheet.get_by_role("tab", name=tab).click()
        sheet.evaluate("(dialog) => dialog.scrollTo(0, dialog.scrollHeight)")
        actions, whole = box(sheet.locator(".event-sheet-actions")), box(sheet)
        assert actions["y"] + actions["height"] == pytest.approx(whole["y"] + whole["height"], abs=1)
    sheet.get_by_role("tab", name="Vue d’ensemble").click()


def test_a_moved_event_asks_tells_those_invited_once_and_is_followed_in_its_dialog(
    page: Page, site: Site, question: Locator
) -> None:
    title = "Soirée des drapiers, d'une longueur peu commune pour une rencontre"
    page.set_viewport_size({"width": 1366, "height": 650})
    event_id, (comes, _, silent, declined) = announce(site, title)
    on_screen(page, site)
    form = edit(page, title)
    form.get_by_role("button", name="Ajouter un intervenant").click()
    fill(form, location="")
    save(form)
    expect(form.get_by_text("Indiquez le lieu de l’événement.")).to_be_visible()
    shuts_out_nobody_here(page)
    place = "Un lieu au nom interminable " * 5
    date = form.locator("[name=date]").input_value()
    fill(form, date=date.replace("-05-14T12:00", "-05-21T18:30"), location=place)
    save(form)
    expect(question).to_contain_text("Prévenir les personnes invitées")
    expect(question.get_by_role("button", name="Annuler")).to_be_focused()
    expect(question.get_by_role("button", name="Annuler")).to_be_in_viewport(ratio=1)
    for group in ("Présents : 2", "Pas de réponse\u00a0: 1", "Absents : 1", "Date : ", "Lieu\u00a0: "):
        expect(question).to_contain_text(group)
    question.get_by_text("Voir les noms").first.click()
    shuts_out_nobody_here(page)
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    expect(form.locator("[name=location]")).to_have_value(place)
    assert not site.mails_to(comes, "event_changed")

    save(form)
    question.get_by_role("button", name="Enregistrer et prévenir").dblclick()
    expect(page.get_by_text(SAVED)).to_be_visible()
    expect(page.get_by_text("4 messages partent.")).to_be_visible()
    moved = entry_in(site, comes, "event_changed")
    assert (moved.method.value, moved.vevent.uid.value) == ("REQUEST", f"{event_id}@localhost")
    assert moved.vevent.dtstart.value.astimezone(UTC).strftime("%m-%dT%H:%M") == "05-21T16:30"
    for address in (silent, declined):
        mail = site.wait_for_mail(address, "event_changed")
        assert not [part for part in mail.walk() if part.get_content_type() == "text/calendar"]

    sheet = detail(page, title)
    expect(sheet.get_by_role("heading", name="Changement annoncé")).to_be_visible()
    expect(sheet.get_by_text("4 messages envoyés sur 4")).to_be_visible()
    page.reload()
    row_of(page, title)
    expect(page.get_by_role("dialog")).to_have_count(0)
    detail(page, title).get_by_role("link", name="Voir ces envois dans le journal").first.click()
    expect(page).to_have_url(re.compile(f"/admin/envois\\?evenement={event_id}$"))
    expect(page.get_by_text("4 messages").first).to_be_visible()
    page.go_back()
    row_of(page, title)
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert len(site.mails_to(comes, "event_changed")) == 1


def test_a_change_may_be_saved_without_a_word_and_what_is_off_is_told_to_who_hoped(
    page: Page, site: Site, question: Locator
) -> None:
    event_id, (comes, _, _, declined) = announce(site, "Soirée des saliniers")
    before = len(site.mails_to(comes))
    on_screen(page, site)
    form = edit(page, "Soirée des saliniers")
    fill(form, location="Lens")
    save(form)
    question.get_by_role("button", name="Enregistrer sans prévenir").click()
    expect(row_of(page, "Soirée des saliniers")).to_contain_text("Lens")
    save(edit(page, "Soirée des saliniers"))
    expect(page.get_by_role("dialog")).to_have_count(0)

    detail(page, "Soirée des saliniers").get_by_role("link", name="Ouvrir la page de la rencontre").click()
    page.get_by_role("button", name="Reporter").click()
    told = form.get_by_role("checkbox", name="Prévenir de la nouvelle date")
    expect(told).to_be_checked()
    fill(form, location="Arras")
    save(form)
    expect(question).to_contain_text("Prévenir les personnes invitées")
    question.get_by_role("button", name="Annuler").click()
    date = form.locator("[name=date]").input_value()
    fill(form, date=date.replace("T12:00", "T13:00"))
    told.uncheck()
    save(form)
    expect(page.get_by_text(SAVED)).to_be_visible()
    expect(page.locator("main")).to_contain_text("13:00")
    assert len(site.mails_to(comes)) == before

    page.get_by_role("button", name="Modifier", exact=True).click()
    form.locator("[name=status]").select_option("cancelled")
    save(form)
    expect(question).to_contain_text("Ne reçoivent rien")
    question.get_by_role("button", name="Enregistrer et prévenir").click()
    expect(page.locator(".stage-cells")).to_contain_text("n’a pas lieu")
    gone = entry_in(site, comes, "event_cancelled")
    assert (gone.method.value, gone.vevent.uid.value) == ("CANCEL", f"{event_id}@localhost")
    assert not site.mails_to(declined, "event_cancelled")
    page.get_by_role("link", name="Retour aux événements").click()
    expect(page.locator("li[data-event-id]").first).to_be_visible()
    expect(page.locator("li[data-event-id]").filter(has_text="Soirée des saliniers")).to_have_count(0)


def test_deleting_asks_once_and_tells_those_who_were_invited(page: Page, site: Site, question: Locator) -> None:
    event_id, (comes, *_) = announce(site, "Rencontre à défaire")
    on_screen(page, site)
    sheet, row = detail(page, "Rencontre à défaire"), row_of(page, "Rencontre à défaire")
    for width, height in ((768, 1400), (1440, 600)):
        page.set_viewport_size({"width": width, "height": height})
        ends_with_its_actions(sheet)
    sheet.get_by_role("button", name="Supprimer").click()
    expect(question).to_contain_text(ASK_TO_DELETE)
    expect(question).to_contain_text("3 réponses et 4 invitations seront supprimées avec cet événement")
    shuts_out_nobody_here(page)
    question.get_by_role("button", name="Annuler").click()
    expect(sheet).to_be_visible()
    sheet.get_by_role("button", name="Supprimer").click()
    question.get_by_role("button", name="Prévenir et supprimer").click()
    expect(page.get_by_text("Événement supprimé avec succès !")).to_be_visible()
    expect(row).to_have_count(0)
    gone = entry_in(site, comes, "event_cancelled")
    assert (gone.method.value, gone.vevent.uid.value) == ("CANCEL", f"{event_id}@localhost")

    create(page, "À oublier", "2034-06-08T12:00")
    detail(page, "À oublier").get_by_role("button", name="Supprimer").click()
    expect(question).to_contain_text(ASK_TO_DELETE)
    question.get_by_role("button", name="Supprimer").click()
    expect(page.locator("li[data-event-id]").filter(has_text="À oublier")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)
