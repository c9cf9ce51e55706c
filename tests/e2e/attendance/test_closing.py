"""The doors of an event are closed from its dialog, and who came is corrected by hand."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect
from sqlmodel import select

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Event, EventReservation, Member, TouchKind, new_id
from clubapp.services.attendance.arrivals import Touch, record_arrivals
from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from tests.e2e.attendance.free_month import free_month
from tests.e2e.conftest import sign_in
from tests.e2e.event_steps import row_of
from tests.e2e.invitation_steps import Invitation, database_of, invite, shuts_nobody_out
from tests.e2e.site import Site


@pytest.fixture
def running(site: Site) -> Iterator[Invitation]:
    """A meeting that began an hour ago; Marie is expected with a guest, and is there. Asked for before the page."""
    begins = clock.now() - timedelta(hours=1)
    with free_month(site, begins):
        made = invite(site, title="Souper des drapiers", date=begins, invitation_sent=True)
        with database_of(site), transaction() as session:
            row = session.exec(select(EventReservation).where(EventReservation.id == made.reservation_id)).one()
            row.will_attend, row.guest_count = True, 1
            marie = session.exec(select(Member.id).where(Member.email == MEMBER_EMAIL)).one()
            session.flush()
            record_arrivals(session, made.event_id, [Touch(new_id(), marie, TouchKind.ARRIVED, begins)], "")
        yield made
        with database_of(site), transaction() as session:
            session.delete(session.get(Event, made.event_id))


def test_the_doors_are_closed_once_asked_and_a_coming_is_corrected_by_hand(
    running: Invitation, page: Page, site: Site
) -> None:
    sign_in(page, site, ADMIN_EMAIL, "/admin/events")
    row = row_of(page, "Souper des drapiers")
    expect(row.get_by_text("en cours")).to_be_visible()
    row.get_by_role("button", name="Voir détails").click()
    sheet = page.locator("dialog[data-event-id]")
    sheet.get_by_role("button", name="Clore l'accueil").click()
    question = page.get_by_role("alertdialog")
    expect(question.get_by_text("1 personne est arrivée, 1 est absente malgré sa réponse.")).to_be_visible()
    shuts_nobody_out(page)
    question.get_by_role("button", name="Clore l'accueil").click()
    expect(sheet.locator("[data-status=completed]")).to_have_text("Terminé")
    expect(sheet.locator("[data-stat=total_arrived]")).to_contain_text("1")
    expect(sheet.locator("[data-stat=total_no_show]")).to_contain_text("1")
    sheet.get_by_role("tab", name="Personnes").click()
    came = sheet.get_by_role("button", name="Venu\u00a0: Marie Durand")
    expect(came).to_have_attribute("aria-pressed", "true")
    came.click()
    expect(sheet.get_by_text("Absent malgré sa réponse")).to_be_visible()
    sheet.get_by_role("tab", name="Vue d’ensemble").click()
    expect(sheet.locator("[data-stat=total_arrived]")).to_contain_text("0")
    sheet.get_by_role("button", name="Rouvrir l’accueil").click()
    expect(sheet.get_by_role("button", name="Clore l'accueil")).to_be_visible()


def test_a_guest_nobody_announced_is_asked_about_before_they_are_forgotten_and_the_list_prints(
    running: Invitation, page: Page, site: Site
) -> None:
    with database_of(site), transaction() as session:
        touch = Touch(new_id(), new_id(), TouchKind.ARRIVED, clock.now(), "Barnabé Sansannonce")
        record_arrivals(session, running.event_id, [touch], "")
    sign_in(page, site, ADMIN_EMAIL, f"/admin/events/{running.event_id}?onglet=bilan")
    arrived = page.locator("a:has([data-group=arrived])")
    arrived.click()
    page.get_by_label("Rechercher un nom ou une entreprise").fill("sansanonce")
    expect(page.locator(".attendee-name")).to_have_text(["Barnabé Sansannonce"])
    assert "groupe=arrived" in page.url
    page.reload()
    expect(page.locator(".attendee-name")).to_have_text(["Barnabé Sansannonce"])
    expect(arrived).to_have_attribute("aria-current", "true")
    came = page.get_by_role("button", name="Venu\u00a0: Barnabé Sansannonce")
    came.click()
    question = page.get_by_role("alertdialog", name="Retirer «\u00a0Barnabé Sansannonce\u00a0»")
    shuts_nobody_out(page)
    question.get_by_role("button", name="Annuler").click()
    expect(came).to_have_attribute("aria-pressed", "true")
    page.emulate_media(media="print")
    for name in ("Ouvrir", "Écrire"):
        expect(page.locator(".event-people").get_by_text(name)).to_be_hidden()
    expect(page.locator(".event-people input")).to_be_hidden()
    expect(page.locator(".attendee-groups .chip").filter(visible=True)).to_have_text(re.compile("Venus"))
    expect(came).to_have_css("color", "rgb(27, 36, 48)")  # once the shortest of transitions has passed
    expect(came).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    page.emulate_media(media="screen")
    came.click()
    question.get_by_role("button", name="Retirer").click()
    expect(page.locator(".attendee-name", has_text="Barnabé Sansannonce")).to_have_count(0)
