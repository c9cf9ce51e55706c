"""The lists of members and of companies: what a press on a row does and when; screens that cannot be read."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from sqlmodel import text

from clubapp.database import transaction
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.forms.test_draft_form import FOUND, asked, opened
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier
from tests.e2e.layout_checks import box, overlap
from tests.e2e.member_steps import alone, as_member, employed
from tests.e2e.site import EMBEDDED, Site

AFTER_MS = 100
# On a busy machine a timer is late, never early.
SLACK_MS = 900
TIMES = """() => {
  const scroll = Element.prototype.scrollIntoView, times = (window.times = {});
  Element.prototype.scrollIntoView = function (...how) {
    if (this.classList.contains("record-form")) times.scrolled = performance.now();
    scroll.apply(this, how);
  };
  addEventListener("click", () => (times.pressed = performance.now()), true);
  addEventListener("focusin", ({ target }) => {
    if (target.closest(".record-form")) times.appeared ??= performance.now();
  });
}"""
SCROLLED = """async () => {
  while (!times.scrolled) await new Promise(requestAnimationFrame);
  return times;
}"""
LISTS = {"Membres": "/admin/members", "Entreprises": "/admin/companies"}


@pytest.mark.parametrize("path", LISTS.values())
def test_the_form_of_a_row_is_scrolled_to_a_tenth_of_a_second_after_the_press(
    page: Page, site: Site, path: str
) -> None:
    sign_in(page, site, ADMIN_EMAIL, path)
    row = page.locator("[data-row]").last
    row.scroll_into_view_if_needed()
    page.evaluate(TIMES)
    row.click()
    expect(page.locator(".record-form").get_by_role("heading", level=2)).to_be_in_viewport()
    times: dict[str, float] = page.evaluate(SCROLLED)
    assert times["pressed"] < times["appeared"] < times["scrolled"]
    assert AFTER_MS - 1 <= times["scrolled"] - times["appeared"] < AFTER_MS + SLACK_MS


@pytest.mark.console_errors("503")
@pytest.mark.parametrize("name", LISTS)
def test_a_list_that_cannot_be_read_says_so_and_is_read_again_after_the_outage(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext], name: str
) -> None:
    site = own_site(**EMBEDDED)
    page = sign_in(new_context(site).new_page(), site, ADMIN_EMAIL, "/admin/sante")
    expect(page.get_by_text("Dernier passage à").first).to_be_visible()
    with site.without_database():
        page.get_by_role("link", name=name, exact=True).click()
        failed = page.get_by_role("alert").filter(has_text="La liste n’a pas pu être chargée")
        expect(failed).to_be_visible()
        has_no_barrier(page)
        page.set_viewport_size({"width": 320, "height": 640})
        fits(page)
        failed.get_by_role("button", name="Réessayer").click()
        expect(page.locator(".toast-error")).to_contain_text("la référence")
        expect(failed).to_be_visible()
        expect(failed).not_to_contain_text("connexion")
    expect(page.locator("[data-row]").first).to_be_visible()
    expect(failed).to_have_count(0)


@pytest.mark.console_errors("503")
def test_events_that_cannot_be_read_leave_no_empty_frame(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site(**EMBEDDED)
    page = sign_in(new_context(site).new_page(), site, ADMIN_EMAIL, "/admin/sante")
    expect(page.get_by_text("Dernier passage à").first).to_be_visible()
    with site.without_database():
        with page.expect_response(lambda answer: answer.url.endswith("/health") and not answer.ok):
            page.get_by_role("link", name="Événements", exact=True).click()
        failed = page.get_by_role("alert").filter(has_text="Le calendrier n’a pas pu être chargé")
        expect(failed).to_be_visible()
        expect(page.get_by_role("heading", name="Événements à venir")).not_to_be_visible()
        expect(page.locator(".season")).not_to_be_visible()
    expect(page.get_by_role("heading", name="Événements à venir")).to_be_visible()
    expect(page.locator(".season")).to_be_visible()


@pytest.mark.console_errors("503")
def test_a_screen_of_the_member_area_that_cannot_be_read_says_so_and_is_read_again_after_the_outage(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site(**EMBEDDED)
    page = new_context(site).new_page()
    as_member(page, site, employed(site))
    page.get_by_role("link", name="Mes données", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Mes données")).to_be_visible()
    with site.without_database():
        for name in ("Mes sessions", "Mes invitations", "Mon entreprise"):
            page.get_by_role("link", name=name, exact=True).click()
            expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
            failed = page.get_by_role("alert").filter(has_text="pas pu être chargée")
            expect(failed.first).to_be_visible()
        has_no_barrier(page)
        for width, height in ((320, 568), (390, 844), (768, 1024), (1440, 900)):
            page.set_viewport_size({"width": width, "height": height})
            assert not overlap(box(page.locator(".toast-error")), box(failed))
            fits(page)
    expect(page.get_by_label("Site web")).to_be_visible()
    expect(failed).to_have_count(0)


def test_the_back_button_finds_the_place_in_a_long_list(page: Page, site: Site) -> None:
    sign_in(page, site, ADMIN_EMAIL, "/admin/members")
    page.get_by_role("button", name="Afficher plus").click()
    page.wait_for_function("() => document.querySelectorAll('[data-record-id]').length > 50")
    link = page.locator(".people-read").nth(52)
    path = link.get_attribute("href") or ""
    link.click()
    expect(page.get_by_role("link", name="Retour aux membres")).to_be_visible()
    page.wait_for_function("() => scrollY === 0")
    page.go_back()
    left = page.locator(f".people-read[href='{path}']")
    expect(left).to_be_focused()
    expect(left).to_be_in_viewport()


def test_a_form_whose_row_has_gone_gives_the_focus_to_the_title(page: Page, site: Site) -> None:
    sign_in(page, site, ADMIN_EMAIL, "/admin/companies")
    page.locator("[data-row]").first.click()
    cancel = page.get_by_role("button", name="Annuler")
    expect(cancel).to_be_visible()
    page.get_by_role("searchbox").fill("aucune entreprise de ce nom")
    expect(page.locator("[data-row]")).to_have_count(0)
    cancel.click()
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_a_save_that_fails_unexpectedly_gives_the_focus_back_to_its_button(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site(**EMBEDDED)
    page = sign_in(new_context(site).new_page(), site, ADMIN_EMAIL, "/admin/companies")
    page.locator("[data-row]").first.click()
    with database_of(site), transaction() as session:
        session.connection().execute(text("ALTER TABLE acts RENAME TO away"))
    save = page.get_by_role("button", name="Mettre à jour")
    page.locator("[name=city]").fill("Lens")
    save.click()
    expect(page.locator(".toast-error")).to_contain_text("Une erreur inattendue")
    expect(save).to_be_focused()


def test_of_two_tabs_the_last_to_type_leaves_the_draft(site: Site, new_context: Callable[..., BrowserContext]) -> None:
    """Fails when a tab that is left untouched takes away what the other has kept."""
    context = new_context(site)
    first, second = context.new_page(), context.new_page()
    name = opened(sign_in(first, site, ADMIN_EMAIL, "/admin/members")).locator("[name=name]")
    second.goto("/admin/members")
    opened(second).locator("[name=name]").fill("Bob")
    second.get_by_role("link", name="Entreprises").click()
    asked(second).get_by_role("button", name="Quitter").click()
    second.wait_for_url("**/admin/companies")
    name.fill("Alice")
    for tab in (first, second):
        tab.wait_for_function("() => localStorage.getItem('saisie:member:new').includes('Alice')")
    second.get_by_role("link", name="Membres").click()
    found = opened(second)
    expect(found.get_by_text(FOUND)).to_be_visible()
    second.get_by_role("button", name="Annuler").click()
    opened(second).get_by_role("button", name="Reprendre").click()
    expect(found.locator("[name=name]")).to_have_value("Alice")


def test_a_narrow_desk_and_a_phone_keep_the_trade_the_answer_and_what_is_missing(page: Page, site: Site) -> None:
    sign_in(page, site, ADMIN_EMAIL, "/admin/members")
    incomplete = page.locator(
        "[data-record-id]:has(.people-position):has(.record-missing-words):has(.record-phone):has(.answer-mark svg)"
    ).first
    complete = page.locator("[data-record-id]:has(.record-missing:empty):has(.record-phone)").first
    missing = re.compile("À compléter\u00a0: ")
    for width in (960, 1100, 390):
        page.set_viewport_size({"width": width, "height": 900})
        expect(incomplete.locator(".record-trade .record-text")).to_be_visible()
        expect(incomplete.locator(".answer-mark")).to_be_visible()
        expect(incomplete.locator(".record-missing")).to_have_text(missing)
        expect(incomplete.locator(".ring")).to_be_visible()
        for row in (incomplete, complete):
            assert not overlap(box(row.locator(".record-phone")), box(row.locator(".people-read")))
    expect(incomplete.locator(".people-position")).to_be_visible()
    expect(incomplete.locator(".people-position")).to_have_text(re.compile(r"\S · \S"))
    page.set_viewport_size({"width": 960, "height": 900})
    incomplete.locator(".people-open").hover()
    expect(incomplete).to_have_attribute("title", missing)


def test_a_long_text_makes_no_tall_row_at_a_desk_and_stands_whole_in_its_title(page: Page, site: Site) -> None:
    """A name is never cut."""
    name = "Maude Montbel"
    long = {"role": "Présidente du conseil de surveillance et fondatrice", "company": "Manufactures réunies " * 5}
    member = alone(site, name, expertise=["Dorure" * 20], **long)
    sign_in(page, site, ADMIN_EMAIL, "/admin/members")
    row = page.locator(f"[data-record-id='{member.id}']")
    page.get_by_role("searchbox").fill("Montbel")
    expect(page.locator("[data-record-id]")).to_have_count(1)
    for width in (960, 1100, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert box(row)["height"] <= 62, width
        row.hover()
        expect(row).to_have_attribute("title", re.compile("Manufactures réunies"))
        fits(page)
    row.get_by_role("button", name=f"{name} {long['role']}").click()
    expect(page.locator(".record-form").get_by_role("heading", level=2)).to_be_visible()

    alone(site, "Marie-Charlotte de La Rochefoucauld-Montbrun-Saint-Exupéry")
    page.goto("/admin/members?q=montbrun")
    whole = page.locator(".people-name")
    for width in (390, 960, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        expect(whole).to_have_count(1)
        assert whole.evaluate("(node) => node.scrollHeight <= node.clientHeight + 1"), width


def test_on_a_card_nothing_is_left_of_an_empty_company(page: Page, site: Site) -> None:
    member = alone(site, "Clémence Roussel-Wattrelos", phone="")
    page.set_viewport_size({"width": 390, "height": 900})
    sign_in(page, site, ADMIN_EMAIL, "/admin/members")
    row = page.locator(f"[data-record-id='{member.id}']")
    assert box(row.locator(".record-trade"))["x"] == box(row.locator(".people-words"))["x"]
