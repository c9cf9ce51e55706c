"""What is typed is not lost: by a closed tab, a wrong click, a link, the back button, another form."""

from dataclasses import replace

import pytest
from playwright.sync_api import Dialog, Locator, Page, expect

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Event, EventSpeaker
from clubapp.services.base.actors import SYSTEM
from clubapp.services.demo import ADMIN_EMAIL
from clubapp.services.events import editing as event_editing
from clubapp.services.members import editing
from tests.e2e.conftest import reload, sign_in
from tests.e2e.invitation_steps import database_of
from tests.e2e.member_steps import employed
from tests.e2e.site import Site
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


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_a_reload_keeps_what_was_typed_until_it_is_taken_up_or_dropped(page: Page, form: Locator) -> None:
    """Fails when opening and closing a form takes what waits in it."""
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
    press(page, "Annuler")
    expect(page.locator(".draft-note")).to_contain_text("Saisie non enregistrée\u00a0: «\u00a0Saisie Précieuse\u00a0».")
    page.set_viewport_size({"width": 320, "height": 568})
    found = opened(page)
    expect(page.locator(".draft-note")).to_have_count(0)
    expect(found.get_by_text(FOUND)).to_be_visible()
    page.wait_for_function(SEES_FOCUS)
    press(page, "Annuler")
    found = opened(page)
    found.locator("[name=name]").fill("Autre")
    found.locator("[name=company_id]").select_option(label="Nouvelle entreprise…")
    found.locator("[name=company]").fill("Ganterie de la Deûle")
    page.wait_for_function("() => localStorage.getItem('saisie:member:new').includes('Autre')")
    press(page, "Reprendre")
    expect(found.locator("[name=name]")).to_have_value("Saisie Précieuse")
    expect(found.locator("[name=activity_domain]")).to_have_value("Sécurité & Qualité")
    expect(found.get_by_label("Photo visible")).not_to_be_checked()
    expect(found.get_by_label("E-mail visible")).to_be_checked()
    expect(found.locator("[name=company]")).to_have_value("Ganterie de la Deûle")
    expect(found.locator("[name=company]")).to_be_visible()
    expect(found.get_by_text(FOUND)).to_have_count(0)
    page.wait_for_function(SEES_FOCUS)
    a_choice_made_right_after_stays(page, found)

    press(page, "Annuler")
    found = opened(page)
    press(page, "Effacer")
    expect(found.get_by_text(FOUND)).to_have_count(0)
    assert not kept(page)
    found.locator("[name=name]").fill("Saisie Gardée")
    press(page, "Annuler")
    expect(found).to_have_count(0)
    opened(page)
    page.reload()
    left = page.get_by_role("status").filter(has_text="Saisie non enregistrée\u00a0: «\u00a0Saisie Gardée\u00a0».")
    press(page, "Effacer")
    expect(left).to_have_count(0)
    assert not kept(page)
    assert warnings == ["beforeunload"], "an untouched form is left without a word"


def a_choice_made_right_after_stays(page: Page, found: Locator) -> None:
    """Fails when a draft fills a field again that it has filled before, as it looks whenever a field is added."""
    found.locator("[name=company_id]").select_option(label="Pixel du Beffroi")
    expect(found.locator("[name=activity_domain]")).not_to_have_value("Sécurité & Qualité")
    page.evaluate(
        """() => {
            document.querySelector('.record-form form').append(document.createElement('span'));
            return new Promise((looked) => setTimeout(looked));
        }"""
    )
    expect(found.locator("[name=company_id] option:checked")).to_have_text("Pixel du Beffroi")


def test_leaving_asks_first_and_what_is_saved_is_forgotten_but_not_what_is_refused(page: Page, form: Locator) -> None:
    """By a link, the back button and another form; an unknown company is made with its first member."""
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
    press(page, "Reprendre")
    page.go_back()
    asked(page).get_by_role("button", name="Continuer la saisie").click()
    expect(page.locator("[name=name]")).to_have_value("Saisie Précieuse")

    row = page.locator("[data-row]").first
    row.click()
    asked(page).get_by_role("button", name="Continuer la saisie").click()
    row.click()
    asked(page).get_by_role("button", name="Quitter").click()
    expect(page.get_by_role("heading", name="Modifier")).to_be_visible()
    expect(form.get_by_text(FOUND)).to_have_count(0)
    expect(opened(page).get_by_text(FOUND)).to_be_visible()
    press(page, "Reprendre")
    press(page, "Créer")
    expect(form.get_by_text("Indiquez la fonction.")).to_be_visible()
    press(page, "Annuler")
    opened(page)
    press(page, "Reprendre")

    name, domain = form.get_by_label("Nom de la nouvelle entreprise"), form.locator("[name=activity_domain]")
    expect(name).to_be_hidden()
    form.locator("[name=company_id]").select_option(label="Pixel du Beffroi")
    expect(domain).not_to_have_value("Sécurité & Qualité")
    form.locator("[name=company_id]").select_option(label="Nouvelle entreprise…")
    expect(domain).to_have_value("Sécurité & Qualité")
    form.locator("[name=role]").fill("Gérante")
    form.locator("[name=description]").fill("Bonjour.")
    press(page, "Créer")
    expect(form.get_by_text("Indiquez le nom de l’entreprise.")).to_be_visible()
    name.fill("Ganterie de la Scarpe")
    press(page, "Créer")
    expect(page.get_by_text("Membre créé avec succès !")).to_be_visible()
    expect(form).to_have_count(0)
    assert not kept(page)
    expect(opened(page).get_by_text(FOUND)).to_have_count(0)
    page.get_by_role("link", name="Entreprises").click()
    made = page.locator(".people-row").filter(has_text="Ganterie de la Scarpe")
    expect(made).to_contain_text("À compléter")


def row_opened(page: Page, name: str) -> None:
    page.locator("[data-record-id]").filter(has_text=name).locator("[data-row]").click()
    expect(page.get_by_role("heading", name=f"Modifier {name}")).to_be_visible()


def test_a_draft_begun_before_someone_elses_change_does_not_overwrite_it(page: Page, site: Site) -> None:
    """A decision about competition alone is kept too: its fields come after the form is opened."""
    person = employed(site, "Garde Ancien", phone="03 20 55 55 01")
    with database_of(site), transaction() as session:
        for name in ("Garde Nord", "Garde Sud"):
            add_member(session, name, None, activity_domain="Sécurité & Qualité", services=["Gardiennage de phares"])
    sign_in(page, site, ADMIN_EMAIL, "/admin/members?q=Garde")
    decision, reason = page.get_by_label("Décision pour Garde Sud"), page.get_by_label("Raison pour Garde Sud")
    row_opened(page, "Garde Nord")
    decision.select_option("accepted")
    reason.fill("Deux phares")
    press(page, "Annuler")
    press(page, "Reprendre")
    expect(decision).to_have_value("accepted")
    expect(reason).to_have_value("Deux phares")
    decision.select_option("undecided")
    reason.fill("")
    press(page, "Annuler")
    expect(page.get_by_text("Saisie non enregistrée")).to_have_count(0)

    role = page.locator("[name=role]")
    row_opened(page, "Garde Ancien")
    role.fill("Rôle de brouillon")
    press(page, "Annuler")
    expect(role).to_have_count(0)
    with database_of(site), transaction() as session:
        seen = editing.open_form(session, SYSTEM, person.id)
        editing.save(session, SYSTEM, replace(seen, role="Rôle enregistré", phone="03 20 55 55 02"))
    row_opened(page, "Garde Ancien")
    expect(role).to_have_value("Rôle enregistré")
    expect(page.get_by_text("Des changements ont été enregistrés depuis")).to_be_visible()
    press(page, "Reprendre")
    expect(role).to_have_value("Rôle de brouillon")
    expect(page.locator("[name=phone]")).to_have_value("03 20 55 55 02")
    press(page, "Mettre à jour")
    expect(page.locator(".differences")).to_contain_text("Rôle enregistré")
    expect(page.locator(".differences").get_by_role("group")).to_have_count(1)


def test_a_draft_of_an_event_saves_beside_what_another_person_changed_and_over_it_knowingly(
    page: Page, site: Site
) -> None:
    with database_of(site), transaction() as session:
        made = add_event(session, title="Entamée", date=clock.from_local("2041-03-12T12:00"), location="Lens")
        session.add(EventSpeaker(event_id=made.id, name="Zoé Nil", display_order=0))
        event = made.id
    sign_in(page, site, ADMIN_EMAIL, f"/admin/events/{event}")
    press(page, "Modifier")
    place, title = page.locator("[name=location]"), page.locator("[name=title]")
    for mine, theirs, is_asked in (
        ("Douai", {"title": "Entamée ailleurs"}, False),
        ("Arras", {"location": "Lille"}, True),
    ):
        place.fill(mine)
        press(page, "Annuler")
        expect(place).to_have_count(0)
        with database_of(site), transaction() as session:
            seen = event_editing.open_form(session, SYSTEM, event)
            event_editing.save(session, SYSTEM, replace(seen, **theirs))
        press(page, "Modifier")
        press(page, "Reprendre")
        expect(place).to_have_value(mine)
        expect(title).to_have_value("Entamée ailleurs")
        press(page, "Mettre à jour")
        expect(page.get_by_text("a été modifié par une autre personne")).to_have_count(int(is_asked))
        if is_asked:
            expect(page.get_by_text("Changé des deux côtés : Lieu.")).to_be_visible()
            expect(place).to_have_value(mine)
            press(page, "Mettre à jour")
            expect(place).to_have_count(0)
        else:
            expect(place).to_have_count(0)
            press(page, "Modifier")
            expect(place).to_have_value(mine)
    with database_of(site), reading() as session:
        stored = session.get_one(Event, event)
    assert (stored.title, stored.location) == ("Entamée ailleurs", "Arras")


def test_signing_out_leaves_nothing_typed_behind_in_any_tab(page: Page, form: Locator) -> None:
    other = page.context.new_page()
    other.goto("/admin/companies")
    press(other, "Nouvelle entreprise")
    other.locator(".record-form [name=name]").fill("Saisie Voisine")
    for name in ("member", "company"):
        page.wait_for_function(f"() => localStorage.getItem('saisie:{name}:new')")
    form.locator("[name=name]").focus()
    page.evaluate("window.isStillHere = true")
    # The server closes the connection of whoever signs out, often before the page has gone.
    other.evaluate("addEventListener('signout', () => setTimeout(() => dispatchEvent(new Event('sessionend'))))")
    press(other, "Déconnexion")
    page.keyboard.type(" encore")  # the page may go meanwhile
    other.wait_for_url("**/connexion*")
    page.wait_for_url("**/connexion*")
    page.wait_for_function("() => !window.isStillHere")  # nor can it keep anything later
    assert not page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('saisie:')).length")
