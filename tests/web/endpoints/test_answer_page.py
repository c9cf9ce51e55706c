"""The answer page as it is sent: what it says at each step and each end, to whom it opens, its calendar file."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import text
from sqlmodel import select
from starlette.testclient import TestClient

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Event, EventReservation, Member
from clubapp.services.answers import waiting_list
from tests.conftest import on_sqlite
from tests.factories import add_event, add_reservation
from tests.services.answers.invitees import Move
from tests.services.answers.maries_link import stored
from tests.web.plain_visitor import Person, take_a_place

# What refuses, and what lets it be again, by engine.
REFUSING = {
    "sqlite": (
        "CREATE TRIGGER refuse BEFORE UPDATE OF {column} ON event_reservations "
        "BEGIN SELECT RAISE(ABORT, 'disk full'); END",
        "DROP TRIGGER refuse",
    ),
    "postgres": (
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION $$disk full$$; END'; "
        "CREATE TRIGGER refuse BEFORE UPDATE OF {column} ON event_reservations FOR EACH ROW EXECUTE FUNCTION refuse()",
        "DROP TRIGGER refuse ON event_reservations; DROP FUNCTION refuse",
    ),
}


@contextmanager
def full_disk(engine: str, column: str) -> Iterator[None]:
    """The database refuses to write one column of an answer."""

    def do(which: int) -> None:
        with transaction() as session:
            session.connection().execute(text(REFUSING[engine][which].format(column=column)))

    do(0)
    try:
        yield
    finally:
        do(1)


def links(person: Person) -> dict[str, str]:
    """Where the links of the page lead, by name."""
    found = re.findall(r'<a [^>]*href="([^"]*)"[^>]*>(.*?)</a>', person.answer.text, re.DOTALL)
    named = {" ".join(re.sub(r"<[^>]+>", " ", name).split()): href for href, name in found}
    return {name.removesuffix(" (nouvel onglet)"): href for name, href in named.items()}


def first_choice(person: Person) -> str:
    """The button that is put forward."""
    (found,) = re.findall(r"<button [^>]*answer-choice-first[^>]*>(.*?)</button>", person.answer.text, re.DOTALL)
    return re.sub(r"<[^>]+>", "", found)


@on_sqlite
def test_opening_records_nothing_whoever_asks(marie: Callable[..., Person], visit: TestClient, at: Move) -> None:
    person = marie(title="Matinale d'hiver")
    before, (event_id, token) = stored(person.link[0]), person.link
    at("2026-11-21T10:00")
    for method in ("GET", "HEAD", "GET"):
        answer = visit.request(method, f"/event/{event_id}?token={token}&answer=oui")
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
        assert answer.headers["referrer-policy"] == "no-referrer"
    assert "Matinale d&#39;hiver" in answer.text
    assert stored(event_id) == before


@on_sqlite
def test_a_wrong_link_ends_at_the_error_card(marie: Callable[..., Person], visit: TestClient) -> None:
    person = marie()
    event_id, token = person.link
    with transaction() as session:
        other = add_event(session, "Autre", clock.from_local("2027-02-14T12:00"))
        _, foreign = add_reservation(session, other, session.exec(select(Member)).one())
    for query in (f"{event_id}?token={'x' * 43}", f"{event_id}?token={foreign}", f"nulle-part?token={token}"):
        person._read(visit.get(f"/event/{query}"))
        assert "Erreur Le lien que vous avez utilisé n'est pas valide ou a expiré." in person.page.text, query
        assert "Veuillez vérifier votre email ou contacter l'organisateur." in person.page.text
        assert (person.page.forms, "Matinale" in person.page.text) == ([], False)
    for query in (event_id, f"{event_id}?token="):
        person._read(visit.get(f"/event/{query}"))
        assert (person.page.forms, "n'est pas valide" in person.page.text) == ([], True), query


@on_sqlite
@pytest.mark.parametrize(("answer", "name"), [("oui", "Oui, je viens"), ("non", "Non, pas cette fois")])
def test_the_answer_pressed_in_the_mail_is_put_forward_and_one_press_confirms_it(
    marie: Callable[..., Person], answer: str, name: str
) -> None:
    """Without lunch, two presses make a whole 'Oui'; a 'Non' is done with one."""
    person = marie(has_lunch=False).open(f"&answer={answer}")
    assert "Rien n’est encore enregistré\u00a0: confirmez votre réponse." in person.page.text
    assert (first_choice(person), person.said) == (name, (None, None, 0))
    person.press(name)
    if answer == "oui":
        assert person.step == "guests"
        person.press("Valider")
    assert (person.step, person.said[0]) == ("calendar", answer == "oui")
    assert "Dans l’e-mail, vous avez choisi" not in person.page.text


@on_sqlite
def test_the_other_answer_pressed_in_a_later_mail_changes_nothing_unasked(marie: Callable[..., Person]) -> None:
    person = marie().press("Non, pas cette fois").open("&answer=oui")
    assert (
        "Dans l’e-mail, vous avez choisi «\u00a0Oui\u00a0». Votre réponse reste «\u00a0Non\u00a0»" in person.page.text
    )
    assert (person.step, person.said) == ("calendar", (False, None, 0))
    person.press("Modifier ma réponse")
    assert first_choice(person) == "Oui, je viens"
    person.press("Oui, je viens")
    assert (person.step, person.said) == ("lunch", (True, None, 0))
    assert person.open().step == "lunch", "what was left halfway is asked again"


@on_sqlite
@pytest.mark.parametrize(("typed", "stored_count"), [("", 0), ("5", 5)])
def test_guests_are_typed_and_nothing_typed_means_nobody(
    marie: Callable[..., Person], typed: str, stored_count: int
) -> None:
    person = marie(has_lunch=False).press("Oui, je viens").press("Valider", guest_count=typed)
    assert (person.step, person.said) == ("calendar", (True, False, stored_count))
    assert ("déjeuner" in person.page.text, f"{stored_count} invités" in person.page.text) == (False, stored_count > 0)


@on_sqlite
def test_who_comes_finds_calendars_and_a_mail_announced_and_who_does_not_finds_none(
    marie: Callable[..., Person],
) -> None:
    person = marie().press("Oui, je viens").press("Oui, avec déjeuner").press("Valider", guest_count="2")
    assert "Une confirmation vous est envoyée par e-mail." in person.page.text
    for told in ("Avec déjeuner", "2 invités"):
        assert told in person.page.text
    led = links(person)
    for name in ("Ajouter à Google Agenda", "Outlook", "Office 365", "Yahoo"):
        assert (led[name].startswith("https://"), person.link[1] in led[name]) == (True, False)
    assert led["Apple (.ics)"] == f"/event/{person.link[0]}/calendar.ics?token={person.link[1]}"
    person.press("Modifier ma réponse").press("Non, pas cette fois")
    assert ("Votre absence est notée." in person.page.text, "Agenda" in person.page.text) == (True, False)


@on_sqlite
def test_the_calendar_file_needs_the_link_and_holds_nobody(marie: Callable[..., Person], visit: TestClient) -> None:
    event_id, token = marie().link
    address = f"/event/{event_id}/calendar.ics"
    good = visit.get(f"{address}?token={token}")
    assert (good.status_code, good.headers["content-type"]) == (200, "text/calendar; charset=utf-8")
    assert good.headers["content-disposition"] == 'attachment; filename="rencontre.ics"'
    assert good.headers["cache-control"] == "no-store"
    assert f"UID:{event_id}@localhost" in good.text
    assert "DTSTART;TZID=Europe/Paris:20270114T120000" in good.text
    assert [word for word in (token, "Marie") if word in good.text] == []
    for wrong in (address, f"{address}?token={'x' * 43}", f"/event/autre/calendar.ics?token={token}"):
        assert visit.get(wrong).status_code == 404


@on_sqlite
def test_who_waits_keeps_the_place_in_line_and_may_leave_an_offer(marie: Callable[..., Person]) -> None:
    person = marie(max_participants=1)
    first = take_a_place()
    person.open()
    assert "Inscrivez-vous sur la liste d’attente" in person.page.text
    person.press("Oui, sur la liste d’attente").press("Modifier ma réponse").press("Garder ma réponse")
    assert person.step == "waiting"
    with transaction() as session:
        session.get_one(EventReservation, first).will_attend = False
        session.flush()
        waiting_list.offer_free_places(session, person.link[0])
    person.open("&answer=oui")
    assert (person.step, "Elle vous est réservée jusqu’au" in person.page.text) == ("offer", True)
    with reading() as session:
        mine = select(EventReservation).where(EventReservation.id != first)
        assert session.exec(mine).one().is_waiting, "opening the page takes nothing"
    person.press("Non, je la laisse")
    assert (person.step, "Votre absence est notée." in person.page.text) == ("calendar", True)
    with reading() as session:
        assert session.exec(mine).one().will_attend is False


@on_sqlite
def test_who_has_room_for_no_guest_is_told_so_beside_what_they_typed(marie: Callable[..., Person]) -> None:
    person = marie(max_participants=1).press("Oui, je viens").press("Non, sans déjeuner")
    assert "Il ne reste plus de place pour des invités." in person.page.text
    person.press("Valider", guest_count="1")
    assert (person.answer.status_code, 'value="1"' in person.answer.text) == (422, True)
    assert "Il ne reste plus de place pour des invités." in person.page.text
    assert person.press("Valider", guest_count="0").step == "calendar"
    assert person.said == (True, False, 0)


@on_sqlite
def test_once_closed_the_page_says_what_was_said_and_whom_to_call(marie: Callable[..., Person]) -> None:
    person = marie().press("Oui, je viens").press("Oui, avec déjeuner").press("Valider")

    def opened(**change: object) -> str:
        with transaction() as session:
            session.exec(select(Event)).one().sqlmodel_update(change)
        person.open()
        assert (person.step, person.page.forms) == ("closed", [])
        return " ".join(person.page.text.split())

    told = opened(answers_until=clock.now())
    assert "Les réponses sont closes depuis le" in told
    assert "Vous venez. À bientôt" in told
    assert links(person)["03 53 01 55 01"] == "tel:+33353015501"
    assert "Ajouter à Google Agenda" in links(person)
    off = opened(status="cancelled")
    assert ("Cette rencontre est annulée." in off, "Marie Durand" in off, "Agenda" in off) == (True, False, False)
    over = opened(status="completed")
    assert "Cette rencontre a eu lieu" in over
    assert "Pour toute question : Hélène Caudrelier, 03 53 01 55 01" in over.replace("\u00a0", " ")
    assert person.said == (True, True, 0)


def test_an_answer_that_could_not_be_saved_is_said_and_can_be_given_again(
    marie: Callable[..., Person], club: str
) -> None:
    person = marie()
    lost = "Erreur lors de l'enregistrement "
    steps: tuple[tuple[str, str, dict[str, str], str, str], ...] = (
        ("will_attend", "Oui, je viens", {}, "de votre réponse", "lunch"),
        ("with_lunch", "Oui, avec déjeuner", {}, "de votre choix", "guests"),
        ("guest_count", "Valider", {"guest_count": "2"}, "du nombre d'invités", "calendar"),
    )
    for column, button, typed, what, next_step in steps:
        before, asked = person.said, person.step
        with full_disk(club, column):
            person.press(button, **typed)
        assert (person.answer.status_code, person.step) == (503, asked)
        assert (f"{lost}{what}" in person.page.text, person.said) == (True, before)
        person.press(button, **typed)
        assert (person.step, lost in person.page.text) == (next_step, False)
    assert person.said == (True, True, 2)
