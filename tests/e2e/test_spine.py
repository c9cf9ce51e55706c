"""The loop the club lives by: sign in, plan an event, invite everyone, and watch the answers come in."""

import re
from collections.abc import Callable
from email.message import EmailMessage

from playwright.sync_api import BrowserContext, Locator, Page, expect

from clubapp import clock
from clubapp.services.demo import ADMIN_EMAIL
from clubapp.services.demo.event_topics import CALENDAR
from tests.e2e.site import Site, link_in
from tests.smtp_server import Relay

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TITLE = "La veillée des bâtisseurs"


def free_month() -> str:
    """A day, as a form wants it, in a coming month without an event."""
    now = clock.to_local(clock.now())
    taken = {slot.months for slot in CALENDAR if slot.status != "cancelled"}
    ahead = next(months for months in range(2, 20) if months not in taken)
    years, month = divmod(now.month - 1 + ahead, 12)
    return f"{now.year + years}-{month + 1:02d}-16T12:00"


def sign_in_by_mail(page: Page, site: Site) -> None:
    page.goto("/connexion")
    page.get_by_role("textbox", name="Adresse e-mail").fill(ADMIN_EMAIL)
    page.get_by_role("button", name="Se connecter par email").click()
    expect(page.get_by_text("Email envoyé !").first).to_be_visible()
    page.goto(link_in(site.wait_for_mail(ADMIN_EMAIL, "sign_in"), "/auth/callback"))
    page.wait_for_url("**/admin")
    expect(page.get_by_role("heading", name="Membres", exact=True)).to_be_visible()


def create_event(page: Page) -> Locator:
    """The row of a new event, made through the form."""
    page.get_by_role("link", name="Événements").first.click()
    page.get_by_role("button", name="Nouvel événement").click()
    form = page.get_by_role("dialog")
    form.locator("[name=title]").fill(TITLE)
    form.locator("[name=date]").fill(free_month())
    form.locator("[name=status]").select_option("confirmed")
    form.locator("[name=location]").fill("Cassel")
    form.locator("[name=max_participants]").fill("80")
    form.locator("[name=speaker_name]").fill("Ghislaine Ménard")
    form.get_by_role("button", name="Créer").click()
    row = page.locator("li[data-event-id]").filter(has_text=TITLE)
    expect(row).to_be_visible()
    return row


def invite_everyone(page: Page, row: Locator) -> None:
    row.get_by_role("button", name="Envoyer invitations").click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text("Êtes-vous sûr de vouloir envoyer les invitations à tous les membres ?")
    question.get_by_role("button", name="Envoyer", exact=True).click()
    expect(page.get_by_text("Les invitations ont été envoyées avec succès !").first).to_be_visible()


def figures(sheet: Locator) -> dict[str, int]:
    """The tiles of an event's dialog, by the name each carries."""
    tiles = sheet.locator("[data-stat]").all()
    return {str(tile.get_attribute("data-stat")): int(re.findall(r"\d+", tile.inner_text())[0]) for tile in tiles}


def answer(phone: BrowserContext, invitation: EmailMessage, *presses: str, guests: int = 0) -> None:
    """Answer, one question after the other."""
    page = phone.new_page()
    page.goto(link_in(invitation, "/event/"))
    for press in presses:
        page.get_by_role("button", name=press).click()
    if "Oui, je viens" in presses:
        page.locator("[name=guest_count]").fill(str(guests))
        page.get_by_role("button", name="Valider").click()
        expect(page.get_by_role("heading", name="Merci pour votre confirmation !")).to_be_visible()
    else:
        expect(page.get_by_role("heading", name="Réponse enregistrée")).to_be_visible()


def test_from_the_sign_in_to_the_count(
    own_site: Callable[..., Site], relay: Relay, new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site(relay)
    page = new_context(site).new_page()
    sign_in_by_mail(page, site)
    row = create_event(page)
    page.evaluate("window.neverReloaded = true")
    invite_everyone(page, row)

    row.get_by_role("button", name="Voir détails").click()
    sheet = page.get_by_role("dialog").filter(has_text=TITLE)
    expect(sheet).to_have_attribute("data-event-id", re.compile(r"[0-9a-f-]{36}"))
    expect(sheet.locator("[data-stat=total_invited]")).to_contain_text("60")
    expect(sheet.get_by_text("60 envoyées sur 60").or_(sheet.get_by_text("Invitations envoyées")).first).to_be_visible()
    invitations = wait_for_invitations(page, relay, 60)
    assert len({str(mail["To"]) for mail in invitations}) == 60

    phone = new_context(site, **PHONE)
    answer(phone, invitations[0], "Oui, je viens", "Oui, avec déjeuner", guests=2)
    answer(phone, invitations[1], "Oui, je viens", "Non, sans déjeuner")
    answer(phone, invitations[2], "Non, pas cette fois")

    expect(sheet.locator("[data-stat=total_attending]")).to_contain_text("2")
    expect(sheet.locator("[data-stat=total_not_attending]")).to_contain_text("1")
    expect(sheet.locator("[data-stat=total_guests]")).to_contain_text("2")
    assert figures(sheet) == {
        "total_attending": 2,
        "total_not_attending": 1,
        "total_no_response": 57,
        "total_with_lunch": 1,
        "total_meals": 3,
        "total_guests": 2,
        "total_invited": 60,
    }
    assert page.evaluate("window.neverReloaded === true")


def wait_for_invitations(page: Page, relay: Relay, count: int) -> list[EmailMessage]:
    """The invitations that the relay accepted, once there are that many."""
    for _ in range(600):
        found = [mail for mail in relay.accepted if mail["X-Club-Kind"] == "invitation"]
        if len(found) >= count:
            return found
        page.wait_for_timeout(100)
    raise AssertionError(f"only {len(found)} invitations arrived")
