"""The page of one event: from its stages to who said what, its mails and its day, each with an address."""

import re

from playwright.sync_api import Page, expect
from sqlalchemy import update
from sqlmodel import col

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Event, EventReservation, Member
from clubapp.services.attendance.answer_list import FIRST_ROWS
from tests.e2e.conftest import sign_in
from tests.e2e.event_steps import announce
from tests.e2e.events.steps import shuts_out_nobody_here, turn
from tests.e2e.focus_walk import hidden_or_lost
from tests.e2e.invitation_steps import database_of, invite
from tests.e2e.layout_checks import box
from tests.e2e.sign_in_steps import admin, expect_path
from tests.e2e.site import Site
from tests.factories import add_event, add_member, add_reservation

EMPTY_BELOW = """(card) => {
    const bottom = (node) => node.getBoundingClientRect().bottom;
    return bottom(card) - bottom(card.lastElementChild.lastElementChild);
}"""


def caterer_of(site: Site, event_id: str) -> tuple[str, str | None]:
    """The title and the caterer's address of an event, as they are stored."""
    with database_of(site), reading() as session:
        event = session.get_one(Event, event_id)
        return event.title, event.caterer_email


def test_a_meeting_is_followed_on_its_own_page(page: Page, site: Site) -> None:
    event_id, addresses = announce(site, "Le goûter des fileuses")
    with database_of(site), transaction() as session:
        session.execute(update(Member).where(col(Member.email).in_(addresses)).values(phone="03 20 55 55 01"))
    page.set_viewport_size({"width": 1280, "height": 800})
    sign_in(page, site, admin(site, "fileuse"), f"/admin/events/{event_id}")
    expect(page.get_by_role("heading", level=1, name="Le goûter des fileuses")).to_be_visible()
    expect(page.locator("[data-stage=current]")).to_contain_text("Relancer")
    expect(page.locator(".stage-act")).to_have_count(0)  # it is years ahead: nothing is asked yet
    rows = page.locator("tr[data-person]")
    expect(rows).to_have_count(len(addresses))
    shuts_out_nobody_here(page)

    chips = page.get_by_role("navigation", name="Réponse")
    chips.get_by_role("link", name="Sans réponse").click()
    expect(rows).to_have_count(1)
    expect(page).to_have_url(re.compile(r"\?reponse=sans$"))
    expect(chips.locator("[aria-current=true]")).to_contain_text("Sans réponse")
    page.go_back()
    expect(rows).to_have_count(len(addresses))
    chips.get_by_role("link", name="Non invités").click()
    newcomers = page.get_by_role("region", name="Nouveaux membres")
    newcomers.get_by_role("button", name=re.compile("^Inviter ce")).click()
    question = page.get_by_role("alertdialog")
    question.get_by_role("button", name="Annuler").click()
    expect(question).to_be_hidden()
    page.go_back()
    expect(rows).to_have_count(len(addresses))
    expect(newcomers).to_have_count(0)

    silent = page.locator("tr[data-answer=silent]")
    page.set_viewport_size({"width": 320, "height": 568})
    silent.get_by_role("button", name="Noter la réponse").click()
    person = page.get_by_role("dialog")
    expect(person.get_by_role("button", name="Enregistrer la réponse")).to_be_in_viewport(ratio=1)
    assert hidden_or_lost(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    person.get_by_label("Vient", exact=True).check()
    person.get_by_role("button", name="Enregistrer la réponse").click()
    expect(person.locator(".banner-green")).to_be_visible()
    person.get_by_role("button", name="Fermer").click()
    expect(person).to_be_hidden()
    expect(silent).to_have_count(0)
    expect(page.locator("tr[data-answer=coming]")).to_have_count(3)

    tabs = page.get_by_role("navigation", name="Rubriques de la rencontre")
    tabs.get_by_role("link", name="Messages").click()
    expect(page.locator("[data-mail=invitation]")).to_contain_text("Parti")
    shuts_out_nobody_here(page)
    tabs.get_by_role("link", name=re.compile("Jour")).click()
    expect(tabs.locator("[aria-current=page]")).to_have_text(re.compile("Jour"))
    expect(page.get_by_role("heading", name="Tables")).to_be_visible()
    page.go_back()
    expect(tabs.locator("[aria-current=page]")).to_contain_text("Messages")
    page.get_by_role("link", name="Modifier les textes").click()
    expect(page.get_by_role("dialog")).to_contain_text("Le goûter des fileuses")


def test_the_caterers_address_is_asked_where_it_is_typed_and_written_to_at_once(page: Page, site: Site) -> None:
    asked, _ = announce(site, "La veillée des tisserands")
    event_id, _ = announce(site, "Le potage des rubaniers")
    page.set_viewport_size({"width": 1440, "height": 700})
    sign_in(page, site, admin(site, "rubanier"), f"/admin/events/{asked}?onglet=jour")
    cards = page.locator(".meeting-card")
    expect(cards).to_have_count(4)
    assert all(card.evaluate(EMPTY_BELOW) < 60 for card in cards.all())
    page.get_by_role("button", name="Indiquer leurs adresses").click()
    field = page.get_by_role("dialog").get_by_label("E-mail du traiteur")
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport()
    page.keyboard.type("cuisine@tisserands.example")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert caterer_of(site, asked) == ("La veillée des tisserands", "cuisine@tisserands.example")

    turn(page, f"/admin/events/{event_id}?onglet=jour")
    expect(page.get_by_role("heading", level=1, name="Le potage des rubaniers")).to_be_visible()
    field = page.get_by_label("E-mail du traiteur")
    field.fill("cuisine@")
    page.get_by_role("button", name="Envoyer les nombres").click()
    expect(page.locator("#numbers-caterer-error")).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_value("cuisine@")
    shuts_out_nobody_here(page)
    field.fill("cuisine@rubaniers.example")
    page.keyboard.press("Enter")
    told = page.locator(".event-announcement")
    expect(told.get_by_text("Nombres envoyés le")).to_be_focused()
    expect(told).to_contain_text("Au traiteur (cuisine@rubaniers.example).")
    assert caterer_of(site, event_id) == ("Le potage des rubaniers", "cuisine@rubaniers.example")


def test_all_answers_are_printed_and_their_tools_keep_their_room(page: Page, site: Site) -> None:
    event_id, addresses = announce(site, "Le concours des dentellières")
    with database_of(site), transaction() as session:
        event = session.get_one(Event, event_id)
        for number in range(FIRST_ROWS):
            member = add_member(session, f"Dentellière Numéro{number}", None, company="Fuseaux & Carreaux")
            add_reservation(session, event, member)
    everybody = len(addresses) + FIRST_ROWS
    page.add_init_script("window.print = () => { window.printed = document.querySelectorAll('[data-person]').length; }")
    sign_in(page, site, admin(site, "fuseau"), f"/admin/events/{event_id}?reponse=sans")
    panel, table, field = (
        page.locator(".answer-panel"),
        page.locator(".answer-table"),
        page.get_by_label("Rechercher un nom"),
    )
    for width in (1440, 960, 768, 390):
        page.set_viewport_size({"width": width, "height": 900})
        write = page.get_by_role("link", name="Écrire à ces personnes")
        expect(write).to_be_visible()
        assert box(table)["width"] <= box(panel)["width"]
        assert box(field)["width"] >= 180
        assert box(write)["height"] < 50, "one line"
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("navigation", name="Réponse").get_by_role("link", name="Tous").click()
    expect(page.locator("[data-person]")).to_have_count(FIRST_ROWS)
    page.get_by_role("button", name=f"Afficher les {len(addresses)} autres").press(
        "Enter"
    )  # of all, once they are there
    expect(page.locator("[data-person]").nth(FIRST_ROWS).locator(":focus")).to_have_count(1)
    for _ in range(2):
        page.get_by_role("button", name="Autres actions").click()
        page.get_by_role("button", name="Imprimer cette page").click()
        page.wait_for_function("wanted => window.printed === wanted", arg=everybody)
        page.evaluate("window.printed = 0")
    page.get_by_role("link", name="Retour aux événements").click()
    expect(page.locator(".calendar-title")).to_be_visible()
    page.go_back()
    expect(page.locator("[data-person]")).to_have_count(everybody)
    assert page.evaluate("window.printed") == 0


def test_the_season_and_the_dialog_lead_to_the_page_and_what_is_gone_says_so(page: Page, site: Site) -> None:
    event_id, _ = announce(site, "La foire aux dentelles")
    sign_in(page, site, admin(site, "dentelle"), f"/admin/events/{event_id}")
    question = page.get_by_role("alertdialog")
    ask_to_delete(page)
    expect(question).to_contain_text("La foire aux dentelles")
    question.get_by_role("button", name="Annuler").click()
    expect(page.get_by_role("button", name="Autres actions")).to_be_focused()
    ask_to_delete(page)
    question.get_by_role("button", name="Supprimer sans prévenir").click()
    expect(page.get_by_role("heading", level=1, name="Événements")).to_be_visible()
    expect(page.get_by_text("Événement supprimé avec succès\u00a0!")).to_be_visible()

    year = page.locator(".calendar-title")
    expect(year).to_be_visible()
    row = page.locator("li[data-event-id]").first
    row.get_by_role("button", name="Voir détails").click()
    page.get_by_role("dialog").get_by_role("link", name="Ouvrir la page de la rencontre").click()
    expect(page.locator(".stage-track")).to_be_visible()
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("link", name="Retour aux événements").click()
    season = page.get_by_role("region", name="La saison")
    name = season.get_by_role("heading").inner_text()
    earlier = season.get_by_role("link", name=re.compile("^Saison")).first
    wanted = earlier.inner_text().split()[-1]
    earlier.click()
    expect(season.get_by_role("heading", name=f"Saison {wanted}")).to_be_visible()
    assert f"saison={wanted}" in page.url
    shown = year.inner_text()
    page.get_by_role("button", name="Suivant").click()
    expect(year).not_to_have_text(shown)
    assert f"saison={wanted}" in page.url
    expect(season.get_by_role("heading", name=f"Saison {wanted}")).to_be_visible()
    page.get_by_role("button", name="Aujourd’hui", exact=True).click()
    expect(season.get_by_role("heading", name=name)).to_be_visible()
    assert "saison=" not in page.url
    card = season.get_by_role("listitem").get_by_role("link").first
    address = card.get_attribute("href") or ""
    card.click()
    expect(page.locator(".stage-track")).to_be_visible()
    expect_path(page, address)

    turn(page, "/admin/events/personne")
    gone = page.get_by_role("alert").filter(has_text="n’existe plus")
    gone.get_by_role("link", name="Retour aux événements").click()
    expect(year).to_be_visible()


def ask_to_delete(page: Page) -> None:
    page.get_by_role("button", name="Autres actions").click()
    page.get_by_role("button", name="Supprimer").click()


def test_the_maximum_is_raised_to_seat_who_waits_and_what_is_off_or_over_promises_nothing(
    page: Page, site: Site
) -> None:
    waiting = invite(
        site, title="Soirée des guimpiers", coming=1, max_participants=1, date=clock.from_local("2096-09-14T12:00")
    )
    with database_of(site), transaction() as session:
        row = session.get_one(EventReservation, waiting.reservation_id)
        row.will_attend, row.waiting_since, row.waiting_rank = True, clock.now(), 1
        off = add_event(session, "Le bal des lamaneurs", clock.from_local("2066-05-14T12:00"), status="cancelled").id
        over = add_event(
            session, "Le banquet des lamaneurs", clock.from_local("1958-05-14T12:00"), status="completed"
        ).id
    sign_in(page, site, admin(site, "guimpier"), f"/admin/events/{waiting.event_id}")
    page.get_by_role("button", name="Relever le maximum à 2").click()
    limit = page.get_by_role("dialog").get_by_label("Nombre maximum de participants")
    expect(limit).to_have_value("2")
    expect(limit).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Événement mis à jour avec succès !")).to_be_visible()
    assert waiting.row.will_attend is True
    assert waiting.row.waiting_since is None

    title = page.get_by_role("heading", level=1)
    turn(page, f"/admin/events/{off}")
    expect(title).to_have_text("Le bal des lamaneurs")
    expect(page.get_by_text("Personne n’a été invité")).to_be_visible()
    expect(page.locator(".stage-cells")).to_contain_text("n’a pas lieu")
    expect(page.locator(".stage-cells")).not_to_contain_text("à venir")
    expect(page.locator(".meeting-head")).to_contain_text("mai 2066")
    for event_id, name in ((off, "Le bal des lamaneurs"), (over, "Le banquet des lamaneurs")):
        turn(page, f"/admin/events/{event_id}?onglet=jour")
        expect(title).to_have_text(name)
        expect(page.get_by_text("Ni l’hôte ni le traiteur n’ont été prévenus.")).to_be_visible()
        expect(page.get_by_role("button", name="Indiquer leurs adresses")).to_have_count(0)
    turn(page, f"/admin/events/{over}?onglet=bilan")
    expect(page.locator("[data-stat=total_attending] .stat-unit")).to_have_text("membres")
