"""The journal of acts on its screen: filters that stand in the address, values before and after, histories (T1)."""

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import has_no_barrier
from tests.e2e.site import EMBEDDED, Site


def change_a_company(page: Page, site: Site) -> str:
    """Give the first company of the list another town; its name."""
    page.goto(f"{site.url}/admin/companies")
    row = page.locator("[data-row]").first
    name = row.locator(".people-name").inner_text()
    row.click()
    page.locator("[name=city]").fill("Villeneuve-d’Ascq")
    page.get_by_role("button", name="Mettre à jour").click()
    expect(page.locator(".toast-success")).to_be_visible()
    return name


def test_an_act_is_found_with_its_values_and_the_history_of_its_record(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site(**EMBEDDED)
    page = sign_in(new_context(site, viewport={"width": 1440, "height": 900}).new_page(), site, ADMIN_EMAIL, "/admin")
    name = change_a_company(page, site)

    page.goto(f"{site.url}/admin/actes")
    acts = page.locator("[data-act]")
    expect(acts.first).to_have_attribute("data-act", "company.updated")
    expect(page.locator("[data-act='command']", has_text="serve").first).to_be_visible()
    changed = page.locator("[data-act='company.updated']")
    changed.locator("summary").click()
    expect(changed.get_by_role("insertion")).to_have_text("Villeneuve-d’Ascq")
    has_no_barrier(page)

    page.get_by_label("Genre d’acte").select_option(label="Accès")
    page.get_by_role("button", name="Filtrer").click()
    expect(page.locator("[data-act='company.updated']")).to_have_count(0)
    assert "genre=access" in page.url
    with page.expect_download() as taken:
        page.get_by_role("link", name="Exporter en CSV").click()
    assert re.fullmatch(r"actes-\d{4}-\d{2}-\d{2}\.csv", taken.value.suggested_filename)
    assert "company.updated" not in taken.value.path().read_text("utf-8-sig")
    page.get_by_role("searchbox").fill("personne-ne-porte-ce-nom")
    page.get_by_role("button", name="Filtrer").click()
    expect(page.get_by_text("Aucun acte ne correspond")).to_be_visible()

    page.goto(f"{site.url}/admin/companies")
    page.locator("[data-row]", has_text=name).click()
    page.get_by_role("link", name="Historique").click()
    expect(page.get_by_role("heading", name=f"Historique\u00a0: {name}")).to_be_visible()
    expect(acts).to_have_count(1)
    page.set_viewport_size({"width": 320, "height": 800})
    has_no_barrier(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.get_by_role("link", name="Voir tous les actes").click()
    expect(page.locator("[data-act=export]")).to_be_visible()
