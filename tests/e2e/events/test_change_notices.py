"""A change of what was announced: who is told what, in the browser and in the mail; deleting, asked twice."""

import re
from collections.abc import Callable
from datetime import UTC
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.calendars import read as read_calendar
from tests.e2e.event_steps import announce, create, edit, fill, on_screen, row_of
from tests.e2e.focus_walk import HOLDS_FOCUS
from tests.e2e.invitation_steps import fits, shuts_nobody_out
from tests.e2e.site import Site

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


def test_a_moved_event_tells_those_invited_once_each_with_an_entry_that_follows(
    page: Page, site: Site, question: Locator
) -> None:
    page.set_viewport_size({"width": 1366, "height": 650})
    event_id, (comes, _, silent, declined) = announce(site, "Soirée des drapiers")
    on_screen(page, site)
    form = edit(page, "Soirée des drapiers")
    date = form.locator("[name=date]").input_value()
    fill(form, date=date.replace("-05-14T12:00", "-05-21T18:30"), location="Douai")
    form.get_by_role("button", name="Mettre à jour").click()
    expect(question).to_contain_text("Prévenir les personnes invitées")
    expect(question.get_by_role("button", name="Annuler")).to_be_focused()
    expect(question.get_by_role("button", name="Annuler")).to_be_in_viewport(ratio=1)
    for group in ("Présents : 2", "Pas de réponse\u00a0: 1", "Absents : 1", "Date : ", "Lieu\u00a0: "):
        expect(question).to_contain_text(group)
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    expect(form.locator("[name=location]")).to_have_value("Douai")
    assert not site.mails_to(comes, "event_changed")

    form.get_by_role("button", name="Mettre à jour").click()
    question.get_by_role("button", name="Enregistrer et prévenir").dblclick()
    expect(page.get_by_text("Événement mis à jour avec succès !")).to_be_visible()
    expect(page.get_by_text("4 messages partent.")).to_be_visible()
    moved = entry_in(site, comes, "event_changed")
    assert (moved.method.value, moved.vevent.uid.value) == ("REQUEST", f"{event_id}@localhost")
    assert moved.vevent.dtstart.value.astimezone(UTC).strftime("%m-%dT%H:%M") == "05-21T16:30"
    for address in (silent, declined):
        mail = site.wait_for_mail(address, "event_changed")
        assert not [part for part in mail.walk() if part.get_content_type() == "text/calendar"]

    form = edit(page, "Soirée des drapiers")
    form.locator("[name=status]").select_option("cancelled")
    form.get_by_role("button", name="Mettre à jour").click()
    expect(question).to_contain_text("Ne reçoivent rien")
    question.get_by_role("button", name="Enregistrer et prévenir").click()
    expect(page.locator("li[data-event-id]").filter(has_text="Soirée des drapiers")).to_have_count(0)
    gone = entry_in(site, comes, "event_cancelled")
    assert (gone.method.value, gone.vevent.uid.value) == ("CANCEL", moved.vevent.uid.value)
    assert int(gone.vevent.sequence.value) > int(moved.vevent.sequence.value)
    assert len(site.mails_to(comes, "event_changed")) == 1
    assert not site.mails_to(declined, "event_cancelled")


def test_a_change_may_be_saved_without_a_word(page: Page, site: Site, question: Locator) -> None:
    _, (comes, *_) = announce(site, "Visite discrète")
    before = len(site.mails_to(comes))
    on_screen(page, site)
    form = edit(page, "Visite discrète")
    fill(form, location="Lens")
    form.get_by_role("button", name="Mettre à jour").click()
    question.get_by_role("button", name="Enregistrer sans prévenir").click()
    expect(row_of(page, "Visite discrète")).to_contain_text("Lens")
    edit(page, "Visite discrète").get_by_role("button", name="Mettre à jour").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert len(site.mails_to(comes)) == before


def test_the_questions_fit_and_have_no_barrier(site: Site, new_context: Callable[..., BrowserContext]) -> None:
    title = "Un titre d'une longueur peu commune pour une rencontre"
    announce(site, title)
    page = new_context(site, viewport={"width": 1280, "height": 700}, reduced_motion="reduce").new_page()
    on_screen(page, site)
    form = edit(page, title)
    form.get_by_role("button", name="Ajouter un intervenant").click()
    fill(form, location="")
    form.get_by_role("button", name="Mettre à jour").click()
    expect(form.get_by_text("Indiquez le lieu de l’événement.")).to_be_visible()
    shuts_nobody_out(page)
    fill(form, location="Un lieu au nom interminable " * 5)
    form.get_by_role("button", name="Mettre à jour").click()
    question = page.get_by_role("alertdialog")
    question.get_by_text("Voir les noms").first.click()
    shuts_nobody_out(page)
    question.get_by_role("button", name="Annuler").click()
    form.get_by_role("button", name="Annuler").click()
    row_of(page, title).get_by_role("button", name="Voir détails").click()
    page.get_by_role("dialog").get_by_role("button", name="Supprimer").click()
    expect(question).to_contain_text("3 réponses et 4 invitations seront supprimées")
    shuts_nobody_out(page)
    fits(page)


def test_the_choice_beside_the_new_date_counts_for_the_date_alone(page: Page, site: Site, question: Locator) -> None:
    event_id, (comes, *_) = announce(site, "Veillée des tisserands")
    on_screen(page, site)
    page.goto(f"/admin/events/{event_id}")
    page.get_by_role("button", name="Reporter").click()
    form = page.get_by_role("dialog")
    told = form.get_by_role("checkbox", name="Prévenir de la nouvelle date")
    expect(told).to_be_checked()
    fill(form, location="Arras")
    form.get_by_role("button", name="Mettre à jour").click()
    expect(question).to_contain_text("Prévenir les personnes invitées")
    question.get_by_role("button", name="Annuler").click()
    date = form.locator("[name=date]").input_value()
    fill(form, date=date.replace("T12:00", "T13:00"))
    told.uncheck()
    form.get_by_role("button", name="Mettre à jour").click()
    expect(page.get_by_text("Événement mis à jour avec succès !")).to_be_visible()
    expect(page.locator("main")).to_contain_text("13:00")
    assert not site.mails_to(comes, "event_changed")


def test_deleting_what_was_announced_asks_once_and_tells(page: Page, site: Site, question: Locator) -> None:
    event_id, (comes, *_) = announce(site, "Rencontre à défaire")
    on_screen(page, site)
    row = row_of(page, "Rencontre à défaire")
    row.get_by_role("button", name="Voir détails").click()
    sheet = page.locator("dialog[data-event-id]")
    sheet.get_by_role("button", name="Supprimer").click()
    expect(question).to_contain_text(ASK_TO_DELETE)
    expect(question).to_contain_text("3 réponses et 4 invitations seront supprimées avec cet événement")
    question.get_by_role("button", name="Annuler").click()
    expect(sheet).to_be_visible()

    sheet.get_by_role("button", name="Supprimer").click()
    question.get_by_role("button", name="Prévenir et supprimer").click()
    expect(page.get_by_text("Événement supprimé avec succès !")).to_be_visible()
    expect(row).to_have_count(0)
    gone = entry_in(site, comes, "event_cancelled")
    assert (gone.method.value, gone.vevent.uid.value) == ("CANCEL", f"{event_id}@localhost")


def test_deleting_what_nobody_was_invited_to_asks_once(page: Page, site: Site, question: Locator) -> None:
    on_screen(page, site)
    row = create(page, "À oublier", "2034-06-08T12:00")
    row.get_by_role("button", name="Voir détails").click()
    sheet = page.locator("dialog[data-event-id]")
    sheet.get_by_role("button", name="Supprimer").click()
    expect(question).to_contain_text(ASK_TO_DELETE)
    question.get_by_role("button", name="Annuler").click()
    expect(sheet).to_be_visible()
    sheet.get_by_role("button", name="Supprimer").click()
    question.get_by_role("button", name="Supprimer").click()
    expect(page.locator("li[data-event-id]").filter(has_text="À oublier")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("place", ["list", "calendar"])
def test_deleting_by_keyboard_keeps_the_focus_on_the_page(
    page: Page, site: Site, question: Locator, place: str
) -> None:
    title, day = f"Effacé depuis {place}", f"20{34 if place == 'list' else 35}-08-09"
    on_screen(page, site, f"/admin/events?vue=mois&date={day}")
    row = create(page, title, f"{day}T12:00")
    in_calendar = page.get_by_role("button", name=f"12:00 {title}, Brouillon")
    (row.get_by_role("button", name="Voir détails") if place == "list" else in_calendar).press("Enter")
    page.locator("dialog[data-event-id]").get_by_role("button", name="Supprimer").press("Enter")
    question.get_by_role("button", name="Supprimer").press("Enter")
    expect(in_calendar).to_have_count(0)
    expect(row).to_have_count(0)
    page.wait_for_function(HOLDS_FOCUS)


def test_a_copy_opens_as_a_draft_of_the_next_free_month(page: Page, site: Site) -> None:
    on_screen(page, site)
    create(page, "Petit déjeuner", "2036-01-10T08:30").get_by_role("button", name="Voir détails").click()
    page.get_by_role("dialog").get_by_role("button", name="Dupliquer").click()
    form = page.get_by_role("dialog").filter(has=page.locator("[name=title]"))
    expect(form.locator("[name=title]")).to_have_value("Petit déjeuner")
    expect(form.locator("[name=date]")).to_have_value(re.compile(r"2036-02-14T08:30"))
    expect(form.locator("[name=status]")).to_have_value("draft")
    fill(form, title="Petit déjeuner, suite")
    form.get_by_role("button", name="Créer").click()
    expect(page.get_by_role("heading", level=1, name="Petit déjeuner, suite")).to_be_focused()
    page.locator(".screen-menu summary, .screen-menu button").first.click()
    page.get_by_text("Dupliquer", exact=True).click()
    fill(form, title="Petit déjeuner, encore")
    form.get_by_role("button", name="Créer").click()
    expect(page.get_by_role("heading", level=1, name="Petit déjeuner, encore")).to_be_focused()
