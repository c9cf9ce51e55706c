"""The event form: nothing typed is lost, what is wrong is told beside it, the speakers' rows, a copy."""

import re

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect
from sqlmodel import col, delete, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Event, EventSpeaker, UserSession
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.conftest import reload
from tests.e2e.event_steps import announce, edit, fill, on_screen, row_of
from tests.e2e.events.steps import detail, event_form, new_form
from tests.e2e.invitation_steps import database_of
from tests.e2e.member_steps import as_member, employed
from tests.e2e.site import Site
from tests.factories import add_event


def speakers(form: Locator) -> Locator:
    return form.locator("[name=speaker_name]")


def names(form: Locator) -> list[str]:
    return [field.input_value() for field in speakers(form).all()]


def create(form: Locator) -> None:
    form.get_by_role("button", name="Créer").click()


def add_speaker(form: Locator, name: str) -> None:
    form.get_by_role("button", name="Ajouter un intervenant").click()
    expect(speakers(form).last).to_be_focused()
    form.page.keyboard.type(name)


@pytest.mark.console_errors("ERR_INTERNET_DISCONNECTED", "WebSocket")
def test_what_is_wrong_is_told_beside_its_field_and_nothing_typed_is_lost(page: Page, site: Site) -> None:
    form = new_form(on_screen(page, site))
    create(form)
    for sentence in (
        "Indiquez le titre de l’événement.",
        "Indiquez la date et l’heure de l’événement.",
        "Indiquez le lieu de l’événement.",
        "Indiquez le nom du premier intervenant.",
    ):
        expect(form.get_by_text(sentence)).to_be_visible()
    expect(form.locator("[name=title]")).to_be_focused()

    fill(form, title="Nuit des idées", date="2031-03-30T02:30", location="Lens", speaker_name="Zoé Fauconnier")
    fill(form, answers_until="2031-04-30T12:00")
    form.locator("[name=max_participants]").press_sequentially("4e")
    add_speaker(form, "Éric Lemoine")
    create(form)
    expect(form.get_by_text("Cette heure n’existe pas")).to_be_visible()
    expect(form.get_by_text("Indiquez un nombre entier à partir de 1")).to_be_visible()
    expect(form.locator("[name=title]")).to_have_value("Nuit des idées")
    assert names(form) == ["Zoé Fauconnier", "Éric Lemoine"]

    description = form.locator("[name=description]")
    fill(form, date="2031-03-27T12:00", max_participants="40")
    description.fill("a" * 12_000)
    expect(form.get_by_text("12 000 / 10 000 caractères")).to_be_visible()
    create(form)
    expect(description).to_be_focused()
    expect(description).to_have_attribute("aria-invalid", "true")
    expect(description).to_have_accessible_description(re.compile("Ce texte est trop long"))
    assert description.evaluate("field => field.value.length") == 12_000
    description.fill("a" * 9_000)
    expect(form.get_by_text("9 000 / 10 000 caractères")).to_be_visible()
    expect(description).to_have_attribute("aria-invalid", "false")
    expect(description).not_to_have_accessible_description(re.compile("Ce texte est trop long"))
    create(form)
    expect(form.get_by_text("La date limite de réponse doit précéder l’événement.")).to_be_visible()
    expect(form.locator("[name=answers_until]")).to_be_focused()
    fill(form, answers_until="2031-03-24T18:00")

    page.context.set_offline(True)
    expect(page.get_by_text("Connexion interrompue.")).to_be_visible()
    expect(form.locator("[name=title]")).to_have_value("Nuit des idées")
    page.context.set_offline(False)
    expect(page.get_by_text("Connexion interrompue.")).to_have_count(0)
    create(form)
    row_of(page, "Nuit des idées")
    expect(edit(page, "Nuit des idées").locator("[name=answers_until]")).to_have_value("2031-03-24T18:00")


def test_lunch_companies_and_the_order_of_the_speakers_are_proposed_and_decided(page: Page, site: Site) -> None:
    form = new_form(on_screen(page, site))
    lunch = form.get_by_label("Un déjeuner est proposé")
    expect(lunch).to_be_checked()
    for hour, proposed in (("18:30", False), ("10:30", True), ("10:29", False), ("13:30", True), ("13:31", False)):
        fill(form, date=f"2037-05-14T{hour}")
        expect(lunch).to_be_checked(checked=proposed)
    lunch.check()
    fill(form, date="2037-05-14T19:00")
    expect(lunch).to_be_checked()

    one, other = (str(form.locator("datalist option").nth(place).get_attribute("value")) for place in (0, 1))
    fill(form, speaker_name=one)
    expect(form.locator("[name=speaker_company]")).not_to_have_value("")
    expect(form.locator("[name=speaker_role]")).not_to_have_value("")
    fill(form, speaker_company="Une autre maison", speaker_name="Quelqu’un")
    fill(form, speaker_name=other)
    expect(form.locator("[name=speaker_company]")).to_have_value("Une autre maison")

    fill(form, title="Trois voix", date="2037-10-08T12:00", location="Lille", speaker_name="Anne")
    for name in ("Bruno", "Chloé"):
        add_speaker(form, name)
    page.keyboard.press("Alt+ArrowUp")
    expect(speakers(form).nth(1)).to_have_value("Chloé")
    expect(speakers(form).nth(1)).to_be_focused()
    expect(form.get_by_text("Intervenant déplacé en position 2 sur 3.")).to_have_count(1)
    form.get_by_role("button", name="Descendre l’intervenant 1").click()
    expect(speakers(form).first).to_have_value("Chloé")
    expect(form.get_by_role("button", name="Monter l’intervenant 1")).to_have_attribute("aria-disabled", "true")
    speakers(form).first.press("Alt+ArrowUp")
    assert names(form) == ["Chloé", "Anne", "Bruno"]
    create(form)
    expect(row_of(page, "Trois voix")).to_contain_text("Chloé, Anne, Bruno")

    form = edit(page, "Trois voix")
    form.get_by_role("button", name="Supprimer l’intervenant 2").click()
    expect(form.get_by_role("button", name="Ajouter un intervenant")).to_be_focused()
    fill(form, speaker_name="  ")
    form.get_by_role("button", name="Mettre à jour").click()
    expect(form.get_by_text("Indiquez le nom du premier intervenant.")).to_be_visible()
    expect(speakers(form).first).to_be_focused()
    page.keyboard.type("Chloé")
    form.get_by_role("button", name="Mettre à jour").click()
    expect(row_of(page, "Trois voix").get_by_text("Chloé, Bruno")).to_be_visible()
    with database_of(site), transaction() as session:
        made = add_event(session, title="Venu d'ailleurs", date=clock.from_local("2037-12-10T12:00"))
        session.add(EventSpeaker(event_id=made.id, name="Zoé"))
    row_of(page, "Venu d'ailleurs")


def test_esc_asks_a_reload_closes_and_what_was_typed_comes_back_rows_included(page: Page, site: Site) -> None:
    """What is removed right after it came back stays removed: it fails when the draft fills the fields left."""
    form = new_form(on_screen(page, site))
    fill(form, date="2037-05-14T12:00", location="Lens")  # the date says to nobody what is kept
    speakers(form).fill("Zoé Fauconnier")
    add_speaker(form, "Éric Lemoine")
    form.locator("[name=has_lunch]").uncheck()
    page.keyboard.press("Escape")
    question = page.get_by_role("alertdialog")
    question.get_by_role("button", name="Continuer la saisie").click()
    expect(speakers(form).first).to_have_value("Zoé Fauconnier")
    page.keyboard.press("Escape")
    question.get_by_role("button", name="Quitter").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    note = page.get_by_role("status").filter(has_text="Saisie non enregistrée\u00a0: «\u00a0Lens\u00a0».")
    note.get_by_role("button", name="Reprendre").click()
    expect(speakers(form).nth(1)).to_have_value("Éric Lemoine")
    expect(page.get_by_text("Une saisie non enregistrée du ")).to_have_count(0)
    expect(note).to_have_count(0)
    form.get_by_role("button", name="Supprimer l’intervenant 1").click()
    expect(speakers(form)).to_have_count(1)
    expect(speakers(form)).to_have_value("Éric Lemoine")

    fill(form, title="À moitié écrit")
    add_speaker(form, "Zoé Fauconnier")
    page.on("dialog", lambda asked: asked.accept())
    reload(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
    form = new_form(page, with_draft=True)
    expect(form.locator("[name=title]")).to_have_value("")
    form.get_by_role("button", name="Reprendre").click()
    expect(speakers(form)).to_have_count(2)
    assert names(form) == ["Éric Lemoine", "Zoé Fauconnier"]
    expect(form.locator("[name=title]")).to_have_value("À moitié écrit")
    expect(form.locator("[name=location]")).to_have_value("Lens")
    expect(form.locator("[name=has_lunch]")).not_to_be_checked()
    create(form)
    row_of(page, "À moitié écrit")
    new_form(page)
    expect(page.get_by_text("Une saisie non enregistrée")).to_have_count(0)


def test_a_copy_opens_as_a_draft_of_the_next_free_month_and_brings_the_words_of_its_mails(
    page: Page, site: Site
) -> None:
    event_id, _ = announce(site, "Soirée des relieurs")
    with database_of(site), transaction() as session:
        original = session.get_one(Event, event_id)
        original.email_subject = "Un objet à nous"
        year = original.date.year
    on_screen(page, site)
    detail(page, "Soirée des relieurs").get_by_role("button", name="Dupliquer").click()
    form = event_form(page)
    expect(form.locator("[name=title]")).to_have_value("Soirée des relieurs")
    expect(form.locator("[name=date]")).to_have_value(re.compile(f"{year}-06-\\d\\dT12:00"))
    expect(form.locator("[name=status]")).to_have_value("draft")
    expect(form.get_by_text("Cette copie reprend aussi les textes")).to_be_visible()
    fill(form, title="Les relieurs, la suite")
    page.keyboard.press("Escape")
    page.get_by_role("alertdialog").get_by_role("button", name="Quitter").click()
    new_form(page, with_draft=True).get_by_role("button", name="Reprendre").click()
    expect(form.get_by_text("Cette copie reprend aussi les textes")).to_be_visible()
    create(form)
    expect(page.get_by_role("heading", level=1, name="Les relieurs, la suite")).to_be_focused()
    with database_of(site), reading() as session:
        made = session.exec(select(Event).where(Event.title == "Les relieurs, la suite")).one()
    assert (made.email_subject, made.invitation_sent) == ("Un objet à nous", False)

    page.get_by_role("button", name="Autres actions").click()
    page.get_by_text("Dupliquer", exact=True).click()
    fill(form, title="Les relieurs, encore")
    create(form)
    expect(page.get_by_role("heading", level=1, name="Les relieurs, encore")).to_be_focused()


def test_a_session_that_ends_takes_nothing_typed_and_leaves_nothing_to_the_next_person(page: Page, site: Site) -> None:
    """The second time, the connection is closed before the refusal arrives: the screen is emptied, and left then."""
    cut: list[WebSocketRoute] = []
    is_to_be_cut: list[bool] = []

    def through(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if cut or not is_to_be_cut or "_redirect" not in str(message):
                route.send(message)
            else:
                cut.append(route)
                route.close()

        server.on_message(pass_on)

    def end_the_session() -> None:
        with database_of(site), transaction() as session:
            session.execute(delete(UserSession).where(col(UserSession.email) == ADMIN_EMAIL))
        create(form)
        page.wait_for_url("**/connexion**")
        expect(page.get_by_label("Adresse e-mail")).to_be_visible()

    page.route_web_socket("**/_event/**", through)
    form = new_form(on_screen(page, site))
    fill(form, title="Interrompu", date="2037-06-11T12:00", location="Arras", speaker_name="Zoé")
    end_the_session()
    form = new_form(on_screen(page, site), with_draft=True)
    form.get_by_role("button", name="Reprendre").click()
    expect(form.locator("[name=title]")).to_have_value("Interrompu")
    is_to_be_cut.append(True)
    page.evaluate("localStorage.setItem('saisie:old', JSON.stringify({ at: Date.now() - 4 * 24 * 3600 * 1000 }))")
    end_the_session()
    assert cut
    page.wait_for_function("() => localStorage.getItem('saisie:old') === null")
    kept = page.evaluate("JSON.parse(localStorage.getItem('saisie:event:new')).entries.title")
    assert kept == "Interrompu", "its own person takes it up"
    as_member(page, site, employed(site))
    page.wait_for_function("() => localStorage.getItem('saisie:event:new') === null")
