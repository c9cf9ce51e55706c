"""The members screen: create, change, deactivate, delete; what is refused; two people on one member; the search."""

import re
from dataclasses import replace
from typing import Any

from playwright.sync_api import Locator, Page, expect
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.models import Member
from clubapp.services.base.actors import Actor
from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from clubapp.services.members import editing
from clubapp.services.privacy import rights_requests
from tests.e2e.access.test_second_factors import make_proof_old, prove_by_mail
from tests.e2e.conftest import sign_in
from tests.e2e.focus_walk import SETTLED
from tests.e2e.invitation_steps import database_of, fits, has_no_barrier, shuts_nobody_out
from tests.e2e.layout_checks import box
from tests.e2e.member_steps import alone, employed, stored
from tests.e2e.sign_in_steps import admin
from tests.e2e.site import Site

CREATED = "Membre créé avec succès !"
UPDATED = "Membre mis à jour avec succès !"
DELETED = "Membre supprimé avec succès !"
ASK_TO_DELETE = "Êtes-vous sûr de vouloir supprimer ce membre ?"
AFTER_MS = 100
# On a busy machine a timer is late, never early.
SLACK_MS = 900
TIMES = """() => {
  const scroll = Element.prototype.scrollIntoView, times = (window.times = {});
  Element.prototype.scrollIntoView = function (...how) {
    if (this.classList.contains("record-form")) times.scrolled = performance.now();
    scroll.apply(this, how);
  };
  addEventListener("click", () => (times.pressed = performance.now()), true);
  addEventListener("focusin", ({ target }) => {
    if (target.closest(".record-form")) times.appeared ??= performance.now();
  });
}"""
SCROLLED = """async () => {
  while (!times.scrolled) await new Promise(requestAnimationFrame);
  return times;
}"""
# What is to happen a tenth of a second later happens when `late` is called, unless it was called off.
HELD_TIMERS = """() => {
  const [begin, end, held] = [setTimeout, clearTimeout, new Map()];
  window.setTimeout = (act, ms, ...more) => {
    const timer = begin(ms === 100 ? () => {} : act, ms, ...more);
    if (ms === 100) held.set(timer, act);
    return timer;
  };
  window.clearTimeout = (timer) => { held.delete(timer); end(timer); };
  window.late = () => {
    Object.assign(window, { setTimeout: begin, clearTimeout: end });
    held.forEach((act) => act());
  };
}"""


def on_screen(page: Page, site: Site, path: str = "/admin/members", email: str = ADMIN_EMAIL) -> Page:
    sign_in(page, site, email, path)
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


def saved_meanwhile(site: Site, person: Member, **theirs: Any) -> None:
    """The same administrator changes a member elsewhere."""
    me = Actor(email=ADMIN_EMAIL, is_admin=True, session_id="elsewhere")
    with database_of(site), transaction() as session:
        editing.save(session, me, replace(editing.open_form(session, me, person.id), **theirs))


def fits_a_phone(page: Page) -> None:
    """On a small phone nothing is cut off, and axe finds nothing wrong (A1)."""
    size = page.viewport_size
    assert size
    page.set_viewport_size({"width": 320, "height": size["height"]})
    fits(page)
    has_no_barrier(page)
    page.set_viewport_size(size)


def test_a_member_is_refused_beside_the_fields_then_created(page: Page, site: Site) -> None:
    employed(site, "Propriétaire Ménardin", email="prise@espace.example")
    screen = on_screen(page, site, "/admin/members?q=menard")
    before, form = count_of(screen), form_of(screen)
    new = screen.get_by_role("button", name="Nouveau membre")
    new.click()
    expect(form.locator("[name=name]")).to_be_focused()
    new.click()
    expect(form).to_have_count(0)
    expect(new).to_be_focused()

    new.click()
    expect(form.get_by_text("cette personne reçoit un message de bienvenue")).to_be_visible()
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
    fits_a_phone(screen)

    company, domain = form.locator("[name=company_id]"), form.locator("[name=activity_domain]")
    assert not form.locator("option[value='']").count()
    assert company.locator("option").all_inner_texts()[0] == "Choisir une entreprise"
    for chosen, filled in (("Pixel du Beffroi", "Digital & Communication"), ("Nouvelle entreprise…", "-")):
        company.select_option(label=chosen)
        expect(domain).to_have_value(filled)  # one made in place has not that of the one chosen before
    domain.select_option(label="Formation & Conseil")
    company.select_option(label="Choisir une entreprise")
    expect(domain).to_have_value("Formation & Conseil")
    company.select_option(label="Pixel du Beffroi")
    expect(domain).to_have_value("Digital & Communication")

    given = {"name": "Ghislaine Ménard", "role": "Gérante", "description": "Je tisse.", "expertise": "lin, chanvre"}
    fill(form, **given, email="PRISE@espace.example", phone="12", website="javascript:alert(1)")
    press(screen, "Créer")
    expect(form.get_by_text("Indiquez un numéro de téléphone")).to_be_visible()
    expect(form.get_by_text("Cette adresse est déjà celle de Propriétaire Ménardin.")).to_be_visible()
    expect(screen.locator(".toast-error")).to_have_count(1)  # what was mended is no longer claimed
    expect(form.locator("[name=email]")).to_be_focused()
    expect(form.locator("[name=website]")).to_have_attribute("aria-invalid", "true")
    expect(form.locator("[name=name]")).to_have_value("Ghislaine Ménard")
    expect(form.get_by_text("Indiquez le nom complet.")).to_have_count(0)

    fill(form, email=" Ghislaine@Menard.example ", phone="03 20 55 55 01", website="")
    press(screen, "Créer")
    told(screen, CREATED)
    expect(form).to_have_count(0)
    for text in (
        *("Ghislaine Ménard", "Gérante", "Pixel du Beffroi", "lin", "Digital & Communication", "03 20 55 55 01"),
        "À compléter\u00a0: photo",
    ):
        expect(rows(screen).first).to_contain_text(text)
    assert count_of(screen) == before + 1
    with database_of(site), reading() as session:
        made = session.exec(select(Member).where(Member.email == "ghislaine@menard.example")).one()
        assert (made.expertise, made.activity_domain) == (["lin", "chanvre"], "Digital & Communication")


def test_a_member_is_changed_beside_someone_else_and_made_inactive(page: Page, site: Site) -> None:
    """Of two administrators the second sees both values and chooses."""
    person = alone(site, "Odette Wallaert", role="Directrice", phone="03 20 55 55 01", company="Ancienne Maison")
    screen = on_screen(page, site, "/admin/members?q=wallaert")
    form = open_row(screen, person.name)
    expect(form.locator("[name=role]")).to_have_value("Directrice")
    expect(form.locator("[name=expertise]")).to_have_value("Charpente, Zinc")
    expect(form.locator("[name=company_id] option:checked")).to_have_text("Ancienne Maison (hors liste)")
    fill(form, role="Tout autre chose")
    press(screen, "Annuler")
    expect(form).to_have_count(0)
    expect(row_of(screen, person.name)).to_contain_text("Directrice")
    screen.locator(".draft-note").get_by_role("button", name="Effacer").click()

    open_row(screen, person.name)
    saved_meanwhile(site, person, phone="03 20 55 55 02", role="Fondatrice", website="https://odette.example/")
    fill(form, phone="03 20 55 55 03", role="Présidente")
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
    expect(form).to_have_count(0)
    found = stored(site, person)
    assert (found.phone, found.role, found.website) == ("03 20 55 55 03", "Fondatrice", "https://odette.example/")
    assert found.company == "Ancienne Maison"

    open_row(screen, person.name)
    switch = form.get_by_role("switch", name="Membre actif")
    expect(switch).to_be_checked()
    expect(form.get_by_text("actif", exact=True)).to_be_visible()
    switch.uncheck()
    expect(form.get_by_text("inactif", exact=True)).to_be_visible()
    form.get_by_label("Téléphone visible").uncheck()
    fill(form, name="Odette Wallaert-Roy", linkedin="linkedin.example/in/odette")
    press(screen, "Mettre à jour")
    expect(form).to_have_count(0)
    expect(row_of(screen, "Odette Wallaert-Roy")).to_contain_text("Inactif")
    found = stored(site, person)
    assert (found.is_active, found.shows_phone, found.shows_email) == (False, False, True)
    assert found.linkedin == "https://linkedin.example/in/odette"


def test_deleting_asks_first_says_what_goes_and_offers_to_make_the_member_inactive(page: Page, site: Site) -> None:
    """A request about their data stands above the list until then."""
    person = employed(site, "Noémie Partante")
    with database_of(site), transaction() as session:
        asking = Actor(str(person.email), member_id=person.id, session_id="s")
        rights_requests.request_right(session, asking, "erasure")
    email = admin(site, "suppressions")
    screen = on_screen(page, site, "/admin/members?q=partante", email)
    tasks = screen.get_by_role("region", name="Demandes sur les données")
    expect(tasks).to_contain_text("Avant le ")
    expect(tasks.get_by_role("link", name="Noémie Partante demande")).to_have_attribute("href", "/admin/demandes")
    shuts_nobody_out(screen)
    before, row = count_of(screen), row_of(screen, person.name)
    open_row(screen, person.name)
    acts = row.get_by_role("button", name="Autres actions")
    acts.click()
    expect(row.get_by_role("button", name="Rendre inactif")).to_be_focused()
    screen.keyboard.press("ArrowDown")
    expect(row.get_by_role("button", name=f"Supprimer la fiche…\u00a0: {person.name}")).to_be_focused()
    screen.keyboard.press("Escape")
    expect(acts).to_be_focused()

    ask_to_delete(row)
    question = screen.get_by_role("alertdialog", name=f"Supprimer {person.name}")
    expect(question).to_contain_text(ASK_TO_DELETE)
    expect(question).to_contain_text("Aux rencontres passées, ses réponses restent comptées")
    fits_a_phone(screen)
    question.get_by_role("button", name="Annuler").click()
    expect(acts).to_be_focused()
    ask_to_delete(row)
    question.get_by_role("button", name="Rendre inactif").click()
    expect(screen.locator(".toast-success")).to_contain_text("La fiche est maintenant inactive")
    expect(row).to_contain_text("Inactif")
    ask_to_delete(row)
    expect(question.get_by_role("button", name="Supprimer")).to_be_visible()
    expect(question.get_by_role("button", name="Rendre inactif")).to_have_count(0)
    question.get_by_role("button", name="Annuler").click()
    acts.click()
    row.get_by_role("button", name="Rendre actif").click()
    expect(screen.locator(".toast-success").last).to_contain_text("de nouveau actif")
    expect(row).not_to_contain_text("Inactif")

    ask_to_delete(row)
    make_proof_old(site, email)
    question.get_by_role("button", name="Supprimer").dblclick()
    prove_by_mail(screen, site, email)
    told(screen, DELETED)
    expect(row).to_have_count(0)
    expect(form_of(screen)).to_have_count(0)
    expect(screen.locator(".toast-error")).to_have_count(0)
    expect(tasks).to_have_count(0)
    assert count_of(screen) == before - 1


def test_the_list_is_searched_narrowed_and_walked_with_the_keyboard(page: Page, site: Site) -> None:
    employed(site, "Théophile Ârgentin", is_active=False)
    employed(site, "Théophane Argentin", image_url="/icon-192.png")
    screen = on_screen(page, site)
    search = screen.get_by_role("searchbox", name="Rechercher un membre")
    search.press_sequentially("ARGENTIN theo")
    expect(rows(screen)).to_have_count(2)
    expect(screen.get_by_role("status").filter(has_text="2 membres correspondent")).to_be_visible()
    filters = screen.get_by_role("group", name="Filtres")
    for name, found in (("Inactifs", 1), ("Inactifs", 2), ("À compléter", 1)):
        filters.get_by_role("link", name=name).click()
        expect(rows(screen)).to_have_count(found)
    assert "fiches=a-completer" in screen.url
    domain = screen.get_by_label("Domaine d'activité")
    domain.select_option(label="Sécurité & Qualité")
    expect(screen.get_by_text("Aucun membre ne correspond")).to_be_visible()
    has_no_barrier(screen)
    domain.select_option(label="Tous les domaines")
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


def test_in_a_long_list_a_form_comes_into_sight_and_the_way_back_finds_the_place(page: Page, site: Site) -> None:
    """The form of a row is scrolled to a tenth of a second after the press, but not under the hand that presses it."""
    with database_of(site), reading() as session:
        marie = session.exec(select(Member.name).where(Member.email == MEMBER_EMAIL)).one()
    screen = on_screen(page, site)
    press(screen, "Afficher plus")
    expect(screen.get_by_role("button", name="Afficher plus")).to_have_count(0)
    expect(rows(screen).nth(50).locator(":focus")).to_have_count(1)
    assert rows(screen).count() == count_of(screen)

    last = rows(screen).last
    last.scroll_into_view_if_needed()
    name = last.locator(".people-name").inner_text()
    screen.evaluate(TIMES)
    last.locator("[data-row]").click()
    heading = screen.get_by_role("heading", name=f"Modifier {name}")
    expect(heading).to_be_in_viewport()
    expect(heading).to_be_focused()
    times: dict[str, float] = screen.evaluate(SCROLLED)
    assert times["pressed"] < times["appeared"] < times["scrolled"]
    assert AFTER_MS - 1 <= times["scrolled"] - times["appeared"] < AFTER_MS + SLACK_MS
    expect(form_of(screen).locator("[name=name]")).to_have_value(name)
    press(screen, "Annuler")

    screen.evaluate(HELD_TIMERS)
    form = open_row(screen, marie)
    fields = [form.locator("[name=name]"), screen.locator(".record-form .presence").first]
    assert box(fields[0])["y"] < box(fields[1])["y"], "it begins with its fields and ends with what is only read"
    cancel = form.get_by_role("button", name="Annuler")
    cancel.evaluate("(button) => button.scrollIntoView({ block: 'end' })")  # not where the form would bring it
    cancel.hover()
    screen.mouse.down()
    screen.evaluate("late()")
    screen.evaluate(SETTLED)
    screen.mouse.up()
    expect(form).to_have_count(0)

    link = screen.locator(".people-read").nth(52)
    path = link.get_attribute("href") or ""
    link.click()
    expect(screen.get_by_role("link", name="Retour aux membres")).to_be_visible()
    screen.wait_for_function("() => scrollY === 0")
    screen.go_back()
    left = screen.locator(f".people-read[href='{path}']")
    expect(left).to_be_focused()
    expect(left).to_be_in_viewport()
