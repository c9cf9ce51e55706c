"""The members screen: create, change, deactivate, delete; what is refused; two people on one member; the search."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.models import Member
from clubapp.services.base.actors import Actor
from clubapp.services.demo import ADMIN_EMAIL
from clubapp.services.privacy import rights_requests
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier, shuts_nobody_out
from tests.e2e.member_steps import employed, stored
from tests.e2e.site import Site
from tests.factories import add_member

CREATED = "Membre créé avec succès !"
UPDATED = "Membre mis à jour avec succès !"
DELETED = "Membre supprimé avec succès !"
ASK_TO_DELETE = "Êtes-vous sûr de vouloir supprimer ce membre ?"


@pytest.fixture
def screen(page: Page, site: Site) -> Page:
    return on_screen(page, site)


def on_screen(page: Page, site: Site, path: str = "/admin/members") -> Page:
    sign_in(page, site, ADMIN_EMAIL, path)
    rows(page).first.wait_for()
    return page


def rows(page: Page) -> Locator:
    return page.locator("[data-record-id]")


def row_of(page: Page, name: str) -> Locator:
    return rows(page).filter(has=page.get_by_text(name, exact=True))


def form_of(page: Page) -> Locator:
    return page.locator(".record-form form")


def open_row(page: Page, name: str) -> Locator:
    """The form of someone in the list."""
    row_of(page, name).locator("[data-row]").click()
    expect(page.get_by_role("heading", name=f"Modifier {name}")).to_be_visible()
    return form_of(page)


def ask_to_delete(row: Locator) -> None:
    """Press the last act behind the three dots of a row."""
    row.get_by_role("button", name="Autres actions").click()
    row.get_by_role("button", name=re.compile("^Supprimer")).click()


def fill(form: Locator, **values: str) -> None:
    for name, value in values.items():
        form.locator(f"[name={name}]").fill(value)


def count_of(page: Page) -> int:
    label = page.locator(".screen-hint").inner_text()
    found = re.fullmatch(r"(\d+) membres au total", label)
    assert found, label
    return int(found[1])


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def told(page: Page, text: str) -> None:
    expect(page.locator(".toast").filter(has_text=text).first).to_be_visible()


def test_a_member_is_created_with_the_domain_of_the_company_chosen(page: Page, site: Site) -> None:
    company = employed(site, "Collègue Déjà Là").company
    screen = on_screen(page, site, "/admin")
    before = count_of(screen)
    press(screen, "Nouveau membre")
    form = form_of(screen)
    expect(form.locator("[name=name]")).to_be_focused()
    press(screen, "Nouveau membre")
    expect(form).to_have_count(0)
    expect(screen.get_by_role("button", name="Nouveau membre")).to_be_focused()

    press(screen, "Nouveau membre")
    assert not form.locator("option[value='']").count()
    fill(form, name="Ghislaine Ménard", role="Gérante", description="Je tisse.", email=" Ghislaine@Menard.example ")
    choices = form.locator("[name=company_id] option").all_inner_texts()
    assert choices[0] == "Choisir une entreprise"
    form.locator("[name=company_id]").select_option(label=company)
    domain = form.locator("[name=activity_domain]")
    domain.select_option(label="Digital & Communication")
    form.locator("[name=company_id]").select_option(label="Pixel du Beffroi")
    expect(domain).to_have_value("Digital & Communication")
    fill(form, expertise="lin, chanvre", phone="03 20 55 55 01")
    press(screen, "Créer")
    told(screen, CREATED)
    expect(form).to_have_count(0)
    expect(rows(screen).first).to_contain_text("Ghislaine Ménard")
    for text in ("Gérante", "Pixel du Beffroi", "lin", "Digital & Communication", "03 20 55 55 01"):
        expect(rows(screen).first).to_contain_text(text)
    expect(rows(screen).first).to_contain_text("À compléter\u00a0: photo")
    assert count_of(screen) == before + 1
    with database_of(site), reading() as session:
        made = session.exec(select(Member).where(Member.email == "ghislaine@menard.example")).one()
        assert (made.expertise, made.activity_domain) == (["lin", "chanvre"], "Digital & Communication")


def test_a_company_made_in_place_has_not_the_domain_of_the_one_chosen_before(page: Page, site: Site) -> None:
    screen = on_screen(page, site, "/admin")
    press(screen, "Nouveau membre")
    form = form_of(screen)
    company, domain = form.locator("[name=company_id]"), form.locator("[name=activity_domain]")
    company.select_option(label="Pixel du Beffroi")
    expect(domain).to_have_value("Digital & Communication")
    company.select_option(label="Nouvelle entreprise…")
    expect(domain).to_have_value("-")
    domain.select_option(label="Formation & Conseil")
    company.select_option(label="Choisir une entreprise")
    expect(domain).to_have_value("Formation & Conseil")


def test_a_row_opens_its_form_in_sight_and_cancelling_changes_nothing(screen: Page, site: Site) -> None:
    employed(site, "Edmonde Wallaert", role="Directrice")
    screen.reload()
    row_of(screen, "Edmonde Wallaert").wait_for()
    rows(screen).last.scroll_into_view_if_needed()
    name = rows(screen).last.locator(".people-name").inner_text()
    rows(screen).last.locator("[data-row]").click()
    heading = screen.get_by_role("heading", name=f"Modifier {name}")
    expect(heading).to_be_in_viewport()
    expect(heading).to_be_focused()
    expect(form_of(screen).locator("[name=name]")).to_have_value(name)

    form = open_row(screen, "Edmonde Wallaert")
    expect(form.locator("[name=role]")).to_have_value("Directrice")
    expect(form.locator("[name=expertise]")).to_have_value("Charpente, Zinc")
    fill(form, role="Tout autre chose")
    press(screen, "Annuler")
    expect(form).to_have_count(0)
    expect(row_of(screen, "Edmonde Wallaert")).to_contain_text("Directrice")


def test_a_form_pressed_as_it_appears_does_not_move_under_the_hand(page: Page, site: Site) -> None:
    page.add_init_script(
        "const later = setTimeout; setTimeout = (act, ms, ...more) => later(act, ms === 100 ? 2000 : ms, ...more)"
    )
    person = employed(site, "Pressée Toujours")
    form = open_row(on_screen(page, site), person.name)
    cancel = form.get_by_role("button", name="Annuler")
    cancel.scroll_into_view_if_needed()
    cancel.hover()
    page.mouse.down()
    page.wait_for_timeout(3000)
    page.mouse.up()
    expect(form).to_have_count(0)


def test_a_member_is_changed_and_deactivated(screen: Page, site: Site) -> None:
    person = employed(site, "Célestin Hautecœur")
    screen.reload()
    form = open_row(screen, "Célestin Hautecœur")
    switch = form.get_by_role("switch", name="Membre actif")
    expect(switch).to_be_checked()
    expect(form.get_by_text("actif", exact=True)).to_be_visible()
    switch.uncheck()
    expect(form.get_by_text("inactif", exact=True)).to_be_visible()
    form.get_by_label("Téléphone visible").uncheck()
    fill(form, name="Célestin Hautecœur-Roy", linkedin="linkedin.example/in/celestin")
    press(screen, "Mettre à jour")
    told(screen, UPDATED)
    expect(form).to_have_count(0)
    expect(row_of(screen, "Célestin Hautecœur-Roy")).to_contain_text("Inactif")
    found = stored(site, person)
    assert (found.is_active, found.shows_phone, found.shows_email) == (False, False, True)
    assert found.linkedin == "https://linkedin.example/in/celestin"


def test_what_is_wrong_is_told_beside_its_field_and_nothing_typed_is_lost(screen: Page, site: Site) -> None:
    employed(site, "Propriétaire Légitime", email="prise@espace.example")
    press(screen, "Nouveau membre")
    form = form_of(screen)
    press(screen, "Créer")
    for sentence in (
        "Indiquez le nom complet.",
        "Indiquez la fonction.",
        "Choisissez l’entreprise dans la liste.",
        "Présentez ce membre en quelques phrases.",
    ):
        expect(form.get_by_text(sentence)).to_be_visible()
    expect(form.locator("[name=name]")).to_be_focused()
    expect(screen.locator(".toast-error").filter(has_text="Erreur")).to_contain_text("Indiquez le nom complet.")

    fill(form, name="Imposteur", role="Rival", description="Bonjour.", email="PRISE@espace.example", phone="12")
    fill(form, website="javascript:alert(1)")
    form.locator("[name=company_id]").select_option(label="Pixel du Beffroi")
    press(screen, "Créer")
    expect(form.get_by_text("Indiquez un numéro de téléphone")).to_be_visible()
    expect(form.get_by_text("Cette adresse est déjà celle de Propriétaire Légitime.")).to_be_visible()
    expect(screen.locator(".toast-error")).to_have_count(1)  # what was mended is no longer claimed
    expect(form.locator("[name=email]")).to_be_focused()
    expect(form.locator("[name=website]")).to_have_attribute("aria-invalid", "true")
    expect(form.locator("[name=name]")).to_have_value("Imposteur")
    expect(form.get_by_text("Indiquez le nom complet.")).to_have_count(0)


def test_deleting_asks_first(screen: Page, site: Site) -> None:
    employed(site, "Nom De Passage")
    screen.reload()
    row = row_of(screen, "Nom De Passage")
    open_row(screen, "Nom De Passage")
    before = count_of(screen)
    row.get_by_role("button", name="Autres actions").click()
    expect(row.get_by_role("button", name="Rendre inactif")).to_be_focused()
    screen.keyboard.press("ArrowDown")
    expect(row.get_by_role("button", name="Supprimer la fiche…\u00a0: Nom De Passage")).to_be_focused()
    screen.keyboard.press("Escape")
    expect(row.get_by_role("button", name="Autres actions")).to_be_focused()
    ask_to_delete(row)
    question = screen.get_by_role("alertdialog")
    expect(question).to_contain_text(ASK_TO_DELETE)
    question.get_by_role("button", name="Annuler").click()
    expect(row.get_by_role("button", name="Autres actions")).to_be_focused()
    ask_to_delete(row)
    question.get_by_role("button", name="Supprimer").dblclick()
    told(screen, DELETED)
    expect(row_of(screen, "Nom De Passage")).to_have_count(0)
    expect(form_of(screen)).to_have_count(0)
    expect(screen.locator(".toast-error")).to_have_count(0)
    assert count_of(screen) == before - 1


def test_of_two_administrators_the_second_sees_both_values_and_chooses(
    screen: Page, site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    person = employed(site, "Odette Deux-Mains", phone="03 20 55 55 01")
    screen.reload()
    mine = open_row(screen, "Odette Deux-Mains")
    other = on_screen(new_context(site).new_page(), site)
    theirs = open_row(other, "Odette Deux-Mains")
    fill(theirs, phone="03 20 55 55 02", role="Fondatrice", website="https://odette.example/")
    press(other, "Mettre à jour")
    told(other, UPDATED)

    fill(mine, phone="03 20 55 55 03", role="Présidente")
    press(screen, "Mettre à jour")
    both = screen.locator(".differences")
    expect(both).to_be_focused()
    expect(both).to_contain_text("Cette fiche a été modifiée pendant que vous la remplissiez.")
    expect(both).to_contain_text("vous-même, dans un autre onglet")
    expect(both.get_by_role("group")).to_have_count(2)  # the site was changed by one of them only
    for name, label, saved, typed in (
        ("phone", "Téléphone", "03 20 55 55 02", "03 20 55 55 03"),
        ("role", "Fonction", "Fondatrice", "Présidente"),
    ):
        choice = both.get_by_role("group", name=label)
        expect(choice).to_contain_text(saved)
        expect(choice).to_contain_text(typed)
        expect(choice.locator(f"[name=keep_{name}][value=mine]")).to_be_checked()
    has_no_barrier(screen)
    both.get_by_role("group", name="Fonction").get_by_text("Version enregistrée").click()
    press(screen, "Mettre à jour")
    told(screen, UPDATED)
    found = stored(site, person)
    assert (found.phone, found.role, found.website) == ("03 20 55 55 03", "Fondatrice", "https://odette.example/")


def test_the_list_is_searched_narrowed_and_walked_with_the_keyboard(screen: Page, site: Site) -> None:
    employed(site, "Théophile Ârgentin", is_active=False)
    employed(site, "Théophane Argentin", image_url="/icon-192.png")
    search = screen.get_by_role("searchbox", name="Rechercher un membre")
    search.press_sequentially("ARGENTIN theo")
    expect(rows(screen)).to_have_count(2)
    expect(screen.get_by_role("status").filter(has_text="2 membres correspondent")).to_be_visible()
    filters = screen.get_by_role("group", name="Filtres")
    filters.get_by_role("link", name="Inactifs").click()
    expect(rows(screen)).to_have_count(1)
    filters.get_by_role("link", name="Inactifs").click()
    expect(rows(screen)).to_have_count(2)
    filters.get_by_role("link", name="À compléter").click()
    expect(rows(screen)).to_have_count(1)
    assert "fiches=a-completer" in screen.url
    screen.get_by_label("Domaine d'activité").select_option(label="Sécurité & Qualité")
    expect(screen.get_by_text("Aucun membre ne correspond")).to_be_visible()
    has_no_barrier(screen)
    screen.get_by_label("Domaine d'activité").select_option(label="Tous les domaines")
    expect(rows(screen)).to_have_count(1)
    screen.go_back()
    expect(screen.get_by_text("Aucun membre ne correspond")).to_be_visible()
    screen.go_back()
    expect(rows(screen)).to_have_count(1)
    expect(filters.locator("[aria-current]")).to_have_text(re.compile("^À compléter"))
    filters.get_by_role("link", name="Tous").click()
    expect(filters.locator("[aria-current]")).to_have_text(re.compile("^Tous"))
    expect(rows(screen)).to_have_count(2)
    heading = screen.get_by_role("columnheader", name="Nom")
    for way, first in (("ascending", "Théophane Argentin"), ("descending", "Théophile Ârgentin")):
        heading.get_by_role("link").click()
        expect(heading).to_have_attribute("aria-sort", way)
        expect(rows(screen).first.locator(".people-name")).to_have_text(first)
    screen.reload()
    expect(rows(screen).first.locator(".people-name")).to_have_text("Théophile Ârgentin")

    openers = screen.locator("[data-row]")
    openers.first.focus()
    screen.keyboard.press("ArrowDown")
    expect(openers.nth(1)).to_be_focused()
    screen.keyboard.press("Home")
    screen.keyboard.press("End")
    expect(openers.nth(1)).to_be_focused()
    name = rows(screen).nth(1).locator(".people-name").inner_text()
    screen.keyboard.press("Enter")
    expect(screen.get_by_role("heading", name=f"Modifier {name}")).to_be_focused()
    press(screen, "Annuler")
    expect(openers.nth(1)).to_be_focused()

    search.fill("")
    expect(rows(screen)).to_have_count(50)
    press(screen, "Afficher plus")
    expect(screen.get_by_role("button", name="Afficher plus")).to_have_count(0)
    expect(rows(screen).nth(50).locator(":focus")).to_have_count(1)
    assert rows(screen).count() == count_of(screen)


def test_every_state_of_the_screen_is_open_to_everyone(screen: Page) -> None:
    shuts_nobody_out(screen)
    press(screen, "Nouveau membre")
    press(screen, "Créer")
    expect(form_of(screen).get_by_text("Indiquez la fonction.")).to_be_visible()
    shuts_nobody_out(screen)
    ask_to_delete(rows(screen).first)
    expect(screen.get_by_role("alertdialog")).to_be_visible()
    shuts_nobody_out(screen)


def test_a_deletion_says_what_goes_and_offers_to_make_the_member_inactive_first(screen: Page, site: Site) -> None:
    with database_of(site), transaction() as session:
        person = add_member(session, "Noémie Partante", "noemie@partante.example").id
    screen.goto("/admin/members")
    row = screen.locator(f"[data-record-id='{person}']")
    ask_to_delete(row)
    question = screen.get_by_role("alertdialog", name="Supprimer Noémie Partante")
    expect(question).to_contain_text("Êtes-vous sûr de vouloir supprimer ce membre ?")
    expect(question).to_contain_text("Aux rencontres passées, ses réponses restent comptées")
    has_no_barrier(screen)
    question.get_by_role("button", name="Rendre inactif").click()
    expect(screen.locator(".toast-success")).to_contain_text("La fiche est maintenant inactive")
    expect(row).to_contain_text("Inactif")
    row.get_by_role("button", name="Autres actions").click()
    row.get_by_role("button", name="Rendre actif").click()
    expect(screen.locator(".toast-success").last).to_contain_text("de nouveau actif")
    expect(row).not_to_contain_text("Inactif")
    with database_of(site), transaction() as session:
        session.get_one(Member, person).is_active = False
    screen.reload()
    ask_to_delete(row)
    expect(question.get_by_role("button", name="Rendre inactif")).to_have_count(0)
    question.get_by_role("button", name="Supprimer").click()
    expect(row).to_have_count(0)


def test_a_request_about_data_stands_above_the_list_and_on_the_record(screen: Page, site: Site) -> None:
    with database_of(site), transaction() as session:
        person = add_member(session, "Odilon Effacé", "odilon@efface.example").id
        asking = Actor("odilon@efface.example", member_id=person, session_id="s")
        rights_requests.request_right(session, asking, "erasure")
    screen.goto("/admin/members")
    tasks = screen.get_by_role("region", name="Demandes sur les données")
    expect(tasks).to_contain_text("Avant le ")
    expect(tasks.get_by_role("link", name="Odilon Effacé demande")).to_have_attribute("href", "/admin/demandes")
    has_no_barrier(screen)
    screen.set_viewport_size({"width": 320, "height": 640})
    fits(screen)
    screen.set_viewport_size({"width": 1280, "height": 720})
    ask_to_delete(screen.locator(f"[data-record-id='{person}']"))
    screen.get_by_role("alertdialog").get_by_role("button", name="Supprimer").click()
    expect(tasks).to_have_count(0)
