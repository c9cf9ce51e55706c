"""The calling list: a yes or a no in one tap, taken back in another, followed by a colleague, printed on one page."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import BytesIO

import httpx
import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from pypdf import PdfReader
from sqlmodel import col, delete, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Event, EventGuest, Member
from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.event_steps import unrolled
from tests.e2e.invitation_steps import Invitation, database_of, fits, invite, shuts_nobody_out
from tests.e2e.site import Site
from tests.factories import add_member, add_reservation

# Loaded, and the page laid out with it.
HAS_TYPEFACE = """async () => {
    const face = [...document.fonts].find((each) => each.family === 'Figtree' && each.status === 'loaded');
    if (face) await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return Boolean(face);
}"""


ODILON = "odilon@sanfil.example"
CLUB = 60
AS_MANY = """(list, count) => {
    const others = [...list.querySelectorAll(".callee")].filter((row) => !row.textContent.includes("Marie Durand"));
    others.slice(count - 1).forEach((row) => row.remove());
}"""
# How many of the first people are told something, and how many words are cut, with the longest there are.
CUT = """(list, people) => {
    [...list.querySelectorAll(".callee")].slice(people).forEach((row) => row.remove());
    const told = [...list.querySelectorAll(".callee-past")];
    for (const words of told) words.textContent = "Dernier oui : mercredi 30 septembre 2026";
    const names = [...list.querySelectorAll(".callee-name")];
    for (const name of names) name.textContent = "Abdelkrim Ould-Hamdaoui-Benmansour";
    const isCut = (words) => words.scrollWidth > words.clientWidth;
    const boxes = list.querySelectorAll(".callee-boxes");
    return [told.length, [...told, ...names, ...boxes].filter(isCut).length];
}"""
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def invitation(site: Site) -> Iterator[Invitation]:
    """Marie, and everyone else of the club, has not answered; there are places for all."""
    made = invite(site, title="Café des sauniers", invitation_sent=True)
    with database_of(site), transaction() as session:
        event = session.get(Event, made.event_id)
        assert event is not None
        event.max_participants = None
        session.add(event)
        for member in session.exec(
            select(Member).where(
                col(Member.is_active), (col(Member.email) != MEMBER_EMAIL) | col(Member.email).is_(None)
            )
        ):
            add_reservation(session, event, member)
    yield made
    with database_of(site), transaction() as session:
        session.delete(session.get(Event, made.event_id))
        session.execute(delete(Member).where(col(Member.email) == ODILON))


def calls_of(page: Page, site: Site, event_id: str) -> Page:
    sign_in(page, site, ADMIN_EMAIL, f"/admin/events/{event_id}/appels")
    expect(page.get_by_role("heading", name="Liste d’appels", level=1)).to_be_visible()
    return page


def row_of(page: Page, name: str) -> Locator:
    return page.get_by_role("list", name="Personnes à appeler").get_by_role("listitem").filter(has_text=name)


def left(page: Page) -> int:
    return sum(map(int, re.findall(r"\d+", page.get_by_text(re.compile(r"^\d+ personnes? à appeler")).inner_text())))


def test_a_call_ends_with_one_tap_is_taken_back_with_another_and_is_seen_by_a_colleague(
    site: Site, invitation: Invitation, new_context: Callable[..., BrowserContext]
) -> None:
    """On the day of the event, when the bar of a phone counts who is left."""
    with database_of(site), transaction() as session:
        event = session.get_one(Event, invitation.event_id)
        event.date = clock.now() + timedelta(hours=3)
        add_reservation(session, event, add_member(session, "Odilon Sanfil", ODILON, phone=""))
    other = reached_from_the_event(new_context(site).new_page(), site, invitation)
    page = calls_of(new_context(site, viewport=PHONE, has_touch=True).new_page(), site, invitation.event_id)
    odilon = row_of(page, "Odilon Sanfil")
    expect(odilon).to_contain_text("sans téléphone")
    expect(odilon.get_by_role("button", name="Oui")).to_be_visible()
    expect(odilon.get_by_role("button", name="Pas joint")).to_have_count(0)
    everyone, marie = left(page), row_of(page, "Marie Durand")
    bar = page.get_by_role("navigation", name="Raccourcis").get_by_role("link", name="Appels")
    expect(bar).to_contain_text(str(everyone))
    number = marie.get_by_role("link", name="Appeler")
    assert re.fullmatch(r"tel:\+33\d{9}", str(number.get_attribute("href")))
    expect(marie).to_contain_text(re.compile("(Dernier oui|Dernière venue)\u00a0: .* 20|Aucun oui avant"))

    misses_a_call(page)
    assert left(page) == everyone
    yes, no = marie.get_by_role("button", name="Oui"), marie.get_by_role("button", name="Non", exact=True)
    yes.focus()
    page.keyboard.press("Enter")
    expect(marie.get_by_text("Vient", exact=True)).to_be_visible()
    expect(yes).to_be_focused()
    expect(yes).to_have_attribute("aria-pressed", "true")
    expect(marie).to_contain_text("répondu par téléphone")
    assert invitation.answer == (True, None, 0)
    assert left(page) == everyone - 1
    expect(bar).to_contain_text(str(everyone - 1))
    expect(row_of(other, "Marie Durand").get_by_text("Vient", exact=True)).to_be_visible()

    marie.get_by_role("button", name="Déjeune").click()
    marie.get_by_label("Invités").select_option("2")
    expect(marie.get_by_text("Vient, 2 invités, avec déjeuner")).to_be_visible()
    assert invitation.answer == (True, True, 2)
    names_two_guests(page, marie)
    with database_of(site), reading() as session:
        named = session.exec(select(EventGuest).order_by(col(EventGuest.position))).all()
        mine = [(one.name, one.company) for one in named if one.event_id == invitation.event_id]
    assert mine == [("Zoé Lys", "Lys & Cie"), ("Ali Œuvre", "")]

    marie.get_by_role("button", name="Annuler la réponse de Marie Durand").click()
    expect(marie.get_by_text("répondu par téléphone")).to_have_count(0)
    expect(yes).to_be_focused()
    assert invitation.answer == (None, None, 0)
    no.click()
    expect(marie.get_by_text("Ne vient pas", exact=True)).to_be_visible()
    expect(row_of(other, "Marie Durand").get_by_text("Ne vient pas", exact=True)).to_be_visible()
    form = {"token": invitation.token, "will_attend": "true"}
    assert httpx.post(f"{site.url}/event/{invitation.event_id}/answer", data=form).status_code == 303
    expect(marie).to_contain_text("répondu par le lien")
    expect(marie.get_by_role("button", name="Annuler")).to_have_count(0)
    fits(page)

    with database_of(site), transaction() as session:
        session.get_one(Event, invitation.event_id).date = clock.now() - timedelta(minutes=1)
    expect(page.get_by_text("La rencontre a commencé\u00a0: ce que vous notez corrige la liste")).to_be_visible()
    expect(odilon.get_by_role("button", name="Oui")).to_be_visible()
    other.get_by_role("link", name="Retour aux événements").click()
    expect(other).to_have_url(re.compile("/admin/events"))
    page.goto("/admin/events/nobody/appels")
    refused = page.get_by_role("alert").filter(has_text="Cet événement n’existe plus")
    expect(refused).to_be_visible()
    tops = [(one.bounding_box() or {})["y"] for one in (refused, page.get_by_role("contentinfo"))]
    assert tops == sorted(tops), "the footer stands above what is said"


def reached_from_the_event(page: Page, site: Site, invitation: Invitation) -> Page:
    """The list, as a colleague finds it."""
    sign_in(page, site, ADMIN_EMAIL, "/admin/events")
    row = unrolled(page, page.locator("li[data-event-id]").filter(has_text="Café des sauniers"))
    row.get_by_role("button", name="Voir détails").click()
    page.get_by_role("tab", name="Personnes").click()
    page.get_by_role("link", name="Liste d’appels").click()
    expect(page).to_have_url(re.compile(f"/admin/events/{invitation.event_id}/appels$"))
    expect(page.get_by_text(re.compile("^Café des sauniers, "))).to_be_visible()
    return page


def misses_a_call(page: Page) -> None:
    """A call that reached nobody is said on the row, comes last the next time, and is taken back."""
    rows = page.get_by_role("list", name="Personnes à appeler").get_by_role("listitem")
    marie = row_of(page, "Marie Durand")
    place = rows.locator(".callee-name").all_inner_texts().index("Marie Durand")
    missed = marie.get_by_role("button", name="Pas joint, rappeler")
    missed.focus()
    page.keyboard.press("Enter")
    expect(marie.get_by_text(re.compile("^appelé 1 fois, aujourd’hui à "))).to_be_visible()
    expect(missed).to_be_focused()
    expect(rows.nth(place)).to_contain_text("Marie Durand")
    page.reload()
    expect(rows.last).to_contain_text("Marie Durand")
    marie.get_by_role("button", name="Annuler l’appel de Marie Durand").click()
    expect(marie.get_by_text("appelé 1 fois")).to_have_count(0)
    expect(missed).to_be_focused()


def names_two_guests(page: Page, marie: Locator) -> None:
    """On the row, one of them wrongly first."""
    marie.get_by_text("Nommer les invités").click()
    first, second = (marie.get_by_role("group", name=f"Invité {number}") for number in (1, 2))
    first.get_by_label("Nom").fill("Zoé Lys")
    first.get_by_label("Entreprise").fill("Lys & Cie")
    second.get_by_label("E-mail").fill("sans arobase")
    marie.get_by_role("button", name="Enregistrer les invités de Marie Durand").click()
    expect(second.get_by_label("E-mail")).to_be_focused()
    second.get_by_label("E-mail").fill("")
    second.get_by_label("Nom").fill("Ali Œuvre")
    page.evaluate("scrollTo(0, 0)")  # axe mistakes the ground of what sticks
    shuts_nobody_out(page)
    second.get_by_label("Nom").press("Enter")
    expect(page.get_by_text("Les invités sont enregistrés.", exact=True)).to_be_visible()


def test_a_whole_club_is_printed_on_one_page_with_every_name_whole(
    site: Site, invitation: Invitation, new_context: Callable[..., BrowserContext]
) -> None:
    sheet = {"width": 718, "height": 1047}  # A4 without its margins
    page = calls_of(new_context(site, viewport=sheet).new_page(), site, invitation.event_id)
    expect(row_of(page, "Marie Durand")).to_be_visible()
    page.locator(".callees").evaluate(AS_MANY, CLUB)  # members whom other tests have made are called too
    printed = PdfReader(BytesIO(page.pdf(format="A4", prefer_css_page_size=True))).pages
    assert len(printed) == 1
    text = "".join(printed[0].extract_text().split())  # the distances of letters are read as spaces
    assert "MarieDurand" in text
    assert text.count("Oui") == CLUB
    assert "Déconnexion" not in text

    page.emulate_media(media="print")
    page.wait_for_function(HAS_TYPEFACE)  # the other letters are wider
    for people in (60, 40):
        assert page.locator(".callees").evaluate(CUT, people) == [people, 0]
