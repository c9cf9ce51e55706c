"""What an administrator corrects once an event has begun: who did, when, and no mail (D5)."""

import pytest
from sqlmodel import col, select

from clubapp.database import reading, transaction
from clubapp.models import Act, EventReservation, OutboxMail
from clubapp.refusals import Conflict
from clubapp.services.answers import by_phone, capacity
from clubapp.services.answers.answer_form import parse_answer
from clubapp.services.attendance import attendee_detail
from clubapp.services.attendance.attendee_status import format_answer_source
from tests.services.answers.invitees import ADMIN, NOW, Invitee, Move, change_event, figures, invite

BEGINS, DURING, LATER = "2027-01-14T11:00", "2027-01-14T11:40", "2027-03-01T10:00"


def correct(person: Invitee, will_attend: bool, with_lunch: bool = False, guests: int = 0) -> str:
    with transaction() as session:
        answer = parse_answer(will_attend, with_lunch, guests)
        return by_phone.record_answer(session, ADMIN, person.reservation_id, answer)


def mails() -> list[str]:
    with reading() as session:
        return [mail.kind for mail in session.exec(select(OutboxMail).order_by(col(OutboxMail.kind)))]


@pytest.mark.parametrize("moment", [BEGINS, DURING, LATER])
def test_an_administrator_corrects_during_the_meeting_and_after_it_and_no_mail_leaves(
    club: str, at: Move, moment: str
) -> None:
    at(NOW)
    (marie,) = invite("Marie", has_lunch=True)
    at(moment)
    with pytest.raises(Conflict):
        marie.says(True)  # the link has ended
    assert correct(marie, True, True, 2) == by_phone.RECORDED
    row, (kept,) = marie.row, marie.history
    assert (row.will_attend, row.with_lunch, row.guest_count) == (True, True, 2)
    assert (kept.will_attend, kept.with_lunch, kept.guest_count, kept.recorded_by) == (True, True, 2, ADMIN.email)
    assert format_answer_source(kept.via, kept.at, kept.recorded_by).startswith("réponse corrigée le ")
    with reading() as session:
        assert [act.action for act in session.exec(select(Act))] == ["answer.recorded"]
    assert mails() == []


def test_each_correction_is_a_line_of_its_own(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie", has_lunch=True)
    marie.says(True)
    queued = mails()
    at(DURING)
    correct(marie, True, True, 1)
    at("2027-01-14T11:41")
    correct(marie, True, True, 3)
    at("2027-01-14T11:42")
    correct(marie, False)
    assert [(row.will_attend, row.guest_count) for row in marie.history] == [
        (True, 0),
        (True, 1),
        (True, 3),
        (False, 0),
    ]
    assert mails() == queued


def test_who_came_has_a_place_whatever_the_limit_was(club: str, at: Move) -> None:
    at(NOW)
    marie, paul = invite("Marie", "Paul", max_participants=1)
    marie.says(True, guests=0)
    paul.says(True)
    assert figures(marie.event_id) == (1, 0, 1)
    at(DURING)
    correct(paul, True, guests=2)
    assert figures(marie.event_id) == (2, 2, 0)


def test_a_place_that_comes_free_during_the_meeting_is_offered_to_nobody(club: str, at: Move) -> None:
    at(NOW)
    marie, paul = invite("Marie", "Paul", max_participants=1)
    marie.says(True, guests=0)
    paul.says(True)
    queued = mails()
    at(DURING)
    correct(marie, False)
    assert mails() == queued
    with reading() as session:
        assert session.exec(select(EventReservation.offer_until)).all() == [None, None]


def test_a_correction_can_be_taken_back(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    at(DURING)
    correct(marie, True)
    with transaction() as session:
        attendee_detail.take_back_answer(session, ADMIN, marie.event_id, marie.reservation_id)
    assert marie.row.will_attend is None
    assert mails() == []


def test_an_event_that_is_off_stays_as_it_was_left(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    change_event(marie.event_id, status="cancelled")
    at(DURING)
    with pytest.raises(Conflict, match=capacity.CANCELLED):
        correct(marie, True)
