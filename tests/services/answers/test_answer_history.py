"""Every answer is kept and confirmed by mail, once for all its steps, and never when it is no longer true."""

from collections.abc import Callable

import pytest
from icalendar import Calendar
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.mail.messages.letter import Letter, Withdrawn
from clubapp.models import MailState, OutboxMail
from clubapp.services.answers import by_phone
from clubapp.services.answers.answer_form import parse_answer
from clubapp.services.base import link_limit
from clubapp.services.base.link_limit import LinkSpent
from tests.services.answers.invitees import ADMIN, NOW, Invitee, Move, change_event, change_member, invite


def letters(person: Invitee, kind: str = "answer_confirmed") -> list[Letter | str]:
    """What would leave now: the letters, or why they are withdrawn."""
    made: list[Letter | str] = []
    for mail in person.mails(kind):
        try:
            with reading() as session:
                made.append(mail_kinds.compose(session, mail))
        except Withdrawn as gone:
            made.append(gone.reason)
    return made


def sent(person: Invitee) -> None:
    """The confirmations leave."""
    with transaction() as session:
        for mail in session.exec(select(OutboxMail).where(OutboxMail.reservation_id == person.reservation_id)):
            mail.state = MailState.SENT


def test_the_steps_of_one_sitting_are_one_answer_and_one_mail(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie", has_lunch=True)
    marie.says(True)
    (mail,) = marie.mails("answer_confirmed")
    assert mail.available_at == at("2026-11-20T10:10"), "time enough for the other steps"
    at("2026-11-20T10:01")
    marie.takes_lunch(True)
    at("2026-11-20T10:02")
    marie.brings(2)
    (row,) = marie.history
    assert (row.will_attend, row.with_lunch, row.guest_count, row.via) == (True, True, 2, "link")
    (mail,) = marie.mails("answer_confirmed")
    assert mail.available_at == at("2026-11-20T10:03")
    (letter,) = letters(marie)
    assert isinstance(letter, Letter)
    assert (letter.context["answer_text"], letter.context["asks_lunch"]) == (
        "vous venez, avec déjeuner, avec 2 invités",
        False,
    )


def test_an_answer_that_stops_half_way_is_confirmed_as_it_stands(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie", has_lunch=True)
    marie.says(True)
    (letter,) = letters(marie)
    assert isinstance(letter, Letter)
    assert (letter.context["answer_text"], letter.context["asks_lunch"]) == ("vous venez", True)


def test_a_step_after_the_confirmation_has_left_is_confirmed_anew(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie", has_lunch=True)
    marie.says(True)
    sent(marie)
    at("2026-11-21T09:00")
    marie.takes_lunch(False)
    marie.brings(0)
    assert [(one.with_lunch, one.guest_count) for one in marie.history] == [(None, 0), (False, 0)]
    (letter,) = letters(marie)
    assert isinstance(letter, Letter)
    assert letter.context["answer_text"] == "vous venez, sans déjeuner"


def test_a_change_of_mind_replaces_a_confirmation_that_has_not_left(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    marie.says(True, guests=1)
    marie.says(False)
    assert [one.will_attend for one in marie.history] == [True, False]
    withdrawn, letter = sorted(letters(marie), key=lambda one: isinstance(one, Letter))
    assert withdrawn == "La réponse a changé depuis."
    assert isinstance(letter, Letter)
    assert letter.context["answer_text"] == "vous ne venez pas"


def method(letter: Letter | str) -> str:
    assert isinstance(letter, Letter)
    if letter.calendar is None:
        return ""
    read = Calendar.from_ical(letter.calendar.content)
    assert str(read["METHOD"]) == letter.calendar.method
    return letter.calendar.method


def test_the_calendar_gets_the_event_and_gives_it_back(club: str, at: Move) -> None:
    at(NOW)
    marie, paul = invite("Marie", "Paul")
    marie.says(True, guests=0)
    assert [method(one) for one in letters(marie)] == ["REQUEST"]
    sent(marie)
    marie.says(False)
    assert [method(one) for one in letters(marie)] == ["CANCEL"]
    paul.says(False)
    assert [method(one) for one in letters(paul)] == [""], "nothing to take back"


def test_a_confirmation_holds_no_token_but_in_its_link(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    marie.says(True, guests=0)
    (mail,) = marie.mails("answer_confirmed")
    (letter,) = letters(marie)
    assert isinstance(letter, Letter)
    assert letter.personal["answer"].endswith(f"/event/{marie.event_id}?token={marie.token}")
    assert marie.token not in str(mail.model_dump())
    assert letter.calendar
    assert marie.token.encode() not in letter.calendar.content.replace(b"\r\n ", b"")


@pytest.mark.parametrize(
    ("happens", "reason"),
    [
        (lambda one: change_event(one.event_id, status="cancelled"), "L’événement est annulé."),
        (lambda one: change_member(one.member_id, is_active=False), "Le membre n’est plus actif."),
    ],
)
def test_a_confirmation_that_is_no_longer_true_stays(
    club: str, at: Move, happens: Callable[[Invitee], None], reason: str
) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    marie.says(True, guests=0)
    happens(marie)
    assert letters(marie) == [reason]


def test_who_left_the_mailings_still_gets_word_of_their_own_answer(club: str, at: Move) -> None:
    opted_out_at = at(NOW)
    (marie,) = invite("Marie")
    change_member(marie.member_id, opted_out_at=opted_out_at)
    marie.says(True, guests=0)
    assert isinstance(letters(marie)[0], Letter)


def test_what_the_club_wrote_down_is_confirmed_to_the_member_and_nobody_without_an_address(club: str, at: Move) -> None:
    at(NOW)
    marie, paul = invite("Marie", "Paul")
    change_member(paul.member_id, email=None)
    for person in (marie, paul):
        with transaction() as session:
            by_phone.record_answer(session, ADMIN, person.reservation_id, parse_answer(True))
    (letter,) = letters(marie)
    assert isinstance(letter, Letter)
    assert letter.context["by_phone"]
    assert paul.mails("answer_confirmed") == []
    assert [one.will_attend for one in paul.history][-1] is True


def test_the_wait_is_confirmed_too(club: str, at: Move) -> None:
    at(NOW)
    marie, paul = invite("Marie", "Paul", max_participants=1)
    marie.says(True)
    paul.says(True)
    assert paul.mails("answer_confirmed") == []
    (letter,) = letters(paul, "waiting_confirmed")
    assert isinstance(letter, Letter)
    assert letter.calendar is None
    paul.says(False)
    assert letters(paul, "waiting_confirmed") == ["La réponse a changé depuis."]


def test_a_link_does_not_fill_the_history_and_a_no_is_never_refused(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    with pytest.raises(LinkSpent):
        [marie.says(number % 2 == 0) for number in range(1000)]
    assert len(marie.history) == link_limit.MOST_CHANGES
    marie.says(False)
    assert marie.row.will_attend is False
    at("2026-11-21T10:00:01")
    marie.says(True)
    assert marie.row.will_attend is True
