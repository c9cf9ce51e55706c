"""The journal of acts on its screen: filters that stand in the address, values before and after, histories (T1)."""

import re

from playwright.sync_api import Page, expect

from clubapp.database import transaction
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, shuts_nobody_out
from tests.e2e.site import Site
from tests.factories import add_company

NAME = "Filature des Actes"


def test_an_act_is_found_with_its_values_and_the_history_of_its_record(page: Page, site: Site) -> None:
    with database_of(site), transaction() as session:
        add_company(session, NAME, city="Lille", description="Le lin.", activity_domain="Bâtiment & Travaux")
    sign_in(page, site, ADMIN_EMAIL, f"/admin/companies?q={NAME}")
    row, acts = page.locator("[data-row]").filter(has_text=NAME), page.locator("[data-act]")
    row.click()
    page.locator("[name=city]").fill("Villeneuve-d’Ascq")
    page.get_by_role("button", name="Mettre à jour").click()
    expect(page.locator(".toast-success")).to_be_visible()
    row.click()
    page.get_by_role("link", name="Historique").click()
    expect(page.get_by_role("heading", name=f"Historique\u00a0: {NAME}")).to_be_visible()
    expect(acts).to_have_count(1)
    changed = page.locator("[data-act='company.updated']").first
    changed.locator("summary").click()
    expect(changed.get_by_role("insertion")).to_have_text("Villeneuve-d’Ascq")
    shuts_nobody_out(page)

    page.get_by_role("link", name="Voir tous les actes").click()
    expect(acts.nth(1)).to_be_visible()
    expect(acts.first).to_have_attribute("data-act", "company.updated")
    page.get_by_label("Auteur").select_option("command")
    page.get_by_role("button", name="Filtrer").click()
    expect(page.locator("[data-act='command']", has_text="serve").first).to_be_visible()
    expect(page.locator("[data-act='company.updated']")).to_have_count(0)
    page.get_by_label("Auteur").select_option("")
    page.get_by_label("Genre d’acte").select_option(label="Accès")
    page.get_by_role("button", name="Filtrer").click()
    expect(page).to_have_url(re.compile("genre=access"))
    expect(page.locator("[data-act='command']").or_(page.locator("[data-act='company.updated']"))).to_have_count(0)
    with page.expect_download() as taken:
        page.get_by_role("link", name="Exporter en CSV").click()
    assert re.fullmatch(r"actes-\d{4}-\d{2}-\d{2}\.csv", taken.value.suggested_filename)
    assert "company.updated" not in taken.value.path().read_text("utf-8-sig")
    page.get_by_role("searchbox").fill("personne-ne-porte-ce-nom")
    page.get_by_role("button", name="Filtrer").click()
    expect(page.get_by_text("Aucun acte ne correspond")).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Genre d’acte")).to_have_value("access")
    page.go_back()
    expect(page.get_by_label("Auteur")).to_have_value("command")
    page.go_back()
    expect(acts.first).to_have_attribute("data-act", "export")
