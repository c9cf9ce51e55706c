"""Messages: six seconds in all, on the screen they speak of, with the sentence of what failed."""

from itertools import count

from playwright.sync_api import Locator, Page, expect
from sqlmodel import col, select

from clubapp import routes
from clubapp.database import reading
from clubapp.models import Member
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.event_steps import create, on_screen, row_of
from tests.e2e.events.steps import detail, turn
from tests.e2e.forms.failures import without_audit
from tests.e2e.invitation_steps import database_of
from tests.e2e.layout_checks import box, overlap
from tests.e2e.site import Site

FOCUS_IN_SIGHT = """() => {
  const held = document.activeElement, { left, top, width, height } = held.getBoundingClientRect();
  return held !== document.body && held.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
_numbers = count(1)


def toast(page: Page) -> Locator:
    return page.locator(".toast-success")


def saved(page: Page) -> None:
    """Save a company, which is told on the page."""
    page.locator("[data-row]").filter(has_text="Pixel du Beffroi").click()
    page.locator("[name=city]").fill(f"Lens {next(_numbers)}")
    page.get_by_role("button", name="Mettre à jour").click()
    expect(toast(page)).to_be_visible()


def failed(page: Page, sentence: str) -> None:
    """What failed is named, with the reference of its incident."""
    expect(page.locator(".toast-error")).to_contain_text(sentence)
    expect(page.locator(".toast-error")).to_contain_text("la référence")


def test_a_message_lasts_six_seconds_and_stays_with_its_screen(page: Page, site: Site) -> None:
    sign_in(page, site, ADMIN_EMAIL, "/admin/companies")
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

    page.set_viewport_size({"width": 390, "height": 844})
    page.clock.install()
    saved(page)
    page.clock.fast_forward(4000)
    expect(toast(page)).to_be_visible()
    for shown in (page.get_by_role("heading", level=1), page.locator(".screen-hint")):
        shown.scroll_into_view_if_needed()
        assert not overlap(box(toast(page)), box(shown))
    page.get_by_role("heading", level=1).hover()  # a message that is hovered stays
    page.clock.fast_forward(2000)
    expect(toast(page)).to_have_count(0, timeout=1500)


def test_what_failed_is_named_with_the_reference_and_covers_no_button_that_has_the_focus(
    page: Page, site: Site
) -> None:
    on_screen(page, site)
    create(page, "Soirée perdue", "2061-03-14T12:00")
    question = page.get_by_role("alertdialog")
    with without_audit(site):
        row_of(page, "Soirée perdue").get_by_role("button", name="Envoyer invitations").click()
        question.locator(".button").last.click()
        failed(page, "Erreur lors de l'envoi des invitations")
        sheet = detail(page, "Soirée perdue")
        sheet.get_by_role("button", name="Supprimer").click()
        question.get_by_role("button", name="Supprimer").click()
        failed(page, "Erreur lors de la suppression de l'événement")
        expect(sheet).to_be_visible()
        page.keyboard.press("Escape")

    turn(page, routes.ADMIN_EMAILS)
    page.get_by_role("tab", name="Nouvel email vierge").click()
    page.get_by_role("button", name="Nouvel e-mail", exact=True).click()
    form = page.get_by_role("dialog")
    form.get_by_label("Objet", exact=True).fill("Lettre perdue")
    form.get_by_label("Contenu").fill("Bonjour,")
    form.get_by_role("button", name="Enregistrer et envoyer").click()
    expect(question).to_be_visible()
    with without_audit(site):
        question.locator(".button").last.click()
        failed(page, "Erreur lors de l'envoi de l'email")

    with database_of(site), reading() as session:
        reachable = select(Member).where(col(Member.is_active), col(Member.email).is_not(None))
        member = session.exec(reachable.order_by(col(Member.name))).first()
    assert member
    page.set_viewport_size({"width": 1280, "height": 800})
    turn(page, routes.write_to(membres=[member.id]))
    expect(page.get_by_role("region", name="Destinataires").get_by_text("1 membre", exact=True)).to_be_visible()
    page.get_by_label("Objet", exact=True).fill("Lettre perdue")
    page.get_by_label("Message", exact=True).fill("Bonjour,")
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    page.get_by_role("button", name="Envoyer…").click()
    send = question.get_by_role("button", name="Envoyer", exact=True)
    expect(send).to_be_visible()
    with without_audit(site):
        send.click()
        failed(page, "Erreur lors de l'envoi de l'email")
    expect(question).to_have_count(0)
    page.wait_for_function(FOCUS_IN_SIGHT)
