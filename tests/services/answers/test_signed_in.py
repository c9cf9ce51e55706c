"""A member who is signed in sees their own invitations and answers them, by the rules of the link."""

from typing import Any

import pytest
from sqlalchemy import update

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import EventReservation
from clubapp.refusals import Conflict, Forbidden, Invalid, NotFound
from clubapp.services.answers import signed_in
from clubapp.services.answers.answer_form import parse_answer
from clubapp.services.answers.signed_in import Invitations
from clubapp.services.base.actors import VISITOR, Actor
from tests.services.answers.invitees import ADMIN, NOW, Invitee, Move, change_event, figures, invite


def actor_of(person: Invitee) -> Actor:
    return Actor(email="own@club.example", member_id=person.member_id, session_id="s")


def shown(person: Invitee) -> Invitations:
    with reading() as session:
        return signed_in.list_invitations(session, actor_of(person))


def answers(person: Invitee, event_id: str, *said: Any) -> str:
    with transaction() as session:
        return signed_in.record_own_answer(session, actor_of(person), event_id, parse_answer(*said))


@pytest.mark.parametrize("who", [VISITOR, ADMIN])
def test_only_members_have_invitations(club: str, at: Move, who: Actor) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    with pytest.raises(Forbidden), reading() as session:
        signed_in.list_invitations(session, who)
    with pytest.raises(Forbidden), transaction() as session:
        signed_in.record_own_answer(session, who, marie.event_id, parse_answer(True))
    assert marie.row.will_attend is None


def test_nobody_answers_for_an_event_they_are_not_invited_to(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    (paul,) = invite("Paul", date=at("2027-02-18T11:00"))
    at(NOW)
    for event_id in (marie.event_id, "nowhere"):
        with pytest.raises(NotFound, match="parmi les invités"):
            answers(paul, event_id, True)
    assert marie.row.will_attend is None
    assert [one.event.id for one in shown(paul).coming] == [paul.event_id]


def test_an_answer_given_here_is_whole_kept_and_confirmed(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie", has_lunch=True)
    assert shown(marie).coming[0].said == "Vous n’avez pas encore répondu."
    assert answers(marie, marie.event_id, True, True, "2") == "Votre réponse est enregistrée."
    (own,) = shown(marie).coming
    assert (own.answer, own.with_lunch, own.guest_count) == ("oui", True, "2")
    assert own.said == "Vous venez, avec déjeuner, avec 2 invités."
    assert [(one.via, one.guest_count) for one in marie.history] == [("member", 2)]
    assert marie.row.answered_via == "member"
    assert len(marie.mails("answer_confirmed")) == 1
    answers(marie, marie.event_id, False)
    assert shown(marie).coming[0].said == "Vous ne venez pas."


def test_the_same_places_and_the_same_waiting_list(club: str, at: Move) -> None:
    at(NOW)
    marie, paul = invite("Marie", "Paul", max_participants=2)
    with pytest.raises(Invalid) as refused:
        answers(marie, marie.event_id, True, False, 2)
    assert (refused.value.text, refused.value.field) == ("Il ne reste qu’une place pour vos invités.", "guest_count")
    assert marie.row.will_attend is None
    answers(marie, marie.event_id, True, False, 1)
    assert shown(paul).coming[0].event.is_full
    assert answers(paul, paul.event_id, True, True, 2) == (
        "La rencontre est complète\u00a0: vous êtes sur la liste d’attente. "
        "Les invités se choisissent une fois la place obtenue."
    )
    assert shown(paul).coming[0].said == "Vous êtes sur la liste d’attente."
    assert figures(marie.event_id) == (1, 1, 1)
    answers(marie, marie.event_id, False)
    (own,) = shown(paul).coming
    assert (own.said, own.offer) == ("Une place s’est libérée pour vous.", "samedi 21 novembre 2026 à 11:00")
    answers(paul, paul.event_id, True, False, 0)
    assert [one.via for one in paul.history] == ["member", "offer"]


@pytest.mark.parametrize("field", ["6", "-1"])
def test_a_forged_number_of_guests_is_refused(club: str, at: Move, field: str) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    with pytest.raises(Invalid, match="Maximum 5 invités par membre"):
        answers(marie, marie.event_id, True, False, field)


def test_closed_and_past_events_are_shown_and_take_no_answer(club: str, at: Move) -> None:
    at(NOW)
    (marie,) = invite("Marie")
    marie.says(True, guests=0)
    change_event(marie.event_id, status="cancelled")
    off = shown(marie).coming[0]
    assert (off.closed, off.said, off.tone) == ("Cette rencontre est annulée.", "Rencontre annulée.", "red")
    with pytest.raises(Conflict, match="annulée"):
        answers(marie, marie.event_id, False)
    at("2027-01-14T11:00")
    change_event(marie.event_id, status="confirmed")
    running, past = shown(marie).coming[0], shown(marie).past
    assert (running.said, past) == ("Vous venez.", ())
    assert running.closed.startswith("Cette rencontre a commencé")
    change_event(marie.event_id, status="completed")
    assert (shown(marie).coming, len(shown(marie).past)) == ((), 1)
    change_event(marie.event_id, status="cancelled")
    at("2027-01-14T14:00")
    assert [one.said for one in shown(marie).past] == ["Rencontre annulée."]
    change_event(marie.event_id, status="confirmed")
    assert shown(marie).coming == ()
    assert [(one.title, one.said) for one in shown(marie).past] == [("Matinale d'hiver", "Vous aviez répondu oui.")]
    with transaction() as session:
        session.execute(update(EventReservation).values(waiting_since=clock.now()))
    assert [one.said for one in shown(marie).past] == ["Vous étiez sur la liste d’attente."]
    with pytest.raises(Conflict, match="a eu lieu"):
        answers(marie, marie.event_id, False)
