"""The lists of members and of companies: screens that cannot be read, drafts of two tabs, rows in little room."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from sqlmodel import text

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Member
from clubapp.services.demo import ADMIN_EMAIL, SECOND_ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.forms.test_draft_form import FOUND, asked, opened
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier
from tests.e2e.layout_checks import box, overlap
from tests.e2e.member_steps import alone, employed
from tests.e2e.members.test_members import row_of
from tests.e2e.site import EMBEDDED, Site
from tests.factories import add_event, add_reservation


def follow(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()


def unread(page: Page, words: str = "La liste n’a pas pu être chargée") -> Locator:
    return page.get_by_role("alert").filter(has_text=words)


@pytest.mark.console_errors("503")
def test_screens_that_cannot_be_read_say_so_and_are_read_again_after_the_outage(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    """Lists, the calendar, the member area; then what else needs a site of its own: no administrator, no journal."""
    site = own_site(**EMBEDDED)
    page, calendar, member = (new_context(site).new_page() for _ in range(3))
    for desk in (page, calendar):
        sign_in(desk, site, ADMIN_EMAIL, "/admin/sante")
        expect(desk.get_by_text("Dernier passage à").first).to_be_visible()
    events, season = calendar.get_by_role("heading", name="Événements à venir"), calendar.locator(".season")
    sign_in(member, site, str(employed(site).email), "/member")
    expect(member.get_by_label("Téléphone", exact=True)).to_be_visible()  # only an open connection brings it
    with site.without_database():
        with calendar.expect_response(lambda answer: answer.url.endswith("/health") and not answer.ok):
            follow(calendar, "Événements")
        expect(unread(calendar, "Le calendrier n’a pas pu être chargé")).to_be_visible()
        for part in (events, season):
            expect(part).not_to_be_visible()  # no empty frame

        for name in ("Entreprises", "Membres"):
            follow(page, name)
            expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
            expect(unread(page)).to_be_visible()
        has_no_barrier(page)
        page.set_viewport_size({"width": 320, "height": 640})
        fits(page)
        unread(page).get_by_role("button", name="Réessayer").click()
        expect(page.locator(".toast-error")).to_contain_text("la référence")
        expect(unread(page)).to_be_visible()
        expect(unread(page)).not_to_contain_text("connexion")
        page.set_viewport_size({"width": 1280, "height": 720})

        for name in ("Mes sessions", "Mes invitations", "Mon entreprise"):
            follow(member, name)
            expect(member.get_by_role("heading", level=1, name=name)).to_be_visible()
            failed = unread(member, "pas pu être chargée")
            expect(failed.first).to_be_visible()
        has_no_barrier(member)
        for width, height in ((320, 568), (390, 844), (768, 1024), (1440, 900)):
            member.set_viewport_size({"width": width, "height": height})
            assert not overlap(box(member.locator(".toast-error")), box(failed))
            fits(member)
    for shown in (page.locator("[data-row]").first, member.get_by_label("Site web"), events, season):
        expect(shown).to_be_visible()
    for told in (unread(page), failed):
        expect(told).to_have_count(0)

    follow(page, "Administrateurs")
    expect(page.get_by_role("heading", level=1, name="Administrateurs")).to_be_focused()
    for email in (SECOND_ADMIN_EMAIL, ADMIN_EMAIL):
        page.get_by_role("button", name=f"Retirer {email}").click()
        page.get_by_role("alertdialog").get_by_role("button", name="Retirer", exact=True).click()
        expect(page.locator(".administrator-row")).to_have_count(1)
    expect(page.locator(".toast").filter(has_text="Le club garde au moins un administrateur")).to_be_visible()

    follow(page, "Entreprises")
    row_of(page, "Pixel du Beffroi").locator("[data-row]").click()
    page.locator("[name=city]").fill("Lens")
    with database_of(site), transaction() as session:
        session.connection().execute(text("ALTER TABLE acts RENAME TO away"))
    save = page.get_by_role("button", name="Mettre à jour")
    save.click()
    expect(page.locator(".toast-error").filter(has_text="Une erreur inattendue")).to_be_visible()
    expect(save).to_be_focused()


def test_of_two_tabs_the_last_to_type_leaves_the_draft(site: Site, new_context: Callable[..., BrowserContext]) -> None:
    """Fails when a tab that is left untouched takes away what the other has kept."""
    context = new_context(site)
    first, second = context.new_page(), context.new_page()
    name = opened(sign_in(first, site, ADMIN_EMAIL, "/admin/members?q=personne")).locator("[name=name]")
    second.goto("/admin/members?q=personne")
    opened(second).locator("[name=name]").fill("Bob")
    follow(second, "Administrateurs")
    asked(second).get_by_role("button", name="Quitter").click()
    second.wait_for_url("**/admin/administrators")
    name.fill("Alice")
    for tab in (first, second):
        tab.wait_for_function("() => localStorage.getItem('saisie:member:new')?.includes('Alice')")
    second.go_back()
    found = opened(second)
    expect(found.get_by_text(FOUND)).to_be_visible()
    second.get_by_role("button", name="Annuler").click()
    opened(second).get_by_role("button", name="Reprendre").click()
    expect(found.locator("[name=name]")).to_have_value("Alice")


def test_rows_and_cards_keep_what_they_say_in_little_room(page: Page, site: Site) -> None:
    """A long text makes no tall row, and stands whole in its title; a name is never cut."""
    long = {"role": "Présidente du conseil de surveillance et fondatrice", "company": "Manufactures réunies " * 5}
    maude = alone(site, "Maude Montbel", expertise=["Dorure" * 20], **long)
    alone(site, "Marie-Charlotte de La Rochefoucauld-Montbrun-Saint-Exupéry")
    card = alone(site, "Clémence Roussel-Wattrelos", phone="")
    short = {"role": "Responsable développement", "phone": "06 39 98 41 07", "expertise": ["Reliure"]}
    answered = employed(site, "Perrine Vantournhout", phone="06 39 98 41 09")
    with database_of(site), transaction() as session:
        event = add_event(session, date=clock.from_local("2038-05-14T12:00"))
        add_reservation(session, event, session.get_one(Member, answered.id), will_attend=True)
    for name in ("Alba", "Bruno"):
        employed(site, f"Quatretto {name}", **short)
    sign_in(page, site, ADMIN_EMAIL, "/admin/members")
    rows, search = page.locator("[data-record-id]"), page.get_by_role("searchbox")

    def find(words: str, count: int = 1) -> Locator:
        search.fill(words)
        expect(rows).to_have_count(count)
        return rows

    complete = find("Karim Lenoir")
    expect(complete.locator(".record-missing")).to_be_empty()
    for width in (960, 1100, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert not overlap(box(complete.locator(".record-phone")), box(complete.locator(".people-read")))
    incomplete, missing = find("Vantournhout"), re.compile("À compléter\u00a0: ")
    for width in (960, 1100, 390):
        page.set_viewport_size({"width": width, "height": 900})
        for part in (".record-trade .record-text", ".answer-mark svg", ".ring"):
            expect(incomplete.locator(part)).to_be_visible()
        expect(incomplete.locator(".record-missing")).to_have_text(missing)
        assert not overlap(box(incomplete.locator(".record-phone")), box(incomplete.locator(".people-read")))
    expect(incomplete.locator(".people-position")).to_be_visible()
    expect(incomplete.locator(".people-position")).to_have_text(re.compile(r"\S · \S"))
    page.set_viewport_size({"width": 960, "height": 900})
    incomplete.locator(".people-open").hover()
    expect(incomplete).to_have_attribute("title", missing)

    row = find("Montbel")
    for width in (960, 1100, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert box(row)["height"] <= 62, width
        row.hover()
        expect(row).to_have_attribute("title", re.compile("Manufactures réunies"))
        fits(page)
    row.get_by_role("button", name=f"{maude.name} {long['role']}").click()
    expect(page.locator(".record-form").get_by_role("heading", level=2)).to_be_visible()
    page.get_by_role("button", name="Annuler").click()

    whole = find("montbrun").locator(".people-name")
    for width in (390, 960, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        expect(whole).to_have_count(1)
        assert whole.evaluate("(node) => node.scrollHeight <= node.clientHeight + 1"), width

    find("quatretto", 2)
    for width, most in ((1440, 52.5), (1024, 52.5), (390, 156)):
        page.set_viewport_size({"width": width, "height": 844})
        expect(rows).to_have_count(2)
        assert max(rows.evaluate_all("all => all.map((row) => row.getBoundingClientRect().height)")) <= most
    check, face = box(page.locator("[data-check]").first), box(page.locator(".people-face").first)
    middles = [each["y"] + each["height"] / 2 for each in (check, face)]
    assert abs(middles[0] - middles[1]) < 4, "the box stands beside the name"
    page.locator(".people-row [data-check]").first.check()
    bar = page.get_by_role("region", name="Membres choisis")
    expect(bar.get_by_role("button", name="Rendre inactif", exact=True)).to_be_visible()
    page.locator(".people-row [data-check]").nth(1).check()
    expect(bar.get_by_role("button", name="Rendre inactifs", exact=True)).to_be_visible()
    for act in ("Écrire", "Demander leur photo", "Domaine", "Rendre inactifs", "Exporter"):
        expect(bar.get_by_role("button", name=act, exact=True)).to_be_in_viewport(ratio=1)

    row = find(card.name)  # nothing is left of an empty company
    assert box(row.locator(".record-trade"))["x"] == box(row.locator(".people-words"))["x"]
