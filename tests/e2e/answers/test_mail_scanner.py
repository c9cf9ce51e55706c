"""From the mail to the answer: a scanner opens everything and changes nothing, a member needs two presses."""

from collections.abc import Callable
from email.message import EmailMessage
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from sqlmodel import select

from clubapp import tokens
from clubapp.database import reading, transaction
from clubapp.mail.queue import outbox
from clubapp.models import EventReservation, Member, OutboxMail
from tests.e2e.invitation_steps import Invitation, asked, database_of, invite, press
from tests.e2e.site import Site, links_in


def mailed(invitation: Invitation) -> list[str]:
    """The invitation leaves; the addresses in its text."""
    with database_of(invitation.site), transaction() as session:
        row = session.exec(select(EventReservation).where(EventReservation.id == invitation.reservation_id)).one()
        member = session.get(Member, row.member_id)
        assert member is not None
        assert member.email
        outbox.queue_mail(
            session,
            kind="invitation",
            key=f"invitation:{row.id}",
            recipient=member.email,
            member_id=member.id,
            event_id=row.event_id,
            reservation_id=row.id,
        )
    return [link for link in links_in(_mail_of(invitation, member.email)) if invitation.event_id in link]


def _mail_of(invitation: Invitation, address: str) -> EmailMessage:
    site = invitation.site
    for _ in range(3):
        mail = site.wait_for_mail(address, "invitation")
        if invitation.token in mail.as_string().replace("=\n", ""):
            return mail
    raise AssertionError(f"no invitation to {invitation.event_id}")


def test_a_scanner_that_opens_every_link_and_runs_every_script_answers_nothing(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site()
    invitation = invite(site)
    links = mailed(invitation)
    assert [link.rpartition("&")[2] for link in links[:2]] == ["answer=oui", "answer=non"]
    before = invitation.row
    scanner = new_context(site).new_page()
    files = [link for link in links if urlsplit(link).path.endswith("/calendar.ics")]
    assert len(files) == 1
    for link in links:
        for method in ("HEAD", "GET"):
            assert scanner.request.fetch(link, method=method).status == 200
        if link in files:
            assert scanner.request.get(link).headers["content-type"].startswith("text/calendar")
            continue
        scanner.goto(link)
        asked(scanner, "Serez-vous des nôtres\u00a0?")
        scanner.mouse.move(100, 100)
        scanner.mouse.wheel(0, 2000)
        for address in scanner.eval_on_selector_all("main a[href]", "all => all.map(one => one.href)"):
            if urlsplit(address).netloc == urlsplit(site.url).netloc:
                scanner.request.get(address)
        scanner.reload()
        asked(scanner, "Serez-vous des nôtres\u00a0?")
    assert invitation.row == before

    person = new_context(site).new_page()
    person.goto(links[1])
    expect(person.locator(".answer-choice-first")).to_have_text("Non, pas cette fois")
    press(person, "Non, pas cette fois")
    asked(person, "Réponse enregistrée")
    assert invitation.answer == (False, None, 0)


@pytest.mark.parametrize(("has_lunch", "presses"), [(False, ["Oui, je viens", "Valider"]), (True, [])])
def test_from_the_mail_s_button_to_thanks_in_two_presses(
    site: Site, phone: Page, has_lunch: bool, presses: list[str]
) -> None:
    """Lunch is one question more; without it two presses do, and a "Non" is done with one."""
    invitation = invite(site, has_lunch=has_lunch)
    phone.goto(f"{invitation.path}&answer={'oui' if presses else 'non'}")
    for name in presses or ["Non, pas cette fois"]:
        press(phone, name)
    asked(phone, "Merci pour votre confirmation !" if presses else "Réponse enregistrée")
    assert invitation.answer == ((True, False, 0) if presses else (False, None, 0))


def test_each_answer_is_kept_and_its_confirmation_waits_to_be_the_only_one(site: Site, page: Page) -> None:
    invitation = invite(site)
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    press(page, "Oui, avec déjeuner")
    press(page, "Valider")
    asked(page, "Merci pour votre confirmation !")
    expect(page.get_by_text("Une confirmation vous est envoyée par e-mail.")).to_be_visible()
    with database_of(site), reading() as session:
        mine = select(OutboxMail).where(OutboxMail.reservation_id == invitation.reservation_id)
        (mail,) = session.exec(mine).all()
    assert (mail.kind, mail.state) == ("answer_confirmed", "pending")
    assert tokens.derive("answer", invitation.reservation_id) not in str(mail.model_dump())
