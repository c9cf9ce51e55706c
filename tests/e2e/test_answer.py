"""An invited person answers in a real browser, on a small phone, by hand or by keyboard."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect
from sqlalchemy import text
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Event, EventReservation, EventSpeaker
from tests.conftest import forget_settings
from tests.e2e.site import Site
from tests.factories import add_event, add_member, add_reservation

INVALID = "Le lien que vous avez utilisé n'est pas valide ou a expiré."
CHECK = "Veuillez vérifier votre email ou contacter l'organisateur."
PHONES = [{"width": 320, "height": 568}, {"width": 390, "height": 844}]
_numbers = count(1)


@dataclass(frozen=True)
class Invitation:
    """What Marie holds, and what the database knows of it."""

    site: Site
    event_id: str
    reservation_id: str
    token: str

    @property
    def path(self) -> str:
        return f"/event/{self.event_id}?token={self.token}"

    @property
    def answer(self) -> tuple[bool | None, bool | None, int]:
        """Will attend, with lunch, guests."""
        row = self.row
        return row.will_attend, row.with_lunch, row.guest_count

    @property
    def row(self) -> EventReservation:
        with database_of(self.site), reading() as session:
            return session.exec(select(EventReservation).where(EventReservation.id == self.reservation_id)).one()


@contextmanager
def database_of(site: Site) -> Iterator[None]:
    """Read and write the site's own database from here."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in site.variables().items():
            patch.setenv(name, value)
        forget_settings()
        yield
        forget_settings()


def invite(site: Site, **event: Any) -> Invitation:
    """Invite Marie Durand to an event in a month of its own."""
    number = next(_numbers)
    event.setdefault("title", "Matinale d'hiver à l'Hôtel Élan")
    event.setdefault("status", "confirmed")
    with database_of(site), transaction() as session:
        event.setdefault("date", clock.from_local(f"{2100 + number}-01-14T12:00"))
        made = add_event(session, address="3 place d'Armes", max_participants=14, description="Accueil café.", **event)
        session.add(EventSpeaker(event_id=made.id, name="Zoé Lefèbvre", company="Atelier Lefèbvre"))
        marie = add_member(session, "Marie Durand", f"marie-{number}-{made.id[:8]}@durand.example")
        reservation, token = add_reservation(session, made, marie)
        return Invitation(site, made.id, reservation.id, token)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def asked(page: Page, question: str) -> None:
    expect(page.get_by_role("heading", level=2, name=question)).to_be_visible()


@pytest.fixture(params=PHONES, ids=lambda size: f"{size['width']}px")
def phone(request: pytest.FixtureRequest, site: Site, new_context: Callable[..., BrowserContext]) -> Page:
    """A phone's browser."""
    return new_context(site, viewport=request.param, has_touch=True).new_page()


def fits(page: Page) -> None:
    """Nothing is cut off, and nothing asks to scroll sideways."""
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def has_no_barrier(page: Page) -> None:
    page.wait_for_timeout(250)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_yes_with_lunch_and_two_guests(site: Site, phone: Page) -> None:
    invitation = invite(site)
    phone.goto(invitation.path)
    asked(phone, "Serez-vous des nôtres ?")
    expect(phone.get_by_text("Vous répondez pour Marie Durand")).to_be_visible()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Matinale d'hiver à l'Hôtel Élan")
    for told in (
        "Rencontre de janvier",
        "Valenciennes, 3 place d'Armes",
        "Zoé Lefèbvre, Atelier Lefèbvre",
        "14 encore libres",
    ):
        expect(phone.get_by_text(told)).to_be_visible()
    expect(phone.get_by_role("img", name="Étape 1 sur 4")).to_be_visible()
    fits(phone)
    has_no_barrier(phone)

    press(phone, "Oui, je viens")
    asked(phone, "Resterez-vous déjeuner ?")
    expect(phone.get_by_role("heading", name="Resterez-vous déjeuner ?")).to_be_focused()
    expect(phone.get_by_role("button", name="Non, sans déjeuner")).to_be_in_viewport()
    expect(phone.get_by_role("heading", level=1)).to_be_in_viewport()
    fits(phone)
    has_no_barrier(phone)

    press(phone, "Oui, avec déjeuner")
    asked(phone, "Combien d’invités vous accompagnent ?")
    expect(phone.get_by_text("Maximum 5 invités par membre")).to_be_visible()
    press(phone, "Un invité de plus")
    press(phone, "Un invité de plus")
    expect(phone.locator("[name=guest_count]")).to_have_value("2")
    fits(phone)
    has_no_barrier(phone)

    press(phone, "Valider")
    asked(phone, "Merci pour votre confirmation !")
    expect(phone.get_by_text("2 invités", exact=True)).to_be_visible()
    expect(phone.get_by_text("Avec déjeuner", exact=True)).to_be_visible()
    fits(phone)
    has_no_barrier(phone)
    assert invitation.answer == (True, True, 2)


def test_yes_without_lunch_and_alone(site: Site, phone: Page) -> None:
    invitation = invite(site)
    phone.goto(invitation.path)
    press(phone, "Oui, je viens")
    press(phone, "Non, sans déjeuner")
    press(phone, "Valider")
    asked(phone, "Merci pour votre confirmation !")
    expect(phone.get_by_text("Sans déjeuner", exact=True)).to_be_visible()
    expect(phone.get_by_text(re.compile(r"\d+ invité"))).to_have_count(0)
    assert invitation.answer == (True, False, 0)


def test_an_event_without_lunch_does_not_ask_about_it(site: Site, phone: Page) -> None:
    invitation = invite(site, has_lunch=False)
    phone.goto(invitation.path)
    expect(phone.get_by_role("img", name="Étape 1 sur 3")).to_be_visible()
    press(phone, "Oui, je viens")
    asked(phone, "Combien d’invités vous accompagnent ?")
    phone.locator("[name=guest_count]").fill("1")
    press(phone, "Valider")
    asked(phone, "Merci pour votre confirmation !")
    expect(phone.get_by_text("1 invité", exact=True)).to_be_visible()
    expect(phone.get_by_text("déjeuner")).to_have_count(0)
    phone.reload()
    asked(phone, "Merci pour votre confirmation !")


def test_no_and_then_yes_after_all(site: Site, phone: Page) -> None:
    invitation = invite(site)
    phone.goto(invitation.path)
    press(phone, "Non, pas cette fois")
    asked(phone, "Réponse enregistrée")
    expect(phone.get_by_text("Votre absence est notée.")).to_be_visible()
    expect(phone.get_by_role("link", name=re.compile("Agenda"))).to_have_count(0)
    has_no_barrier(phone)
    assert invitation.answer == (False, None, 0)
    press(phone, "Modifier ma réponse")
    asked(phone, "Serez-vous des nôtres ?")
    assert invitation.answer == (False, None, 0)
    press(phone, "Oui, je viens")
    asked(phone, "Resterez-vous déjeuner ?")
    assert invitation.answer == (True, None, 0)


def test_a_second_visit_shows_the_answer_given(
    site: Site, phone: Page, new_context: Callable[..., BrowserContext]
) -> None:
    invitation = invite(site)
    phone.goto(invitation.path)
    press(phone, "Oui, je viens")
    asked(phone, "Resterez-vous déjeuner ?")
    elsewhere = new_context(site).new_page()
    elsewhere.goto(invitation.path)
    asked(elsewhere, "Resterez-vous déjeuner ?")
    press(elsewhere, "Oui, avec déjeuner")
    elsewhere.locator("[name=guest_count]").fill("3")
    press(elsewhere, "Valider")
    asked(elsewhere, "Merci pour votre confirmation !")
    phone.goto(invitation.path)
    asked(phone, "Merci pour votre confirmation !")
    expect(phone.get_by_text("3 invités", exact=True)).to_be_visible()


def test_the_whole_answer_by_keyboard(site: Site, page: Page) -> None:
    invitation = invite(site)
    page.goto(invitation.path)
    asked(page, "Serez-vous des nôtres ?")
    keys = page.keyboard

    def to(name: str) -> None:
        for _ in range(15):
            keys.press("Tab")
            if page.evaluate("document.activeElement.innerText || document.activeElement.name || ''").strip() == name:
                return
        raise AssertionError(f"Tab never reached {name}")

    to("Oui, je viens")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Resterez-vous déjeuner ?")).to_be_focused()
    to("Oui, avec déjeuner")
    keys.press("Space")
    expect(page.get_by_role("heading", name="Combien d’invités")).to_be_focused()
    to("guest_count")
    keys.press("ArrowUp")
    keys.press("ArrowUp")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Merci pour votre confirmation !")).to_be_focused()
    assert invitation.answer == (True, True, 2)
    to("Modifier ma réponse")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Serez-vous des nôtres ?")).to_be_focused()
    to("Non, pas cette fois")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Réponse enregistrée")).to_be_focused()
    assert invitation.answer == (False, None, 0)


@pytest.mark.parametrize(("typed", "stored"), [("", 0), ("5", 5)])
def test_guests_are_typed_too(site: Site, page: Page, typed: str, stored: int) -> None:
    invitation = invite(site, has_lunch=False)
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    page.locator("[name=guest_count]").fill(typed)
    press(page, "Valider")
    asked(page, "Merci pour votre confirmation !")
    assert invitation.answer == (True, False, stored)


@pytest.mark.parametrize("typed", ["6", "-1", "99999"])
def test_more_than_five_guests_are_refused_beside_the_field(site: Site, page: Page, typed: str) -> None:
    invitation = invite(site, has_lunch=False)
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    field = page.locator("[name=guest_count]")
    field.fill(typed)
    press(page, "Valider")
    expect(page.get_by_role("alert").get_by_text("Maximum 5 invités par membre")).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_accessible_description("Maximum 5 invités par membre")
    expect(field).to_have_attribute("aria-invalid", "true")
    has_no_barrier(page)
    assert invitation.answer == (True, None, 0)
    field.fill("4")
    press(page, "Valider")
    asked(page, "Merci pour votre confirmation !")
    assert invitation.answer == (True, False, 4)


@pytest.mark.parametrize(("answer", "name"), [("oui", "Oui, je viens"), ("non", "Non, pas cette fois")])
def test_the_answer_pressed_in_the_mail_is_put_forward_and_records_nothing(
    site: Site, page: Page, answer: str, name: str
) -> None:
    invitation = invite(site)
    before = invitation.row
    page.goto(f"{invitation.path}&answer={answer}")
    asked(page, "Serez-vous des nôtres ?")
    expect(page.get_by_text("Rien n’est encore enregistré : confirmez votre réponse.")).to_be_visible()
    expect(page.locator(".answer-choice-first")).to_have_text(name)
    page.reload()
    expect(page.locator(".answer-choice-first")).to_have_text(name)
    assert invitation.row == before
    press(page, name)
    expect(page.get_by_role("heading", name="Serez-vous")).to_have_count(0)
    assert invitation.answer[0] is (answer == "oui")


def test_the_other_answer_pressed_in_a_later_mail_changes_nothing_unasked(site: Site, page: Page) -> None:
    invitation = invite(site)
    page.goto(f"{invitation.path}&answer=non")
    press(page, "Non, pas cette fois")
    asked(page, "Réponse enregistrée")
    page.reload()
    asked(page, "Réponse enregistrée")
    expect(page.get_by_text("Dans le mail, vous avez choisi")).to_have_count(0)
    page.goto(f"{invitation.path}&answer=oui")
    asked(page, "Réponse enregistrée")
    expect(page.get_by_text("Dans le mail, vous avez choisi « Oui ». Votre réponse reste « Non »")).to_be_visible()
    assert invitation.answer == (False, None, 0)
    press(page, "Modifier ma réponse")
    expect(page.locator(".answer-choice-first")).to_have_text("Oui, je viens")
    press(page, "Oui, je viens")
    asked(page, "Resterez-vous déjeuner ?")
    assert invitation.answer == (True, None, 0)


def test_opening_records_nothing_and_the_token_stays_out_of_sight(site: Site, page: Page) -> None:
    invitation = invite(site)
    before = invitation.row
    for method in ("GET", "HEAD", "GET"):
        answer = page.request.fetch(f"{invitation.path}&answer=oui", method=method)
        assert answer.status == 200
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert invitation.token not in answer.text()
        assert "Marie" not in answer.text()
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(f"{request.url} {request.headers.get('referer', '')}"))
    page.goto(f"{invitation.path}&answer=oui")
    asked(page, "Serez-vous des nôtres ?")
    assert urlsplit(page.url).query == ""
    assert invitation.token not in page.content()
    assert [line for line in asked_for if invitation.token in line] == [asked_for[0]]
    assert invitation.token not in page.evaluate("JSON.stringify([history.state, document.cookie, {...localStorage}])")
    page.reload()
    asked(page, "Serez-vous des nôtres ?")
    assert invitation.row == before
    assert invitation.token not in site.log.read_text(errors="replace")


def test_the_event_is_there_before_the_interface_and_nothing_jumps(site: Site, phone: Page) -> None:
    invitation = invite(site)
    html = phone.request.get(invitation.path).text()
    assert "Matinale d&#39;hiver" in html
    phone.add_init_script(
        "window.moved = 0; new PerformanceObserver(list => list.getEntries().forEach("
        "one => { window.moved += one.value; })).observe({type: 'layout-shift', buffered: true});"
    )
    phone.goto(invitation.path)
    asked(phone, "Serez-vous des nôtres ?")
    phone.wait_for_timeout(400)
    assert phone.locator("#first-paint").count() == 0
    assert phone.evaluate("window.moved") < 0.02


def bad_links(site: Site) -> dict[str, str]:
    mine, other = invite(site), invite(site)
    return {
        "unknown": f"/event/{mine.event_id}?token={'x' * 43}",
        "foreign": f"/event/{mine.event_id}?token={other.token}",
        "other event": f"/event/nulle-part?token={mine.token}",
        "no token": f"/event/{mine.event_id}",
        "empty": f"/event/{mine.event_id}?token=",
    }


@pytest.mark.parametrize("why", ["unknown", "foreign", "other event", "no token", "empty"])
def test_a_wrong_link_ends_at_the_error_card(site: Site, phone: Page, why: str) -> None:
    phone.goto(bad_links(site)[why])
    expect(phone.get_by_role("heading", name="Erreur", exact=True)).to_be_visible()
    expect(phone.get_by_text(INVALID)).to_be_visible()
    expect(phone.get_by_text(CHECK)).to_be_visible()
    expect(phone.locator("#first-paint")).to_have_count(0)
    expect(phone.get_by_role("button")).to_have_count(0)
    fits(phone)
    has_no_barrier(phone)


def test_links_end_with_the_event(site: Site, phone: Page) -> None:
    past = invite(site, date=clock.now() - timedelta(days=3000 + 31 * next(_numbers)), status="completed")
    cancelled = invite(site, status="cancelled")
    for invitation, sentence in ((past, "Cette rencontre a eu lieu"), (cancelled, "Cette rencontre est annulée.")):
        phone.goto(invitation.path)
        expect(phone.get_by_role("heading", level=2, name=sentence)).to_be_visible()
        expect(phone.get_by_text("Pour toute question, écrivez à")).to_be_visible()
        expect(phone.get_by_text("Marie Durand")).to_have_count(0)
        expect(phone.get_by_role("button")).to_have_count(0)
        has_no_barrier(phone)


def test_an_event_cancelled_while_one_answers_takes_no_answer(site: Site, page: Page) -> None:
    invitation = invite(site)
    page.goto(invitation.path)
    asked(page, "Serez-vous des nôtres ?")
    with database_of(site), transaction() as session:
        session.exec(select(Event).where(Event.id == invitation.event_id)).one().status = "cancelled"
    press(page, "Oui, je viens")
    asked(page, "Cette rencontre est annulée.")
    assert invitation.answer == (None, None, 0)


@contextmanager
def full_disk(invitation: Invitation, column: str) -> Iterator[None]:
    """The database refuses to write one column of one reservation."""
    name = f"refuse_{invitation.reservation_id.replace('-', '')}"
    with database_of(invitation.site), transaction() as session:
        session.connection().execute(
            text(
                f"CREATE TRIGGER {name} BEFORE UPDATE OF {column} ON event_reservations "
                f"WHEN NEW.id = '{invitation.reservation_id}' BEGIN SELECT RAISE(ABORT, 'disk full'); END"
            )
        )
    try:
        yield
    finally:
        with database_of(invitation.site), transaction() as session:
            session.connection().execute(text(f"DROP TRIGGER {name}"))


def test_an_answer_that_could_not_be_saved_is_said_and_can_be_given_again(site: Site, page: Page) -> None:
    invitation = invite(site)
    page.goto(invitation.path)
    steps = (
        (
            "will_attend",
            "Oui, je viens",
            "Erreur lors de l'enregistrement de votre réponse",
            "Resterez-vous déjeuner ?",
        ),
        ("with_lunch", "Oui, avec déjeuner", "Erreur lors de l'enregistrement de votre choix", "Combien d’invités"),
        (
            "guest_count",
            "Valider",
            "Erreur lors de l'enregistrement du nombre d'invités",
            "Merci pour votre confirmation !",
        ),
    )
    for column, button, sentence, next_question in steps:
        if column == "guest_count":
            page.locator("[name=guest_count]").fill("2")
        before = invitation.answer
        with full_disk(invitation, column):
            press(page, button)
            expect(page.get_by_role("alert").get_by_text(sentence)).to_be_visible()
            assert invitation.answer == before
        press(page, button)
        asked(page, next_question)
        expect(page.get_by_text(sentence)).to_have_count(0)
    assert invitation.answer == (True, True, 2)


def test_a_double_press_answers_one_question(site: Site, phone: Page) -> None:
    invitation = invite(site)
    phone.goto(invitation.path)
    press(phone, "Oui, je viens")
    phone.locator(".answer-step", has_text="déjeuner").wait_for()
    lunch = phone.get_by_role("button", name="Oui, avec déjeuner").bounding_box()
    assert lunch is not None
    phone.mouse.click(lunch["x"] + 20, lunch["y"] + 20)
    phone.wait_for_timeout(600)
    asked(phone, "Resterez-vous déjeuner ?")
    assert invitation.answer == (True, None, 0)


def test_another_link_in_the_same_tab_opens_the_other_invitation(site: Site, page: Page) -> None:
    first, second = invite(site, title="Première rencontre"), invite(site, title="Seconde rencontre")
    page.goto(first.path)
    press(page, "Non, pas cette fois")
    asked(page, "Réponse enregistrée")
    page.goto(second.path)
    expect(page.get_by_role("heading", level=1)).to_have_text("Seconde rencontre")
    asked(page, "Serez-vous des nôtres ?")
    assert second.answer == (None, None, 0)


def test_the_event_goes_into_calendars_without_the_token(site: Site, page: Page) -> None:
    invitation = invite(site)
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    press(page, "Non, sans déjeuner")
    press(page, "Valider")
    google = page.get_by_role("link", name="Ajouter à Google Agenda")
    query = parse_qs(urlsplit(google.get_attribute("href") or "").query)
    assert query["text"] == ["Matinale d'hiver à l'Hôtel Élan"]
    assert query["location"] == ["Valenciennes, 3 place d'Armes"]
    begins, ends = query["dates"][0].split("/")
    assert (begins[8:], ends[8:]) == ("T110000Z", "T140000Z")
    for name in ("Outlook", "Office 365", "Yahoo"):
        link = page.get_by_role("link", name=name)
        assert invitation.token not in (link.get_attribute("href") or "")
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Apple (.ics)").click()
    assert downloading.value.suggested_filename == "rencontre.ics"
    file = downloading.value.path().read_text()
    assert f"UID:{invitation.event_id}@localhost" in file
    assert "DTSTART;TZID=Europe/Paris:" in file
    assert invitation.token not in file
    assert "Marie" not in file


def test_the_calendar_file_needs_the_link(site: Site, page: Page) -> None:
    invitation = invite(site)
    address = f"/event/{invitation.event_id}/calendar.ics"
    good = page.request.get(f"{address}?token={invitation.token}")
    assert good.status == 200
    assert good.headers["content-type"] == "text/calendar; charset=utf-8"
    assert good.headers["cache-control"] == "no-store"
    for wrong in (address, f"{address}?token={'x' * 43}", f"/event/autre/calendar.ics?token={invitation.token}"):
        answer = page.request.get(wrong)
        assert (answer.status, answer.text()) == (404, INVALID)


@pytest.mark.console_errors("WebSocket", "ERR_CONNECTION_REFUSED", "502", "503")
def test_a_page_left_open_survives_a_restart_of_the_server(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site()
    invitation = invite(site)
    page = new_context(site).new_page()
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    asked(page, "Resterez-vous déjeuner ?")
    site.stop()
    site.start()
    expect(page.get_by_text("Connexion interrompue")).to_have_count(0, timeout=30_000)
    asked(page, "Resterez-vous déjeuner ?")
    press(page, "Oui, avec déjeuner")
    asked(page, "Combien d’invités")
    assert invitation.answer == (True, True, 0)


def test_without_motion_nothing_slides(site: Site, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(site, reduced_motion="reduce").new_page()
    page.goto(invite(site).path)
    asked(page, "Serez-vous des nôtres ?")
    assert "answer-arrive" not in page.evaluate(
        "getComputedStyle(document.querySelector('.answer-step')).animationName"
    )
