"""What stands above a page covers nothing that has the focus: toasts, the session's end, bars (A7, A8)."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from clubapp import clock, routes
from clubapp.database import transaction
from clubapp.models import Event
from tests.e2e.conftest import sign_in
from tests.e2e.focus_walk import hidden, hidden_or_lost
from tests.e2e.invitation_steps import database_of, fits, invite
from tests.e2e.layout_checks import HEIGHTS, SPACING, set_apart
from tests.e2e.member_steps import as_member, employed
from tests.e2e.screen_steps import READY, first_rows, go
from tests.e2e.sign_in_steps import admin, set_end
from tests.e2e.site import Site

FOUR_MINUTES = timedelta(minutes=4)


@pytest.fixture
def page(page: Page) -> Page:
    """On a small phone; otherwise each change is a transition, which ends after the next press."""
    page.emulate_media(reduced_motion="no-preference")
    narrow(page)
    return page


def narrow(page: Page, width: int = 320) -> None:
    page.set_viewport_size({"width": width, "height": HEIGHTS[width]})


def walk(page: Page, *others: int) -> list[str]:
    """What is covered, out of view or lost at 320 pixels; what is covered or out of view at other widths."""
    found = []
    with first_rows(page):
        for width in (*others, 320):
            narrow(page, width)
            found += [f"{width} {fault}" for fault in (hidden_or_lost if width == 320 else hidden)(page)]
    return found


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()


def test_what_a_form_says_and_the_bars_of_the_lists_cover_nothing(site: Site, page: Page) -> None:
    """And the error of a form goes with it."""
    member, *_ = [
        employed(site, f"{name} Tréfilaire", phone="06 39 98 41 08") for name in ("Casimire", "Odilon", "Basile")
    ]
    sign_in(page, site, admin(site, "pelerine"), routes.ADMIN_COMPANIES)
    error = page.locator(".toast-error")
    for path, new in ((routes.ADMIN_COMPANIES, "Nouvelle entreprise"), (routes.ADMIN, "Nouveau membre")):
        go(page, path)
        press(page, new)
        press(page, "Créer")
        expect(error).to_be_visible()
        assert walk(page, 390) == []
        press(page, "Annuler")
        expect(page.locator(".record-form")).to_have_count(0)
        expect(error).to_have_count(0)

    go(page, f"{routes.ADMIN}?q=trefilaire")
    expect(page.locator("[data-check]")).to_have_count(3)
    page.locator("[data-check]").first.check()
    expect(page.locator(".selection-bar")).to_be_visible()
    assert walk(page) == []
    go(page, f"/admin/members/{member.id}?modifier=oui")
    expect(page.get_by_role("button", name="Mettre à jour")).to_be_visible()
    assert walk(page) == []

    go(page, routes.ADMIN_EVENTS)
    press(page, "Nouvel événement")
    page.get_by_role("dialog").get_by_role("button", name="Créer").click()
    expect(page.locator(".field-error").first).to_be_visible()
    assert walk(page, 390) == []


def test_the_refusal_of_the_calendar_and_the_end_of_a_session_cover_nothing(site: Site, page: Page) -> None:
    made = invite(site, title="Soirée des réussites", date=clock.from_local("2097-06-14T12:00"))
    day, email = "2097-06-21", admin(site, "mantille")
    sign_in(page, site, email, f"{routes.ADMIN_EVENTS}?vue=mois&date={day}")
    pressed = page.locator(f"[data-day='{day}']")
    pressed.scroll_into_view_if_needed()
    before = pressed.bounding_box()
    pressed.click()
    text = page.locator(".calendar-refusal .banner-body")
    expect(text).to_contain_text("existe déjà")
    expect(text).to_be_in_viewport(ratio=1)
    assert pressed.bounding_box() == before, "nothing moves under the finger"
    fits(page)
    assert set_apart(page) == []
    assert text.evaluate("(node) => node.offsetWidth") > 180, "not a column of single words"
    assert walk(page) == []
    with database_of(site), transaction() as session:
        session.delete(session.get(Event, made.event_id))

    set_end(site, email, FOUR_MINUTES)
    page.goto(routes.ADMIN)
    page.wait_for_function(READY)
    expect(page.get_by_text("Votre session expire dans")).to_be_visible()
    assert walk(page, 1280, 390) == []
    press(page, "Rester connecté")
    expect(page.get_by_label("Code à 6 chiffres")).to_be_focused()
    fits(page)
    assert set_apart(page) == []
    assert walk(page) == []


def test_at_the_door_closed_doors_and_the_form_above_a_keyboard_cover_nothing(site: Site, page: Page) -> None:
    past, made = invite(site, title="Soirée des cardeurs", coming=6, past=True), invite(site, coming=6)
    with database_of(site), transaction() as session:
        event = session.get(Event, past.event_id)
        assert event
        event.doors_closed_at = clock.now()
    sign_in(page, site, admin(site, "capuche"), routes.arrivals(past.event_id))
    expect(page.get_by_role("link", name="Accueil clos")).to_be_visible()
    assert walk(page) == []
    assert set_apart(page) == []
    page.add_style_tag(content=SPACING)
    assert walk(page) == []

    page.set_viewport_size({"width": 390, "height": 420})
    page.goto(routes.arrivals(made.event_id))
    press(page, "Quelqu’un d’imprévu")
    name = page.get_by_label("Nom", exact=True)
    expect(name).to_be_focused()
    expect(name).to_be_in_viewport(ratio=1)
    assert hidden_or_lost(page) == []


def test_what_is_said_after_a_sign_in_mail_or_a_refused_profile_covers_nothing(site: Site, page: Page) -> None:
    member = employed(site, "Hildegonde Rubanier")
    page.goto(routes.SIGN_IN)
    page.get_by_label("Adresse e-mail").fill(str(member.email))
    page.keyboard.press("Enter")
    expect(page.locator(".toast-success")).to_be_visible()
    assert walk(page) == []
    as_member(page, site, member)
    page.locator("main [name=website]").fill("pas une adresse")
    page.keyboard.press("Enter")
    expect(page.locator(".toast-error")).to_be_visible()
    assert walk(page) == []
