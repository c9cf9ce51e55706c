"""Whoever waits comes at once when there are places for all who wait."""

from dataclasses import replace

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.mail.messages.letter import Letter
from clubapp.mail.transport.mime import render_parts
from clubapp.models import OutboxMail
from clubapp.services.events import editing
from clubapp.services.events.form import SpeakerForm
from tests.services.answers.invitees import ADMIN, NOW, Move, change_event, change_member, figures
from tests.services.answers.test_waiting_list import expire, full, listed


def set_limit(event_id: str, limit: int) -> str:
    """An administrator saves another number of places; what they are told of those who wait."""
    with transaction() as session:
        form = editing.open_form(session, ADMIN, event_id)
        speakers = (SpeakerForm(name="Zoé"),)
        saved = editing.save(session, ADMIN, replace(form, max_participants=str(limit), speakers=speakers))
        return saved.waiting.sentence


def test_when_there_are_places_for_all_whoever_waits_comes_at_once(club: str, at: Move) -> None:
    at(NOW)
    marie, paul, zoe = full("Marie", "Paul", "Zoe")
    set_limit(marie.event_id, 40)
    assert listed(marie.event_id) == []
    assert figures(marie.event_id) == (3, 0, 0)
    for person in (paul, zoe):
        assert (person.open().step, person.mails("place_offered")) == ("guests", [])
        (mail,) = person.mails("answer_confirmed")
        assert mail.available_at <= clock.now()
        with reading() as session:
            letter = mail_kinds.compose(session, session.get_one(OutboxMail, mail.id))
        assert isinstance(letter, Letter)
        for part in render_parts(letter)[1:]:
            assert "vous n’êtes plus sur la liste d’attente" in part
        assert person.history[-1].via == "seated"
    assert [mail.kind for mail in marie.mails("answer_confirmed")] == ["answer_confirmed"], "nothing new for Marie"


def test_who_has_an_offer_comes_too_and_with_too_few_places_it_is_offered_in_order(club: str, at: Move) -> None:
    at(NOW)
    marie, _paul, _zoe = full("Marie", "Paul", "Zoe")
    set_limit(marie.event_id, 2)
    assert listed(marie.event_id) == ["Paul*", "Zoe"]
    set_limit(marie.event_id, 3)
    assert listed(marie.event_id) == []
    assert figures(marie.event_id) == (3, 0, 0)


def test_who_raises_the_limit_is_told_how_many_came_in_and_whom_no_mail_reaches(club: str, at: Move) -> None:
    at(NOW)
    marie, paul, _zoe, elodie = full("Marie", "Paul", "Zoe", "Élodie")
    for person in (paul, elodie):
        change_member(person.member_id, email=None)
    assert set_limit(marie.event_id, 1) == ""
    assert set_limit(marie.event_id, 2) == (
        "1 place est proposée à la liste d’attente. À prévenir par téléphone, sans adresse e-mail\u00a0: Paul."
    )
    assert set_limit(marie.event_id, 9) == (
        "3 personnes de la liste d’attente ont désormais une place. "
        "À prévenir par téléphone, sans adresse e-mail\u00a0: Élodie, Paul."
    )
    assert set_limit(marie.event_id, 10) == ""


def test_an_offer_ends_with_an_event_that_was_moved_before_it(club: str, at: Move) -> None:
    at(NOW)
    marie, paul = full("Marie", "Paul")
    marie.says(False)
    assert paul.row.offer_until is not None
    change_event(marie.event_id, date=clock.now())
    expire()
    assert (paul.row.offer_until, paul.row.is_waiting) == (None, True)
