"""What the link of an invitation opens, hides and refuses (W6), what a scanner does with it, and several in one tab."""

import subprocess
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request, expect
from sqlmodel import select

from clubapp.database import transaction
from clubapp.mail.queue import outbox
from clubapp.models import Event, EventReservation, Member
from clubapp.services.demo import MEMBER_EMAIL
from tests.e2e.invitation_steps import Invitation, asked, database_of, invite, press
from tests.e2e.site import Site, links_in
from tests.factories import add_reservation

COMES = "Serez-vous des nôtres\u00a0?"
THANKS = "Merci pour votre confirmation !"
ABSENT = "Réponse enregistrée"


def mailed(invitation: Invitation) -> list[str]:
    """The invitation leaves; the addresses in its text."""
    with database_of(invitation.site), transaction() as session:
        row = session.exec(select(EventReservation).where(EventReservation.id == invitation.reservation_id)).one()
        outbox.queue_mail(
            session,
            kind="invitation",
            key=f"invitation:{row.id}",
            recipient=MEMBER_EMAIL,
            member_id=row.member_id,
            event_id=row.event_id,
            reservation_id=row.id,
        )
    return [link for link in links_in(_mail_of(invitation)) if invitation.event_id in link]


def _mail_of(invitation: Invitation) -> EmailMessage:
    mail = invitation.site.wait_for_mail(MEMBER_EMAIL, "invitation", about="Rencontre du scanneur")
    assert invitation.token in mail.as_string().replace("=\n", "")
    return mail


def test_opening_records_nothing_and_the_token_stays_out_of_sight_until_a_press_answers(site: Site, page: Page) -> None:
    invitation = invite(site)
    before, requests = invitation.row, list[Request]()
    page.on("request", lambda request: requests.append(request))  # noqa: PLW0108 - playwright marks its listeners
    page.goto(f"{invitation.path}&answer=oui")
    asked(page, COMES)
    # What was sent, not what the browser first thought of sending.
    asked_for = [f"{each.url} {each.all_headers().get('referer', '')}" for each in requests]
    assert urlsplit(page.url).query == ""
    sheets = [each.url for each in requests if each.resource_type == "stylesheet"]
    assert all("typefaces" in sheet for sheet in sheets), "the question waits for a style sheet"
    assert [line for line in asked_for if invitation.token in line] == [asked_for[0]]
    assert invitation.token not in page.evaluate("JSON.stringify([history.state, document.cookie, {...localStorage}])")
    page.reload()
    asked(page, COMES)
    expect(page.get_by_text("Rien n’est encore enregistré\u00a0: confirmez votre réponse.")).to_be_visible()
    expect(page.locator(".answer-choice-first")).to_have_text("Oui, je viens")
    assert invitation.row == before
    assert invitation.token not in site.log.read_text(errors="replace")

    for name in ("Oui, je viens", "Non, sans déjeuner", "Valider"):
        press(page, name)
    asked(page, THANKS)
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Apple (.ics)").click()
    assert downloading.value.suggested_filename == "rencontre.ics"
    page.goto(f"{invitation.path}&answer=non")
    asked(page, THANKS)
    told = page.get_by_text("Dans l’e-mail, vous avez choisi « Non ». Votre réponse reste « Oui\u00a0»")
    expect(told).to_be_visible()
    press(page, "Modifier ma réponse")
    expect(page.locator(".answer-choice-first")).to_have_text("Non, pas cette fois")
    press(page, "Non, pas cette fois")
    asked(page, ABSENT)
    page.reload()
    asked(page, ABSENT)
    expect(page.get_by_text("Dans l’e-mail, vous avez choisi")).to_have_count(0)
    assert invitation.answer == (False, None, 0)


def test_several_links_in_one_tab_open_each_its_own_invitation_also_on_the_way_back(site: Site, page: Page) -> None:
    first, elsewhere = invite(site), invite(site, title="Seconde rencontre")
    with database_of(site), transaction() as session:
        event = session.get_one(Event, first.event_id)
        other = session.exec(select(Member).where(Member.email != MEMBER_EMAIL)).first()
        assert other is not None
        reservation, token = add_reservation(session, event, other)
        name = other.name
        second = Invitation(site, event.id, reservation.id, token)
    page.add_init_script("""
        window.steps = [];
        new MutationObserver(() => {
            const step = document.querySelector(".answer")?.dataset.step;
            if (step) window.steps.push(step);
        }).observe(document, { subtree: true, childList: true, attributes: true });
    """)
    page.goto(first.path)
    press(page, "Non, pas cette fois")
    asked(page, ABSENT)
    for link, title in ((elsewhere, "Seconde rencontre"), (second, "Matinale d'hiver à l'Hôtel Élan")):
        page.goto(link.path)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        asked(page, COMES)
        assert set(page.evaluate("window.steps")) == {"attendance"}, "the step of the first link was never shown"
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Seconde rencontre")
    page.go_back()
    asked(page, ABSENT)
    page.reload()
    asked(page, ABSENT)
    assert first.token not in page.evaluate("JSON.stringify(history.state)")
    page.go_forward()
    expect(page.get_by_role("heading", level=1)).to_have_text("Seconde rencontre")
    page.go_forward()
    asked(page, COMES)
    expect(page.get_by_text("Vous répondez pour")).to_contain_text(name)
    assert (second.answer, elsewhere.answer) == ((None, None, 0), (None, None, 0))


def test_a_scanner_that_opens_every_link_and_runs_every_script_answers_nothing(site: Site, page: Page) -> None:
    """From the mail to the answer: a scanner opens everything and changes nothing, a member needs one press."""
    invitation, scanner = invite(site, title="Rencontre du scanneur"), page
    links = mailed(invitation)
    assert [link.rpartition("&")[2] for link in links[:2]] == ["answer=oui", "answer=non"]
    before = invitation.row
    files = [link for link in links if urlsplit(link).path.endswith("/calendar.ics")]
    assert len(files) == 1
    for link in links:
        for method in ("HEAD", "GET"):
            assert scanner.request.fetch(link, method=method).status == 200
        if link in files:
            assert scanner.request.get(link).headers["content-type"].startswith("text/calendar")
            continue
        scanner.goto(link)
        asked(scanner, COMES)
        scanner.mouse.move(100, 100)
        scanner.mouse.wheel(0, 2000)
        for address in scanner.eval_on_selector_all("main a[href]", "all => all.map(one => one.href)"):
            if urlsplit(address).netloc == urlsplit(site.url).netloc:
                scanner.request.get(address)
    scanner.reload()
    asked(scanner, COMES)
    assert invitation.row == before

    page.goto(links[1])
    expect(page.locator(".answer-choice-first")).to_have_text("Non, pas cette fois")
    press(page, "Non, pas cette fois")
    asked(page, ABSENT)
    assert invitation.answer == (False, None, 0)


def test_a_secret_in_the_log_would_be_found(site: Site, tmp_path: Path) -> None:
    """Of a server over the same data, which only waits to be stopped."""
    invitation = invite(site)
    other = Site(tmp_path, environment=site.environment | {"CLUB_DATABASE_URL": site.database_url})
    other.log.write_text(f'GET /event/x?token={invitation.token} "x"\n')
    assert other.secrets_in_log() == {invitation.token}
    other.process = subprocess.Popen(["sleep", "60"], start_new_session=True)
    with pytest.raises(AssertionError, match="was logged"):
        other.stop()
