"""The answer page without scripts: each press posts a step, and nothing but such a press records anything."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from httpx import Response
from sqlmodel import col, func, select
from starlette.testclient import TestClient

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import Event, EventReservation, OutboxMail, ReservationAnswer
from clubapp.services.answers import waiting_list
from tests.conftest import on_sqlite
from tests.factories import add_member, add_reservation
from tests.services.answers.invitees import Move
from tests.services.answers.maries_link import stored
from tests.web.answer_form import TYPE
from tests.web.plain_document import PlainDocument
from tests.web.plain_visitor import ORIGIN, Person, take_a_place

pytestmark = on_sqlite


def history(person: Person) -> int:
    with reading() as session:
        return session.exec(select(func.count()).select_from(ReservationAnswer)).one()


def test_yes_lunch_guests_and_thanks(marie: Callable[..., Person]) -> None:
    person = marie()
    assert (person.step, "Vous répondez pour" in person.page.text) == ("attendance", True)
    person.press("Oui, je viens")
    assert person.answer.history[0].status_code == 303
    assert (person.step, person.said) == ("lunch", (True, None, 0))
    person.press("Oui, avec déjeuner")
    assert (person.step, person.said) == ("guests", (True, True, 0))
    person.press("Valider", guest_count="2")
    assert (person.step, person.said) == ("calendar", (True, True, 2))
    assert "Merci pour votre confirmation" in person.page.text
    assert f"calendar.ics?token={person.link[1]}" in person.answer.text
    assert person.open().step == "calendar"
    assert history(person) == 1


def test_an_event_without_lunch_asks_for_guests_at_once(marie: Callable[..., Person]) -> None:
    person = marie(has_lunch=False).press("Oui, je viens")
    assert person.step == "guests"
    assert person.press("Valider").step == "calendar"
    assert person.said == (True, False, 0)


def test_no_and_a_change_of_mind(marie: Callable[..., Person]) -> None:
    person = marie().press("Non, pas cette fois")
    assert (person.step, "Votre absence est notée" in person.page.text) == ("calendar", True)
    person.press("Modifier ma réponse")
    assert (person.step, person.said) == ("attendance", (False, None, 0))
    assert person.press("Garder ma réponse").step == "calendar"
    assert person.press("Modifier ma réponse").press("Oui, je viens").step == "lunch"


def test_keeping_the_answer_goes_back_to_the_question_that_was_left(marie: Callable[..., Person]) -> None:
    person = marie().press("Oui, je viens").press("Non, sans déjeuner")
    assert person.press("Modifier ma réponse").step == "attendance"
    assert person.press("Garder ma réponse").step == "guests"


def test_the_answer_of_the_mail_is_put_forward_and_records_nothing(marie: Callable[..., Person]) -> None:
    person = marie().open("&answer=non")
    assert "Rien n’est encore enregistré" in person.page.text
    assert person.said == (None, None, 0)
    person.press("Oui, je viens").open("&answer=non")
    assert (person.step, "Dans l’e-mail, vous avez choisi" in person.page.text) == ("attendance", True)
    assert person.press("Garder ma réponse").step == "lunch"
    person.press("Oui, avec déjeuner").press("Valider").open("&answer=non")
    assert (person.step, "Votre réponse reste «\u00a0Oui\u00a0»" in person.page.text) == ("calendar", True)
    told = person.page.text
    assert told.index("Votre réponse reste") < told.index("Ajouter à Google Agenda"), (
        "it was not this that was confirmed"
    )
    assert "Votre réponse reste" in person.press("Modifier ma réponse").page.text


def test_the_waiting_list_and_an_offer(marie: Callable[..., Person], visit: TestClient) -> None:
    person = marie(max_participants=1)
    first = take_a_place()
    person.open().press("Oui, sur la liste d’attente")
    assert (person.step, "en tête de la liste" in person.page.text) == ("waiting", True)
    later = "Le déjeuner et les invités se choisissent une fois la place obtenue."
    for said, status in (
        ({"will_attend": "true", "with_lunch": "true", "guest_count": "2"}, 200),
        ({"with_lunch": "true"}, 409),
        ({"guest_count": "2"}, 409),
        ({"guest_name": "Zoé Lys"}, 409),
    ):
        sent = visit.post(f"/event/{person.link[0]}/answer", data={"token": person.link[1], **said})
        assert (sent.status_code, later in PlainDocument(sent.text).text) == (status, True), said
        assert "Dites d’abord si vous venez." not in sent.text
        assert person.open().step == "waiting"
    with transaction() as session:
        session.exec(select(EventReservation).where(EventReservation.id == first)).one().will_attend = False
        session.flush()
        waiting_list.offer_free_places(session, person.link[0])
    assert person.open("&answer=oui").step == "offer"
    assert person.press("Oui, je prends la place").step == "lunch"
    person.press("Non, sans déjeuner").press("Valider", guest_count="1")
    assert (person.answer.status_code, person.step) == (422, "guests")
    assert "Il ne reste plus de place pour des invités." in person.page.text
    person.open("&step=guests")
    assert ('max="0"' in person.answer.text, "Maximum 5 invités" in person.page.text) == (True, False)


@pytest.mark.parametrize("typed", ["6", "-1", "99999"])
def test_too_many_guests_are_refused_with_what_was_typed(marie: Callable[..., Person], typed: str) -> None:
    person = marie(has_lunch=False).press("Oui, je viens").press("Valider", guest_count=typed)
    assert (person.answer.status_code, person.step, person.said) == (422, "guests", (True, None, 0))
    assert f'value="{typed}"' in person.answer.text
    assert "Maximum 5 invités par membre" in person.page.text
    assert person.press("Valider", guest_count="4").step == "calendar"


def test_after_the_end_nothing_is_recorded(marie: Callable[..., Person], at: Move) -> None:
    person = marie()
    for change, status, sentence in (
        ({"answers_until": clock.now()}, 409, "Les réponses sont closes depuis le"),
        ({"status": "cancelled"}, 409, "Cette rencontre est annulée."),
        ({"status": "confirmed", "date": clock.now() - timedelta(days=2)}, 409, "Cette rencontre a eu lieu"),
    ):
        with transaction() as session:
            session.exec(select(Event)).one().sqlmodel_update(change)
        page, before = person.page, stored(person.link[0])
        person.press("Oui, je viens")
        assert (person.answer.status_code, person.step) == (status, "closed")
        assert sentence in person.page.text
        assert stored(person.link[0]) == before
        person.page = page


def test_the_calendar_file_of_an_event_that_is_off_is_a_page_that_says_why(
    marie: Callable[..., Person], visit: TestClient
) -> None:
    person = marie()
    with transaction() as session:
        session.exec(select(Event)).one().status = "cancelled"
    told = visit.get(f"/event/{person.link[0]}/calendar.ics?token={person.link[1]}")
    assert (told.status_code, "Cette rencontre est annulée." in PlainDocument(told.text).text) == (404, True)


AGAIN = ("back or reload", "double tap", "retry of a proxy")


@pytest.mark.parametrize("how", AGAIN)
def test_a_post_that_is_sent_twice_counts_once(marie: Callable[..., Person], at: Move, how: str) -> None:
    person = marie(has_lunch=False)
    twice(person, how, "Oui, je viens")
    assert (person.step, person.said) == ("guests", (True, None, 0))
    twice(person, how, "Valider", guest_count="2")
    assert (person.step, person.said, history(person)) == ("calendar", (True, False, 2), 1)
    with transaction() as session:
        session.exec(select(OutboxMail)).one().state = "sent"
    at("2026-11-20T11:00")
    post_again(person, will_attend="true")
    post_again(person, guest_count="2")
    assert (person.said, history(person)) == ((True, False, 2), 1)
    with reading() as session:
        assert session.exec(select(func.count()).select_from(OutboxMail)).one() == 1


def twice(person: Person, how: str, button: str, **typed: str) -> None:
    """Press a button so that the same post arrives twice."""
    page = person.page
    _, sent = page.form_of(button)
    if how == "double tap":  # both travel before either is answered
        with ThreadPoolExecutor(2) as thumbs:
            answers = list(thumbs.map(lambda _: post_again(person, **(sent | typed)), range(2)))
        assert [answer.history[0].status_code for answer in answers] == [303, 303]
        person._read(answers[1])
        return
    person.press(button, **typed)
    if how == "retry of a proxy":  # the answer was lost on its way: the same bytes, and no page between
        person._read(post_again(person, **(sent | typed)))
        return
    person.page = page  # which the browser shows again, or posts again
    person.press(button, **typed)


def post_again(person: Person, **sent: str) -> Response:
    event_id, token = person.link
    return person.visit.post(f"/event/{event_id}/answer", data={"token": token} | sent, headers={"Origin": ORIGIN})


def forged(person: Person, visit: TestClient) -> dict[str, Response]:
    event_id, token = person.link
    with transaction() as session:
        other = session.exec(select(Event).where(col(Event.id) == event_id)).one()
        strange = add_reservation(session, other, add_member(session, "Paul Petit", "paul@petit.example"))[0].id

    def post(path: str = event_id, headers: dict[str, str] | None = None, **sent: str) -> Response:
        fields = {"token": token, "will_attend": "true"} | sent
        return visit.post(f"/event/{path}/answer", data=fields, headers={"Origin": ORIGIN} | (headers or {}))

    return {
        "other event": post("nulle-part"),
        "other token": post(token="x" * 43),
        "identifier for token": post(token=strange),
        "no token": post(token=""),
        "NUL": post(token="\0"),
        "other site": post(headers={"Origin": "https://mechant.example"}),
        "other site, unsaid origin": post(headers={"Origin": "null", "Sec-Fetch-Site": "cross-site"}),
        "old browser": visit.post(
            f"/event/{event_id}/answer",
            data={"token": token, "will_attend": "true"},
            headers={"Referer": "https://mechant.example/"},
        ),
        "an address that is none": visit.post(
            f"/event/{event_id}/answer",
            data={"token": token, "will_attend": "true"},
            headers={"Referer": "http://[::1/x"},
        ),
        "no button": visit.post(f"/event/{event_id}/answer", data={"token": token}),
        "invented button": post(will_attend="peut-être"),
        "lunch first": visit.post(f"/event/{event_id}/answer", data={"token": token, "with_lunch": "true"}),
        "6 guests": post(guest_count="6"),
        "guests in words": post(guest_count="deux"),
        "guests beyond a number": post(guest_count="9" * 5000),
        "JSON": visit.post(f"/event/{event_id}/answer", json={"token": token, "will_attend": True}),
        "heavy": visit.post(f"/event/{event_id}/answer", content=b"a" * 33_000, headers=TYPE),
        "many fields": visit.post(f"/event/{event_id}/answer", content=b"a=1&" * 500, headers=TYPE),
    }


def test_forged_posts_change_nothing_and_are_told_why(marie: Callable[..., Person], visit: TestClient) -> None:
    person = marie()
    before = stored(person.link[0])
    told = forged(person, visit)
    link = "Le lien que vous avez utilisé n'est pas valide ou a expiré."
    site, form = "Cette requête ne vient pas du site.", "Cette requête n’est pas lisible."
    expected = {
        "other event": (404, link),
        "other token": (404, link),
        "identifier for token": (404, link),
        "no token": (404, link),
        "NUL": (404, link),
        "other site": (403, site),
        "other site, unsaid origin": (403, site),
        "old browser": (403, site),
        "an address that is none": (403, site),
        "no button": (422, "Choisissez l’une des réponses proposées."),
        "invented button": (422, "Choisissez l’une des réponses proposées."),
        "lunch first": (409, "Dites d’abord si vous venez."),
        "6 guests": (422, "Maximum 5 invités par membre"),
        "guests in words": (422, "Indiquez un nombre d’invités, de 0 à 5."),
        "guests beyond a number": (422, "Indiquez un nombre d’invités, de 0 à 5."),
        "JSON": (415, form),
        "heavy": (413, form),
        "many fields": (400, form),
    }
    assert {
        why: (answer.status_code, expected[why][1] in PlainDocument(answer.text).text) for why, answer in told.items()
    } == {why: (status, True) for why, (status, _) in expected.items()}
    for answer in (told["other token"], told["no token"]):
        assert "Veuillez vérifier votre email ou contacter l'organisateur." in PlainDocument(answer.text).text
    with reading() as session:
        mine = select(EventReservation).where(EventReservation.id == before.id)
        assert session.exec(mine).one() == before


def test_the_page_s_script_is_answered_at_once_under_a_status_that_no_browser_logs(
    marie: Callable[..., Person], visit: TestClient
) -> None:
    event_id, token = marie().link
    told = [
        visit.post(f"/event/{event_id}/answer", data={"token": token, **said}, headers={"X-Answer": "page"})
        for said in ({"will_attend": "true"}, {"guest_count": "9"})
    ]
    assert [(answer.status_code, answer.headers["X-Status"], PlainDocument(answer.text).step) for answer in told] == [
        (200, "200", "lunch"),
        (200, "422", "guests"),
    ]


def test_nobody_keeps_the_page_and_nobody_learns_its_address(marie: Callable[..., Person]) -> None:
    person = marie()
    for answer in (person.answer, person.press("Oui, je viens").answer, person.answer.history[0]):
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
    assert person.visit.get(f"/event/{person.link[0]}/answer").history[0].status_code == 303


def name_guests(person: Person, *names: str, **typed: list[str] | str) -> Person:
    """Post the form that names guests, as its page sends it."""
    event_id, token = person.link
    said = {"token": token, "guest_name": list(names), **typed}
    return person._read(person.visit.post(f"/event/{event_id}/answer", data=said, headers={"Origin": ORIGIN}))


def test_guests_are_named_after_the_answer_and_never_in_its_way(marie: Callable[..., Person]) -> None:
    person = marie().press("Oui, je viens").press("Oui, avec déjeuner").press("Valider", guest_count="2")
    assert (person.step, "Nommer vos invités" in person.page.text) == ("calendar", True)
    person.press("Nommer vos invités")
    assert (person.step, person.answer.text.count('name="guest_email"')) == ("names", 2)
    wish = {"guest_lunch": ["", "false"], "guest_wish": ["végétarien", ""], "meal_wish": "sans sel"}
    name_guests(person, "Zoé <i>Lys", "", guest_company=["Lys & Cie", ""], guest_email=["", ""], **wish)
    assert person.answer.history[0].status_code == 303
    assert person.step == "calendar"
    for told in ("Zoé <i>Lys, Lys & Cie", "Invité 2"):
        assert told in person.page.text
    person.open("&step=names")
    assert ('value="Zoé &lt;i&gt;Lys"' in person.answer.text, 'value="sans sel"' in person.answer.text) == (True, True)
    assert person.answer.text.count(" selected") == 2
    assert person.said == (True, True, 2)


def test_a_wrong_address_of_a_guest_is_said_beside_it_and_nothing_typed_is_lost(marie: Callable[..., Person]) -> None:
    person = marie(has_lunch=False).press("Oui, je viens").press("Valider", guest_count="2")
    name_guests(person, "Zoé Lys", "Ali Ben", guest_email=["zoe@lys.example", "ali chez lui"])
    assert (person.answer.status_code, person.step) == (422, "names")
    assert person.page.text.count("Indiquez une adresse e-mail valide") == 1
    assert person.answer.text.count('aria-invalid="true"') == 1
    for typed in ("Zoé Lys", "zoe@lys.example", "Ali Ben", "ali chez lui"):
        assert f'value="{typed}"' in person.answer.text
    name_guests(person, *["Trop"] * 3)
    assert "indiquez d’abord leur nombre" in person.page.text


def test_who_brings_nobody_may_say_a_wish_only_when_they_eat(marie: Callable[..., Person]) -> None:
    person = marie().press("Oui, je viens").press("Oui, avec déjeuner").press("Valider", guest_count="0")
    assert person.press("Un souhait pour le repas\u00a0?").step == "names"
    assert "Invité 1" not in person.page.text
    person.open().press("Modifier ma réponse").press("Oui, je viens").press("Non, sans déjeuner").press("Valider")
    assert "souhait" not in person.page.text
    assert person.open("&step=names").step == "calendar"
