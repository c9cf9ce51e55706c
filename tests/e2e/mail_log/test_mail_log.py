"""The journal of messages, the mailings to come and the way out of them, in a browser."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from sqlmodel import Session, col, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import recipients_now
from clubapp.mail.queue import after_restore
from clubapp.models import Event, MailState, Member, OutboxMail, new_id
from clubapp.services.base.actors import SYSTEM
from clubapp.services.demo import ADMIN_EMAIL
from clubapp.services.events import mailing_schedule
from clubapp.services.mail_log import queue_pause
from clubapp.services.mail_log.listing import PAGE
from tests.e2e.conftest import sign_in
from tests.e2e.focus_walk import HOLDS_FOCUS
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier, shuts_nobody_out
from tests.e2e.site import Site
from tests.factories import add_event, add_member, add_reservation

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

IS_WHOLE = """(select) => {
    const copy = select.parentNode.appendChild(select.cloneNode());
    copy.append(new Option("Tous les événements"));
    Object.assign(copy.style, { flex: "none", width: "max-content" });
    const wanted = copy.offsetWidth;
    copy.remove();
    return wanted <= select.offsetWidth;
}"""
FEW = 12
_numbers = count()
LONG = "Assemblée générale et renouvellement du bureau " * 4


@dataclass(frozen=True)
class Journal:
    """Of one event: what left, what was refused and what may have arrived."""

    event_id: str
    refused: str
    unsure: str


def add_mail(session: Session, recipient: str, state: MailState = MailState.SENT, **given: Any) -> OutboxMail:
    """One message of the journal, and what became of it."""
    now = clock.now()
    usual = {"kind": "invitation", "attempts": 1, "relay_answer": "250 queued", "available_at": now}
    made = OutboxMail(key=new_id(), recipient=recipient, state=state, created_at=now, updated_at=now, **(usual | given))
    session.add(made)
    return made


def fill_journal(site: Site, sent: int) -> Journal:
    """So many messages about one event that left, to those with the longest words first; and two that did not."""
    number = next(_numbers)
    with database_of(site), transaction() as session:
        event = add_event(session, "Le grand journal", clock.from_local(f"213{number}-05-14T12:00"), status="confirmed")
        members = session.exec(select(Member).where(col(Member.email).is_not(None))).all()
        for member in sorted(members, key=longest_word, reverse=True)[:sent]:
            add_mail(session, str(member.email), member_id=member.id, event_id=event.id)
        refused = add_member(session, "Rosine Malchance", f"rosine{number}@refus.example")
        unsure = add_member(session, "Ulysse Malchance", f"ulysse{number}@doute.example")
        about: dict[str, Any] = {"event_id": event.id, "member_id": refused.id}
        about["reservation_id"] = add_reservation(session, event, refused)[0].id
        no_mailbox = "550 5.1.1 no such mailbox"
        add_mail(session, str(refused.email), MailState.FAILED, relay_answer=no_mailbox, **about)
        of_unsure = {"event_id": event.id, "member_id": unsure.id, "kind": "answer_confirmed"}
        add_mail(session, str(unsure.email), MailState.UNCERTAIN, relay_answer="", **of_unsure)
        return Journal(event.id, str(refused.email), str(unsure.email))


def longest_word(member: Member) -> int:
    return max(len(word) for word in f"{member.name} {member.email}".split())


def test_the_journal_shows_what_its_address_asks_for_and_cuts_nothing_off(page: Page, site: Site) -> None:
    journal = fill_journal(site, FEW)
    with database_of(site), transaction() as session:
        add_mail(session, "cunegonde@lys.example", context={"name": "Cunégonde Lys"})
        titled = add_event(session, LONG, clock.from_local("2133-06-14T12:00"))
        add_mail(session, "radegonde@lin.example", context={"name": "Radegonde Lin"}, event_id=titled.id)
    sign_in(page, site, ADMIN_EMAIL, f"/admin/envois?etat=failed&evenement={journal.event_id}")
    failed, event = page.get_by_role("link", name="Échec"), page.get_by_label("Événement", exact=True)
    expect(failed).to_have_attribute("aria-current", "true")
    expect(event).to_have_value(journal.event_id)
    page.get_by_role("link", name="Envois", exact=True).click()
    expect(page).to_have_url(f"{site.url}/admin/envois")
    expect(failed).not_to_have_attribute("aria-current", "true")
    expect(event).not_to_have_value(journal.event_id)
    page.go_back()
    expect(failed).to_have_attribute("aria-current", "true")
    expect(event).to_have_value(journal.event_id)
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

    search.fill("")
    page.get_by_role("link", name="Tous", exact=False).first.click()
    table = page.locator(".journal-table")
    rows = table.locator("tbody tr")
    expect(table.get_by_text("Confirmation de réponse").first).to_be_visible()
    expect(rows).to_have_count(FEW + 2)
    breaks_no_word(page)
    assert rows.first.evaluate(BADGE_HEIGHT) < 40  # on one line
    for width in (390, 768, 960, 1100, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        assert event.evaluate(IS_WHOLE), width
    event.select_option("all")
    lines_are_few(page)


def breaks_no_word(page: Page) -> None:
    """Between a phone and a desk; on the page are all that a state, a kind and an action may say."""
    for width in (720, 768, 900, 960, 1000, 1200, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        fits(page)
        assert (width, page.locator(".journal-table").evaluate(BROKEN_WORDS)) == (width, [])


def lines_are_few(page: Page) -> None:
    """What arrived takes one line at a desk and two on a phone; a long title two at a desk, and can be read whole."""
    search = page.get_by_label("Rechercher un nom ou une adresse")
    rows = page.locator(".journal-table tbody tr")
    search.fill("cunegonde")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Cunégonde Lys")
    for width, most in ((1440, 60), (390, 76)):
        page.set_viewport_size({"width": width, "height": 900})
        box = rows.bounding_box()
        assert box is not None
        assert box["height"] <= most, (width, box)
    search.fill("radegonde")
    row = rows.filter(has_text="Radegonde Lin")
    expect(row.get_by_title(LONG.strip())).to_be_visible()
    for width in (1200, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        box = row.locator(".journal-message").bounding_box()
        assert box is not None
        assert box["height"] <= 52, (width, box)


def test_what_failed_is_mended_what_is_unsure_is_settled_and_the_figures_add_up(page: Page, site: Site) -> None:
    journal = fill_journal(site, PAGE + 2)
    sign_in(page, site, ADMIN_EMAIL, f"/admin/envois?evenement={journal.event_id}")
    for state, number in (("waiting", "0"), ("failed", "1"), ("uncertain", "1")):
        expect(page.locator(f"[data-stat={state}]")).to_have_text(number)
    total = int(page.locator(".journal-count-figure").first.inner_text())
    assert total == sum(int(text) for text in page.locator("[data-stat]").all_inner_texts())
    pages_turn_by_keyboard_and_stay(page)

    search = page.get_by_label("Rechercher un nom ou une adresse")
    search.fill("malchance")
    expect(page.locator(".journal-table tbody tr")).to_have_count(2)
    shuts_nobody_out(page)
    page.get_by_role("link", name="Échec").click()
    row = page.get_by_role("row").filter(has_text=journal.refused)
    expect(row).to_contain_text("550 5.1.1 no such mailbox")
    row.get_by_role("button", name="Corriger l’adresse et renvoyer").click()
    field = page.get_by_label("Nouvelle adresse e-mail")
    field.fill(journal.unsure)
    page.get_by_role("button", name="Corriger et renvoyer").click()
    expect(page.get_by_role("alert").filter(has_text="déjà celle d’Ulysse")).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_value(journal.unsure)
    mended = f"mieux.{journal.refused}"
    field.fill(mended)
    page.get_by_role("button", name="Corriger et renvoyer").click()
    expect(page.get_by_text("Adresse corrigée, le message est de nouveau dans la file d’envoi.")).to_be_visible()
    expect(page.get_by_text("Aucun message ne correspond")).to_be_visible()
    expect(page.locator("[data-stat=failed]")).to_have_text("0")

    page.get_by_role("link", name="Incertain").click()
    page.get_by_role("button", name="Marquer comme reçu").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Marquer comme reçu").click()
    expect(page.locator("[data-stat=uncertain]")).to_have_text("0")
    page.wait_for_function(HOLDS_FOCUS)
    site.wait_for_mail(mended, "invitation")
    search.fill("")
    expect(page.locator("[data-stat=sent]")).to_have_text(str(total))
    page.get_by_role("link", name="Envoyé").first.click()
    expect(page.get_by_text(f"Marqué comme reçu par {ADMIN_EMAIL}").first).to_be_visible()
    fits(page)  # who settled it breaks into lines
    assert len(site.mails_to(mended)) == 1


def pages_turn_by_keyboard_and_stay(page: Page) -> None:
    """The focus goes to the table; the page stands in the address, and another filter leaves it."""
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


@pytest.fixture
def planned(site: Site) -> Iterator[Event]:
    """An event in twenty days to which two members come: its reminders are planned."""
    with database_of(site), transaction() as session:
        free_month = clock.from_local("2134-06-14T12:00")
        event = add_event(session, "Veillée des relances", free_month, status="confirmed", invitation_sent=True)
        event.date = clock.now() + timedelta(days=20)  # whichever months the fictional club has events in
        for name in ("Colombe", "Gaspard"):
            member = add_member(session, name, f"{name.lower()}@veillee.example")
            add_reservation(session, event, member, will_attend=True)
        mailing_schedule.plan_mailings(session, event)
    yield event
    with database_of(site), transaction() as session:
        queue_pause.end_pause(session, SYSTEM)
        session.delete(session.get_one(Event, event.id))


def test_mail_is_held_back_and_let_go_and_every_screen_says_so(page: Page, site: Site, planned: Event) -> None:
    sign_in(page, site, ADMIN_EMAIL, "/admin/envois")
    paused = page.get_by_text("Envois d’e-mails en pause")
    hold = page.get_by_role("button", name="Mettre les envois en pause")
    resume = page.get_by_role("button", name="Reprendre", exact=True)
    hold.click()
    expect(resume).to_be_focused()
    resume.press("Enter")
    expect(hold).to_be_focused()
    hold.press("Enter")
    expect(paused).to_be_visible()
    page.get_by_role("link", name="Entreprises").click()
    expect(page.get_by_role("heading", level=1, name="Entreprises")).to_be_visible()
    expect(page.get_by_text(f"Les envois ont été suspendus par {ADMIN_EMAIL}.")).to_be_visible()
    resume.click()
    expect(paused).to_have_count(0)

    page.go_back()
    page.get_by_role("link", name="À venir", exact=True).click()
    row = page.get_by_role("listitem").filter(has_text=planned.title).filter(has_text="1re relance")
    row.get_by_role("button", name="Suspendre").click()
    expect(row).to_contain_text("Suspendu")
    page.set_viewport_size({"width": 320, "height": 720})
    fits(page)
    has_no_barrier(page)
    page.set_viewport_size({"width": 1280, "height": 720})
    row.get_by_role("button", name="Reprendre").click()
    expect(row).to_contain_text("Prévu")
    row.get_by_role("button", name="Envoyer maintenant").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Envoyer").click()
    expect(page.get_by_text("2 messages dans la file d’envoi.")).to_be_visible()
    expect(row).to_have_count(0)
    a_restored_club_asks(page, site, planned)


def a_restored_club_asks(page: Page, site: Site, event: Event) -> None:
    """Before it sends what may have left since its backup was made."""
    with database_of(site), transaction() as session:
        member = add_member(session, "Barnabé Retour", "barnabe@retour.example")
        about = {"member_id": member.id, "reservation_id": add_reservation(session, event, member)[0].id}
        waiting = str(member.email)
        add_mail(session, waiting, MailState.PENDING, event_id=event.id, **about)
        session.flush()
        after_restore.hold_queue(session, clock.now())
        question_asked = queue_pause.read_pause(session, SYSTEM).question
    page.get_by_role("link", name="Envois", exact=True).click()
    expect(page.get_by_text("Le club a été restauré depuis sa sauvegarde du")).to_be_visible()
    page.get_by_label("Rechercher un nom ou une adresse").fill(waiting)
    row = page.get_by_role("table").get_by_role("row").filter(has_text=waiting)
    expect(row).to_contain_text("En attente")
    page.get_by_role("button", name="Reprendre…").click()
    question = page.get_by_role("alertdialog")
    expect(question).to_contain_text(question_asked)
    expect(question.get_by_role("button", name="Annuler")).to_be_focused()
    shuts_nobody_out(page)
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    page.get_by_role("button", name="Reprendre…").click()
    question.get_by_role("button", name="Les laisser").click()
    expect(page.get_by_text("Envois d’e-mails en pause")).to_have_count(0)
    expect(row).to_contain_text("Incertain")
    assert site.mails_to(waiting) == []


def test_the_way_out_and_back_works_without_javascript(site: Site, new_context: Callable[..., BrowserContext]) -> None:
    with database_of(site), reading() as session:
        address = recipients_now.unsubscribe_link(session.exec(select(Member).order_by(Member.name)).all()[-1])
    page = new_context(site, java_script_enabled=False).new_page()
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Ne plus recevoir nos envois")
    leave = page.get_by_role("button", name="Me désinscrire")
    expect(leave).to_have_css("font-size", "17px")
    expect(leave).to_have_css("font-weight", "700")
    leave.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("C’est fait")
    page.get_by_role("button", name="Me réinscrire").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Vous recevez de nouveau nos envois")
