"""The reminder settings, as an administrator meets them."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect
from sqlmodel import select

from clubapp.database import transaction
from clubapp.models import EmailReminderSetting, ReminderType
from clubapp.services.base.edit_conflicts import TEXT_CHANGED
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, shuts_nobody_out
from tests.e2e.site import Site

ASKS = "Relancer aussi les membres qui n’ont pas répondu"
SAVED = "Paramètres sauvegardés avec succès !"


@pytest.fixture
def screen(page: Page, site: Site) -> Page:
    sign_in(page, site, ADMIN_EMAIL, "/admin/email-settings")
    expect(page.get_by_role("button", name="Sauvegarder")).to_be_visible()
    return page


def wait_days(site: Site, days_before: int) -> None:
    """Another administrator decides when the second reminder leaves."""
    with database_of(site), transaction() as session:
        second = EmailReminderSetting.reminder_type == ReminderType.SECOND
        session.exec(select(EmailReminderSetting).where(second)).one().days_before = days_before


@pytest.fixture
def first_asks(site: Site) -> Iterator[None]:
    """The first reminder goes to those who have not answered too."""
    set_first_asks(site, True)
    yield
    set_first_asks(site, False)
    wait_days(site, 7)


def set_first_asks(site: Site, asks: bool) -> None:
    with database_of(site), transaction() as session:
        first = EmailReminderSetting.reminder_type == ReminderType.FIRST
        session.exec(select(EmailReminderSetting).where(first)).one().to_unanswered = asks


def card(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name)


def save(page: Page) -> None:
    page.get_by_role("button", name="Sauvegarder").click()


def letter_in(part: Locator) -> Locator:
    """What stands in the frame of a preview."""
    return part.frame_locator("iframe[title='Aperçu sur ordinateur']").locator("body")


def test_what_is_wrong_is_told_beside_it_and_what_is_right_is_kept(screen: Page) -> None:
    expect(screen.get_by_role("note")).to_contain_text("tous les nouveaux événements")
    expect(screen.get_by_role("note")).to_contain_text("membres ayant confirmé leur présence")
    first, second = card(screen, "1re relance"), card(screen, "2e relance")
    days_follow_the_number(first)
    expect(card(screen, "Invitation").get_by_role("switch")).not_to_be_checked()

    days, switch = second.locator("[name=days_before]"), second.get_by_role("switch")
    switch.uncheck()
    days.fill("400")
    save(screen)
    expect(second.get_by_text("Indiquez un nombre de jours entre 0 et 365.")).to_be_visible()
    expect(days).to_be_focused()
    expect(days).to_have_value("400")
    expect(switch).not_to_be_checked()
    expect(screen.get_by_role("alert").filter(has_text=re.compile("^Erreur")).first).to_be_visible()
    days.fill("7")
    switch.check()

    change = second.get_by_text("Modifier ce modèle")
    change.click()
    subject = second.get_by_label("Objet du modèle")
    subject.fill("C’est bientôt : {{TITRE}}")
    change.click()
    save(screen)
    expect(second.get_by_text("Variable inconnue : {{TITRE}}.")).to_be_visible()
    expect(subject).to_be_focused()
    subject.fill("C’est bientôt : {{EVENT_TITLE}}")
    content = second.locator("[name=unanswered_content]")
    expect(content).to_be_hidden()
    second.get_by_label(ASKS).check()
    expect(content).to_be_visible()
    content.fill("Viendrez-vous\u00a0? {{PRENOMS}}")
    save(screen)
    expect(second.get_by_text("Variable inconnue : {{PRENOMS}}.")).to_be_visible()
    content.fill("Viendrez-vous le {{EVENT_DATE}} ?")
    save(screen)
    expect(screen.get_by_text(SAVED).last).to_be_visible()
    expect(second.locator(".mail-subject")).to_have_text("C’est bientôt : {{EVENT_TITLE}}")

    screen.reload()
    expect(first.locator("[name=days_before]")).to_have_value("15")
    expect(content).to_have_value("Viendrez-vous le {{EVENT_DATE}} ?")
    first.locator("[name=days_before]").fill("14")
    save(screen)
    expect(screen.get_by_text(SAVED).last).to_be_visible()
    each_text_is_seen_as_a_mail_that_follows_what_is_typed(screen)


def days_follow_the_number(first: Locator) -> None:
    days = first.locator("[name=days_before]")
    expect(days).to_have_attribute("max", "365")
    for typed, word in (("1", "jour avant"), ("0", "jour avant"), ("2", "jours avant")):
        days.fill(typed)
        expect(first.locator(".days-word")).to_have_text(f"{word} l’événement")
    days.fill("")
    days.blur()
    expect(days).to_have_value("0")
    days.fill("15")


def each_text_is_seen_as_a_mail_that_follows_what_is_typed(screen: Page) -> None:
    first = card(screen, "1re relance")
    asking = first.locator(".asking")
    seen = asking.get_by_role("region", name="Aperçu")
    letter = letter_in(seen)
    expect(asking.get_by_label(ASKS)).not_to_be_checked()
    asking.get_by_label(ASKS).check()
    asking.get_by_role("button", name="Voir l’aperçu").click()
    expect(letter).to_contain_text("Oui, je viens")
    expect(letter).to_contain_text("nous n’avons pas encore votre réponse")
    asking.locator("[name=unanswered_subject]").fill("Et vous\u00a0? {{EVENT_DATE}}")
    expect(seen.locator("[data-preview=subject]")).to_have_text(re.compile(r"^Et vous\u00a0\? \w+ \d"))
    asking.locator("[name=unanswered_content]").fill("Plus que {{DAYS_UNTIL}} jours.")
    expect(letter).to_contain_text(re.compile(r"Plus que \d+ jours\."))
    card(screen, "2e relance").locator("[name=days_before]").fill("400")
    save(screen)
    expect(card(screen, "2e relance").get_by_text("Indiquez un nombre de jours entre 0 et 365.")).to_be_visible()
    shuts_nobody_out(screen)

    first.get_by_text("Modifier ce modèle").click()
    template = first.locator(".reminder-template")
    template.locator("[name=template_content]").fill("Nous vous attendons.")
    template.get_by_role("button", name="Voir l’aperçu").click()
    expect(seen).to_have_count(0)
    letter = letter_in(template)
    expect(letter).to_contain_text("Nous vous attendons.")
    expect(letter).to_contain_text("Voir ou changer ma réponse")
    template.get_by_role("button", name="Masquer l’aperçu").click()
    expect(template.get_by_role("region", name="Aperçu")).to_have_count(0)


@pytest.fixture
def cut(page: Page, site: Site) -> Callable[[], None]:
    """The connection is lost, and the server knows; this returns once another one has brought the screen up to date."""
    opened: list[tuple[WebSocketRoute, WebSocketRoute]] = []
    closed: list[WebSocketRoute] = []
    loaded: list[WebSocketRoute] = []

    def through(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        server.on_close(lambda _code, _reason: closed.append(route))  # the page hears of it later
        opened.append((route, server))

        def pass_on(message: str | bytes) -> None:
            route.send(message)
            if '"is_hydrated_rx_state_":true' in str(message):
                loaded.append(route)

        server.on_message(pass_on)

    def lose() -> None:
        lost, server = opened[-1]
        server.close()
        # A connection that the server still holds would make the next one another tab's.
        while lost not in closed or not site.answers():
            page.wait_for_timeout(20)
        lost.close()
        while opened[-1][0] is lost or opened[-1][0] not in loaded:
            page.wait_for_timeout(50)

    page.route_web_socket("**/_event/**", through)
    return lose


@pytest.mark.usefixtures("first_asks")
def test_a_connection_that_comes_back_takes_nothing_typed_away_and_what_is_stale_is_refused(
    cut: Callable[[], None], screen: Page, site: Site
) -> None:
    """What was typed before someone else saved is offered again, with its preview."""
    second = card(screen, "2e relance")
    days, asking = second.locator("[name=days_before]"), card(screen, "1re relance").locator(".asking")
    resume = screen.get_by_role("button", name="Reprendre")
    days.fill("9")
    cut()
    expect(days).to_have_value("9")
    expect(resume).to_have_count(0)

    asking.get_by_role("button", name="Voir l’aperçu").click()
    letter = letter_in(asking)
    asking.locator("[name=unanswered_content]").fill("Un texte à moi.")
    expect(letter).to_contain_text("Un texte à moi.")
    wait_days(site, 5)
    cut()
    expect(days).to_have_value("5")
    asking.get_by_role("button", name="Voir l’aperçu").click()
    expect(letter).to_contain_text("nous n’avons pas encore votre réponse")
    expect(letter).not_to_contain_text("Un texte à moi.")
    resume.click()
    expect(days).to_have_value("9")
    expect(letter).to_contain_text("Un texte à moi.")
    save(screen)
    expect(screen.get_by_text(TEXT_CHANGED).last).to_be_visible()
    expect(days).to_have_value("9")
