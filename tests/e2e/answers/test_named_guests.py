"""Guests are named from the answer page, with and without scripts, and decline by their own link."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from tests.e2e.conftest import SMALL_PHONE, sign_in, without_socket
from tests.e2e.event_steps import row_of
from tests.e2e.invitation_steps import Invitation, asked, fits, has_no_barrier, invite, press
from tests.e2e.site import Site, link_in

PHONE = {"width": 390, "height": 844}


def comes(page: Page, invitation: Invitation, guests: str) -> None:
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    press(page, "Oui, avec déjeuner")
    page.get_by_label("Nombre d’invités").fill(guests)
    press(page, "Valider")
    asked(page, "Merci pour votre confirmation !")


@pytest.mark.console_errors("status of 422")  # of the browser itself, without scripts
@pytest.mark.parametrize("mode", ["normal", "no socket", "no script"])
def test_two_guests_are_named_from_the_answer_page(
    site: Site, new_context: Callable[..., BrowserContext], mode: str
) -> None:
    invitation, scripts = invite(site), mode != "no script"
    size = PHONE if mode == "normal" else SMALL_PHONE
    context = new_context(site, viewport=size, java_script_enabled=scripts)
    page = without_socket(context) if mode == "no socket" else context.new_page()
    comes(page, invitation, "2")
    press(page, "Nommer vos invités")
    asked(page, "Vos invités")
    first, second = (page.get_by_role("group", name=f"Invité {number}") for number in (1, 2))
    first.get_by_label("Nom", exact=True).fill("Zoé Lys")
    first.get_by_label("Entreprise").fill("Lys & Cie")
    second.get_by_label("Nom", exact=True).fill("Ali Ben")
    second.get_by_label("E-mail").fill("ali chez lui")
    second.get_by_text("Son repas").click()
    second.get_by_label("Déjeuner").select_option("Ne déjeune pas")
    press(page, "Enregistrer")
    expect(second.get_by_text("Indiquez une adresse e-mail valide")).to_be_visible()
    expect(first.get_by_label("Nom", exact=True)).to_have_value("Zoé Lys")
    if scripts:
        expect(second.get_by_label("E-mail")).to_be_focused()
        fits(page)
        has_no_barrier(page)
    second.get_by_label("E-mail").fill("ali@ben.example")
    press(page, "Enregistrer")
    asked(page, "Merci pour votre confirmation !")
    expect(page.get_by_text("Zoé Lys, Lys & Cie", exact=True)).to_be_visible()
    press(page, "Modifier vos invités")
    expect(second.get_by_label("Déjeuner")).to_have_value("false")
    assert invitation.answer == (True, True, 2)


def test_what_is_typed_of_guests_outlives_a_reload_and_a_look_at_the_answer(site: Site, page: Page) -> None:
    invitation = invite(site)
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    press(page, "Oui, avec déjeuner")
    press(page, "Un invité de plus")
    page.reload()
    expect(page.get_by_label("Nombre d’invités")).to_have_value("1")
    press(page, "Valider")
    press(page, "Nommer votre invité")
    asked(page, "Votre invité")
    page.get_by_label("Nom", exact=True).fill("Zoé Lys")
    page.get_by_text("Son repas").click()
    page.get_by_label("Déjeuner").select_option("Ne déjeune pas")
    page.reload()
    expect(page.get_by_label("Nom", exact=True)).to_have_value("Zoé Lys")
    press(page, "Retour")
    asked(page, "Merci pour votre confirmation !")
    press(page, "Nommer votre invité")
    expect(page.get_by_label("Nom", exact=True)).to_have_value("Zoé Lys")
    expect(page.get_by_label("Déjeuner")).to_have_value("false")
    press(page, "Enregistrer")
    asked(page, "Merci pour votre confirmation !")
    expect(page.get_by_text("Zoé Lys")).to_be_visible()
    assert "Zoé" not in page.evaluate("JSON.stringify({...sessionStorage})")


def test_a_guest_declines_by_the_link_of_their_mail(site: Site, new_context: Callable[..., BrowserContext]) -> None:
    invitation = invite(site)
    page = new_context(site, viewport=PHONE).new_page()
    comes(page, invitation, "1")
    press(page, "Nommer votre invité")
    page.get_by_label("Nom", exact=True).fill("Zoé Lys")
    page.get_by_label("E-mail").fill("zoe@lys.example")
    press(page, "Enregistrer")
    asked(page, "Merci pour votre confirmation !")
    link = link_in(site.wait_for_mail("zoe@lys.example", "guest_notice"), "/guest/")

    guest = new_context(site, viewport=PHONE, java_script_enabled=False).new_page()
    guest.goto(link)
    expect(guest.get_by_text("Marie Durand a annoncé votre venue")).to_be_visible()
    assert invitation.answer == (True, True, 1)
    guest.get_by_role("button", name="Je ne peux pas venir").click()
    expect(guest.get_by_role("heading", name="C’est noté, merci")).to_be_visible()
    assert invitation.answer == (True, True, 0)
    page.goto(invitation.path)
    asked(page, "Merci pour votre confirmation !")
    expect(page.get_by_text("Zoé Lys")).to_have_count(0)


def test_guests_are_named_in_the_member_space_and_by_telephone(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    invitation = invite(site, title="Souper des invités", invitation_sent=True)
    comes(new_context(site, viewport=PHONE).new_page(), invitation, "2")
    page = new_context(site, viewport=PHONE).new_page()
    sign_in(page, site, MEMBER_EMAIL, "/member/invitations")
    own = page.locator(f"[data-event-id='{invitation.event_id}']")
    own.get_by_text("Nommer vos invités").click()
    first = own.get_by_role("group", name="Invité 1")
    first.get_by_label("Nom", exact=True).fill("Zoé Lys")
    first.get_by_label("E-mail").fill("zoe chez elle")
    own.get_by_role("button", name="Enregistrer", exact=True).click()
    expect(first.get_by_text("Indiquez une adresse e-mail valide")).to_be_visible()
    expect(first.get_by_label("E-mail")).to_be_focused()
    fits(page)
    has_no_barrier(page)
    first.get_by_label("E-mail").fill("")
    own.get_by_role("button", name="Enregistrer", exact=True).click()
    expect(own.get_by_role("listitem").filter(has_text="Zoé Lys")).to_be_visible()

    desk = new_context(site).new_page()
    sign_in(desk, site, ADMIN_EMAIL, "/admin/events")
    row_of(desk, "Souper des invités").get_by_role("button", name="Voir détails").click()
    sheet = desk.locator("dialog[data-event-id]")
    expect(sheet.locator("[data-stat=total_meals]")).to_contain_text("3")
    sheet.get_by_role("tab", name="Personnes").click()
    expect(sheet.get_by_role("listitem").filter(has_text="Zoé Lys").first).to_be_visible()
    sheet.get_by_role("button", name="Ouvrir Marie Durand").click()
    person = desk.get_by_role("dialog", name="Marie Durand")
    second = person.get_by_role("group", name="Invité 2")
    second.get_by_label("Nom", exact=True).fill("Ali Ben")
    second.get_by_text("Son repas").click()
    second.get_by_label("Déjeuner").select_option("Ne déjeune pas")
    has_no_barrier(desk)
    person.get_by_role("button", name="Enregistrer les invités").click()
    expect(person.get_by_text("Les invités sont enregistrés.")).to_be_visible()
    expect(sheet.get_by_role("listitem").filter(has_text="Ali Ben").first).to_be_visible()
