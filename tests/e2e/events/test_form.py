"""The event form: nothing typed is lost, two people at once, the speakers' rows."""

import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, TimeoutError, WebSocketRoute, expect
from sqlmodel import col, delete

from clubapp.database import transaction
from clubapp.models import UserSession
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.event_steps import create, edit, fill, on_screen, row_of
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import Site

MONTH_TAKEN = "Un événement existe déjà pour ce mois. Vous ne pouvez créer qu'un événement par mois."


@pytest.fixture
def screen(page: Page, site: Site) -> Page:
    """The events screen of an administrator."""
    return on_screen(page, site)


def new_form(page: Page, *, with_draft: bool = False) -> Locator:
    page.get_by_role("button", name="Nouvel événement").click()
    form = page.get_by_role("dialog")
    first = form.get_by_role("button", name="Reprendre") if with_draft else form.locator("[name=title]")
    expect(first).to_be_focused()
    return form


def names(form: Locator) -> list[str]:
    return [field.input_value() for field in form.locator("[name=speaker_name]").all()]


def test_of_two_administrators_in_one_month_one_is_told_and_keeps_the_form(
    screen: Page, site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    other = on_screen(new_context(site).new_page(), site)
    forms = [new_form(page) for page in (screen, other)]
    for form, title in zip(forms, ("Chez Anne", "Chez Bruno"), strict=True):
        fill(form, title=title, date="2037-03-12T12:00", location="Lille", speaker_name="Zoé")
    forms[0].get_by_role("button", name="Créer").click()
    row_of(screen, "Chez Anne")
    forms[1].get_by_role("button", name="Créer").click()
    expect(forms[1].get_by_role("alert").filter(has_text=MONTH_TAKEN)).to_be_visible()
    expect(forms[1].locator("[name=title]")).to_have_value("Chez Bruno")
    fill(forms[1], date="2037-04-09T12:00")
    forms[1].get_by_role("button", name="Créer").click()
    row_of(other, "Chez Bruno")


def test_esc_asks_and_what_was_typed_comes_back_rows_included(screen: Page) -> None:
    form = new_form(screen)
    fill(form, title="À moitié écrit", date="2037-05-14T12:00", location="Lens", speaker_name="Zoé Fauconnier")
    form.get_by_role("button", name="Ajouter un intervenant").click()
    form.locator("[name=speaker_name]").nth(1).fill("Éric Lemoine")
    form.locator("[name=has_lunch]").uncheck()
    screen.keyboard.press("Escape")
    question = screen.get_by_role("alertdialog")
    question.get_by_role("button", name="Continuer la saisie").click()
    expect(form.locator("[name=title]")).to_have_value("À moitié écrit")
    screen.keyboard.press("Escape")
    question.get_by_role("button", name="Quitter").click()
    expect(screen.get_by_role("dialog")).to_have_count(0)

    form = new_form(screen, with_draft=True)
    expect(form.locator("[name=title]")).to_have_value("")
    form.get_by_role("button", name="Reprendre").click()
    expect(form.locator("[name=speaker_name]")).to_have_count(2)
    expect(form.locator("[name=speaker_name]").nth(1)).to_have_value("Éric Lemoine")
    expect(form.locator("[name=title]")).to_have_value("À moitié écrit")
    expect(form.locator("[name=has_lunch]")).not_to_be_checked()
    form.get_by_role("button", name="Créer").click()
    row_of(screen, "À moitié écrit")
    new_form(screen)
    expect(screen.get_by_text("Une saisie non enregistrée")).to_have_count(0)


def test_lunch_is_proposed_by_the_hour_until_somebody_decides(screen: Page) -> None:
    form = new_form(screen)
    lunch = form.get_by_label("Un déjeuner est proposé")
    expect(lunch).to_be_checked()
    for hour, proposed in (("18:30", False), ("10:30", True), ("10:29", False), ("13:30", True), ("13:31", False)):
        fill(form, date=f"2037-05-14T{hour}")
        expect(lunch).to_be_checked(checked=proposed)
    lunch.check()
    fill(form, date="2037-05-14T19:00")
    expect(lunch).to_be_checked()


def test_an_expired_session_takes_nothing_typed(screen: Page, site: Site) -> None:
    form = new_form(screen)
    fill(form, title="Interrompu", date="2037-06-11T12:00", location="Arras", speaker_name="Zoé")
    with database_of(site), transaction() as session:
        session.execute(delete(UserSession).where(col(UserSession.email) == ADMIN_EMAIL))
    with suppress(TimeoutError):  # the list behind, which follows, may be refused first
        form.get_by_role("button", name="Créer").click(timeout=5_000)
    screen.wait_for_url("**/connexion**")
    screen = on_screen(screen.context.new_page(), site)
    form = new_form(screen, with_draft=True)
    form.get_by_role("button", name="Reprendre").click()
    expect(form.locator("[name=title]")).to_have_value("Interrompu")
    form.get_by_role("button", name="Créer").click()
    row_of(screen, "Interrompu")


def test_a_session_that_ends_with_its_connection_takes_nothing_typed(page: Page, site: Site) -> None:
    """The connection is closed before the refusal arrives: the screen is emptied first, and left then."""
    cut: list[WebSocketRoute] = []

    def through(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if cut or "_redirect" not in str(message):
                route.send(message)
            else:
                cut.append(route)
                route.close()

        server.on_message(pass_on)

    page.route_web_socket("**/_event/**", through)
    form = new_form(on_screen(page, site))
    fill(form, title="Coupé", date="2037-07-11T12:00", location="Arras", speaker_name="Zoé")
    with database_of(site), transaction() as session:
        session.execute(delete(UserSession).where(col(UserSession.email) == ADMIN_EMAIL))
    form.get_by_role("button", name="Créer").click()
    page.wait_for_url("**/connexion**")
    assert cut
    again = on_screen(page.context.new_page(), site)
    form = new_form(again, with_draft=True)
    form.get_by_role("button", name="Reprendre").click()
    expect(form.locator("[name=title]")).to_have_value("Coupé")


@pytest.mark.console_errors("ERR_INTERNET_DISCONNECTED", "WebSocket")
def test_a_lost_connection_takes_nothing_typed(screen: Page) -> None:
    form = new_form(screen)
    fill(form, title="Hors ligne", date="2037-09-10T12:00", location="Calais", speaker_name="Zoé")
    screen.context.set_offline(True)
    expect(screen.get_by_text("Connexion interrompue.")).to_be_visible()
    expect(form.locator("[name=title]")).to_have_value("Hors ligne")
    screen.context.set_offline(False)
    expect(screen.get_by_text("Connexion interrompue.")).to_have_count(0)
    form.get_by_role("button", name="Créer").click()
    row_of(screen, "Hors ligne")


def test_speakers_are_put_in_order_by_buttons_and_keys_and_saved_so(screen: Page) -> None:
    form = new_form(screen)
    fill(form, title="Trois voix", date="2037-10-08T12:00", location="Lille", speaker_name="Anne")
    for number, name in ((1, "Bruno"), (2, "Chloé")):
        form.get_by_role("button", name="Ajouter un intervenant").click()
        expect(form.locator("[name=speaker_name]").nth(number)).to_be_focused()
        screen.keyboard.type(name)
    screen.keyboard.press("Alt+ArrowUp")
    expect(form.locator("[name=speaker_name]").nth(1)).to_have_value("Chloé")
    expect(form.locator("[name=speaker_name]").nth(1)).to_be_focused()
    expect(form.get_by_text("Intervenant déplacé en position 2 sur 3.")).to_have_count(1)
    form.get_by_role("button", name="Descendre l’intervenant 1").click()
    expect(form.locator("[name=speaker_name]").first).to_have_value("Chloé")
    expect(form.get_by_role("button", name="Monter l’intervenant 1")).to_have_attribute("aria-disabled", "true")
    form.locator("[name=speaker_name]").first.press("Alt+ArrowUp")
    assert names(form) == ["Chloé", "Anne", "Bruno"]
    form.get_by_role("button", name="Créer").click()
    expect(row_of(screen, "Trois voix")).to_contain_text("Chloé, Anne, Bruno")

    form = edit(screen, "Trois voix")
    form.get_by_role("button", name="Supprimer l’intervenant 2").click()
    expect(form.get_by_role("button", name="Ajouter un intervenant")).to_be_focused()
    fill(form, speaker_name="  ")
    form.get_by_role("button", name="Mettre à jour").click()
    expect(form.get_by_text("Indiquez le nom du premier intervenant.")).to_be_visible()
    expect(form.locator("[name=speaker_name]").first).to_be_focused()
    screen.keyboard.type("Chloé")
    form.get_by_role("button", name="Mettre à jour").click()
    expect(row_of(screen, "Trois voix").get_by_text("Chloé, Bruno")).to_be_visible()


def test_a_member_taken_as_speaker_brings_company_and_role(screen: Page) -> None:
    form = new_form(screen)
    name = str(form.locator("datalist option").first.get_attribute("value"))
    fill(form, speaker_name=name)
    expect(form.locator("[name=speaker_company]")).not_to_have_value("")
    expect(form.locator("[name=speaker_role]")).not_to_have_value("")
    fill(form, speaker_company="Une autre maison", speaker_name="Quelqu’un")
    other = str(form.locator("datalist option").nth(1).get_attribute("value"))
    fill(form, speaker_name=other)
    expect(form.locator("[name=speaker_company]")).to_have_value("Une autre maison")


def test_an_answer_deadline_after_the_event_is_refused_beside_its_field(screen: Page) -> None:
    form = new_form(screen)
    fill(form, title="Délai", date="2037-11-12T12:00", location="Lille", speaker_name="Zoé")
    fill(form, answers_until="2037-11-12T12:00")
    form.get_by_role("button", name="Créer").click()
    expect(form.get_by_text("La date limite de réponse doit précéder l’événement.")).to_be_visible()
    expect(form.locator("[name=answers_until]")).to_be_focused()
    fill(form, answers_until="2037-11-09T18:00")
    form.get_by_role("button", name="Créer").click()
    row_of(screen, "Délai")
    expect(edit(screen, "Délai").locator("[name=answers_until]")).to_have_value("2037-11-09T18:00")


def test_the_list_follows_what_others_do(screen: Page, site: Site, new_context: Callable[..., BrowserContext]) -> None:
    create(on_screen(new_context(site).new_page(), site), "Venu d'ailleurs", "2037-12-10T12:00")
    row_of(screen, "Venu d'ailleurs")


def test_a_text_that_is_too_long_is_refused_whole(screen: Page) -> None:
    screen.get_by_role("button", name="Nouvel événement").click()
    form = screen.get_by_role("dialog")
    fill(form, title="Trop longue", date="2063-05-20T14:00", location="Lille", speaker_name="Léo Martin")
    description = form.locator("[name=description]")
    description.fill("a" * 12_000)
    expect(form.get_by_text("12 000 / 10 000 caractères")).to_be_visible()
    form.get_by_role("button", name="Créer").click()
    expect(description).to_be_focused()
    expect(description).to_have_attribute("aria-invalid", "true")
    expect(description).to_have_accessible_description(re.compile("Ce texte est trop long"))
    assert description.evaluate("field => field.value.length") == 12_000
    description.fill("a" * 9_000)
    expect(form.get_by_text("9 000 / 10 000 caractères")).to_be_visible()
    expect(description).to_have_attribute("aria-invalid", "false")
    expect(description).not_to_have_accessible_description(re.compile("Ce texte est trop long"))
    form.get_by_role("button", name="Créer").click()
    expect(form).to_have_count(0)
