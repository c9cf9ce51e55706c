"""What is typed is not lost: by a closed tab, a wrong click, a link, the back button, another form."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import BrowserContext, Dialog, Locator, Page, expect

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import EventSpeaker
from clubapp.services.base.actors import SYSTEM
from clubapp.services.demo import ADMIN_EMAIL
from clubapp.services.events import editing as event_editing
from clubapp.services.members import editing
from tests.e2e.conftest import reload, sign_in
from tests.e2e.invitation_steps import database_of
from tests.e2e.member_steps import as_member, employed
from tests.e2e.members.test_members import open_row
from tests.e2e.site import EMBEDDED, Site
from tests.factories import add_event, add_member

FOUND = "Une saisie non enregistrée du "
SEES_FOCUS = """() => {
  const { left, bottom } = document.activeElement.getBoundingClientRect();
  return document.elementFromPoint(left + 20, bottom - 4) === document.activeElement;
}"""


@pytest.fixture
def form(page: Page, site: Site) -> Locator:
    """The form of a new member, with something typed."""
    sign_in(page, site, ADMIN_EMAIL, "/admin/members")
    return typed(page)


def typed(page: Page) -> Locator:
    found = opened(page)
    found.locator("[name=name]").fill("Saisie Précieuse")
    found.locator("[name=activity_domain]").select_option(label="Sécurité & Qualité")
    found.get_by_label("Photo visible").uncheck()
    return found


def opened(page: Page) -> Locator:
    page.get_by_role("button", name="Nouveau membre").click()
    found = page.locator(".record-form form")
    is_waiting = page.evaluate("localStorage.getItem('saisie:member:new') !== null")
    first = found.get_by_role("button", name="Reprendre") if is_waiting else found.locator("[name=name]")
    expect(first).to_be_focused()
    expect(first).to_be_in_viewport()
    return found


def kept(page: Page) -> bool:
    return page.evaluate("localStorage.getItem('saisie:member:new') !== null")


def asked(page: Page) -> Locator:
    question = page.get_by_role("alertdialog", name="Quitter sans enregistrer")
    expect(question).to_be_visible()
    return question


def test_a_reload_keeps_what_was_typed_until_it_is_taken_up_or_dropped(page: Page, form: Locator) -> None:
    warnings: list[str] = []

    def note(dialog: Dialog) -> None:
        warnings.append(dialog.type)
        dialog.accept()

    page.on("dialog", note)
    reload(page)
    assert warnings == ["beforeunload"]
    found = opened(page)
    expect(found.get_by_text(FOUND)).to_be_visible()
    expect(found.locator("[name=name]")).to_have_value("")
    page.get_by_role("button", name="Reprendre").click()
    expect(found.locator("[name=name]")).to_have_value("Saisie Précieuse")
    expect(found.locator("[name=activity_domain]")).to_have_value("Sécurité & Qualité")
    expect(found.get_by_label("Photo visible")).not_to_be_checked()
    expect(found.get_by_label("E-mail visible")).to_be_checked()
    expect(found.get_by_text(FOUND)).to_have_count(0)

    page.get_by_role("button", name="Annuler").click()
    found = opened(page)
    page.get_by_role("button", name="Effacer").click()
    expect(found.get_by_text(FOUND)).to_have_count(0)
    assert not kept(page)
    found.locator("[name=name]").fill("Saisie Gardée")
    page.get_by_role("button", name="Annuler").click()
    expect(found).to_have_count(0)
    page.reload()
    left = page.get_by_role("status").filter(has_text="Saisie non enregistrée\u00a0: «\u00a0Saisie Gardée\u00a0».")
    left.get_by_role("button", name="Effacer").click()
    expect(left).to_have_count(0)
    assert not kept(page)
    page.reload()
    assert warnings == ["beforeunload"], "an untouched form is left without a word"


def test_a_link_and_the_back_button_ask_first(page: Page, form: Locator) -> None:
    page.get_by_role("link", name="Événements").click()
    question = asked(page)
    expect(question.get_by_role("button", name="Continuer la saisie")).to_be_focused()
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    expect(form.locator("[name=name]")).to_have_value("Saisie Précieuse")
    page.get_by_role("link", name="Entreprises").click()
    asked(page).get_by_role("button", name="Quitter").click()
    page.wait_for_url("**/admin/companies")

    page.get_by_role("link", name="Membres").click()
    expect(opened(page).get_by_text(FOUND)).to_be_visible()
    page.get_by_role("button", name="Reprendre").click()
    page.go_back()
    asked(page).get_by_role("button", name="Continuer la saisie").click()
    expect(page.locator("[name=name]")).to_have_value("Saisie Précieuse")


def test_another_form_asks_first_and_both_are_kept_apart(page: Page, form: Locator) -> None:
    row = page.locator("[data-row]").first
    row.click()
    asked(page).get_by_role("button", name="Continuer la saisie").click()
    row.click()
    asked(page).get_by_role("button", name="Quitter").click()
    expect(page.get_by_role("heading", name="Modifier")).to_be_visible()
    expect(form.get_by_text(FOUND)).to_have_count(0)
    expect(opened(page).get_by_text(FOUND)).to_be_visible()


def test_what_is_saved_is_forgotten_and_what_is_refused_is_not(page: Page, form: Locator) -> None:
    page.get_by_role("button", name="Créer").click()
    expect(form.get_by_text("Indiquez la fonction.")).to_be_visible()
    page.get_by_role("button", name="Annuler").click()
    opened(page)
    page.get_by_role("button", name="Reprendre").click()
    form.locator("[name=role]").fill("Gérante")
    form.locator("[name=description]").fill("Bonjour.")
    form.locator("[name=company_id]").select_option(label="Pixel du Beffroi")
    page.get_by_role("button", name="Créer").click()
    expect(page.get_by_text("Membre créé avec succès !")).to_be_visible()
    expect(form).to_have_count(0)
    assert not kept(page)
    expect(opened(page).get_by_text(FOUND)).to_have_count(0)


def test_a_draft_begun_before_someone_elses_change_does_not_overwrite_it(page: Page, site: Site) -> None:
    person = employed(site, "Brouillon Ancien", phone="03 20 55 55 01")
    sign_in(page, site, ADMIN_EMAIL, "/admin/members")
    role = open_row(page, "Brouillon Ancien").locator("[name=role]")
    role.fill("Rôle de brouillon")
    reload(page)
    with database_of(site), transaction() as session:
        seen = editing.open_form(session, SYSTEM, person.id)
        editing.save(session, SYSTEM, replace(seen, role="Rôle enregistré", phone="03 20 55 55 02"))
    open_row(page, "Brouillon Ancien")
    expect(role).to_have_value("Rôle enregistré")
    expect(page.get_by_text("Des changements ont été enregistrés depuis")).to_be_visible()
    page.get_by_role("button", name="Reprendre").click()
    expect(role).to_have_value("Rôle de brouillon")
    expect(page.locator("[name=phone]")).to_have_value("03 20 55 55 02")
    page.get_by_role("button", name="Mettre à jour").click()
    expect(page.locator(".differences")).to_contain_text("Rôle enregistré")
    expect(page.locator(".differences").get_by_role("group")).to_have_count(1)


def test_a_draft_of_an_event_saves_beside_what_another_person_changed(page: Page, site: Site) -> None:
    with database_of(site), transaction() as session:
        made = add_event(session, title="Entamée", date=clock.from_local("2041-03-12T12:00"), location="Lens")
        session.add(EventSpeaker(event_id=made.id, name="Zoé Nil", display_order=0))
        event = made.id
    sign_in(page, site, ADMIN_EMAIL, f"/admin/events/{event}")
    page.get_by_role("button", name="Modifier", exact=True).click()
    place, title = page.locator("[name=location]"), page.locator("[name=title]")
    for mine, theirs, is_asked in (
        ("Douai", {"title": "Entamée ailleurs"}, False),
        ("Arras", {"location": "Lille"}, True),
    ):
        place.fill(mine)
        reload(page)
        with database_of(site), transaction() as session:
            seen = event_editing.open_form(session, SYSTEM, event)
            event_editing.save(session, SYSTEM, replace(seen, **theirs))
        page.get_by_role("button", name="Modifier", exact=True).click()
        page.get_by_role("button", name="Reprendre").click()
        expect(place).to_have_value(mine)
        expect(title).to_have_value("Entamée ailleurs")
        page.get_by_role("button", name="Mettre à jour").click()
        expect(page.get_by_text("a été modifié par une autre personne")).to_have_count(int(is_asked))
        if is_asked:
            expect(page.get_by_text("Changé des deux côtés : Lieu.")).to_be_visible()
        else:
            expect(place).to_have_count(0)
            page.get_by_role("button", name="Modifier", exact=True).click()
            expect(place).to_have_value(mine)


def test_a_choice_made_right_after_a_draft_came_back_stays(page: Page, form: Locator) -> None:
    """Fails when a draft fills a field again that it has filled before."""
    reload(page)
    found = opened(page)
    page.get_by_role("button", name="Reprendre").click()
    found.locator("[name=company_id]").select_option(label="Pixel du Beffroi")
    expect(found.locator("[name=activity_domain]")).not_to_have_value("Sécurité & Qualité")
    page.evaluate("document.querySelector('.record-form form').append(document.createElement('span'))")
    page.wait_for_timeout(300)
    expect(found.locator("[name=company_id] option:checked")).to_have_text("Pixel du Beffroi")


def test_an_unknown_company_is_made_with_its_first_member(page: Page, form: Locator) -> None:
    name = form.get_by_label("Nom de la nouvelle entreprise")
    expect(name).to_be_hidden()
    form.locator("[name=company_id]").select_option(label="Pixel du Beffroi")
    expect(form.locator("[name=activity_domain]")).not_to_have_value("Sécurité & Qualité")
    form.locator("[name=company_id]").select_option(label="Nouvelle entreprise…")
    expect(form.locator("[name=activity_domain]")).to_have_value("Sécurité & Qualité")
    form.locator("[name=role]").fill("Gérante")
    form.locator("[name=description]").fill("Bonjour.")
    page.get_by_role("button", name="Créer").click()
    expect(form.get_by_text("Indiquez le nom de l’entreprise.")).to_be_visible()
    name.fill("Ganterie de la Scarpe")
    page.get_by_role("button", name="Créer").click()
    expect(page.get_by_text("Membre créé avec succès !")).to_be_visible()
    page.get_by_role("link", name="Entreprises").click()
    made = page.locator(".people-row").filter(has_text="Ganterie de la Scarpe")
    expect(made).to_contain_text("À compléter")


def test_signing_out_leaves_nothing_typed_behind(page: Page, form: Locator) -> None:
    page.wait_for_function("() => localStorage.getItem('saisie:member:new')")
    # The server closes the connection of whoever signs out, often before the page has gone.
    page.evaluate("addEventListener('signout', () => setTimeout(() => dispatchEvent(new Event('sessionend'))))")
    page.get_by_role("button", name="Déconnexion").click()
    page.wait_for_url("**/connexion*")
    assert not kept(page)


def test_signing_out_in_another_tab_leaves_nothing_typed_behind(page: Page, form: Locator) -> None:
    page.wait_for_function("() => localStorage.getItem('saisie:member:new')")
    other = page.context.new_page()
    other.goto("/admin/members")
    form.locator("[name=name]").focus()
    other.get_by_role("button", name="Déconnexion").click()
    page.keyboard.type(" encore")  # the page may go meanwhile
    page.wait_for_url("**/connexion*")
    page.wait_for_timeout(600)  # longer than a draft waits to be kept
    assert not kept(page)


def test_a_session_that_ends_by_itself_leaves_nothing_typed_to_the_next_person(
    page: Page, site: Site, form: Locator
) -> None:
    page.wait_for_function("() => localStorage.getItem('saisie:member:new')")
    page.evaluate("localStorage.setItem('saisie:old', JSON.stringify({ at: Date.now() - 4 * 24 * 3600 * 1000 }))")
    page.context.clear_cookies()
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto("/connexion")
    page.wait_for_function("() => localStorage.getItem('saisie:old') === null")
    assert kept(page), "its own person takes it up"
    as_member(page, site, employed(site))
    page.wait_for_function("() => localStorage.getItem('saisie:member:new') === null")


def test_after_a_save_that_failed_leaving_asks_first_and_the_next_press_counts(
    own_site: Callable[..., Site], new_context: Callable[..., BrowserContext]
) -> None:
    """Fails when a form waits for an answer that came past its own handler: here it would wait for ever."""
    site = own_site(**EMBEDDED)
    page = new_context(site).new_page()
    page.add_init_script(
        "const later = setTimeout; setTimeout = (act, ms, ...more) => ms !== 8000 && later(act, ms, ...more)"
    )
    as_member(page, site, employed(site))
    page.get_by_label("Fonction").fill("Directrice")
    with site.without_database():
        page.get_by_role("button", name="Enregistrer").click()
        expect(page.locator(".toast-error")).to_contain_text("Une erreur inattendue")
    page.get_by_role("link", name="Mes sessions").click()
    asked(page).get_by_role("button", name="Continuer la saisie").click()
    page.get_by_role("button", name="Enregistrer").click()
    expect(page.get_by_text("Profil mis à jour avec succès !")).to_be_visible()


def test_a_draft_that_nobody_answered_stays_until_something_is_typed(page: Page, form: Locator) -> None:
    """Fails when opening and closing a form takes what waits in it."""
    page.get_by_role("button", name="Annuler").click()
    expect(page.locator(".draft-note")).to_contain_text("Saisie non enregistrée\u00a0: «\u00a0Saisie Précieuse\u00a0».")
    page.set_viewport_size({"width": 320, "height": 568})
    found = opened(page)
    expect(page.locator(".draft-note")).to_have_count(0)
    expect(found.get_by_text(FOUND)).to_be_visible()
    page.wait_for_function(SEES_FOCUS)
    page.get_by_role("button", name="Annuler").click()
    found = opened(page)
    found.locator("[name=name]").fill("Autre")
    found.locator("[name=company_id]").select_option(label="Nouvelle entreprise…")
    found.locator("[name=company]").fill("Ganterie de la Deûle")
    page.wait_for_function("() => localStorage.getItem('saisie:member:new').includes('Autre')")
    page.get_by_role("button", name="Reprendre").click()
    expect(found.locator("[name=name]")).to_have_value("Saisie Précieuse")
    expect(found.locator("[name=activity_domain]")).to_have_value("Sécurité & Qualité")
    expect(found.locator("[name=company]")).to_have_value("Ganterie de la Deûle")  # the draft said nothing of it
    expect(found.locator("[name=company]")).to_be_visible()
    page.wait_for_function(SEES_FOCUS)


def test_a_cancelled_form_says_what_it_keeps_and_one_press_brings_it_back(page: Page, site: Site) -> None:
    """What is removed right after stays removed: it fails when the draft is written anew into the fields left."""
    sign_in(page, site, ADMIN_EMAIL, "/admin/events")
    new, names = page.get_by_role("button", name="Nouvel événement"), page.locator("[name=speaker_name]")
    new.click()
    page.locator("[name=date]").fill("2037-11-19T12:00")  # says to nobody what is kept
    names.fill("Alice")
    page.get_by_role("button", name="Ajouter un intervenant").click()
    names.nth(1).fill("Bob")
    page.get_by_role("button", name="Annuler").click()
    note = page.get_by_role("status").filter(has_text="Saisie non enregistrée\u00a0: «\u00a0Alice\u00a0».")
    note.get_by_role("button", name="Reprendre").click()
    expect(names.nth(1)).to_have_value("Bob")
    expect(page.get_by_text(FOUND)).to_have_count(0)
    expect(note).to_have_count(0)
    page.get_by_role("button", name="Supprimer l’intervenant 1").click()
    expect(names).to_have_count(1)
    expect(names).to_have_value("Bob")


def test_a_decision_about_competition_alone_is_kept_too(page: Page, site: Site) -> None:
    """Its fields come after the form is opened: it is not taken for shown because they are still to come."""
    with database_of(site), transaction() as session:
        for name in ("Garde Nord", "Garde Sud"):
            add_member(session, name, None, activity_domain="Sécurité & Qualité", services=["Gardiennage de phares"])
    sign_in(page, site, ADMIN_EMAIL, "/admin/members?q=Garde")
    row = page.locator("[data-record-id]").filter(has_text="Garde Nord").locator("[data-row]")
    decision, reason = page.get_by_label("Décision pour Garde Sud"), page.get_by_label("Raison pour Garde Sud")
    row.click()
    decision.select_option("accepted")
    reason.fill("Deux phares")
    page.get_by_role("button", name="Annuler").click()
    page.get_by_role("button", name="Reprendre").click()
    expect(decision).to_have_value("accepted")
    expect(reason).to_have_value("Deux phares")
    decision.select_option("undecided")
    reason.fill("")
    page.get_by_role("button", name="Annuler").click()
    expect(page.get_by_text("Saisie non enregistrée")).to_have_count(0)
