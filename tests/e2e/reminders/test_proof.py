"""Mails that leave by themselves to everybody: turned on and changed where one is, with a recent proof (S13)."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from sqlmodel import Session, select

from clubapp.database import reading, transaction
from clubapp.models import Act, EmailReminderSetting, Event, ReminderType
from clubapp.services.events import mailing_schedule
from tests.e2e.access.test_second_factors import make_proof_old, prove_by_mail
from tests.e2e.conftest import sign_in
from tests.e2e.event_steps import fill
from tests.e2e.invitation_steps import database_of
from tests.e2e.sign_in_steps import admin
from tests.e2e.site import Site

SAVED = "Paramètres sauvegardés avec succès !"
TITLE = "Soirée de la preuve"


@pytest.fixture
def quiet_again(site: Site) -> Iterator[None]:
    """No invitation leaves by itself, before the test and after it."""
    yield
    with database_of(site), transaction() as session:
        invitation = setting(session)
        invitation.is_active, invitation.days_before = False, 30
        for event in session.exec(select(Event).where(Event.title == TITLE)).all():
            session.delete(event)
        session.flush()
        mailing_schedule.plan_all_mailings(session)


@pytest.mark.usefixtures("quiet_again")
def test_what_mails_everybody_by_itself_asks_for_a_proof_and_loses_nothing(page: Page, site: Site) -> None:
    email = admin(site, "preuve")
    sign_in(page, site, email, "/admin/email-settings")
    invitation = page.get_by_role("region", name="Invitation")
    switch, days = invitation.get_by_role("switch"), invitation.locator("[name=days_before]")
    switch.check()
    days.fill("21")
    make_proof_old(site, email)
    page.get_by_role("button", name="Sauvegarder").click()
    dialog = page.get_by_role("dialog", name="C’est bien vous")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert is_on(site) == (False, 30)
    expect(switch).to_be_checked()
    expect(days).to_have_value("21")
    page.get_by_role("button", name="Sauvegarder").click()
    prove_by_mail(page, site, email)
    expect(page.get_by_text(SAVED)).to_be_visible()
    assert is_on(site) == (True, 21)

    page.get_by_role("link", name="Événements", exact=True).first.click()
    page.get_by_role("button", name="Nouvel événement").click()
    form = page.get_by_role("dialog", name="Nouvel événement")
    fill(form, title=TITLE, date="2038-03-12T12:00", location="Lille", speaker_name="Zoé")
    make_proof_old(site, email)
    form.get_by_role("button", name="Créer").click()
    expect(dialog).to_be_visible()
    assert titles(site) == []
    prove_by_mail(page, site, email)
    expect(form).to_be_hidden()
    assert titles(site) == [TITLE]
    with database_of(site), reading() as session:
        made = session.exec(select(Event.id).where(Event.title == TITLE)).one()
        assert len(session.exec(select(Act).where(Act.action == "event.created", Act.subject == made)).all()) == 1

    make_proof_old(site, email)
    page.goto("/admin/email-settings")
    days.fill("22")
    page.get_by_role("button", name="Sauvegarder").click()
    expect(dialog).to_be_visible()
    page.goto("/admin/events")  # what it asked about is not on this screen
    expect(page.locator(".rbc-calendar")).to_be_visible()
    expect(dialog).to_be_hidden()

    page.get_by_role("link", name="Membres", exact=True).first.click()
    for chip in ("Actifs", "Inactifs"):
        page.get_by_text(re.compile(f"^{chip}")).first.click()
        expect(page).to_have_url(re.compile(f"={chip.lower()}"))
    page.get_by_role("link", name="Exporter en CSV").click()
    expect(dialog).to_be_visible()
    page.go_back()  # the same screen at another address
    expect(dialog).to_be_hidden()


def setting(session: Session) -> EmailReminderSetting:
    return session.exec(
        select(EmailReminderSetting).where(EmailReminderSetting.reminder_type == ReminderType.INVITATION)
    ).one()


def is_on(site: Site) -> tuple[bool, int]:
    with database_of(site), reading() as session:
        row = setting(session)
        return row.is_active, row.days_before


def titles(site: Site) -> list[str]:
    with database_of(site), reading() as session:
        return list(session.exec(select(Event.title).where(Event.title == TITLE)))
