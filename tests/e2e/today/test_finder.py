"""The frame of the administration: the search over everything, the figures of the menu, a phone's bar."""

import re

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.e2e.conftest import sign_in
from tests.e2e.forms.test_slow_save import SlowAnswers
from tests.e2e.invitation_steps import fits, has_no_barrier
from tests.e2e.member_steps import employed
from tests.e2e.sign_in_steps import admin
from tests.e2e.site import Site


def test_what_is_typed_leads_to_people_and_acts(page: Page, site: Site) -> None:
    member = employed(site, "Théodule Vancauwenberghe")
    sign_in(page, site, admin(site, "ombeline"), "/admin/companies")
    opener = page.get_by_role("button", name="Chercher une personne")
    opener.click()
    field = page.get_by_role("combobox", name="Chercher")
    expect(page.get_by_role("option", name="Nouveau membre")).to_be_visible()
    field.press_sequentially("theodul vancauwenberge")
    found = page.get_by_role("option", name=member.name)
    expect(found).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", found.get_attribute("id") or "?")
    has_no_barrier(page)
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()

    page.keyboard.press("Control+k")
    field.fill("xylophone quantique")
    expect(page.get_by_text("Rien ne correspond à")).to_be_visible()
    has_no_barrier(page)
    field.fill("vancauwenberghe")
    expect(found).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name=member.name)).to_be_focused()

    page.keyboard.press("Control+k")
    expect(page.get_by_role("group", name="Récents").get_by_role("option")).to_contain_text(member.name)
    field.fill("actes")
    acts = page.get_by_role("option", name="Journal des actes")
    expect(acts).to_have_attribute("aria-selected", "true")
    field.fill("creer un membre")
    expect(page.get_by_role("option", name="Nouveau membre")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.locator(".record-form [name=name]")).to_be_visible()

    page.keyboard.press("Control+k")
    field.fill("nouvelle entreprise")
    expect(page.get_by_role("option", name="Nouvelle entreprise", exact=True)).to_have_attribute(
        "aria-selected", "true"
    )
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Entreprises")).to_be_visible()
    expect(page.locator(".record-form [name=city]")).to_be_visible()


def test_enter_waits_for_the_answer_and_an_older_one_is_not_offered(page: Page, site: Site) -> None:
    member = employed(site, "Sidonie Quatresous")
    answers = SlowAnswers(page)
    sign_in(page, site, admin(site, "sidonie"), "/admin/companies")
    page.get_by_role("button", name="Chercher une personne").click()
    acts = page.get_by_role("option", name="Nouveau membre")
    expect(acts).to_be_visible()
    answers.hold()
    page.keyboard.type("quatresous")
    expect(page.get_by_text("Recherche en cours…")).to_be_visible()
    expect(acts).to_be_disabled()
    expect(page.locator("[role=option][aria-selected=true]")).to_have_count(0)
    acts.click(force=True)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    answers.let_through()
    expect(page.get_by_role("heading", level=1, name=member.name)).to_be_focused()


def test_the_menu_has_figures_and_a_phone_its_bar(page: Page, site: Site) -> None:
    sign_in(page, site, admin(site, "blandine"), "/admin/envois")
    members = page.get_by_role("navigation", name="Administration").get_by_role("link", name="Membres", exact=True)
    expect(members).to_have_accessible_description(re.compile(r"\d+ actifs"))
    has_no_barrier(page)
    for tab in ("Relances", "À venir", "Envois"):
        page.get_by_role("link", name=tab, exact=True).click()
        expect(page.get_by_role("link", name=tab, exact=True)).to_have_attribute("aria-current", "page")

    page.get_by_role("button", name="Nouveau", exact=True).click()
    has_no_barrier(page)
    page.get_by_role("link", name="Entreprise", exact=True).click()
    expect(page.locator(".record-form [name=city]")).to_be_visible()

    page.set_viewport_size({"width": 390, "height": 844})
    bar = page.get_by_role("navigation", name="Raccourcis")
    bar.get_by_role("link", name="Appels").click()
    expect(page.get_by_role("heading", level=1, name="Liste d’appels")).to_be_focused()
    expect(bar.get_by_role("link", name="Appels")).to_have_attribute("aria-current", "page")
    bar.get_by_role("link", name="Membres").click()
    expect(page.get_by_role("heading", level=1, name="Membres")).to_be_focused()
    has_no_barrier(page)
    fits(page)
    page.get_by_role("button", name="Chercher une personne").click()
    expect(page.get_by_role("combobox", name="Chercher")).to_be_focused()
    expect(page.get_by_role("option").first).to_be_visible()
    has_no_barrier(page)


@pytest.mark.console_errors("ERR_FAILED")
def test_a_script_fetched_beforehand_that_does_not_come_takes_the_screen_away_from_nobody(
    page: Page, site: Site
) -> None:
    ahead = "**/assets/_admin_._companies_._index-*"
    failed: list[Request] = []

    def lose(route: Route) -> None:
        failed.append(route.request)
        route.abort()

    page.route(ahead, lose)
    sign_in(page, site, admin(site, "clotilde"), "/admin/events")
    page.evaluate("window.isSame = true")
    if not failed:
        page.wait_for_event("requestfailed")
    assert failed
    page.unroute(ahead)
    page.get_by_role("link", name="Entreprises", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Entreprises")).to_be_visible()
    assert page.evaluate("window.isSame"), "not loaded anew"
