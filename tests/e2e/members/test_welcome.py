"""Someone whom an administrator enters is written to at once, and decides by the link, without signing in."""

from playwright.sync_api import Page, expect

from clubapp.database import transaction
from clubapp.services.base.actors import Actor
from clubapp.services.demo import ADMIN_EMAIL
from clubapp.services.members import editing
from clubapp.services.members.admin_form import NEW_COMPANY, MemberForm
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier
from tests.e2e.site import Site, link_in

ISAURE = MemberForm(
    name="Isaure Lenglet", role="Fileuse", description="Le lin.", company="Filature d’Isaure", company_id=NEW_COMPANY,
    email="isaure@filature.example", phone="03 27 41 12 34",
)  # fmt: skip


def test_a_new_member_hides_their_telephone_from_the_welcome_mail(page: Page, site: Site) -> None:
    with database_of(site), transaction() as session:
        isaure = editing.save(session, Actor(ADMIN_EMAIL, is_admin=True, session_id="s"), ISAURE)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(link_in(site.wait_for_mail(ISAURE.email, "welcome"), "/choix/"))
    public, phone = page.get_by_role("link", name="Voir votre page publique"), page.get_by_text(ISAURE.phone)
    expect(page.locator("script")).to_have_count(0)  # a telephone that runs none has the same page
    assert ISAURE.phone in page.request.get(f"{site.url}{public.get_attribute('href')}").text()
    has_no_barrier(page)
    page.get_by_role("button", name="Ne pas montrer mon téléphone").click()
    expect(page.get_by_role("heading", name="C’est noté")).to_be_visible()
    expect(page.get_by_text("Choisi par vous, depuis le message de bienvenue")).to_be_visible()
    fits(page)
    public.click()
    expect(page.get_by_role("heading", level=1, name=ISAURE.name)).to_be_visible()
    expect(phone).to_have_count(0)

    page.set_viewport_size({"width": 1280, "height": 720})
    sign_in(page, site, ADMIN_EMAIL, f"/admin/members/{isaure}")
    expect(page.get_by_text("choix du membre par le message de bienvenue")).to_be_visible()
    expect(page.get_by_text("Message de bienvenue envoyé le")).to_be_visible()
    has_no_barrier(page)
