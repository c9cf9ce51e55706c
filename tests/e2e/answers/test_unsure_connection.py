"""A bad connection, an impatient thumb, two devices: one answer, and what the screen confirmed is stored (R1)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect
from sqlmodel import func, select

from clubapp.database import reading, transaction
from clubapp.models import Event, EventReservation, Member, ReservationAnswer
from clubapp.services.demo import MEMBER_EMAIL
from tests.e2e.conftest import SMALL_PHONE
from tests.e2e.invitation_steps import Invitation, asked, database_of, has_no_barrier, invite, press
from tests.e2e.site import Site
from tests.factories import add_reservation

KEPT = "Votre choix est gardé sur cet appareil\u00a0: il sera envoyé dès que la connexion revient."


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


@pytest.mark.console_errors("WebSocket", "ERR_CONNECTION_REFUSED", "502", "503")
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
    expect(page.locator(".offline-banner")).to_be_attached()
    expect(page.locator(".offline-banner")).not_to_be_visible()
    has_no_barrier(page)
    page.get_by_role("button", name="Non, pas cette fois").click(force=True)
    assert invitation.answer == (None, None, 0)
    site.start()
    page.get_by_role("heading", name="Resterez-vous déjeuner\u00a0?").wait_for(timeout=40_000)
    expect(page.get_by_text(KEPT)).to_have_count(0)
    assert invitation.answer == (True, None, 0)
    assert history(invitation) == 1


def test_a_connection_that_is_dead_without_knowing_it_loses_no_answer(site: Site, page: Page) -> None:
    """Every message of the page is swallowed after it has opened, as in a tunnel; the server itself answers."""
    invitation = invite(site)
    deaf: list[WebSocketRoute] = []

    def swallow(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        is_first = not deaf
        deaf.append(route)
        route.on_message(lambda message: None if is_first and "attend" in str(message) else server.send(message))

    page.route_web_socket("**/_event/**", swallow)
    page.goto(invitation.path)
    asked(page, "Serez-vous des nôtres\u00a0?")
    press(page, "Non, pas cette fois")
    expect(page.get_by_text(KEPT)).to_be_visible()
    page.get_by_role("heading", name="Réponse enregistrée").wait_for(timeout=30_000)
    assert invitation.answer == (False, None, 0)
    assert len(deaf) == 2


def test_a_press_that_was_kept_answers_for_nobody_else(site: Site, page: Page) -> None:
    """Two people of one event open their links in one tab; the first one's press never reached the server."""
    mine = invite(site)
    other, token = invited_too(mine)

    def swallow(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        route.on_message(
            lambda message: None if mine.token in here and "attend" in str(message) else server.send(message)
        )

    here = [mine.token]
    page.route_web_socket("**/_event/**", swallow)
    page.goto(mine.path)
    press(page, "Oui, je viens")
    expect(page.get_by_text(KEPT)).to_be_visible()
    here[0] = token
    page.goto(f"/event/{mine.event_id}?token={token}")
    expect(page.get_by_text("Vous répondez pour")).not_to_contain_text("Marie Durand")
    asked(page, "Serez-vous des nôtres\u00a0?")
    press(page, "Non, pas cette fois")
    asked(page, "Réponse enregistrée")
    assert mine.answer == (None, None, 0)
    with database_of(site), reading() as session:
        assert session.get_one(EventReservation, other).will_attend is False

    page.goto(mine.path)
    asked(page, "Serez-vous des nôtres\u00a0?")


def test_a_press_that_is_sent_again_is_recorded_once(site: Site, page: Page) -> None:
    invitation = invite(site)
    sent: list[str] = []

    def double(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def forward(message: str | bytes) -> None:
            server.send(message)
            if "attend" in str(message):
                sent.append(str(message))
                server.send(message)

        route.on_message(forward)

    page.route_web_socket("**/_event/**", double)
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    asked(page, "Resterez-vous déjeuner\u00a0?")
    assert sent
    assert invitation.answer == (True, None, 0)
    assert history(invitation) == 1


def test_two_devices_that_press_at_once_give_one_answer(
    site: Site, page: Page, new_context: Callable[..., BrowserContext]
) -> None:
    invitation = invite(site, has_lunch=False)
    other = new_context(site).new_page()
    for device in (page, other):
        device.goto(invitation.path)
        asked(device, "Serez-vous des nôtres\u00a0?")
        device.locator("[data-say='attend:oui']").wait_for()
    for device in (page, other):
        device.evaluate("document.querySelector('[data-say=\"attend:oui\"]').click()")
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
