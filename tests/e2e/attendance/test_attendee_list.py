"""The people of an event in its dialog: by answer, found, answered for, invited again, taken away as files."""

import re
from collections.abc import Callable, Iterator

import httpx
import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from sqlmodel import Session, col, delete, select

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Event, Member, UserSession
from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.event_steps import row_of
from tests.e2e.invitation_steps import Invitation, database_of, invite, shuts_nobody_out
from tests.e2e.site import Site, link_in
from tests.factories import add_reservation


@pytest.fixture
def invitation(site: Site) -> Iterator[Invitation]:
    """Marie has not answered; three others come, one of them by telephone, and one does not."""
    made = invite(site, title="Souper des tisserands", invitation_sent=True)
    with database_of(site), transaction() as session:
        event = session.get(Event, made.event_id)
        assert event is not None
        yes = {"will_attend": True, "responded_at": clock.now(), "answered_via": "link"}
        answers = [
            yes | {"with_lunch": True, "guest_count": 2},
            yes | {"with_lunch": False},
            yes | {"answered_via": "phone", "recorded_by": ADMIN_EMAIL, "with_lunch": True},
            {"will_attend": False, "responded_at": clock.now(), "answered_via": "link"},
        ]
        for member, answer in zip(others(session), answers, strict=False):
            add_reservation(session, event, member, **answer)
    yield made
    with database_of(site), transaction() as session:
        session.delete(session.get(Event, made.event_id))


def others(session: Session) -> list[Member]:
    reachable = col(Member.email).is_not(None), col(Member.opted_out_at).is_(None), col(Member.is_active)
    return list(session.exec(select(Member).where(*reachable, Member.email != MEMBER_EMAIL).order_by(Member.name)))


def opened(page: Page, site: Site, title: str = "Souper des tisserands") -> Locator:
    """The dialog of the event, for an administrator."""
    sign_in(page, site, ADMIN_EMAIL, "/admin/events")
    row_of(page, title).get_by_role("button", name="Voir détails").click()
    return page.locator("dialog[data-event-id]")


def people(sheet: Locator) -> Locator:
    sheet.get_by_role("tab", name="Personnes").click()
    expect(sheet.get_by_role("button", name="Présents")).to_be_visible()
    return sheet.get_by_role("tabpanel", name="Personnes")


def person(page: Page, name: str) -> Locator:
    """The dialog of one person."""
    page.get_by_role("button", name=f"Ouvrir {name}").click()
    return page.get_by_role("dialog", name=name)


def test_the_people_are_found_counted_answered_for_by_keyboard_and_the_new_ones_invited(
    page: Page, site: Site, invitation: Invitation
) -> None:
    sheet, keys = opened(page, site), page.keyboard
    expect(sheet).to_contain_text(re.compile(r"\w+ 14 janvier \d{4} à 12:00"))
    expect(sheet.get_by_text("5 / 14 places", exact=True)).to_be_visible()
    expect(sheet.get_by_text("3 membres, 2 invités, 9 libres")).to_be_visible()
    offer = sheet.get_by_role("region", name="Nouveaux membres")
    expect(offer).to_be_visible()
    shuts_nobody_out(page)

    sheet.get_by_role("tab", name="Vue d’ensemble").focus()
    keys.press("ArrowRight")
    expect(sheet.get_by_role("tab", name="Personnes")).to_be_focused()
    shown = people(sheet)
    counts = {"coming": "3", "waiting": "0", "silent": "1", "declined": "1"}
    for group, count in counts.items():
        expect(shown.locator(f"[data-group={group}]")).to_have_text(count)
    expect(shown.get_by_role("listitem")).to_have_count(3)
    expect(shown.get_by_text("2 invités, avec déjeuner")).to_be_visible()
    told = re.compile(r"répondu par téléphone le \d\d/\d\d/\d{4} à \d\d:\d\d, noté par " + re.escape(ADMIN_EMAIL))
    expect(shown.get_by_text(told)).to_be_visible()
    for name in ("Réponses (CSV)", "Réponses (Excel)", "Feuille d’émargement (PDF)"):
        expect(shown.get_by_role("link", name=name)).to_have_attribute("download", "")
    with page.expect_download() as waiting:
        shown.get_by_role("link", name="Feuille d’émargement (PDF)").click()
    assert re.fullmatch(r"emargement-souper-des-tisserands-\d{4}-01-14\.pdf", waiting.value.suggested_filename)
    shuts_nobody_out(page)

    search = shown.get_by_label("Rechercher un nom ou une entreprise")
    more = shown.get_by_role("button", name=re.compile(r"Afficher \d+ de plus"))
    shown.get_by_role("button", name="Non invités").click()
    expect(shown.get_by_text("pas encore invité").first).to_be_visible()
    more.click()
    expect(more).to_have_count(0)
    sheet.get_by_role("tab", name="Personnes").focus()
    for _ in range(3):
        keys.press("Tab")
    expect(shown.get_by_role("button", name="Sans réponse")).to_be_focused()
    keys.press("Enter")
    expect(shown.get_by_role("listitem")).to_have_count(1)
    search.fill("personne de ce nom")
    expect(shown.get_by_text("0 personne sur 1")).to_be_visible()
    expect(shown.get_by_text("Personne dans cette liste")).to_be_visible()
    search.fill("MARIE")
    shown.get_by_role("button", name="Ouvrir Marie Durand").focus()
    keys.press("Enter")
    dialog = page.get_by_role("dialog", name="Marie Durand")
    dialog.get_by_label("Vient", exact=True).focus()
    keys.press("ArrowRight")
    expect(dialog.get_by_label("Ne vient pas")).to_be_checked()
    keys.press("Enter")
    expect(dialog.get_by_text("La réponse est enregistrée.")).to_be_visible()
    assert invitation.answer[0] is False
    keys.press("Escape")
    expect(dialog).to_have_count(0)
    expect(sheet).to_be_visible()

    with database_of(site), transaction() as session:
        event = session.get_one(Event, invitation.event_id)
        *invited, first, second, third = others(session)[4:]
        for member in invited:
            add_reservation(session, event, member)
        names = sorted(member.name for member in (first, second, third))
    sheet.get_by_role("tab", name="Vue d’ensemble").click()
    expect(offer.get_by_text("3 membres peuvent encore être invités", exact=True)).to_be_visible()
    offer.get_by_role("button", name="Inviter ces 3 membres").click()
    question = page.get_by_role("alertdialog")
    for name in names:
        expect(question).to_contain_text(name)
    shuts_nobody_out(page)
    question.get_by_role("button", name="Inviter").dblclick()
    expect(sheet.get_by_text("3 invitations sont en route.")).to_be_visible()
    expect(offer).to_have_count(0)
    expect(sheet.get_by_text(re.compile(r"^\d messages? envoyés? sur 3$"))).to_be_visible()


def test_what_was_noted_of_a_call_outlives_the_session_and_once_recorded_moves_every_screen(
    page: Page, site: Site, invitation: Invitation, new_context: Callable[..., BrowserContext]
) -> None:
    with database_of(site), transaction() as session:
        session.get_one(Event, invitation.event_id).max_participants = 8  # five are taken: Marie may bring two
    people(opened(page, site)).get_by_role("button", name="Sans réponse").click()
    dialog = person(page, "Marie Durand")
    dialog.get_by_label("Vient", exact=True).check()
    dialog.locator("[name=guest_count]").select_option("5")
    with database_of(site), transaction() as session:
        session.execute(delete(UserSession).where(col(UserSession.email) == ADMIN_EMAIL))
    # The screen notices within seconds, perhaps before the press.
    dialog.get_by_role("button", name="Enregistrer la réponse").evaluate_all(
        "(found) => found.forEach((one) => one.click())"
    )
    page.wait_for_url("**/connexion**")
    page = page.context.new_page()
    assert invitation.answer == (None, None, 0)

    shown = people(opened(page, site))
    other = opened(new_context(site).new_page(), site)
    shown.get_by_role("button", name="Sans réponse").click()
    dialog = person(page, "Marie Durand")
    record = dialog.get_by_role("button", name="Enregistrer la réponse")
    comes, guests = dialog.get_by_label("Vient", exact=True), dialog.locator("[name=guest_count]")
    expect(dialog.get_by_text("Aucun e-mail ne lui a été envoyé.")).to_be_visible()
    before = len(site.mails_to(MEMBER_EMAIL, "invitation"))
    dialog.get_by_role("button", name="Envoyer l’invitation").dblclick()
    refusal = re.compile("Une invitation est déjà en route|attendez une minute")
    expect(dialog.get_by_text(refusal).first).to_be_visible()
    expect(comes).not_to_be_checked()
    record.click()
    expect(dialog.get_by_role("alert").filter(has_text="Indiquez si la personne vient ou non.")).to_be_visible()
    expect(comes).to_be_focused()
    dialog.get_by_role("button", name="Reprendre").click()
    expect(comes).to_be_checked()
    expect(guests).to_have_value("5")
    record.click()
    expect(dialog.get_by_role("alert").filter(has_text="vos invités")).to_be_visible()
    expect(guests).to_be_focused()
    expect(comes).to_be_checked()
    assert invitation.answer == (None, None, 0)
    guests.select_option("2")
    record.click()
    expect(dialog.get_by_text("La réponse est enregistrée.")).to_be_visible()
    assert invitation.answer == (True, None, 2), "nobody has said anything of lunch"
    dialog.get_by_label("Déjeune", exact=True).check()
    record.click()
    expect(dialog.locator(".person-answer")).to_contain_text("déjeun")
    expect(dialog.get_by_text(re.compile("répondu par téléphone le"))).to_be_visible()
    assert invitation.answer == (True, True, 2)
    assert (invitation.row.answered_via, invitation.row.recorded_by) == ("phone", ADMIN_EMAIL)

    second = dialog.get_by_role("group", name="Invité 2")
    second.get_by_label("Nom", exact=True).fill("Ali Ben")
    second.get_by_text("Son repas").click()
    second.get_by_label("Déjeuner").select_option("Ne déjeune pas")
    shuts_nobody_out(page)
    dialog.get_by_role("button", name="Enregistrer les invités").click()
    expect(dialog.get_by_text("Les invités sont enregistrés.")).to_be_visible()
    expect(dialog.get_by_role("listitem").filter(has_text="envoyée")).to_have_count(1)
    mails = site.mails_to(MEMBER_EMAIL, "invitation")
    assert len(mails) == before + 1
    assert invitation.path in link_in(mails[0], "/event/")
    page.keyboard.press("Escape")  # all is recorded: nothing is asked
    expect(dialog).to_have_count(0)
    expect(shown.locator("[data-group=silent]")).to_have_text("0")
    expect(shown.locator("[data-group=coming]")).to_have_text("4")
    for tile, count in (("total_attending", "4"), ("total_guests", "4"), ("total_meals", "6")):
        expect(other.locator(f"[data-stat={tile}]")).to_contain_text(count)

    shown.get_by_role("button", name="Présents").click()
    expect(shown.get_by_role("listitem").filter(has_text="Ali Ben").first).to_be_visible()

    form = {"token": invitation.token, "will_attend": "false"}
    assert httpx.post(f"{site.url}/event/{invitation.event_id}/answer", data=form).status_code == 303
    expect(shown.locator("[data-group=declined]")).to_have_text("2")
    expect(other.locator("[data-stat=total_attending]")).to_contain_text("3", timeout=2500)
    shown.get_by_role("button", name="Absents").click()
    dialog = person(page, "Marie Durand")
    history = dialog.get_by_role("listitem").filter(has_text="répondu par")
    expect(history.nth(0)).to_contain_text("Ne vient pas")
    expect(history.nth(1)).to_contain_text("Vient, 2 invités, avec déjeuner")
