"""What the link of an invitation opens, hides and refuses (W6), and what an answer survives."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from clubapp.database import transaction
from clubapp.models import Event
from tests.e2e.invitation_steps import Invitation, asked, database_of, invite, press
from tests.e2e.site import Site
from tests.factories import add_member, add_reservation

INVALID = "Le lien que vous avez utilisé n'est pas valide ou a expiré."


def test_opening_records_nothing_and_the_token_stays_out_of_sight(site: Site, page: Page) -> None:
    invitation = invite(site)
    before = invitation.row
    for method in ("GET", "HEAD", "GET"):
        answer = page.request.fetch(f"{invitation.path}&answer=oui", method=method)
        assert answer.status == 200
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request))  # noqa: PLW0108 - playwright marks its listeners
    page.goto(f"{invitation.path}&answer=oui")
    asked(page, "Serez-vous des nôtres\u00a0?")
    # What was sent, not what the browser first thought of sending.
    asked_for = [f"{each.url} {each.all_headers().get('referer', '')}" for each in requests]
    assert urlsplit(page.url).query == ""
    sheets = [each.url for each in requests if each.resource_type == "stylesheet"]
    assert all("typefaces" in sheet for sheet in sheets), "the question waits for a style sheet"
    assert [line for line in asked_for if invitation.token in line] == [asked_for[0]]
    assert invitation.token not in page.evaluate("JSON.stringify([history.state, document.cookie, {...localStorage}])")
    page.reload()
    asked(page, "Serez-vous des nôtres\u00a0?")
    assert invitation.row == before
    assert invitation.token not in site.log.read_text(errors="replace")


@pytest.mark.parametrize("chosen", ["oui", "non"])
def test_from_the_mail_what_is_to_be_confirmed_is_seen_without_scrolling(site: Site, phone: Page, chosen: str) -> None:
    invitation = invite(site)
    phone.goto(f"{invitation.path}&answer={chosen}")
    expect(phone.get_by_text("Rien n’est encore enregistré")).to_be_in_viewport()
    expect(phone.locator(".answer-choice-first")).to_be_in_viewport(ratio=1)
    expect(phone.get_by_role("link", name="Voir sur la carte")).to_be_visible()


@pytest.mark.usefixtures("usual_font")
@pytest.mark.parametrize("answer", ["", "&answer=oui"])
def test_the_event_is_there_at_once_and_nothing_jumps(site: Site, phone: Page, answer: str) -> None:
    invitation = invite(site)
    html = phone.request.get(invitation.path).text()
    assert "Matinale d&#39;hiver" in html
    phone.add_init_script(
        "window.moved = 0; new PerformanceObserver(list => list.getEntries().forEach("
        "one => { window.moved += one.value; })).observe({type: 'layout-shift', buffered: true});"
    )
    phone.goto(invitation.path + answer)
    asked(phone, "Serez-vous des nôtres\u00a0?")
    phone.wait_for_timeout(400)
    assert phone.evaluate("window.moved") < 0.02


def test_another_link_in_the_same_tab_opens_the_other_invitation(site: Site, page: Page) -> None:
    first, second = invite(site, title="Première rencontre"), invite(site, title="Seconde rencontre")
    page.goto(first.path)
    press(page, "Non, pas cette fois")
    asked(page, "Réponse enregistrée")
    page.add_init_script("""
        window.steps = [];
        new MutationObserver(() => {
            const step = document.querySelector(".answer")?.dataset.step;
            if (step) window.steps.push(step);
        }).observe(document, { subtree: true, childList: true, attributes: true });
    """)
    page.goto(second.path)
    expect(page.get_by_role("heading", level=1)).to_have_text("Seconde rencontre")
    asked(page, "Serez-vous des nôtres\u00a0?")
    assert set(page.evaluate("window.steps")) == {"attendance"}, "the step of the first link was never shown"
    assert second.answer == (None, None, 0)


def test_the_way_back_finds_the_link_of_somebody_else_to_the_same_meeting(site: Site, page: Page) -> None:
    first = invite(site)
    with database_of(site), transaction() as session:
        event, other = session.get_one(Event, first.event_id), add_member(session, "Ada Byron", None)
        reservation, token = add_reservation(session, event, other)
        second = Invitation(site, event.id, reservation.id, token)
    page.goto(first.path)
    press(page, "Non, pas cette fois")
    asked(page, "Réponse enregistrée")
    page.goto(second.path)
    asked(page, "Serez-vous des nôtres\u00a0?")
    page.go_back()
    asked(page, "Réponse enregistrée")
    page.reload()
    asked(page, "Réponse enregistrée")
    assert first.token not in page.evaluate("JSON.stringify(history.state)")
    page.go_forward()
    asked(page, "Serez-vous des nôtres\u00a0?")
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
        assert page.request.get(wrong).status == 404


@pytest.mark.console_errors("ERR_CONNECTION_REFUSED")  # it looks for changes meanwhile
def test_a_page_left_open_survives_a_restart_of_the_server(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    site = own_site()
    invitation = invite(site)
    page = new_context(site).new_page()
    page.goto(invitation.path)
    press(page, "Oui, je viens")
    asked(page, "Resterez-vous déjeuner\u00a0?")
    site.stop()
    assert " stops" in site.tail()  # whoever reads the log tells an end from a crash
    site.start()
    press(page, "Oui, avec déjeuner")
    asked(page, "Combien d’invités")
    assert invitation.answer == (True, True, 0)


@pytest.mark.parametrize(("answer", "name"), [("oui", "Oui, je viens"), ("non", "Non, pas cette fois")])
def test_the_answer_pressed_in_the_mail_is_put_forward_and_records_nothing(
    site: Site, page: Page, answer: str, name: str
) -> None:
    invitation = invite(site)
    before = invitation.row
    page.goto(f"{invitation.path}&answer={answer}")
    asked(page, "Serez-vous des nôtres\u00a0?")
    expect(page.get_by_text("Rien n’est encore enregistré\u00a0: confirmez votre réponse.")).to_be_visible()
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
    expect(page.get_by_text("Dans l’e-mail, vous avez choisi")).to_have_count(0)
    page.goto(f"{invitation.path}&answer=oui")
    asked(page, "Réponse enregistrée")
    expect(
        page.get_by_text("Dans l’e-mail, vous avez choisi « Oui ». Votre réponse reste « Non\u00a0»")
    ).to_be_visible()
    assert invitation.answer == (False, None, 0)
    press(page, "Modifier ma réponse")
    expect(page.locator(".answer-choice-first")).to_have_text("Oui, je viens")
    press(page, "Oui, je viens")
    asked(page, "Resterez-vous déjeuner\u00a0?")
    assert invitation.answer == (True, None, 0)


def test_a_secret_in_the_log_would_be_found(own_site: Callable[..., Site]) -> None:
    site = own_site()
    invitation = invite(site)
    with site.log.open("a") as log:
        log.write(f'GET /event/x?token={invitation.token} "x"\n')
    assert site.secrets_in_log() == {invitation.token}
    with pytest.raises(AssertionError, match="was logged"):
        site.stop()
