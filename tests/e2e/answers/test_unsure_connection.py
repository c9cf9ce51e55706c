"""A bad connection, an impatient thumb, two devices: one answer, and what the screen confirmed is stored (R1)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect
from sqlmodel import func, select

from clubapp.database import reading, transaction
from clubapp.models import Event, EventReservation, Member, ReservationAnswer
from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from tests.e2e.conftest import SMALL_PHONE, sign_in
from tests.e2e.invitation_steps import Invitation, asked, database_of, has_no_barrier, invite, press
from tests.e2e.site import Site
from tests.factories import add_reservation

COMES = "Serez-vous des nôtres\u00a0?"
LUNCH = "Resterez-vous déjeuner\u00a0?"
GUESTS = "Combien d’invités vous accompagnent\u00a0?"
THANKS = "Merci pour votre confirmation !"
ABSENT = "Réponse enregistrée"
KEPT = "Votre choix est gardé sur cet appareil\u00a0: il sera envoyé dès que la connexion reviendra."
LATE_MS, RETRY_MS = 2_600, 4_100  # a little more than the page waits


def history(invitation: Invitation) -> int:
    with database_of(invitation.site), reading() as session:
        mine = ReservationAnswer.reservation_id == invitation.reservation_id
        return session.exec(select(func.count()).select_from(ReservationAnswer).where(mine)).one()


def invited_too(invitation: Invitation) -> tuple[str, str]:
    """The reservation and the token of somebody else at the same event."""
    with database_of(invitation.site), transaction() as session:
        event = session.get_one(Event, invitation.event_id)
        member = session.exec(select(Member).where(Member.email != MEMBER_EMAIL)).first()
        assert member is not None
        reservation, token = add_reservation(session, event, member)
        return reservation.id, token


@contextmanager
def away(site: Site) -> Iterator[None]:
    """The server is gone for as long as the block lasts, and started again whatever happens in it."""
    site.stop()
    try:
        yield
    finally:
        site.start()


def lose_answers(page: Page) -> None:
    """What this tab posts does not reach the server."""
    page.route("**/answer", lambda route: route.abort("connectionreset"))


def press_in_vain(page: Page, name: str) -> None:
    """Press; what is posted has been lost, and is no more on its way."""
    with page.expect_event("requestfailed"):
        press(page, name)


def find_network(page: Page) -> None:
    """It does again, and the browser says so."""
    page.unroute("**/answer")
    page.evaluate("dispatchEvent(new Event('online'))")


def is_told_kept(page: Page) -> None:
    """The page, whose clock is ours, says that it keeps the press once it has waited long enough."""
    expect(page.locator("[data-pending]")).to_have_count(1)
    page.clock.fast_forward(LATE_MS)
    expect(page.get_by_text(KEPT)).to_be_visible()


@pytest.mark.console_errors("ERR_CONNECTION_REFUSED")
def test_a_press_while_the_server_is_away_is_kept_said_and_sent_once_it_has_started_again(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    invitation = invite(site)
    page = new_context(site, viewport=SMALL_PHONE).new_page()
    page.clock.install()
    page.goto(invitation.path)
    asked(page, COMES)
    with away(site):
        assert " stops" in site.tail()  # whoever reads the log tells an end from a crash
        press(page, "Oui, je viens")
        is_told_kept(page)
        note = page.get_by_role("status").get_by_text(KEPT)
        expect(note).to_be_in_viewport(ratio=1)
        has_no_barrier(page)
        page.get_by_role("button", name="Non, pas cette fois").click()
        expect(page.locator("[data-pressed]")).to_have_text("Non, pas cette fois")
        expect(note).to_be_in_viewport(ratio=1)
        has_no_barrier(page)
        assert invitation.answer == (None, None, 0)
    find_network(page)
    asked(page, ABSENT)
    expect(page.get_by_text(KEPT)).to_have_count(0)
    assert invitation.answer == (False, None, 0)
    assert history(invitation) == 1
    press(page, "Modifier ma réponse")  # the page was opened before the server was started
    press(page, "Oui, je viens")
    asked(page, LUNCH)
    assert invitation.answer == (True, None, 0)


@pytest.mark.console_errors("ERR_CONNECTION_RESET")
def test_of_two_presses_the_later_counts_and_one_whose_confirmation_was_lost_counts_once(
    site: Site, page: Page
) -> None:
    page.clock.install()
    invitation, held = invite(site), list[Route]()

    def hold_the_first(route: Route) -> None:
        held.append(route)
        if len(held) > 1:
            route.continue_()

    page.route("**/answer", hold_the_first)
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    page.get_by_role("button", name="Non, pas cette fois").click(force=True)  # on its way, it is the only one
    expect(page.locator("[data-pressed]")).to_have_text("Oui, je viens")
    is_told_kept(page)
    press(page, "Non, pas cette fois")
    expect(page.locator("[data-pressed]")).to_have_text("Non, pas cette fois")
    assert len(held) == 1
    held[0].continue_()
    asked(page, ABSENT)
    assert (invitation.answer, history(invitation)) == ((False, None, 0), 2)
    page.unroute("**/answer")

    other, sent = invite(site), list[str]()

    def lose_the_first(route: Route) -> None:
        sent.append(route.request.post_data or "")
        if len(sent) > 1:
            route.continue_()
            return
        assert route.fetch().status == 200
        route.abort("connectionreset")

    page.route("**/answer", lose_the_first)
    page.goto(other.path)
    press_in_vain(page, "Oui, je viens")
    while len(sent) < 2:
        page.clock.fast_forward(RETRY_MS)
    asked(page, LUNCH)
    assert [one.partition("&age=")[0] for one in sent] == [sent[0], sent[0]]
    assert (other.answer, history(other)) == ((True, None, 0), 1)


@pytest.mark.console_errors("ERR_CONNECTION_RESET")
def test_two_tabs_and_two_devices_give_one_answer_and_the_last_press_counts(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    """The tab of the first press hears last that the network is back."""
    invitation = invite(site, has_lunch=False)
    mine = new_context(site)
    first, second, device = mine.new_page(), mine.new_page(), new_context(site).new_page()
    first.clock.install()
    for tab in (first, second, device):
        tab.goto(invitation.path)
        asked(tab, COMES)
    for tab in (first, second):
        lose_answers(tab)
    press_in_vain(first, "Oui, je viens")
    is_told_kept(first)
    press_in_vain(second, "Non, pas cette fois")
    is_told_kept(second)
    find_network(second)
    asked(second, ABSENT)
    find_network(first)
    asked(first, ABSENT)
    assert (invitation.answer, history(invitation)) == ((False, None, 0), 1)

    later = invite(site, has_lunch=False)  # a press that was kept undoes no later answer of another device
    for tab in (first, device):
        tab.goto(later.path)
        asked(tab, COMES)
    lose_answers(first)
    press_in_vain(first, "Oui, je viens")
    is_told_kept(first)
    press(device, "Non, pas cette fois")
    asked(device, ABSENT)
    find_network(first)
    asked(first, ABSENT)
    expect(first.get_by_role("alert")).to_contain_text("Une réponse plus récente a été enregistrée entre-temps")
    assert (later.answer, history(later)) == ((False, None, 0), 1)

    together = invite(site, has_lunch=False)
    for tab in (first, device):
        tab.goto(together.path)
        asked(tab, COMES)
    for tab in (first, device):
        tab.evaluate("document.querySelector('[name=will_attend]').click()")
    for tab in (first, device):
        asked(tab, GUESTS)
    assert history(together) == 1
    press(first, "Valider")
    asked(first, THANKS)
    press(device, "Un invité de plus")
    press(device, "Valider")
    asked(device, THANKS)
    assert (together.answer, history(together)) == ((True, False, 1), 1)


@pytest.mark.console_errors("ERR_CONNECTION_RESET")
def test_what_is_pressed_without_network_outlives_the_tab_and_a_reload_and_answers_for_nobody_else(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    """Fails when who answers in a train and closes the page is silent for the club."""
    invitation, context = invite(site), new_context(site)
    other, token = invited_too(invitation)

    def kept_and_closed(page: Page, button: str) -> Page:
        """Press in vain, close the tab, open another one. A tab whose network comes back would send as it closes."""
        lose_answers(page)
        press_in_vain(page, button)
        expect(page.get_by_text(KEPT)).to_be_visible()
        assert invitation.token not in page.evaluate("JSON.stringify({...localStorage})")
        page.close()
        return context.new_page()

    page = context.new_page()
    page.goto(invitation.path)
    asked(page, COMES)
    page = kept_and_closed(page, "Oui, je viens")
    assert invitation.answer == (None, None, 0)
    page.goto(invitation.path)
    asked(page, LUNCH)
    assert (invitation.answer, history(invitation)) == ((True, None, 0), 1)
    assert "will_attend" not in page.evaluate("JSON.stringify({...localStorage})")

    press(page, "Non, sans déjeuner")
    page.get_by_label("Nombre d’invités").fill("2")
    page = kept_and_closed(page, "Valider")
    page.goto(invitation.path)
    expect(page.get_by_text("2 invités")).to_be_visible()
    assert invitation.answer == (True, False, 2)

    press(page, "Modifier ma réponse")
    asked(page, COMES)
    page = kept_and_closed(page, "Oui, je viens")
    page.goto(f"{invitation.path}&answer=non")  # the other button of the mail replaces what was kept
    expect(page.get_by_text("Dans l’e-mail, vous avez choisi «\u00a0Non\u00a0».")).to_be_visible()
    assert "will_attend" not in page.evaluate("JSON.stringify({...localStorage})")

    press(page, "Modifier ma réponse")
    asked(page, COMES)
    lose_answers(page)
    press_in_vain(page, "Non, pas cette fois")
    expect(page.locator("[data-pending]")).to_have_count(1)
    page.goto(f"/event/{invitation.event_id}?token={token}")
    expect(page.get_by_text("Vous répondez pour")).not_to_contain_text("Marie Durand")
    page.unroute("**/answer")
    press(page, "Non, pas cette fois")
    asked(page, ABSENT)
    assert invitation.answer == (True, False, 2)
    with database_of(site), reading() as session:
        assert session.get_one(EventReservation, other).will_attend is False
    page.goto(invitation.path)
    asked(page, ABSENT)
    assert invitation.answer == (False, None, 0)

    press(page, "Modifier ma réponse")
    asked(page, COMES)
    lose_answers(page)
    press_in_vain(page, "Oui, je viens")
    expect(page.locator("[data-pending]")).to_have_count(1)
    page.unroute("**/answer")
    page.reload()
    asked(page, LUNCH)
    assert invitation.answer == (True, None, 0)


def keeps_nothing(page: Page, gives: str) -> Page:
    """A browser such as a mail program's own view."""
    page.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        f" Object.defineProperty(window, name, {{ configurable: true, get() {{ {gives} }} }});"
    )
    return page


def test_a_browser_that_keeps_nothing_answers_and_signs_in(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    """The interface must not end in an error of a developer."""
    throws = keeps_nothing(new_context(site).new_page(), "throw new DOMException('denied', 'SecurityError');")
    for page in (keeps_nothing(new_context(site).new_page(), "return null;"), throws):
        page.goto(invite(site).path)
        press(page, "Oui, je viens")
        asked(page, LUNCH)
        page.reload()
        asked(page, LUNCH)
    throws.goto("/connexion")
    throws.wait_for_function("() => window.isAlive")
    throws.get_by_label("Adresse e-mail").fill("personne-sans-memoire@ailleurs.example")
    press(throws, "Se connecter par email")
    expect(throws.get_by_role("heading", name="Email envoyé !")).to_be_visible()
    sign_in(throws, site, ADMIN_EMAIL, "/admin/events")
    expect(throws.get_by_role("heading", name="Événements", exact=True)).to_be_visible()
