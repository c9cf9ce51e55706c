"""Presses that come late: after another one, after the answers closed, after an offer has lapsed."""

from collections.abc import Callable
from datetime import timedelta

from sqlmodel import select

from clubapp import clock
from clubapp.database import transaction
from clubapp.models import Event, EventReservation
from tests.services.answers.invitees import Move
from tests.web.plain_visitor import Person, take_a_place


def test_who_takes_an_offer_too_late_reads_why_they_wait(marie: Callable[..., Person], at: Move) -> None:
    person = marie(max_participants=1)
    first = take_a_place()
    person.open().press("Oui, sur la liste d’attente").press("Modifier ma réponse")
    assert ("vous y gardez votre rang" in person.page.text, "Inscrivez-vous" in person.page.text) == (True, False)
    with transaction() as session:
        waiting = session.exec(select(EventReservation).where(EventReservation.id != first)).one()
        waiting.offer_until = clock.now() + timedelta(hours=1)
        session.add(waiting)
    person.open()
    assert person.step == "offer"
    late = "La place qui vous était réservée ne l’est plus\u00a0: le délai pour répondre est passé."
    with transaction() as session:
        session.get_one(EventReservation, waiting.id).offer_until = clock.now() - timedelta(hours=1)
    person.press("Oui, je prends la place")
    assert (person.step, late in person.page.text) == ("waiting", True)
    assert late not in person.open().page.text


def test_what_was_not_said_before_the_end_is_not_claimed_after_it(marie: Callable[..., Person]) -> None:
    person = marie().press("Oui, je viens")
    with transaction() as session:
        session.exec(select(Event)).one().answers_until = clock.now()
    person.press("Oui, avec déjeuner")
    assert (person.step, "Vous venez." in person.page.text) == ("closed", True)
    assert ("Sans déjeuner" in person.page.text, "n’a pas été enregistré" in person.page.text) == (False, True)
    assert "n’a pas été enregistré" not in person.open().page.text


def test_what_was_pressed_before_another_answer_changes_nothing(marie: Callable[..., Person], at: Move) -> None:
    """A press that a device kept without network arrives late: the last press counts, and not the last to arrive."""
    person, since = marie(), "Une réponse plus récente a été enregistrée entre-temps"
    kept = person.page
    at("2026-11-20T10:10")
    person.press("Non, pas cette fois")
    at("2026-11-20T10:20")
    person.page = kept
    person.press("Oui, je viens", age="900")
    assert (person.answer.status_code, person.said) == (409, (False, None, 0))
    assert (since in person.page.text, "Votre absence est notée" in person.page.text) == (True, True)
    for age in ("300", "-1", "x", "9" * 400, ""):
        person.page = kept
        person.press("Oui, je viens", age=age)
        assert (person.answer.status_code, person.said) == (200, (True, None, 0)), age
    at("2026-11-20T10:30")
    asks_lunch = person.page
    person.press("Oui, avec déjeuner")
    at("2026-11-20T10:40")
    person.page = asks_lunch
    person.press("Non, sans déjeuner", age="900")
    assert (person.answer.status_code, person.said) == (409, (True, True, 0)), "of lunch and guests too"
    person.page = asks_lunch
    assert person.press("Non, sans déjeuner", age="300").said == (True, False, 0)
    person.page = kept
    assert person.press("Oui, je viens", age="3600").answer.status_code == 200, "what says the same is sent again"


def test_of_two_late_presses_the_later_one_counts_in_either_order(marie: Callable[..., Person], at: Move) -> None:
    person = marie()
    kept = person.page
    at("2026-11-20T10:30")
    for button, age in (("Oui, je viens", "900"), ("Non, pas cette fois", "600"), ("Oui, je viens", "900")):
        person.page = kept
        person.press(button, age=age)
    assert person.said == (False, None, 0)
