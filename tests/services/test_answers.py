"""An invited person answers by the token of their link, and only by it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event
from sqlmodel import select

from clubapp import clock
from clubapp.database import engine, reading, transaction
from clubapp.models import Event, EventReservation, EventSpeaker, event_stats
from clubapp.refusals import Conflict, Invalid, NotFound
from clubapp.services import answers
from clubapp.services.answer_views import AnswerView, EventFacts
from tests.factories import add_event, add_member, add_reservation

NOW = "2026-11-20T10:00"
INVALID = "Le lien que vous avez utilisé n'est pas valide ou a expiré."
Move = Callable[[str], datetime]


def invite(**columns: Any) -> tuple[str, str]:
    """Invite Marie Durand to an event; its id, and the token of her link."""
    with transaction() as session:
        columns.setdefault("date", clock.from_local("2027-01-14T12:00"))
        made = add_event(session, **columns)
        _, token = add_reservation(session, made, add_member(session))
        return made.id, token


def opened(event_id: str, token: str) -> AnswerView:
    with reading() as session:
        return answers.open(session, event_id, token)


def wrote(service: Callable[..., AnswerView], *given: Any) -> AnswerView:
    with transaction() as session:
        return service(session, *given)


def stored(event_id: str) -> EventReservation:
    with reading() as session:
        return session.exec(select(EventReservation).where(EventReservation.event_id == event_id)).one()


def figures(event_id: str) -> tuple[int, ...]:
    """Présents, absents, déjeuners, invités."""
    with reading() as session:
        row = session.connection().execute(event_stats.select().where(event_stats.c.event_id == event_id)).one()
    return row.total_attending, row.total_not_attending, row.total_with_lunch, row.total_guests


WRITES = [(answers.attend, True), (answers.lunch, True), (answers.guests, 2)]
EVERY_CALL = [(answers.open,), (answers.calendar_file,), *WRITES]


@pytest.mark.parametrize("call", EVERY_CALL, ids=lambda call: call[0].__name__)
def test_no_link_but_one_s_own_opens_anything(club: str, at: Move, call: tuple[Any, ...]) -> None:
    at(NOW)
    event_id, token = invite()
    with transaction() as session:
        other = add_event(session, title="Autre", date=clock.now() + timedelta(days=5))
        _, others = add_reservation(session, other, add_member(session, "Paul Petit", "paul@petit.example"))
    service, *value = call
    before = stored(event_id)
    for wrong in (
        (event_id, ""),
        (event_id, "x" * 43),
        (event_id, others),
        (other.id, token),
        ("", token),
        (event_id, before.response_token),
        (event_id, "é" * 10_000),
    ):
        with pytest.raises(NotFound) as refused, transaction() as session:
            service(session, *wrong, *value)
        assert refused.value.text == INVALID
    assert stored(event_id) == before


def test_wrong_and_foreign_links_ask_the_database_the_same(club: str, at: Move) -> None:
    at(NOW)
    event_id, token = invite()
    with transaction() as session:
        other = add_event(session, title="Autre", date=clock.now() + timedelta(days=5))
        _, foreign = add_reservation(session, other, add_member(session, "Paul Petit", "paul@petit.example"))
    asked: list[list[str]] = []
    listen_for(lambda statement: asked[-1].append(statement))  # noqa: PLW0108 - another list each time
    wrong = ((event_id, "x" * 43), (event_id, foreign), (other.id, token), (event_id, token[:-1]), (event_id, ""))
    for link in wrong:
        asked.append([])
        with pytest.raises(NotFound):
            opened(*link)
    assert asked[0]
    assert all(statements == asked[0] for statements in asked)


def listen_for(hear: Callable[[str], None]) -> None:
    """Hear every statement of this test's engine."""
    event.listen(engine(), "before_cursor_execute", lambda *given: hear(given[2]))


def test_a_link_ends_with_its_event_or_its_member(club: str, at: Move) -> None:
    at(NOW)
    event_id, token = invite()
    with transaction() as session:
        reservation = session.exec(select(EventReservation)).one()
        reservation.member_id = None
    with pytest.raises(NotFound):
        opened(event_id, token)
    with transaction() as session:
        session.delete(session.get(Event, event_id))
    with pytest.raises(NotFound):
        opened(event_id, token)


def test_the_page_tells_what_a_person_needs(club: str, at: Move) -> None:
    at(NOW)
    event_id, token = invite(
        title="Matinale d'hiver à l'Hôtel Élan",
        address="3 place d'Armes",
        max_participants=12,
        description=" Accueil. ",
    )
    with transaction() as session:
        session.add(EventSpeaker(event_id=event_id, name="Luc Ory", display_order=1))
        session.add(EventSpeaker(event_id=event_id, name="Zoé Lefèbvre", company="Atelier Lefèbvre", display_order=0))
    view = opened(event_id, token)
    assert view.event == EventFacts(
        id=event_id,
        title="Matinale d'hiver à l'Hôtel Élan",
        month_label="Rencontre de janvier",
        long_date="jeudi 14 janvier 2027 à 12:00",
        place="Valenciennes, 3 place d'Armes",
        map_link="https://www.openstreetmap.org/search?query=Valenciennes%2C+3+place+d%27Armes",
        description="Accueil.",
        speakers=("Zoé Lefèbvre, Atelier Lefèbvre", "Luc Ory"),
        has_lunch=True,
        lunch="proposé après la rencontre",
        places="12 encore libres",
    )
    assert (view.member_name, view.step, view.will_attend) == ("Marie Durand", "attendance", None)


@pytest.mark.parametrize(
    ("month", "label"),
    [
        ("04", "Rencontre d’avril"),
        ("08", "Rencontre d’août"),
        ("10", "Rencontre d’octobre"),
        ("05", "Rencontre de mai"),
    ],
)
def test_the_month_elides_as_french_does(club: str, at: Move, month: str, label: str) -> None:
    at(NOW)
    assert opened(*invite(date=clock.from_local(f"2027-{month}-01T12:00"))).event.month_label == label


def test_opening_records_nothing(club: str, at: Move) -> None:
    at(NOW)
    link = invite()
    before = stored(link[0])
    at("2026-11-21T10:00")
    for _ in range(20):
        opened(*link)
    assert stored(link[0]) == before


def test_yes_then_lunch_then_guests(club: str, at: Move) -> None:
    said_at = at(NOW)
    link = invite()
    assert wrote(answers.attend, *link, True).step == "lunch"
    assert opened(*link).step == "lunch"
    at("2026-11-20T10:01")
    assert wrote(answers.lunch, *link, True).step == "guests"
    view = wrote(answers.guests, *link, "2")
    assert (view.step, view.will_attend, view.with_lunch, view.guest_count) == ("calendar", True, True, 2)
    assert len(view.calendar_links) == 4
    assert stored(link[0]).responded_at == said_at
    assert stored(link[0]).updated_at == clock.now()
    assert figures(link[0]) == (1, 0, 1, 2)
    assert replace(opened(*link), event=view.event) == view, "a second visit shows the answer given"


def test_an_event_without_lunch_goes_to_guests_and_a_second_visit_shows_the_answer(club: str, at: Move) -> None:
    at(NOW)
    link = invite(has_lunch=False)
    assert wrote(answers.attend, *link, True).step == "guests"
    assert opened(*link).step == "guests"
    assert wrote(answers.guests, *link, 0).step == "calendar"
    assert opened(*link).step == "calendar"
    assert figures(link[0]) == (1, 0, 0, 0)
    with pytest.raises(Conflict), transaction() as session:
        answers.lunch(session, *link, True)


def test_no_lunch_is_an_answer_too(club: str, at: Move) -> None:
    at(NOW)
    link = invite()
    wrote(answers.attend, *link, True)
    assert wrote(answers.lunch, *link, False).step == "guests"
    assert (opened(*link).step, stored(link[0]).with_lunch) == ("calendar", False)


def test_no_ends_at_once_and_a_later_yes_asks_again(club: str, at: Move) -> None:
    at(NOW)
    link = invite()
    wrote(answers.attend, *link, True)
    wrote(answers.lunch, *link, True)
    wrote(answers.guests, *link, 3)
    view = wrote(answers.attend, *link, False)
    assert (view.step, view.will_attend, view.guest_count, view.calendar_links) == ("calendar", False, 0, ())
    assert opened(*link).step == "calendar"
    assert figures(link[0]) == (0, 1, 0, 0)
    assert wrote(answers.attend, *link, True).step == "lunch"
    assert opened(*link).step == "lunch"


def test_a_second_yes_asks_again_but_forgets_nothing(club: str, at: Move) -> None:
    at(NOW)
    link = invite()
    wrote(answers.attend, *link, True)
    wrote(answers.lunch, *link, True)
    wrote(answers.guests, *link, 3)
    assert wrote(answers.attend, *link, True).step == "lunch"
    assert (opened(*link).step, figures(link[0])) == ("calendar", (1, 0, 1, 3))


@pytest.mark.parametrize(
    ("typed", "count"), [("0", 0), (" 5 ", 5), (4, 4), ("", 0), ("deux", 0), ("2,5", 0), ("９" * 9_999, 0)]
)
def test_guests_are_a_whole_number_and_what_is_none_means_zero(
    club: str, at: Move, typed: str | int, count: int
) -> None:
    at(NOW)
    link = invite()
    wrote(answers.attend, *link, True)
    assert wrote(answers.guests, *link, typed).guest_count == count


@pytest.mark.parametrize("typed", ["6", "-1", 6, "999999999999"])
def test_more_than_five_guests_are_refused(club: str, at: Move, typed: str | int) -> None:
    at(NOW)
    link = invite()
    wrote(answers.attend, *link, True)
    with pytest.raises(Invalid) as refused, transaction() as session:
        answers.guests(session, *link, typed)
    assert (refused.value.text, refused.value.field) == ("Maximum 5 invités par membre", "guest_count")
    assert stored(link[0]).guest_count == 0


@pytest.mark.parametrize("said", [None, False])
@pytest.mark.parametrize("service", [answers.lunch, answers.guests])
def test_who_does_not_come_has_neither_lunch_nor_guests(club: str, at: Move, service: Any, said: bool | None) -> None:
    at(NOW)
    link = invite()
    if said is not None:
        wrote(answers.attend, *link, said)
    before = stored(link[0])
    with pytest.raises(Conflict, match="Dites d’abord si vous venez"), transaction() as session:
        service(session, *link, 1)
    assert stored(link[0]) == before


@pytest.mark.parametrize(
    ("moment", "status", "sentence"),
    [
        (NOW, "cancelled", "Cette rencontre est annulée."),
        ("2027-01-14T11:00", "confirmed", "Cette rencontre a commencé\u00a0: les réponses sont closes."),
        ("2027-01-14T14:00", "confirmed", "Cette rencontre a eu lieu\u00a0: les réponses sont closes."),
        (NOW, "completed", "Cette rencontre a eu lieu\u00a0: les réponses sont closes."),
    ],
)
def test_links_end_with_the_event(club: str, at: Move, moment: str, status: str, sentence: str) -> None:
    at(NOW)
    link = invite()
    wrote(answers.attend, *link, True)
    with transaction() as session:
        session.exec(select(Event)).one().status = status
    at(moment)
    view = opened(*link)
    assert view == AnswerView(event=view.event, step="closed", closed=sentence)
    before = stored(link[0])
    for service, value in WRITES:
        with pytest.raises(Conflict) as refused, transaction() as session:
            service(session, *link, value)
        assert refused.value.text == sentence
    with pytest.raises(NotFound), reading() as session:
        answers.calendar_file(session, *link)
    assert stored(link[0]) == before


def test_the_last_second_before_the_event_still_counts(club: str, at: Move) -> None:
    link = invite()
    at("2027-01-14T10:59:59")
    assert wrote(answers.attend, *link, True).step == "lunch"


def test_an_answer_whose_transaction_fails_leaves_nothing(club: str, at: Move) -> None:
    at(NOW)
    link = invite()

    def answer_then_fail() -> None:
        with transaction() as session:
            answers.attend(session, *link, True)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        answer_then_fail()
    assert stored(link[0]).will_attend is None
