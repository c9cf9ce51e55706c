"""A bad connection, an impatient thumb, two devices: one answer, and what the screen confirmed is stored (R1)."""

from collections.abc import Callable

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

KEPT = "Votre choix est gardé sur cet appareil\u00a0: il sera envoyé dès que la connexion reviendra."


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


@pytest.mark.console_errors("ERR_CONNECTION_REFUSED")
def test_a_press_while_the_connection_is_lost_is_kept_said_and_sent_when_it_is_back(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site()
    invitation = invite(site)
    page = new_context(site, viewport=SMALL_PHONE).new_page()
    page.goto(invitation.path)
    asked(page, "Serez-vous des nôtres\u00a0?")
    site.stop()
    press(page, "Oui, je viens")
    note = page.get_by_role("status").get_by_text(KEPT)
    expect(note).to_be_in_viewport(ratio=1)
    has_no_barrier(page)
    page.get_by_role("button", name="Non, pas cette fois").click()
    expect(page.locator("[data-pressed]")).to_have_text("Non, pas cette fois")
    expect(note).to_be_in_viewport(ratio=1)
    has_no_barrier(page)
    assert invitation.answer == (None, None, 0)
    site.start()
    page.get_by_role("heading", name="Réponse enregistrée").wait_for(timeout=40_000)
    expect(page.get_by_text(KEPT)).to_have_count(0)
    assert invitation.answer == (False, None, 0)
    assert history(invitation) == 1


def test_the_later_of_two_presses_counts_when_the_first_was_heard_late(site: Site, page: Page) -> None:
    invitation = invite(site)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)
        if len(held) > 1:
            route.continue_()

    page.route("**/answer", hold)
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    page.get_by_role("button", name="Non, pas cette fois").click(force=True)  # on its way, it is the only one
    expect(page.locator("[data-pressed]")).to_have_text("Oui, je viens")
    expect(page.get_by_text(KEPT)).to_be_visible()
    press(page, "Non, pas cette fois")
    expect(page.locator("[data-pressed]")).to_have_text("Non, pas cette fois")
    assert len(held) == 1
    held[0].continue_()
    asked(page, "Réponse enregistrée")
    assert invitation.answer == (False, None, 0)
    assert history(invitation) == 2


@pytest.mark.console_errors("ERR_CONNECTION_RESET")
def test_an_answer_whose_confirmation_was_lost_is_sent_again_and_counts_once(site: Site, page: Page) -> None:
    invitation = invite(site)
    sent: list[str] = []

    def lose_the_first(route: Route) -> None:
        sent.append(route.request.post_data or "")
        if len(sent) > 1:
            route.continue_()
            return
        assert route.fetch().status == 200
        route.abort("connectionreset")

    page.route("**/answer", lose_the_first)
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    asked(page, "Resterez-vous déjeuner\u00a0?")
    assert [one.partition("&age=")[0] for one in sent] == [sent[0], sent[0]]
    assert invitation.answer == (True, None, 0)
    assert history(invitation) == 1


@pytest.mark.console_errors("ERR_CONNECTION_RESET")
def test_a_press_that_was_kept_survives_a_reload_and_answers_for_nobody_else(site: Site, page: Page) -> None:
    """Two people of one event open their links in one tab; the first one's presses did not reach the server."""
    mine = invite(site)
    other, token = invited_too(mine)
    page.route("**/answer", lambda route: route.abort("connectionreset"))
    page.goto(mine.path)
    press(page, "Oui, je viens")
    expect(page.get_by_text(KEPT)).to_be_visible()
    page.goto(f"/event/{mine.event_id}?token={token}")
    expect(page.get_by_text("Vous répondez pour")).not_to_contain_text("Marie Durand")
    page.unroute("**/answer")
    press(page, "Non, pas cette fois")
    asked(page, "Réponse enregistrée")
    assert mine.answer == (None, None, 0)
    with database_of(site), reading() as session:
        assert session.get_one(EventReservation, other).will_attend is False

    page.route("**/answer", lambda route: route.abort("connectionreset"))
    page.goto(mine.path)
    press(page, "Oui, je viens")
    expect(page.get_by_text(KEPT)).to_be_visible()
    page.unroute("**/answer")
    page.reload()
    asked(page, "Resterez-vous déjeuner\u00a0?")
    assert mine.answer == (True, None, 0)


@pytest.mark.console_errors("ERR_CONNECTION_RESET")
def test_a_press_that_was_kept_survives_the_tab_and_is_sent_when_the_link_is_opened_again(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    """Fails when who answers in a train and closes the page is silent for the club."""
    invitation = invite(site)
    context = new_context(site)
    page = context.new_page()
    page.route("**/answer", lambda route: route.abort("connectionreset"))
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    expect(page.get_by_text(KEPT)).to_be_visible()
    assert invitation.token not in page.evaluate("JSON.stringify({...localStorage})")
    page.close()
    assert invitation.answer == (None, None, 0)
    again = context.new_page()
    again.goto(invitation.path)
    asked(again, "Resterez-vous déjeuner\u00a0?")
    assert (invitation.answer, history(invitation)) == ((True, None, 0), 1)
    assert "will_attend" not in again.evaluate("JSON.stringify({...localStorage})")


@pytest.mark.console_errors("ERR_CONNECTION_RESET")
def test_guests_that_were_kept_survive_the_tab_and_the_other_button_of_the_mail_replaces_a_kept_answer(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    invitation, context = invite(site), new_context(site)
    page = context.new_page()
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    press(page, "Non, sans déjeuner")
    page.route("**/answer", lambda route: route.abort("connectionreset"))
    page.get_by_label("Nombre d’invités").fill("2")
    press(page, "Valider")
    expect(page.get_by_text(KEPT)).to_be_visible()
    page.close()
    page = context.new_page()
    page.goto(invitation.path)
    expect(page.get_by_text("2 invités")).to_be_visible()
    assert invitation.answer == (True, False, 2)
    press(page, "Modifier ma réponse")
    page.route("**/answer", lambda route: route.abort("connectionreset"))
    press(page, "Oui, je viens")
    expect(page.get_by_text(KEPT)).to_be_visible()
    page.close()
    page = context.new_page()
    page.goto(f"{invitation.path}&answer=non")
    expect(page.get_by_text("Dans l’e-mail, vous avez choisi «\u00a0Non\u00a0».")).to_be_visible()
    assert "will_attend" not in page.evaluate("JSON.stringify({...localStorage})")


@pytest.mark.console_errors("ERR_CONNECTION_RESET", "ERR_INTERNET_DISCONNECTED")
def test_of_two_tabs_without_network_the_last_press_counts(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    """The tab of the first press hears last that the network is back."""
    invitation = invite(site, has_lunch=False)
    context = new_context(site)
    first, second = context.new_page(), context.new_page()
    for tab in (first, second):
        tab.goto(invitation.path)
        asked(tab, "Serez-vous des nôtres\u00a0?")
        tab.route("**/answer", lambda route: route.abort("connectionreset"))
    press(first, "Oui, je viens")
    expect(first.get_by_text(KEPT)).to_be_visible()
    press(second, "Non, pas cette fois")
    expect(second.get_by_text(KEPT)).to_be_visible()
    second.unroute("**/answer")
    second.evaluate("dispatchEvent(new Event('online'))")
    asked(second, "Réponse enregistrée")
    first.unroute("**/answer")
    first.evaluate("dispatchEvent(new Event('online'))")
    asked(first, "Réponse enregistrée")
    assert (invitation.answer, history(invitation)) == ((False, None, 0), 1)


@pytest.mark.console_errors("ERR_CONNECTION_RESET")
def test_a_press_that_was_kept_does_not_undo_a_later_answer_of_another_device(
    site: Site, page: Page, new_context: Callable[..., BrowserContext]
) -> None:
    invitation = invite(site)
    page.route("**/answer", lambda route: route.abort("connectionreset"))
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    expect(page.get_by_text(KEPT)).to_be_visible()
    other = new_context(site).new_page()
    other.goto(invitation.path)
    press(other, "Non, pas cette fois")
    asked(other, "Réponse enregistrée")
    page.unroute("**/answer")
    page.evaluate("dispatchEvent(new Event('online'))")
    asked(page, "Réponse enregistrée")
    expect(page.get_by_role("alert")).to_contain_text("Une réponse plus récente a été enregistrée entre-temps")
    assert (invitation.answer, history(invitation)) == ((False, None, 0), 1)


@pytest.mark.parametrize("storage", ["null", "throws"])
def test_a_browser_that_keeps_nothing_answers_and_signs_in(
    site: Site, new_context: Callable[..., BrowserContext], storage: str
) -> None:
    """Such as a mail program's own view: the interface must not end in an error of a developer."""
    invitation, page = invite(site), new_context(site).new_page()
    gives = "return null" if storage == "null" else "throw new DOMException('denied', 'SecurityError')"
    page.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        f" Object.defineProperty(window, name, {{ configurable: true, get() {{ {gives}; }} }});"
    )
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    asked(page, "Resterez-vous déjeuner\u00a0?")
    page.reload()
    asked(page, "Resterez-vous déjeuner\u00a0?")
    page.goto("/connexion")
    page.wait_for_function("() => window.isAlive")
    page.get_by_label("Adresse e-mail").fill("personne-sans-memoire@ailleurs.example")
    press(page, "Se connecter par email")
    expect(page.get_by_role("heading", name="Email envoyé !")).to_be_visible()
    sign_in(page, site, ADMIN_EMAIL, "/admin/events")
    expect(page.get_by_role("heading", name="Événements", exact=True)).to_be_visible()


def test_two_devices_that_press_at_once_give_one_answer(
    site: Site, page: Page, new_context: Callable[..., BrowserContext]
) -> None:
    invitation = invite(site, has_lunch=False)
    other = new_context(site).new_page()
    for device in (page, other):
        device.goto(invitation.path)
        asked(device, "Serez-vous des nôtres\u00a0?")
    for device in (page, other):
        device.evaluate("document.querySelector('[name=will_attend]').click()")
    for device in (page, other):
        asked(device, "Combien d’invités vous accompagnent\u00a0?")
    assert history(invitation) == 1
    press(page, "Valider")
    asked(page, "Merci pour votre confirmation !")
    press(other, "Un invité de plus")
    press(other, "Valider")
    asked(other, "Merci pour votre confirmation !")
    assert invitation.answer == (True, False, 1)
    assert history(invitation) == 1
