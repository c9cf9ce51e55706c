"""A caterer and a host who were sent the numbers are told with the others that the event changes or is off (D8)."""

import re
from html import unescape
from typing import Any

import pytest
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.mail.messages.letter import Withdrawn
from clubapp.mail.transport import mime
from clubapp.models import OutboxMail
from clubapp.services.events import announcement, editing
from clubapp.services.events.change_notices import NoticeDecisionRequired, NoticePlan
from tests.services.events.event_notices import HELENE, MOVED, letter, notes, save

COOK, HOST = "chef@traiteur.example", "accueil@hote.example"


@pytest.fixture
def told_event(january_event: str) -> str:
    """The numbers were sent to both."""
    with transaction() as session:
        event = editing.find_event(session, january_event)
        event.caterer_email, event.host_email = COOK, HOST
        announcement.announce(session, HELENE, january_event)
    let_leave()
    return january_event


def let_leave() -> None:
    with transaction() as session:
        for mail in session.exec(select(OutboxMail).where(OutboxMail.state == "pending")):
            mail.state = "sent"


def told() -> list[OutboxMail]:
    return [mail for mail in notes() if mail.kind == "partner_notice"]


def words_of(mail: OutboxMail) -> list[str]:
    return [" ".join(part.split()) for part in mime.render_parts(letter(mail))]


def asked(event_id: str, **changed: Any) -> NoticePlan:
    with pytest.raises(NoticeDecisionRequired) as question:
        save(event_id, **changed)
    return question.value.plan


@pytest.mark.parametrize(
    ("changed", "gets", "said"),
    [
        (MOVED, "le changement", "valaient pour l’ancienne date"),
        ({"date": "2027-01-14T12:30"}, "le changement", "restent valables"),
        ({"location": "Douai"}, "le changement", "restent valables"),
        ({"status": "cancelled"}, "l’annulation", "n’aura pas lieu"),
    ],
)
def test_both_are_named_and_told_once(told_event: str, changed: dict[str, Any], gets: str, said: str) -> None:
    plan = asked(told_event, **changed)
    assert [(group.label, group.names, group.gets) for group in plan.groups if COOK in group.names] == [
        ("Le traiteur et l’hôte, à qui les nombres ont été envoyés", (COOK, HOST), gets)
    ]
    save(told_event, tell=True, **changed)
    assert len(notes()) == plan.message_count
    assert sorted(mail.recipient for mail in told()) == [HOST, COOK]
    for mail in told():
        for part in words_of(mail)[1:]:
            assert said in part
            assert "réponse" not in part
    for mail in notes():  # the members' too
        subject, _, html = mime.render_parts(letter(mail))
        assert subject not in map(unescape, re.findall("<h1[^>]*>(.*?)</h1>", html)), (
            "what happened stands above the title already"
        )


def test_nobody_is_told_without_the_choice_or_before_the_numbers_have_left(told_event: str) -> None:
    save(told_event, tell=False, **MOVED)
    assert told() == []
    with transaction() as session:
        for mail in session.exec(select(OutboxMail).where(OutboxMail.kind == "host")):
            mail.state = "pending"  # it will say what is true when it leaves
    save(told_event, tell=True, location="Douai")
    assert [mail.recipient for mail in told()] == [COOK]


def test_they_are_told_of_an_event_to_which_nobody_was_invited(told_event: str) -> None:
    with transaction() as session:
        editing.find_event(session, told_event).invitation_sent = False
    plan = asked(told_event, **MOVED)
    assert (plan.message_count, plan.question) == (2, "Prévenir le traiteur et l’hôte\u00a0?")
    save(told_event, tell=True, **MOVED)
    assert len(notes()) == len(told()) == 2


def test_a_newer_notice_says_all_since_the_last_one_that_left(told_event: str) -> None:
    save(told_event, tell=True, **MOVED)
    save(told_event, tell=True, location="Douai")
    assert len(told()) == 2
    for mail in told():
        assert "jeudi 14 janvier 2027 à 12:00" in words_of(mail)[1]
    save(told_event, tell=True, date="2027-01-14T12:00", location="Valenciennes")
    for mail in told():
        with pytest.raises(Withdrawn):
            letter(mail)


def test_an_event_that_takes_place_after_all_is_told(told_event: str) -> None:
    save(told_event, tell=True, status="cancelled")
    let_leave()
    save(told_event, tell=True, status="confirmed")
    assert {words_of(mail)[0][:31] for mail in told()} == {"Finalement, la rencontre a lieu"}


def test_the_notice_outlives_a_deleted_event(told_event: str) -> None:
    with reading() as session:
        plan = editing.preview_deletion(session, HELENE, told_event).plan
    assert COOK in [name for group in plan.groups for name in group.names]
    with transaction() as session:
        editing.delete(session, HELENE, told_event, tell=True)
    assert len(told()) == 2
    for mail in told():
        assert "n’aura pas lieu" in words_of(mail)[1]
        assert (mail.event_id, mail.context["event"]["title"]) == (None, "Matinale d'hiver")


def test_a_cancellation_that_waits_outlives_the_event(told_event: str) -> None:
    save(told_event, tell=True, status="cancelled")
    with transaction() as session:
        editing.delete(session, HELENE, told_event)
    assert len(told()) == 2
    for mail in told():
        assert "n’aura pas lieu" in words_of(mail)[1]
