"""The dialogs of the events screen: gone on arrival, open at their top, uncovered; a notice and a copy in them."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.models import Event
from tests.e2e.conftest import reload
from tests.e2e.event_steps import announce, edit, fill, on_screen, row_of
from tests.e2e.invitation_steps import database_of, has_no_barrier
from tests.e2e.layout_checks import box
from tests.e2e.site import Site


def detail(page: Page, title: str) -> Locator:
    """The dialog of an event."""
    row_of(page, title).get_by_role("button", name="Voir détails").click()
    sheet = page.locator("dialog[data-event-id]")
    expect(sheet.get_by_role("heading", name=title)).to_be_visible()
    return sheet


def form_of(page: Page) -> Locator:
    return page.get_by_role("dialog").filter(has=page.locator("[name=title]"))


def test_whoever_comes_back_finds_the_screen_and_not_a_dialog(page: Page, site: Site) -> None:
    announce(site, "Soirée des luthiers")
    on_screen(page, site)
    detail(page, "Soirée des luthiers")
    page.reload()
    row_of(page, "Soirée des luthiers")
    expect(page.get_by_role("dialog")).to_have_count(0)

    detail(page, "Soirée des luthiers").get_by_role("link", name="Voir ces envois dans le journal").click()
    expect(page.get_by_role("heading", name="Journal des envois")).to_be_visible()
    page.go_back()
    row_of(page, "Soirée des luthiers")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_form_left_by_a_reload_is_closed_and_its_text_is_offered_again(page: Page, site: Site) -> None:
    on_screen(page, site)
    page.get_by_role("button", name="Nouvel événement").click()
    fill(form_of(page), title="Rechargé trop tôt", location="Lens")
    page.on("dialog", lambda question: question.accept())
    reload(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Nouvel événement").click()
    form_of(page).get_by_role("button", name="Reprendre").click()
    expect(form_of(page).locator("[name=title]")).to_have_value("Rechargé trop tôt")
    expect(form_of(page).locator("[name=location]")).to_have_value("Lens")


def test_a_copy_taken_up_again_later_still_brings_the_words_of_its_mails(page: Page, site: Site) -> None:
    event_id, _ = announce(site, "Soirée des relieurs")
    with database_of(site), transaction() as session:
        session.get_one(Event, event_id).email_subject = "Un objet à nous"
    on_screen(page, site)
    detail(page, "Soirée des relieurs").get_by_role("button", name="Dupliquer").click()
    expect(form_of(page).get_by_text("Cette copie reprend aussi les textes")).to_be_visible()
    fill(form_of(page), title="Les relieurs, la suite")
    page.keyboard.press("Escape")
    page.get_by_role("alertdialog").get_by_role("button", name="Quitter").click()
    page.get_by_role("button", name="Nouvel événement").click()
    form_of(page).get_by_role("button", name="Reprendre").click()
    expect(form_of(page).get_by_text("Cette copie reprend aussi les textes")).to_be_visible()
    form_of(page).get_by_role("button", name="Créer").click()
    expect(page.get_by_role("heading", level=1, name="Les relieurs, la suite")).to_be_visible()
    with database_of(site), reading() as session:
        made = session.exec(select(Event).where(Event.title == "Les relieurs, la suite")).one()
    assert (made.email_subject, made.invitation_sent) == ("Un objet à nous", False)


def test_a_notice_is_followed_in_the_dialog_of_its_event(page: Page, site: Site) -> None:
    event_id, _ = announce(site, "Soirée des vitriers")
    on_screen(page, site)
    form = edit(page, "Soirée des vitriers")
    fill(form, location="Douai")
    form.get_by_role("button", name="Mettre à jour").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Enregistrer et prévenir").click()
    sheet = detail(page, "Soirée des vitriers")
    expect(sheet.get_by_role("heading", name="Changement annoncé")).to_be_visible()
    expect(sheet.get_by_text("3 messages envoyés sur 3")).to_be_visible(timeout=20_000)
    sheet.get_by_role("link", name="Voir ces envois dans le journal").click()
    expect(page).to_have_url(re.compile(f"/admin/envois\\?evenement={event_id}$"))
    expect(page.get_by_text("3 messages").first).to_be_visible()


def test_a_dialog_opens_at_its_top_however_far_the_one_before_was_read(phone: Page, site: Site) -> None:
    title = f"Soirée des meuniers, {(phone.viewport_size or {})['width']}"
    announce(site, title)
    on_screen(phone, site)
    sheet = detail(phone, title)
    sheet.evaluate("(dialog) => dialog.scrollTo(0, 300)")
    assert sheet.evaluate("(dialog) => dialog.scrollTop") > 0
    phone.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    assert detail(phone, title).evaluate("(dialog) => dialog.scrollTop") == 0


@pytest.mark.parametrize(("width", "height"), [(768, 1400), (1440, 600)])
def test_an_events_dialog_ends_with_its_actions(
    site: Site, new_context: Callable[..., BrowserContext], width: int, height: int
) -> None:
    title = f"Soirée des tanneurs, {width}"
    announce(site, title)
    page = new_context(site, viewport={"width": width, "height": height}).new_page()
    on_screen(page, site)
    sheet = detail(page, title)
    sent, journal = sheet.get_by_text("Invitations envoyées"), sheet.get_by_role("link", name="Voir ces envois")
    assert box(journal)["y"] >= box(sent)["y"] + box(sent)["height"] + 8
    for tab in ("Vue d’ensemble", "Personnes"):
        sheet.get_by_role("tab", name=tab).click()
        sheet.evaluate("(dialog) => dialog.scrollTo(0, dialog.scrollHeight)")
        actions, whole = box(sheet.locator(".event-sheet-actions")), box(sheet)
        assert actions["y"] + actions["height"] == pytest.approx(whole["y"] + whole["height"], abs=1)


def test_a_long_title_leaves_room_for_its_event(phone: Page, site: Site) -> None:
    title = f"{(phone.viewport_size or {})['width']} {'rencontres des artisans de la vallée ' * 6}"[:200].strip()
    announce(site, title)
    on_screen(phone, site)
    header = detail(phone, title).locator(".dialog-header")
    assert box(header)["height"] < 200
    has_no_barrier(phone)
    heading = header.get_by_role("heading")
    heading.focus()
    phone.keyboard.press("ArrowDown")
    expect(heading).to_have_js_property("scrollTop", 40)
