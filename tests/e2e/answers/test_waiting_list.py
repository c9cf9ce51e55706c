"""A full event, seen by who comes too late and by the animator, on a small phone and at a desk."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from sqlmodel import select

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Event, EventReservation, Member, coming
from clubapp.services.answers import waiting_list
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.event_steps import unrolled
from tests.e2e.invitation_steps import Invitation, asked, database_of, fits, has_no_barrier, invite, press, unfold
from tests.e2e.site import Site
from tests.factories import add_reservation


def free_a_place(invitation: Invitation) -> None:
    """One of those who come is not expected any more."""
    with database_of(invitation.site), transaction() as session:
        other = session.exec(
            select(EventReservation).where(
                EventReservation.event_id == invitation.event_id,
                EventReservation.id != invitation.reservation_id,
                coming(),
            )
        ).first()
        assert other is not None
        other.will_attend = False
        session.flush()
        waiting_list.offer_free_places(session, invitation.event_id)


def test_too_late_then_offered_a_place_and_guests_as_far_as_there_is_room(site: Site, device: Page) -> None:
    invitation = invite(site, max_participants=2, coming=2)
    device.goto(invitation.path)
    asked(device, "Serez-vous des nôtres\u00a0?")
    unfold(device)
    expect(device.get_by_text("complet pour le moment", exact=True).filter(visible=True)).to_have_count(1)
    expect(device.get_by_text("Inscrivez-vous sur la liste d’attente")).to_be_visible()
    has_no_barrier(device)
    press(device, "Oui, sur la liste d’attente")
    asked(device, "Vous êtes sur la liste d’attente")
    expect(device.get_by_role("heading", level=2, name="Vous êtes sur la liste d’attente")).to_be_focused()
    expect(device.get_by_text("Vous êtes en tête de la liste.")).to_be_visible()
    assert invitation.row.is_waiting
    fits(device)
    has_no_barrier(device)

    free_a_place(invitation)
    device.goto(f"{invitation.path}&answer=oui")
    asked(device, "Une place s’est libérée pour vous")
    expect(device.get_by_text("Elle vous est réservée jusqu’au")).to_be_visible()
    assert invitation.row.is_waiting, "opening the page takes nothing"
    fits(device)
    has_no_barrier(device)
    press(device, "Oui, je prends la place")
    asked(device, "Resterez-vous déjeuner\u00a0?")
    press(device, "Non, sans déjeuner")
    expect(device.get_by_text("Il ne reste plus de place pour des invités.")).to_be_visible()
    device.locator("[name=guest_count]").fill("1")
    press(device, "Valider")
    expect(device.get_by_role("alert").get_by_text("Il ne reste plus de place pour des invités.")).to_be_visible()
    expect(device.locator("[name=guest_count]")).to_be_focused()
    has_no_barrier(device)
    device.locator("[name=guest_count]").fill("0")
    press(device, "Valider")
    asked(device, "Merci pour votre confirmation !")
    assert invitation.answer == (True, False, 0)


def test_leaving_the_list_and_leaving_a_place(site: Site, page: Page) -> None:
    invitation = invite(site, max_participants=1, coming=1)
    page.goto(invitation.path)
    press(page, "Oui, sur la liste d’attente")
    press(page, "Modifier ma réponse")
    press(page, "Garder ma réponse")
    asked(page, "Vous êtes sur la liste d’attente")
    free_a_place(invitation)
    page.reload()
    press(page, "Non, je la laisse")
    asked(page, "Réponse enregistrée")
    assert invitation.answer == (False, None, 0)


def test_once_answers_are_closed_one_s_own_is_shown_and_whom_to_call(site: Site, device: Page) -> None:
    invitation = invite(site)
    device.goto(invitation.path)
    press(device, "Oui, je viens")
    press(device, "Oui, avec déjeuner")
    press(device, "Valider")
    press(device, "Modifier ma réponse")
    asked(device, "Serez-vous des nôtres\u00a0?")
    with database_of(site), transaction() as session:
        session.exec(select(Event).where(Event.id == invitation.event_id)).one().answers_until = clock.now()
    press(device, "Non, pas cette fois")
    asked(device, "Les réponses sont closes depuis le")
    expect(device.get_by_text("Vous venez.")).to_be_visible()
    expect(device.get_by_role("link", name="03 53 01 55 01")).to_have_attribute("href", "tel:+33353015501")
    expect(device.get_by_role("link", name="Ajouter à Google Agenda")).to_be_visible()
    fits(device)
    has_no_barrier(device)
    assert invitation.answer == (True, True, 0)


@pytest.fixture
def three_waiting(site: Site) -> Invitation:
    """A full event with Marie Durand first in line, then two others; in a month that the upcoming list shows."""
    invitation = invite(site, max_participants=1, coming=1, title="Rencontre complète")
    with database_of(site), transaction() as session:
        row = session.exec(select(EventReservation).where(EventReservation.id == invitation.reservation_id)).one()
        event = session.exec(select(Event).where(Event.id == invitation.event_id)).one()
        taken = select(EventReservation.member_id).where(EventReservation.event_id == event.id)
        others = session.exec(select(Member).where(Member.id.not_in(taken)).order_by(Member.name).limit(2)).all()  # type: ignore[attr-defined]
        for each in (row, *[add_reservation(session, event, member)[0] for member in others]):
            each.will_attend = True
            waiting_list.join(session, event, each)
            session.add(each)
            session.flush()
    return invitation


def test_the_animator_sees_and_orders_the_list_by_keyboard(
    site: Site, three_waiting: Invitation, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(site).new_page()
    sign_in(page, site, ADMIN_EMAIL, "/admin/events")
    row = unrolled(page, page.locator(f"[data-event-id='{three_waiting.event_id}']").first)
    row.get_by_role("button", name=re.compile("Voir détails")).click()
    dialog = page.get_by_role("dialog")
    names = dialog.locator(".waiting-name")
    expect(names).to_have_count(3)
    expect(names.first).to_have_text("Marie Durand")
    down = dialog.get_by_role("button", name="Descendre Marie Durand")
    down.focus()
    page.keyboard.press("Enter")
    expect(names.nth(1)).to_have_text("Marie Durand")
    expect(down).to_be_focused()
    expect(dialog.get_by_text("Marie Durand : position 2 sur 3.")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(names.nth(2)).to_have_text("Marie Durand")
    expect(down).to_be_focused()
    expect(down).to_have_attribute("aria-disabled", "true")
    up = dialog.get_by_role("button", name="Monter Marie Durand")
    up.focus()
    for place in (1, 0):
        page.keyboard.press("Enter")
        expect(names.nth(place)).to_have_text("Marie Durand")
        expect(up).to_be_focused()
    has_no_barrier(page)
    free_a_place(three_waiting)
    expect(dialog.get_by_text(re.compile("^Place proposée jusqu’au"))).to_have_count(1, timeout=10_000)
    expect(dialog.get_by_role("button", name="Descendre Marie Durand")).to_have_count(0)
