"""The frame of the administration: the search over everything, the figures of the menu, a phone's bar."""

import re

from playwright.sync_api import Page, expect

from clubapp.models import Member
from tests.e2e.conftest import SlowAnswers, sign_in
from tests.e2e.invitation_steps import fits, has_no_barrier
from tests.e2e.member_steps import employed
from tests.e2e.sign_in_steps import admin
from tests.e2e.site import Site


def test_the_frame_finds_people_and_acts_and_a_phone_has_a_bar(page: Page, site: Site) -> None:
    member, other = employed(site, "Théodule Vancauwenberghe"), employed(site, "Sidonie Quatresous")
    answers = SlowAnswers(page)
    sign_in(page, site, admin(site, "ombeline"), "/admin/envois/a-venir")
    the_menu_has_figures_and_says_where_one_is(page)
    page.get_by_role("button", name="Nouveau", exact=True).click()
    has_no_barrier(page)
    page.get_by_role("link", name="Entreprise", exact=True).click()
    expect(page.locator(".record-form [name=city]")).to_be_visible()
    page.get_by_role("button", name="Annuler").click()
    enter_waits_for_the_answer_and_an_older_one_is_not_offered(page, answers, other)
    what_is_typed_leads_to_people_and_acts(page, member)

    page.set_viewport_size({"width": 390, "height": 844})
    bar = page.get_by_role("navigation", name="Raccourcis")
    bar.get_by_role("link", name="Appels").click()
    expect(page.get_by_role("heading", level=1, name="Liste d’appels")).to_be_focused()
    expect(bar.get_by_role("link", name="Appels")).to_have_attribute("aria-current", "page")
    bar.get_by_role("link", name="Membres").click()
    expect(page.get_by_role("heading", level=1, name="Membres")).to_be_focused()
    fits(page)
    page.get_by_role("button", name="Chercher une personne").click()
    expect(page.get_by_role("combobox", name="Chercher")).to_be_focused()
    expect(page.get_by_role("option").first).to_be_visible()
    has_no_barrier(page)


def the_menu_has_figures_and_says_where_one_is(page: Page) -> None:
    members = page.get_by_role("navigation", name="Administration").get_by_role("link", name="Membres", exact=True)
    expect(members).to_have_accessible_description(re.compile(r"\d+ actifs"))
    for tab in ("Envois", "À venir", "Relances"):
        page.get_by_role("link", name=tab, exact=True).click()
        expect(page.get_by_role("link", name=tab, exact=True)).to_have_attribute("aria-current", "page")


def enter_waits_for_the_answer_and_an_older_one_is_not_offered(
    page: Page, answers: SlowAnswers, member: Member
) -> None:
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


def what_is_typed_leads_to_people_and_acts(page: Page, member: Member) -> None:
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
    expect(page.get_by_role("group", name="Récents").get_by_role("option").first).to_contain_text(member.name)
    field.fill("actes")
    expect(page.get_by_role("option", name="Journal des actes")).to_have_attribute("aria-selected", "true")
    field.fill("creer un membre")
    expect(page.get_by_role("option", name="Nouveau membre")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.locator(".record-form [name=name]")).to_be_visible()

    page.keyboard.press("Control+k")
    field.fill("nouvelle entreprise")
    company = page.get_by_role("option", name="Nouvelle entreprise", exact=True)
    expect(company).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Entreprises")).to_be_visible()
    expect(page.locator(".record-form [name=city]")).to_be_visible()
