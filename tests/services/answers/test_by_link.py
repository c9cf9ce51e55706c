"""An invited person answers step by step: coming or not, lunch, guests."""

from dataclasses import replace
from datetime import timedelta

import pytest

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import event_stats
from clubapp.refusals import Conflict, Invalid
from clubapp.services.answers import by_link
from clubapp.services.answers.answer_form import Answer, parse_attendance, parse_guests, parse_lunch
from clubapp.text.programme import ProgrammePart, ProgrammeStep
from tests.services.answers.invitees import NOW, Move
from tests.services.answers.maries_link import invite, opened, stored, wrote


def figures(event_id: str) -> tuple[int, ...]:
    """Présents, absents, déjeuners, invités."""
    with reading() as session:
        row = session.connection().execute(event_stats.select().where(event_stats.c.event_id == event_id)).one()
    return row.total_attending, row.total_not_attending, row.total_with_lunch, row.total_guests


def test_yes_then_lunch_then_guests(club: str, at: Move) -> None:
    said_at = at(NOW)
    link = invite()
    assert wrote(by_link.record_answer, *link, parse_attendance(True)).step == "lunch"
    assert opened(*link).step == "lunch"
    at("2026-11-20T10:01")
    assert wrote(by_link.record_answer, *link, parse_lunch(True)).step == "guests"
    view = wrote(by_link.record_answer, *link, parse_guests("2"))
    assert (view.step, view.will_attend, view.with_lunch, view.guest_count) == ("calendar", True, True, 2)
    assert len(view.calendar_links) == 4
    assert stored(link[0]).responded_at == said_at
    assert stored(link[0]).updated_at == clock.now()
    assert figures(link[0]) == (1, 0, 1, 2)
    assert replace(opened(*link), event=view.event) == view, "a second visit shows the answer given"


def test_an_event_without_lunch_goes_to_guests_and_a_second_visit_shows_the_answer(club: str, at: Move) -> None:
    at(NOW)
    link = invite(has_lunch=False)
    assert wrote(by_link.record_answer, *link, parse_attendance(True)).step == "guests"
    assert opened(*link).step == "guests"
    assert wrote(by_link.record_answer, *link, parse_guests(0)).step == "calendar"
    assert opened(*link).step == "calendar"
    assert figures(link[0]) == (1, 0, 0, 0)
    with pytest.raises(Conflict), transaction() as session:
        by_link.record_answer(session, *link, parse_lunch(True))


def test_prose_and_programme_keep_the_order_of_the_text_and_the_end_is_said(club: str, at: Move) -> None:
    at(NOW)
    date = clock.from_local("2026-12-10T12:00")
    link = invite(date=date, ends_at=date + timedelta(hours=2), description="Places mêlées.\n11h30 : Accueil")
    event = opened(*link).event
    assert event.long_date == "jeudi 10 décembre 2026, de 12:00 à 14:00"
    assert event.description == (ProgrammePart("Places mêlées.", (ProgrammeStep("11:30", "Accueil"),)),)


def test_no_lunch_is_an_answer_too(club: str, at: Move) -> None:
    at(NOW)
    link = invite()
    wrote(by_link.record_answer, *link, parse_attendance(True))
    assert wrote(by_link.record_answer, *link, parse_lunch(False)).step == "guests"
    assert (opened(*link).step, stored(link[0]).with_lunch) == ("calendar", False)


def test_no_ends_at_once_and_a_later_yes_asks_again(club: str, at: Move) -> None:
    at(NOW)
    link = invite()
    wrote(by_link.record_answer, *link, parse_attendance(True))
    wrote(by_link.record_answer, *link, parse_lunch(True))
    wrote(by_link.record_answer, *link, parse_guests(3))
    view = wrote(by_link.record_answer, *link, parse_attendance(False))
    assert (view.step, view.will_attend, view.guest_count, view.calendar_links) == ("calendar", False, 0, ())
    assert opened(*link).step == "calendar"
    assert figures(link[0]) == (0, 1, 0, 0)
    assert wrote(by_link.record_answer, *link, parse_attendance(True)).step == "lunch"
    assert opened(*link).step == "lunch"


def test_a_second_yes_asks_again_but_forgets_nothing(club: str, at: Move) -> None:
    at(NOW)
    link = invite()
    wrote(by_link.record_answer, *link, parse_attendance(True))
    wrote(by_link.record_answer, *link, parse_lunch(True))
    wrote(by_link.record_answer, *link, parse_guests(3))
    assert wrote(by_link.record_answer, *link, parse_attendance(True)).step == "lunch"
    assert (opened(*link).step, figures(link[0])) == ("calendar", (1, 0, 1, 3))


@pytest.mark.parametrize(("typed", "count"), [("0", 0), (" 5 ", 5), (4, 4), ("", 0), ("deux", 0), ("2,5", 0)])
def test_guests_are_a_whole_number_and_what_is_none_means_zero(
    club: str, at: Move, typed: str | int, count: int
) -> None:
    at(NOW)
    link = invite()
    wrote(by_link.record_answer, *link, parse_attendance(True))
    assert wrote(by_link.record_answer, *link, parse_guests(typed)).guest_count == count


@pytest.mark.parametrize("typed", ["6", "-1", 6, "999999999999", "９" * 9_999])
def test_more_than_five_guests_are_refused(club: str, at: Move, typed: str | int) -> None:
    at(NOW)
    link = invite()
    wrote(by_link.record_answer, *link, parse_attendance(True))
    with pytest.raises(Invalid) as refused, transaction() as session:
        by_link.record_answer(session, *link, parse_guests(typed))
    assert (refused.value.text, refused.value.field) == ("Maximum 5 invités par membre", "guest_count")
    assert stored(link[0]).guest_count == 0


@pytest.mark.parametrize(
    ("said", "told"), [(None, "Dites d’abord si vous venez"), (False, "Votre réponse a changé entre-temps")]
)
@pytest.mark.parametrize("answer", [parse_lunch(True), parse_guests(1)], ids=["lunch", "guests"])
def test_who_does_not_come_has_neither_lunch_nor_guests(
    club: str, at: Move, answer: Answer, said: bool | None, told: str
) -> None:
    at(NOW)
    link = invite()
    if said is not None:
        wrote(by_link.record_answer, *link, parse_attendance(said))
    before = stored(link[0])
    with pytest.raises(Conflict, match=told), transaction() as session:
        by_link.record_answer(session, *link, answer)
    assert stored(link[0]) == before


def test_an_answer_whose_transaction_fails_leaves_nothing(club: str, at: Move) -> None:
    at(NOW)
    link = invite()

    def answer_then_fail() -> None:
        with transaction() as session:
            by_link.record_answer(session, *link, parse_attendance(True))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        answer_then_fail()
    assert stored(link[0]).will_attend is None
