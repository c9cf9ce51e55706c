"""Someone whom an administrator enters is written to at once, and decides by the link, without signing in."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import fits, has_no_barrier
from tests.e2e.member_steps import employed
from tests.e2e.site import Site, link_in

EMAIL = "isaure@filature.example"
PHONE = "03 27 41 12 34"


def test_a_new_member_hides_their_telephone_from_the_welcome_mail(
    page: Page, site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    company = employed(site, "Collègue de Isaure").company
    sign_in(page, site, ADMIN_EMAIL, "/admin")
    page.get_by_role("button", name="Nouveau membre").click()
    form = page.locator(".record-form form")
    expect(form.get_by_text("cette personne reçoit un message de bienvenue")).to_be_visible()
    given = {"name": "Isaure Lenglet", "role": "Fileuse", "description": "Le lin.", "email": EMAIL, "phone": PHONE}
    for name, value in given.items():
        form.locator(f"[name={name}]").fill(value)
    form.locator("[name=company_id]").select_option(label=company)
    page.get_by_role("button", name="Créer", exact=True).click()
    expect(page.locator(".toast").first).to_contain_text("Membre créé")
    link = link_in(site.wait_for_mail(EMAIL, "welcome"), "/choix/")

    person = new_context(site, viewport={"width": 390, "height": 844}, java_script_enabled=False).new_page()
    person.goto(link)
    person.get_by_role("link", name="Voir votre page publique").click()
    expect(person.get_by_text(PHONE)).to_be_visible()
    public = person.url
    person.goto(link)
    person.get_by_role("button", name="Ne pas montrer mon téléphone").click()
    expect(person.get_by_role("heading", name="C’est noté")).to_be_visible()
    expect(person.get_by_text("Choisi par vous, depuis le message de bienvenue")).to_be_visible()
    fits(person)
    person.goto(public)
    expect(person.get_by_role("heading", level=1, name="Isaure Lenglet")).to_be_visible()
    expect(person.get_by_text(PHONE)).to_have_count(0)

    page.goto(link)
    has_no_barrier(page)
    page.goto(f"/admin/members/{public.rpartition('/')[2]}")
    expect(page.get_by_text("choix du membre par le message de bienvenue")).to_be_visible()
    expect(page.get_by_text("Message de bienvenue envoyé le")).to_be_visible()
    has_no_barrier(page)
