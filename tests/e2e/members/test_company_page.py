"""The page of one company: read, with its people, and changed by a form with an address of its own."""

import re

from playwright.sync_api import Page, expect

from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import fits, has_no_barrier
from tests.e2e.member_steps import company_of, employed
from tests.e2e.site import Site


def test_a_company_is_read_with_its_people_and_changed_at_an_address(page: Page, site: Site) -> None:
    person = employed(site, "Ondine Delcourt")
    name = company_of(site, person).name
    sign_in(page, site, ADMIN_EMAIL, f"/admin/companies?q={name}")
    page.get_by_role("link", name=f"Lire sa page\u00a0: {name}").click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_focused()
    expect(page.get_by_role("list", name="Membres").get_by_role("listitem")).to_contain_text("Charpente, Zinc")
    has_no_barrier(page)
    page.set_viewport_size({"width": 320, "height": 800})
    has_no_barrier(page)
    fits(page)
    page.set_viewport_size({"width": 1280, "height": 800})

    page.get_by_role("link", name="Modifier").click()
    form = page.locator(".record-form")
    expect(form.get_by_role("heading", level=2, name=f"Modifier {name}")).to_be_focused()
    expect(form.get_by_role("button", name="Mettre à jour")).to_be_in_viewport()
    page.go_back()
    expect(form).to_have_count(0)
    page.go_forward()
    form.locator("[name=activity_domain]").select_option("Bâtiment & Travaux")
    form.locator("[name=phone]").fill("03 20 55 55 09")
    form.get_by_role("button", name="Mettre à jour").click()
    expect(page.get_by_role("link", name="Appeler 03 20 55 55 09")).to_be_visible()
    expect(form).to_have_count(0)
    expect(page).not_to_have_url(re.compile("modifier"))
    expect(page.locator(".timeline")).to_contain_text("Entreprise modifiée")

    page.get_by_role("link", name="Ondine Delcourt").click()
    expect(page.get_by_role("heading", level=1, name="Ondine Delcourt")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Retour aux entreprises").click()
    expect(page.get_by_role("searchbox", name="Rechercher une entreprise")).to_have_value(name)
