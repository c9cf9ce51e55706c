"""What stands above a page covers nothing that has the focus: toasts, the session's end, bars (A7, A8)."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from clubapp import clock, routes
from clubapp.database import transaction
from clubapp.models import Event
from tests.e2e.conftest import sign_in
from tests.e2e.focus_walk import hidden_or_lost
from tests.e2e.invitation_steps import database_of, fits, invite
from tests.e2e.layout_checks import HEIGHTS, SPACING, set_apart
from tests.e2e.member_steps import as_member, employed
from tests.e2e.sign_in_steps import admin, set_end
from tests.e2e.site import Site

FOUR_MINUTES = timedelta(minutes=4)


@pytest.fixture
def desk(site: Site, new_context: Callable[..., BrowserContext]) -> Callable[..., Page]:
    def open_page(name: str, path: str) -> Page:
        page = new_context(site).new_page()
        # Otherwise each change is a transition, which ends after the next press.
        page.emulate_media(reduced_motion="no-preference")
        return sign_in(page, site, admin(site, name), path)

    return open_page


def walk(page: Page, *widths: int) -> list[str]:
    """What is covered or out of view at some width."""
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        found += [f"{width} {fault}" for fault in hidden_or_lost(page)]
    return found


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()


@pytest.mark.parametrize(
    ("path", "new"), [(routes.ADMIN, "Nouveau membre"), (routes.ADMIN_COMPANIES, "Nouvelle entreprise")]
)
def test_an_error_covers_nothing_of_its_form_and_goes_with_it(desk: Callable[..., Page], path: str, new: str) -> None:
    page = desk("frusquine" if new == "Nouveau membre" else "cotillon", path)
    press(page, new)
    press(page, "Créer")
    error = page.locator(".toast-error")
    expect(error).to_be_visible()
    assert walk(page, 390, 320) == []
    press(page, "Annuler")
    expect(page.locator(".record-form")).to_have_count(0)
    expect(error).to_have_count(0)


def test_the_errors_of_an_event_leave_in_sight_what_has_the_focus(desk: Callable[..., Page]) -> None:
    page = desk("houppelande", routes.ADMIN_EVENTS)
    page.set_viewport_size({"width": 390, "height": HEIGHTS[390]})
    press(page, "Nouvel événement")
    page.get_by_role("dialog").get_by_role("button", name="Créer").click()
    expect(page.locator(".field-error").first).to_be_visible()
    assert walk(page, 390) == []


def test_the_warning_that_the_session_ends_covers_nothing(site: Site, desk: Callable[..., Page]) -> None:
    page = desk("hermeline.vancauwenberghe", routes.ADMIN)
    set_end(site, "hermeline.vancauwenberghe@beffroi.example", FOUR_MINUTES)
    page.reload()
    expect(page.get_by_text("Votre session expire dans")).to_be_visible()
    assert walk(page, 1280, 390, 320) == []
    press(page, "Rester connecté")
    expect(page.get_by_label("Code à 6 chiffres")).to_be_focused()
    fits(page)
    assert set_apart(page) == []
    assert walk(page, 320) == []


def test_the_bar_of_a_choice_and_the_buttons_of_a_record_cover_nothing(site: Site, desk: Callable[..., Page]) -> None:
    member, *_ = [
        employed(site, f"{name} Dentellier", phone="06 39 98 41 08") for name in ("Casimire", "Odilon", "Basile")
    ]
    page = desk("pelerine", f"{routes.ADMIN}?q=dentellier")
    page.set_viewport_size({"width": 320, "height": HEIGHTS[320]})
    page.locator("[data-check]").first.check()
    expect(page.locator(".selection-bar")).to_be_visible()
    assert walk(page, 320) == []
    page.goto(f"/admin/members/{member.id}?modifier=oui")
    expect(page.get_by_role("button", name="Mettre à jour")).to_be_visible()
    assert walk(page, 320) == []


def test_the_refusal_of_the_calendar_is_read_on_a_small_phone(site: Site, desk: Callable[..., Page]) -> None:
    made = invite(site, title="Soirée des réussites", date=clock.from_local("2097-06-14T12:00"))
    day = "2097-06-21"
    page = desk("mantille", f"{routes.ADMIN_EVENTS}?vue=mois&date={day}")
    page.set_viewport_size({"width": 320, "height": HEIGHTS[320]})
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
    assert walk(page, 320) == []
    with database_of(site), transaction() as session:
        session.delete(session.get(Event, made.event_id))


def test_closed_doors_cover_nothing_with_letters_set_apart(site: Site, desk: Callable[..., Page]) -> None:
    made = invite(site, title="Soirée des cardeurs", coming=6, past=True)
    with database_of(site), transaction() as session:
        event = session.get(Event, made.event_id)
        assert event
        event.doors_closed_at = clock.now()
    page = desk("capuche", routes.arrivals(made.event_id))
    page.set_viewport_size({"width": 320, "height": HEIGHTS[320]})
    expect(page.get_by_role("link", name="Accueil clos")).to_be_visible()
    assert walk(page, 320) == []
    assert set_apart(page) == []
    page.add_style_tag(content=SPACING)
    assert walk(page, 320) == []


def test_the_form_of_the_door_covers_nothing_above_the_keyboard_of_a_phone(
    site: Site, desk: Callable[..., Page]
) -> None:
    made = invite(site, title="Soirée des foulonniers", coming=6)
    page = desk("capeline", routes.arrivals(made.event_id))
    page.set_viewport_size({"width": 390, "height": 420})
    press(page, "Quelqu’un d’imprévu")
    name = page.get_by_label("Nom", exact=True)
    expect(name).to_be_focused()
    expect(name).to_be_in_viewport(ratio=1)
    assert hidden_or_lost(page) == []


def test_what_is_said_after_a_sign_in_mail_or_a_refused_profile_covers_nothing(site: Site, page: Page) -> None:
    member = employed(site, "Hildegonde Rubanier")
    page.emulate_media(reduced_motion="no-preference")
    page.set_viewport_size({"width": 320, "height": HEIGHTS[320]})
    page.goto(routes.SIGN_IN)
    page.get_by_label("Adresse e-mail").fill(str(member.email))
    page.keyboard.press("Enter")
    expect(page.locator(".toast-success")).to_be_visible()
    assert walk(page, 320) == []
    as_member(page, site, member)
    page.locator("main [name=website]").fill("pas une adresse")
    page.keyboard.press("Enter")
    expect(page.locator(".toast-error")).to_be_visible()
    assert walk(page, 320) == []
