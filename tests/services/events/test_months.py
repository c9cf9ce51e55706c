"""One event a month, by the club's clock, whoever asks at the same time."""

import threading
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from clubapp.database import reading
from clubapp.refusals import Conflict, Invalid
from clubapp.services.events import editing
from tests.services.events.event_forms import HELENE, TYPED, reopened, save, stored

pytestmark = pytest.mark.usefixtures("in_november_2026")


def test_a_month_that_is_taken_is_refused_by_name_before_and_by_the_database_after(club: str) -> None:
    event_id = save(TYPED)
    with reading() as session:
        assert editing.find_month_conflict(session, HELENE, "2027-01-31T12:00") == editing.MonthConflict(
            "Un événement existe déjà pour janvier 2027. Vous ne pouvez créer qu'un événement par mois.",
            event_id,
            TYPED.title,
        )
        free = editing.MonthConflict()
        assert editing.find_month_conflict(session, HELENE, "2027-01-31T12:00", but=event_id) == free
        assert editing.find_month_conflict(session, HELENE, "2027-02-01T00:00") == free
        with pytest.raises(Invalid):
            editing.find_month_conflict(session, HELENE, "hier")
    with pytest.raises(editing.MonthTaken) as refused:
        save(replace(TYPED, title="Une autre"))
    assert refused.value.text == (
        "Un événement existe déjà pour ce mois. Vous ne pouvez créer qu'un événement par mois."
    )


def test_an_event_cannot_move_or_come_back_into_a_taken_month(club: str) -> None:
    save(TYPED)
    february = save(replace(TYPED, date="2027-02-11T12:00"))
    cancelled = save(replace(TYPED, status="cancelled"))
    for typed in (
        replace(reopened(february), date="2027-01-20T12:00"),
        replace(reopened(cancelled), status="confirmed"),
    ):
        with pytest.raises(Conflict, match="Un événement existe déjà pour ce mois"):
            save(typed)
    assert stored(february).month == "2027-02"
    assert len(reopened(february).speakers) == 1


def test_the_month_is_that_of_paris(club: str) -> None:
    july = save(replace(TYPED, date="2027-07-01T00:30"))  # still June in UTC
    assert stored(july).date == datetime(2027, 6, 30, 22, 30, tzinfo=UTC)
    save(replace(TYPED, date="2027-06-30T23:30"))
    with pytest.raises(Conflict):
        save(replace(TYPED, date="2027-07-31T12:00"))


def test_of_two_people_creating_in_a_month_at_once_one_is_told_no(club: str) -> None:
    outcomes: list[str] = []
    gate = threading.Barrier(2)

    def create() -> None:
        gate.wait()
        try:
            save(TYPED)
            outcomes.append("made")
        except Conflict:
            outcomes.append("refused")

    people = [threading.Thread(target=create) for _ in range(2)]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert sorted(outcomes) == ["made", "refused"]
