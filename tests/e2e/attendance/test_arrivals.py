"""Arrivals at the door: on two phones at once, without network, by keyboard, by the link of the helpers."""

import csv
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import BytesIO, StringIO
from typing import Any

import httpx
import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Locator, Page, expect
from playwright.sync_api import Error as PlaywrightError
from pypdf import PdfReader
from sqlmodel import col, delete, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Arrival, ArrivalTouch, Event, Member, UserSession
from clubapp.services.attendance import helper_link
from clubapp.services.attendance.arrivals import MOST_TOUCHES
from clubapp.services.attendance.people import list_people
from clubapp.services.base.actors import SYSTEM
from clubapp.services.demo import ADMIN_EMAIL, MEMBER_EMAIL
from tests.e2e.conftest import sign_in
from tests.e2e.invitation_steps import database_of, has_no_barrier, invite, shuts_nobody_out
from tests.e2e.site import Site

PHONE = {"width": 390, "height": 844}
COMING = 24
COOK = "cuisine@traiteur.example"
IDS = "(rows) => rows.map((row) => row.dataset.personId)"
COUNT_KEPT = """() => new Promise((count) => {
  indexedDB.open("accueil").onsuccess = ({ target }) => {
    const all = target.result.transaction("touches").objectStore("touches").count();
    all.onsuccess = () => count(all.result);
  };
})"""
TEN_MINUTES = timedelta(minutes=10)
IS_FORGOTTEN = "(base) => caches.has(`accueil:${base}`).then((kept) => !kept)"
WITHOUT_NETWORK = pytest.mark.console_errors("ERR_INTERNET_DISCONNECTED", "ERR_FAILED")


@dataclass(frozen=True)
class Door:
    """An event to which COMING members come; Marie has said nothing. `link` is that of its helpers, `token` hers."""

    site: Site
    event_id: str
    link: str
    token: str

    @property
    def path(self) -> str:
        return f"/admin/events/{self.event_id}/accueil"

    @property
    def arrived(self) -> dict[str, datetime]:
        """Who arrived and when, by id, as the database has it."""
        with database_of(self.site), reading() as session:
            rows = session.exec(select(Arrival).where(Arrival.event_id == self.event_id)).all()
        return {row.person: row.arrived_at for row in rows}


@pytest.fixture
def door(site: Site) -> Iterator[Door]:
    made = invite(site, title="Le déjeuner des réussites", coming=COMING, max_participants=None)
    with database_of(site), transaction() as session:
        link = helper_link.make_link(session, SYSTEM, made.event_id).address
    yield Door(site, made.event_id, link, made.token)
    with database_of(site), transaction() as session:
        session.delete(session.get(Event, made.event_id))


@pytest.fixture
def new_phone(site: Site, new_context: Callable[..., BrowserContext]) -> Callable[[], Page]:
    return lambda: new_context(site, viewport=PHONE, has_touch=True).new_page()


def admins(page: Page, door: Door) -> Page:
    sign_in(page, door.site, ADMIN_EMAIL, door.path)
    expect(page.get_by_role("heading", name="Accueil", level=1)).to_be_visible()
    return page


def helpers(page: Page, door: Door) -> Page:
    page.goto(door.link)
    expect(page).to_have_url(re.compile(rf"/accueil/{door.event_id}$"))
    return page


def row(page: Page, person: str) -> Locator:
    return page.locator(f'li[data-person-id="{person}"]')


def press(page: Page, person: str, name: str = "Arrivé") -> None:
    row(page, person).get_by_role("button", name=name, exact=True).click()


def shows(page: Page, arrived: int, expected: int = COMING) -> None:
    expect(page.locator(".figures")).to_have_text(f"{arrived} / {expected}")


def ready_for_a_cellar(page: Page) -> None:
    """The page is kept: it can be opened without network."""
    page.wait_for_function("() => navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("(base) => caches.match(base).then(Boolean)", arg=page.evaluate("location.pathname"))


def kill(page: Page) -> None:
    """End the process of a tab, as a phone does that lacks memory: nothing is told to the page."""
    with page.expect_event("crash"), suppress(PlaywrightError):
        page.goto("chrome://crash")
    page.close()


def count_kept(page: Page) -> int:
    """How many presses are on the disk of the phone. Waits for those that are being written."""
    return page.evaluate(COUNT_KEPT)


def name_two_guests(door: Door) -> dict[str, str]:
    """Marie says yes by her link, with lunch and two guests. Returns the ids of her party, by name."""
    form: dict[str, Any] = {"token": door.token, "will_attend": "true", "with_lunch": "true", "guest_count": "2"}
    form |= {"guest_name": ["Zoé Lys", "Ali Œuvre"], "guest_company": ["Lys & Cie", ""]}
    assert httpx.post(f"{door.site.url}/event/{door.event_id}/answer", data=form).status_code == 303
    with database_of(door.site), reading() as session:
        return {one.name: one.id for one in list_people(session, door.event_id)}


@WITHOUT_NETWORK
def test_from_answers_to_closing_on_two_phones_one_of_them_offline_for_ten_minutes_and_killed(
    door: Door, new_phone: Callable[[], Page]
) -> None:
    """The clock of the phone in the cellar begins ten minutes late: it is right once the ten minutes have passed."""
    guest = name_two_guests(door)["Zoé Lys"]
    above, cellar = admins(new_phone(), door), new_phone()
    cellar.clock.install(time=clock.now() - TEN_MINUTES)
    helpers(cellar, door)
    people = above.locator("li[data-expected]:not([data-guest])").evaluate_all(IDS)
    everyone = COMING + 3
    press(above, people[0])
    shows(cellar, 1, everyone)
    ready_for_a_cellar(cellar)
    cellar.context.set_offline(True)
    expect(cellar.get_by_text("Hors connexion")).to_be_visible()
    row(cellar, people[1]).get_by_role("button", name="Arrivé").dblclick()  # a nervous finger presses once
    for person in people[2:9]:
        press(cellar, person)
    cellar.get_by_role("button", name="Arrivés").click()
    press(cellar, people[1], "Annuler")  # it was somebody else
    press(cellar, people[0], "Annuler")  # whom the other phone had noted
    assert count_kept(cellar) == 10
    cellar.clock.fast_forward("10:00")
    press(above, people[2])  # after the phone in the cellar did
    for person in people[9:13]:
        press(above, person)
    shows(above, 6, everyone)
    context, path = cellar.context, cellar.evaluate("location.pathname")
    kill(cellar)
    cellar = context.new_page()
    cellar.goto(path)  # nothing but what the browser kept
    expect(cellar.locator("#queued")).to_have_text("10 à envoyer, rien ne se perd")
    shows(cellar, 7, everyone)
    for person in (*people[13:20], guest):
        press(cellar, person)
    expect(cellar.locator("#offline .inner")).to_be_in_viewport()
    cellar.get_by_role("button", name="Arrivés").click()
    press(cellar, people[8], "Annuler")
    cellar.clock.fast_forward("00:01")
    press(cellar, people[8])
    expect(cellar.locator("#queued")).to_have_text("20 à envoyer, rien ne se perd")
    context.set_offline(False)
    there = {*people[2:20], guest}
    for page in (above, cellar):
        shows(page, len(there), everyone)
        expect(page.locator("#offline .inner")).to_be_hidden()
        page.get_by_role("button", name="Arrivés").click()
        assert sorted(page.locator("li[data-person-id]:visible").evaluate_all(IDS)) == sorted(there)
        page.get_by_role("searchbox").fill("Zoé Lys")
        expect(page.locator("li.alone:visible .name")).to_have_text("Zoé Lys")  # without the host above
    assert set(arrived := door.arrived) == there
    assert arrived[people[13]] - arrived[people[2]] > TEN_MINUTES / 2, "the first arrival counts, by the phone's clock"
    with database_of(door.site), transaction() as session:
        event = session.get_one(Event, door.event_id)
        event.caterer_email, event.date = COOK, clock.now() + timedelta(days=10)
        touches = session.exec(select(ArrivalTouch.person).where(ArrivalTouch.event_id == door.event_id)).all()
        assert len(touches) == 1 + 5 + 20, "each press once"
    above.goto(f"/admin/events/{door.event_id}?onglet=jour")
    send_the_numbers(above, door)
    with database_of(door.site), transaction() as session:
        session.get_one(Event, door.event_id).date = clock.now()  # it begins
    admins(above, door)
    above.get_by_role("button", name="Clore l'accueil").click()
    question = above.get_by_role("alertdialog", name="Clore l’accueil")
    expect(question.get_by_text("19 personnes sont arrivées, 10 sont absentes malgré leur réponse.")).to_be_visible()
    shuts_nobody_out(above)
    told = above.locator(".told p:first-child")
    expect(told).to_have_text("arrivés, 10 attendus")
    question.get_by_role("button", name="Clore l'accueil").click()
    expect(above.get_by_role("link", name="Accueil clos")).to_be_focused()
    expect(told).to_have_text("venus, 10 absents")
    above.reload()
    expect(told).to_have_text("venus, 10 absents")
    expect(above.locator("[data-filter]")).to_contain_text(["Absents", "Venus", "Sans réponse"])
    above.get_by_role("link", name="Accueil clos").click()
    expect(above.locator("[data-stat=total_arrived]")).to_contain_text("19")
    expect(above.locator("[data-stat=total_no_show]")).to_contain_text("10")
    presences = came_by_table(above, door)
    with database_of(door.site), reading() as session:
        names = {one.id: one.name for one in list_people(session, door.event_id)}
    assert sorted(presences["venu"]) == sorted(names[person] for person in there)
    assert sorted(presences["absent malgré sa réponse"]) == sorted(names[person] for person in set(names) - there)


def send_the_numbers(page: Page, door: Door) -> None:
    """Freeze and tell; then Marie brings two more, and the difference is told."""
    page.get_by_role("button", name="Envoyer les nombres").dblclick()
    told = page.locator("#contenu").get_by_text(re.compile("25 présents, 2 invités, 27 déjeuners"))
    expect(told).to_be_visible()
    assert "Déjeuners 27" in numbers_told(door, "Nombres")
    expect(page.get_by_text("Les nombres n’ont pas été envoyés")).to_have_count(0)
    form = {"token": door.token, "guest_count": "4"}
    assert httpx.post(f"{door.site.url}/event/{door.event_id}/answer", data=form).status_code == 303
    expect(page.get_by_text("+2 invités, +2 déjeuners depuis l’envoi")).to_be_visible()
    page.get_by_role("button", name="Envoyer la différence").click()
    expect(page.locator("#contenu").get_by_text(re.compile("4 invités, 29 déjeuners"))).to_be_visible()
    expect(page.get_by_role("button", name="Envoyer la différence")).to_have_count(0)
    assert "Déjeuners 29 27 auparavant, +2" in numbers_told(door, "Nombres corrigés")


def numbers_told(door: Door, about: str) -> str:
    """What the sheet says that the caterer got with a mail of that subject."""
    (sheet,) = door.site.wait_for_mail(COOK, "caterer", about=about).iter_attachments()
    pages = PdfReader(BytesIO(sheet.get_content())).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def came_by_table(page: Page, door: Door) -> dict[str, list[str]]:
    """The names in the file of who came, by what it says of them."""
    answer = page.request.get(f"/admin/events/{door.event_id}/arrivees.csv")
    rows = csv.DictReader(StringIO(answer.body().decode("utf-8-sig"), newline=""), delimiter=";")
    found: defaultdict[str, list[str]] = defaultdict(list)
    for row in rows:
        found[row["Présence"]].append(row["Nom"])
    return found


@WITHOUT_NETWORK
def test_a_clock_that_is_set_right_meanwhile_moves_no_press_that_is_kept(
    door: Door, new_phone: Callable[[], Page]
) -> None:
    """A day late, then a day early."""
    page, day = new_phone(), timedelta(hours=24)
    page.clock.install(time=clock.now() - day)
    helpers(page, door)
    ready_for_a_cellar(page)
    page.context.set_offline(True)
    expect(page.get_by_text("Hors connexion")).to_be_visible()
    pressed = page.locator("li[data-expected]").evaluate_all(IDS)[:3]
    for person, wrong_by in zip(pressed, (-day, day, timedelta()), strict=True):
        page.clock.set_system_time(clock.now() + wrong_by)
        press(page, person)
    begun = clock.now()
    page.context.set_offline(False)
    expect(page.locator("#offline .inner")).to_be_hidden()
    for person in pressed:
        assert begun - timedelta(minutes=1) < door.arrived[person] <= clock.now()


def test_somebody_unannounced_is_a_touch_for_a_member_and_a_name_for_a_guest(
    door: Door, new_phone: Callable[[], Page]
) -> None:
    page, other = admins(new_phone(), door), helpers(new_phone(), door)
    with database_of(door.site), reading() as session:
        marie = session.exec(select(Member).where(Member.email == MEMBER_EMAIL)).one()
    expect(row(page, marie.id)).to_be_hidden()
    (silent := page.get_by_role("button", name="Sans réponse")).click()
    expect(row(page, marie.id)).to_be_visible()
    expect(page.locator("#others-hint")).to_contain_text("Qui a répondu non, attend une place ou n’est pas invité")
    search, before = page.get_by_role("searchbox", name="Chercher une personne"), silent.inner_text()
    surname, first = marie.name.split()[-1], marie.name.split()[0]
    for wanted in (f"{surname} {first}".upper(), f"{first[:1]}{first[2:]} {surname}" if len(first) > 4 else surname):
        search.fill(wanted)
        expect(row(page, marie.id)).to_be_visible()
    press(page, marie.id)
    shows(page, 1, COMING + 1)
    expect(silent).not_to_have_text(before)  # who is there is counted with them no more
    search.fill("Ali Babouchka")
    expect(page.get_by_text("Personne de ce nom.")).to_be_visible()
    page.get_by_role("button", name="Quelqu’un d’imprévu").click()
    expect(page.get_by_label("Nom", exact=True)).to_have_value("Ali Babouchka")
    page.get_by_label("Nom", exact=True).fill("")
    page.locator("#new-form").get_by_role("button", name="Arrivé").click()
    expect(page.get_by_role("alert").filter(has_text="Indiquez le nom de la personne.")).to_be_visible()
    page.get_by_label("Nom", exact=True).fill("Ali Baba")
    page.get_by_label("Entreprise").fill("Quarante & fils")
    page.locator("#new-form").get_by_role("button", name="Arrivé").dblclick()
    for screen in (page, other):
        shows(screen, 2, COMING + 2)
        screen.get_by_role("button", name="Arrivés").click()
        screen.get_by_role("searchbox").fill("ałi")  # neither accents nor strokes count
        expect(guest := screen.get_by_role("listitem").filter(has_text="Ali Baba")).to_be_visible()
    assert len(door.arrived) == 2
    guest.get_by_role("button", name="Annuler").click()
    shows(page, 1, COMING + 1)
    expect(page.get_by_text("Ali Baba", exact=True)).to_have_count(0)


def test_by_keyboard_alone_and_nobody_is_shut_out(door: Door, page: Page) -> None:
    admins(page, door)
    shuts_nobody_out(page)
    page.get_by_role("searchbox").focus()
    for _ in range(4):
        page.keyboard.press("Tab")
    expect(first := page.locator("li[data-expected] button").first).to_be_focused()
    page.keyboard.press("Enter")
    shows(page, 1)
    expect(first).to_be_focused()
    expect(first).to_have_text("Annuler")
    expect(page.get_by_role("status").filter(has_text="arrivée notée")).to_have_count(1)
    has_no_barrier(page)
    page.emulate_media(forced_colors="active")
    bar = Image.open(BytesIO(page.get_by_role("progressbar").screenshot())).convert("RGB")
    assert bar.getpixel((6, 4)) != bar.getpixel((bar.width - 6, 4)), "how many have arrived is seen in forced colours"
    page.emulate_media(forced_colors="none")
    page.wait_for_function("() => [...rows.values()].every((row) => !(Date.now() - row.stays < DOUBLE_MS))")
    page.keyboard.press("Space")
    shows(page, 0)
    page.get_by_role("button", name="Quelqu’un d’imprévu").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Nom", exact=True)).to_be_focused()
    shuts_nobody_out(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Quelqu’un d’imprévu")).to_be_focused()
    opener = page.get_by_role("button", name="Lien d'aide")
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_label("Adresse")).to_have_value(door.link)
    shuts_nobody_out(page)
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    page.emulate_media(media="print")
    has_no_barrier(page)
    shown = page.locator(".chips button:visible, .search input:visible")
    expect(shown).to_contain_text(["Attendus"])  # on paper it is said which part of the list is shown
    page.emulate_media(media="screen")
    page.get_by_label("Chercher une personne").fill("Durand")
    expect(page.get_by_role("button", name="Attendus")).to_have_attribute("aria-pressed", "false")
    page.emulate_media(media="print")
    expect(shown).to_have_count(1)
    expect(shown).to_have_value("Durand")


@pytest.mark.console_errors("401")
def test_a_press_that_is_refused_is_drawn_back_and_one_after_the_session_goes_once_signed_in_again(
    door: Door, new_phone: Callable[[], Page]
) -> None:
    page, now = admins(new_phone(), door), clock.now()
    person, *_, refused = page.locator("li[data-expected]").evaluate_all(IDS)
    made: dict[str, Any] = {"at": now, "recorded_by": ADMIN_EMAIL, "created_at": now}
    with database_of(door.site), transaction() as session:
        for _ in range(MOST_TOUCHES):
            session.add(ArrivalTouch(event_id=door.event_id, person=refused, kind="undone", **made))
    row(page, refused).scroll_into_view_if_needed()
    press(page, refused)
    expect(told := page.locator("#refused-text")).to_contain_text("trop d’allers-retours pour cette personne")
    expect(told).to_be_in_viewport()
    has_no_barrier(page)
    expect(row(page, refused).get_by_role("button")).to_have_text("Arrivé")
    shows(page, 0)
    page.get_by_role("button", name="Fermer").first.click()
    expect(told).to_be_hidden()

    with database_of(door.site), transaction() as session:
        session.connection().execute(delete(UserSession).where(col(UserSession.email) == ADMIN_EMAIL))
    expect(page.get_by_text("Votre session est terminée.")).to_be_visible()
    press(page, person)
    expect(page.locator("#problem-queue")).to_have_text("1 à envoyer, rien ne se perd")
    expect(page.get_by_role("link", name="Se reconnecter")).to_be_visible()
    assert door.arrived == {}
    with page.expect_response(lambda answer: answer.request.method == "POST"):  # shown before it has gone
        admins(page, door)
    expect(page.locator("#problem .inner")).to_be_hidden()
    expect(row(page, person)).not_to_contain_text("à envoyer")
    shows(page, 1)
    assert set(door.arrived) == {person}


@pytest.mark.console_errors("403", "502", "ERR_INTERNET_DISCONNECTED")
def test_the_link_of_helpers_is_shown_and_withdrawn_at_a_press(door: Door, new_phone: Callable[[], Page]) -> None:
    helper, page = helpers(new_phone(), door), admins(new_phone(), door)
    expect(helper.get_by_role("button", name="Lien d'aide")).to_have_count(0)
    ready_for_a_cellar(helper)
    ready_for_a_cellar(page)
    dialog = page.get_by_role("dialog")
    page.route("**/etat", lambda route: route.fulfill(status=502))  # the proxy, while the site starts again
    expect(page.get_by_text("Site injoignable")).to_be_visible()
    page.unroute("**/etat")
    expect(page.get_by_text("Site injoignable")).to_be_hidden()
    page.context.set_offline(True)
    page.get_by_role("button", name="Lien d'aide").click()
    expect(dialog.locator(".wrong").get_by_text("Il faut du réseau pour le lien d’aide.")).to_be_visible()
    dialog.get_by_role("button", name="Fermer").click()
    page.context.set_offline(False)
    page.get_by_role("button", name="Lien d'aide").click()
    expect(dialog.get_by_role("img")).to_be_visible()
    helper.evaluate("scrollTo(0, document.body.scrollHeight)")
    dialog.get_by_role("button", name="Retirer le lien").click()
    expect(dialog.get_by_role("button", name="Faire un nouveau lien")).to_be_focused()
    expect(dialog.get_by_text("Lien retiré")).to_be_visible()
    expect(helper.get_by_text("Ce lien n’ouvre plus l’accueil")).to_be_in_viewport()
    helper.wait_for_function(IS_FORGOTTEN, arg=f"/accueil/{door.event_id}")
    dialog.get_by_role("button", name="Faire un nouveau lien").click()
    expect(dialog.get_by_label("Adresse")).not_to_have_value(door.link)
    expect(dialog.get_by_label("Adresse")).to_have_value(re.compile(rf"/accueil/{door.event_id}\?token="))
