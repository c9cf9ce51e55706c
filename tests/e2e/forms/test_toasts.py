"""Messages: six seconds in all, on the screen they speak of, with the sentence of what failed."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import BrowserContext, Locator, Page, expect
from sqlalchemy import text

from clubapp import routes
from clubapp.database import transaction
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.event_steps import create, on_screen, row_of
from tests.e2e.invitation_steps import database_of
from tests.e2e.layout_checks import box, overlap
from tests.e2e.mailings.test_broadcasts import on_screen as on_emails
from tests.e2e.mailings.test_broadcasts import write
from tests.e2e.mailings.test_writing import two_members
from tests.e2e.site import EMBEDDED, Site

FOCUS_IN_SIGHT = """() => {
  const held = document.activeElement, { left, top, width, height } = held.getBoundingClientRect();
  return held !== document.body && held.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


@contextmanager
def without_audit(site: Site) -> Iterator[None]:
    """Nothing that is recorded can be saved: an error nobody foresaw."""
    with database_of(site), transaction() as session:
        session.connection().execute(text("ALTER TABLE acts RENAME TO away"))
    try:
        yield
    finally:
        with database_of(site), transaction() as session:
            session.connection().execute(text("ALTER TABLE away RENAME TO acts"))


def toast(page: Page) -> Locator:
    return page.locator(".toast-success")


def saved(page: Page) -> None:
    """Save a company, which is told on the page."""
    page.locator("[data-row]").filter(has_text="Pixel du Beffroi").click()
    page.locator("[name=city]").fill(f"Lens {time.monotonic()}")
    page.get_by_role("button", name="Mettre à jour").click()
    expect(toast(page)).to_be_visible()


def test_a_message_lasts_six_seconds_and_stays_with_its_screen(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    page = sign_in(new_context(site).new_page(), site, ADMIN_EMAIL, "/admin/companies")
    saved(page)
    page.reload()
    expect(page.locator("[data-row]").first).to_be_visible()
    expect(toast(page)).to_have_count(0)

    saved(page)
    page.get_by_role("link", name="Membres", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Membres")).to_be_visible()
    expect(toast(page)).to_have_count(0)
    page.get_by_role("link", name="Entreprises").click()
    expect(page.get_by_role("heading", level=1, name="Entreprises")).to_be_visible()

    saved(page)
    page.get_by_role("button", name="Autres actions").first.click()
    page.get_by_role("button", name="Supprimer").click()
    expect(page.get_by_role("alertdialog")).to_be_visible()
    expect(toast(page)).to_have_count(0)
    page.keyboard.press("Escape")

    saved(page)
    began = time.monotonic()
    expect(toast(page)).to_have_count(0, timeout=8000)
    assert time.monotonic() - began > 4


def test_a_message_of_a_phone_covers_neither_title_nor_count(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    phone = new_context(site, viewport={"width": 390, "height": 844}).new_page()
    sign_in(phone, site, ADMIN_EMAIL, "/admin/companies")
    saved(phone)
    for shown in (phone.get_by_role("heading", level=1), phone.locator(".screen-hint")):
        shown.scroll_into_view_if_needed()
        assert not overlap(box(toast(phone)), box(shown))


def test_what_failed_is_named_with_the_reference(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site(**EMBEDDED)
    page = on_screen(new_context(site).new_page(), site)
    create(page, "Soirée perdue", "2061-03-14T12:00")
    failed = page.locator(".toast-error")
    with without_audit(site):
        row_of(page, "Soirée perdue").get_by_role("button", name="Envoyer invitations").click()
        page.get_by_role("alertdialog").locator(".button").last.click()
        expect(failed).to_contain_text("Erreur lors de l'envoi des invitations")
        expect(failed).to_contain_text("la référence")

        row_of(page, "Soirée perdue").get_by_role("button", name="Voir détails").click()
        sheet = page.locator("dialog[data-event-id]")
        sheet.get_by_role("button", name="Supprimer").click()
        page.get_by_role("alertdialog").get_by_role("button", name="Supprimer").click()
        expect(failed).to_contain_text("Erreur lors de la suppression de l'événement")
        expect(failed).to_contain_text("la référence")
        expect(sheet).to_be_visible()
        page.keyboard.press("Escape")

    form = write(on_emails(page, site), "Lettre perdue")
    form.get_by_role("button", name="Enregistrer et envoyer").click()
    question = page.get_by_role("alertdialog")
    expect(question).to_be_visible()
    with without_audit(site):
        question.locator(".button").last.click()
        expect(failed).to_contain_text("Erreur lors de l'envoi de l'email")
        expect(failed).to_contain_text("la référence")


def test_what_failed_at_the_end_of_a_page_covers_no_button_that_has_the_focus(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    sign_in(page, site, ADMIN_EMAIL, routes.write_to(membres=[two_members(site)[0].id]))
    page.get_by_label("Objet", exact=True).fill("Lettre perdue")
    page.get_by_label("Message", exact=True).fill("Bonjour,")
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    page.get_by_role("button", name="Envoyer…").click()
    send = page.get_by_role("alertdialog").get_by_role("button", name="Envoyer", exact=True)
    expect(send).to_be_visible()
    with without_audit(site):
        send.click()
        expect(page.locator(".toast-error")).to_be_visible()
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    page.wait_for_function(FOCUS_IN_SIGHT)
