"""The journal of messages, the mailings to come and the way out of them, in a browser."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from sqlmodel import col, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import recipients_now
from clubapp.models import MailState, Member, OutboxMail
from clubapp.services import backups
from clubapp.services.base.actors import SYSTEM
from clubapp.services.demo import ADMIN_EMAIL
from clubapp.services.events import invitations, mailing_schedule
from clubapp.services.mail_log import queue_pause
from tests.e2e.conftest import sign_in
from tests.e2e.focus_walk import HOLDS_FOCUS
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier, invite
from tests.e2e.site import Site
from tests.factories import add_event
from tests.smtp_server import DROP_AFTER_ACCEPTING, Relay, only_for

BADGE_HEIGHT = """(row) => {
    const copy = row.parentNode.appendChild(row.cloneNode(true));
    const badge = copy.querySelector(".badge");
    copy.querySelector(".journal-about").textContent = "Objet ".repeat(60);
    badge.textContent = "En attente";
    const height = badge.offsetHeight;
    copy.remove();
    return height;
}"""

BROKEN_WORDS = """(table) => {
    const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
    const broken = [];
    while (texts.nextNode()) {
        if (texts.currentNode.parentNode.closest(".relay-words")) continue;  // the relay's, of any length
        const message = texts.currentNode.parentNode.closest(".journal-message");
        if (message?.scrollHeight > message?.clientHeight) continue;  // cut with three dots
        for (const word of texts.currentNode.data.matchAll(/[^\\s-]+/g)) {
            const range = document.createRange();
            range.setStart(texts.currentNode, word.index);
            range.setEnd(texts.currentNode, word.index + word[0].length);
            if (range.getClientRects().length > 1) broken.push(word[0]);
        }
    }
    return broken;
}"""

UNLIKE = [("invitation", "sent"), ("invitation", "failed"), ("answer_confirmed", "uncertain")]


def invite_all(site: Site) -> tuple[str, list[Member]]:
    """Invite the demo club to an event of a free month; the event, and the members by name."""
    with database_of(site), transaction() as session:
        date = clock.from_local("2031-05-14T12:00")
        event = add_event(session, title="Le grand journal", date=date, status="confirmed")
        invitations.send_invitations(session, SYSTEM, event.id)
        mailing_schedule.plan_mailings(session, event)
        members = session.exec(select(Member).where(col(Member.email).is_not(None)).order_by(Member.name)).all()
        return event.id, list(members)


def journal(site: Site, new_context: Callable[..., BrowserContext]) -> Page:
    """The journal of a site whose club has just been invited."""
    invite_all(site)
    page = new_context(site).new_page()
    sign_in(page, site, ADMIN_EMAIL, "/admin/envois")
    return page


def check_access(page: Page) -> None:
    """No violation at a desk's width and at the smallest, and nothing wider than the screen."""
    for width in (1280, 320):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        has_no_barrier(page)
    page.set_viewport_size({"width": 1280, "height": 900})


def test_what_failed_is_mended_what_is_unsure_is_settled_and_the_figures_add_up(
    own_site: Callable[..., Site], relay: Relay, new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site(relay)
    with database_of(site), reading() as session:
        members = session.exec(select(Member).where(col(Member.is_active), col(Member.email).is_not(None))).all()
        refused, unsure, other = (str(member.email) for member in members[:3])
    relay.at_rcpt = only_for(refused, "550 5.1.1 no such mailbox")
    relay.at_data = only_for(unsure, DROP_AFTER_ACCEPTING)
    event_id, _ = invite_all(site)
    page = new_context(site).new_page()
    sign_in(page, site, ADMIN_EMAIL, f"/admin/envois?evenement={event_id}")
    expect(page.locator("[data-stat=waiting]")).to_have_text("0", timeout=30_000)
    for state, count in (("failed", "1"), ("uncertain", "1")):
        expect(page.locator(f"[data-stat={state}]")).to_have_text(count)
    total = int(page.locator(".journal-count-figure").first.inner_text())
    assert total == sum(int(text) for text in page.locator("[data-stat]").all_inner_texts())
    check_access(page)
    older, newer = (page.get_by_role("link", name=name) for name in ("Plus anciens", "Plus récents"))
    table = page.get_by_role("table")
    older.press("Enter")
    expect(page.get_by_text("Page 2 sur 2")).to_be_visible()
    expect(table).to_be_focused()
    expect(table.get_by_role("row").nth(1)).to_be_in_viewport()
    assert "page=2" in page.url
    page.reload()
    expect(page.get_by_text("Page 2 sur 2")).to_be_visible()
    newer.press("Enter")
    expect(page.get_by_text("Page 1 sur 2")).to_be_visible()
    expect(table).to_be_focused()
    page.go_back()
    expect(page.get_by_text("Page 2 sur 2")).to_be_visible()
    page.get_by_label("Type de message").select_option("invitation")
    expect(page).not_to_have_url(re.compile("page="))
    page.get_by_label("Type de message").select_option("all")
    expect(page.get_by_text("Page 1 sur 2")).to_be_visible()
    assert page.locator(".journal-table tbody tr").first.evaluate(BADGE_HEIGHT) < 40  # on one line

    page.get_by_role("link", name="Échec").click()
    row = page.get_by_role("row").filter(has_text=refused)
    expect(row).to_contain_text("550 5.1.1 no such mailbox")
    row.get_by_role("button", name="Corriger l’adresse et renvoyer").click()
    field = page.get_by_label("Nouvelle adresse e-mail")
    field.fill(other)
    page.get_by_role("button", name="Corriger et renvoyer").click()
    expect(page.get_by_role("alert").filter(has_text="déjà celle de")).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_value(other)
    field.fill("corrigee@beffroi.example")
    page.get_by_role("button", name="Corriger et renvoyer").click()
    expect(page.get_by_text("Adresse corrigée, le message est de nouveau dans la file d’envoi.")).to_be_visible()
    expect(page.get_by_text("Aucun message ne correspond")).to_be_visible()
    expect(page.locator("[data-stat=failed]")).to_have_text("0")

    page.get_by_role("link", name="Incertain").click()
    page.get_by_role("button", name="Marquer comme reçu").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Marquer comme reçu").click()
    expect(page.locator("[data-stat=uncertain]")).to_have_text("0")
    page.wait_for_function(HOLDS_FOCUS)
    left_out = int(page.locator("[data-stat=excluded]").inner_text())
    expect(page.locator("[data-stat=sent]")).to_have_text(str(total - left_out))
    assert relay.recipients["corrigee@beffroi.example"] == 1


def test_mail_is_held_back_and_let_go_and_every_screen_says_so(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    page = journal(own_site(), new_context)
    page.get_by_role("button", name="Mettre les envois en pause").click()
    expect(page.get_by_role("button", name="Reprendre")).to_be_focused()
    page.get_by_role("button", name="Reprendre").press("Enter")
    expect(page.get_by_role("button", name="Mettre les envois en pause")).to_be_focused()
    page.get_by_role("button", name="Mettre les envois en pause").press("Enter")
    expect(page.get_by_text("Envois d’e-mails en pause")).to_be_visible()
    page.get_by_role("link", name="Entreprises").click()
    expect(page.get_by_text(f"Les envois ont été suspendus par {ADMIN_EMAIL}.")).to_be_visible()
    page.get_by_role("button", name="Reprendre").click()
    expect(page.get_by_text("Envois d’e-mails en pause")).to_have_count(0)

    page.goto("/admin/envois/a-venir")
    row = page.get_by_role("listitem").filter(has=page.get_by_role("button", name="Suspendre")).first
    name = row.locator(".planned-name").inner_text()
    due = row.locator(".planned-due").inner_text()
    row.get_by_role("button", name="Suspendre").click()
    held = page.get_by_role("listitem").filter(has_text=name).filter(has_text=due)
    expect(held).to_contain_text("Suspendu")
    page.reload()
    expect(held).to_contain_text("Suspendu")
    check_access(page)
    held.get_by_role("button", name="Reprendre").click()
    expect(held).to_contain_text("Prévu")
    held.get_by_role("button", name="Envoyer maintenant").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Envoyer").click()
    expect(page.get_by_text("messages dans la file d’envoi.")).to_be_visible()
    expect(held).to_have_count(0)


def test_the_journal_breaks_no_word_between_a_phone_and_a_desk(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site()
    page = journal(site, new_context)
    table = page.locator(".journal-table")
    expect(page.locator("[data-stat=waiting]")).to_have_text("0", timeout=30_000)
    with database_of(site), transaction() as session:
        for number, mail in enumerate(session.exec(select(OutboxMail)).all()):
            mail.kind, mail.state = UNLIKE[number % len(UNLIKE)]
    page.reload()
    expect(table.get_by_text("Confirmation de réponse").first).to_be_visible()
    for width in (720, 768, 900, 960, 1000, 1200, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        fits(page)
        assert (width, table.evaluate(BROKEN_WORDS)) == (width, [])


@pytest.mark.parametrize("width", [390, 768, 960, 1100, 1440])
def test_what_the_filters_of_the_journal_say_is_not_cut(page: Page, site: Site, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    sign_in(page, site, ADMIN_EMAIL, "/admin/envois")
    chosen = page.get_by_label("Événement", exact=True)
    expect(chosen).to_be_visible()
    whole = """(select) => {
        const copy = select.parentNode.appendChild(select.cloneNode());
        copy.append(new Option("Tous les événements"));
        Object.assign(copy.style, { flex: "none", width: "max-content" });
        const wanted = copy.offsetWidth;
        copy.remove();
        return wanted <= select.offsetWidth;
    }"""
    assert chosen.evaluate(whole)


def test_the_journal_shows_what_its_address_asks_for(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site()
    event_id, _ = invite_all(site)
    page = new_context(site).new_page()
    sign_in(page, site, ADMIN_EMAIL, f"/admin/envois?etat=failed&evenement={event_id}")
    failed, event = page.get_by_role("link", name="Échec"), page.get_by_label("Événement", exact=True)
    expect(failed).to_have_attribute("aria-current", "true")
    expect(event).to_have_value(event_id)
    page.get_by_role("link", name="Envois", exact=True).click()
    expect(page).to_have_url(f"{site.url}/admin/envois")
    expect(failed).not_to_have_attribute("aria-current", "true")
    expect(event).not_to_have_value(event_id)
    page.go_back()
    expect(failed).to_have_attribute("aria-current", "true")
    expect(event).to_have_value(event_id)
    search = page.get_by_label("Rechercher un nom ou une adresse")
    search.fill("personne ne s’appelle ainsi")
    expect(page).to_have_url(re.compile("q=personne"))
    page.reload()
    expect(failed).to_have_attribute("aria-current", "true")
    expect(search).to_have_value("personne ne s’appelle ainsi")
    expect(page.get_by_text("Aucun message ne correspond")).to_be_visible()
    page.get_by_role("link", name="Tous", exact=False).first.click()
    expect(failed).not_to_have_attribute("aria-current", "true")
    page.go_back()
    expect(failed).to_have_attribute("aria-current", "true")
    expect(search).to_have_value("personne ne s’appelle ainsi")


def test_a_restored_club_asks_before_it_sends_what_may_have_left(
    own_site: Callable[..., Site], relay: Relay, new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    site = own_site(relay)
    with database_of(site), transaction() as session:
        queue_pause.pause_queue(session, SYSTEM)
    invite_all(site)
    with database_of(site):
        backups.make_backup(tmp_path / "club.zip")
        waiting = backups.restore(tmp_path / "club.zip", force=True).waiting_mails
    page = new_context(site).new_page()
    sign_in(page, site, ADMIN_EMAIL, "/admin/envois")
    expect(page.locator("[data-stat=waiting]")).to_have_text(str(waiting))
    expect(page.get_by_text("Le club a été restauré depuis sa sauvegarde du")).to_be_visible()
    page.get_by_role("button", name="Reprendre…").click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text(f"{waiting} messages attendaient quand la sauvegarde a été faite.")
    expect(question.get_by_role("button", name="Annuler")).to_be_focused()
    check_access(page)
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    page.get_by_role("button", name="Reprendre…").click()
    question.get_by_role("button", name="Les laisser").click()
    expect(page.get_by_text("Envois d’e-mails en pause")).to_have_count(0)
    expect(page.locator("[data-stat=uncertain]")).to_have_text(str(waiting), timeout=30_000)
    assert relay.recipients == {}


@pytest.mark.parametrize("javascript", [True, False])
def test_the_way_out_and_back_works_with_and_without_javascript(
    site: Site, new_context: Callable[..., BrowserContext], javascript: bool
) -> None:
    with database_of(site), reading() as session:
        address = recipients_now.unsubscribe_link(session.exec(select(Member).order_by(Member.name)).all()[-1])
    page = new_context(site, java_script_enabled=javascript).new_page()
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Ne plus recevoir nos envois")
    if javascript:
        check_access(page)
    leave = page.get_by_role("button", name="Me désinscrire")
    expect(leave).to_have_css("font-size", "17px")
    expect(leave).to_have_css("font-weight", "700")
    leave.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("C’est fait")
    page.get_by_role("button", name="Me réinscrire").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Vous recevez de nouveau nos envois")


def test_a_message_that_arrived_takes_one_line_at_a_desk_and_two_on_a_phone(page: Page, site: Site) -> None:
    now = clock.now()
    with database_of(site), transaction() as session:
        times = dict.fromkeys(("available_at", "created_at", "updated_at"), now)
        mail = OutboxMail(
            kind="invitation", key="une-ligne", recipient="cunegonde@lys.example", attempts=1,
            state=MailState.SENT, context={"name": "Cunégonde Lys"}, relay_answer="250 queued", **times,
        )  # fmt: skip
        session.add(mail)
    rows = page.locator(".journal-table tbody tr")
    for width, most in ((1440, 60), (390, 76)):
        page.set_viewport_size({"width": width, "height": 900})
        sign_in(page, site, ADMIN_EMAIL, "/admin/envois")
        page.get_by_label("Rechercher un nom ou une adresse").fill("cunegonde")
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text("Cunégonde Lys")
        box = rows.bounding_box()
        assert box is not None
        assert box["height"] <= most, (width, box)


def test_a_message_about_a_long_title_takes_two_lines_at_a_desk_and_its_title_says_it(page: Page, site: Site) -> None:
    title = "Assemblée générale et renouvellement du bureau " * 4
    made = invite(site, title=title)
    with database_of(site), transaction() as session:
        times = dict.fromkeys(("available_at", "created_at", "updated_at"), clock.now())
        mail = OutboxMail(
            kind="invitation", key="deux-lignes", recipient="radegonde@lin.example", attempts=1, event_id=made.event_id,
            state=MailState.SENT, context={"name": "Radegonde Lin"}, relay_answer="250 queued", **times,
        )  # fmt: skip
        session.add(mail)
    sign_in(page, site, ADMIN_EMAIL, "/admin/envois")
    page.get_by_label("Rechercher un nom ou une adresse").fill("radegonde")
    row = page.locator(".journal-table tbody tr").filter(has_text="Radegonde Lin")
    expect(row.get_by_title(title.strip())).to_be_visible()
    for width in (1200, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        box = row.locator(".journal-message").bounding_box()
        assert box is not None
        assert box["height"] <= 52, (width, box)
