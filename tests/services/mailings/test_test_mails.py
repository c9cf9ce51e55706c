"""A test goes to the address that was typed, is marked as one, answers for nobody and counts as nothing (M13)."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages.built_in_event_texts import EventTemplate
from clubapp.mail.transport import delivery
from clubapp.models import BroadcastEmail, Event, MailPause, MailState, OutboxMail
from clubapp.refusals import Forbidden, Invalid, NotFound, TooMany
from clubapp.services.base.actors import VISITOR, Actor
from clubapp.services.events import invitations
from clubapp.services.mailings import broadcasts, overview, test_mails
from clubapp.services.mailings.broadcasts import BroadcastForm
from tests.factories import add_event, add_member, add_reservation
from tests.mail.messages.test_mail_kinds import opened, part, words, written

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")
TO = "Essai@Club.Example "


@pytest.fixture(autouse=True)
def november(at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")


@pytest.fixture
def event_id(club: str) -> str:
    """An event to which Marie is invited."""
    with transaction() as session:
        event = add_event(session, title="Matinale", date=clock.from_local("2027-01-14T12:00"), status="confirmed")
        add_reservation(session, event, add_member(session))
        return event.id


def draft() -> str:
    with transaction() as session:
        return broadcasts.save(session, HELENE, BroadcastForm(subject="La lettre", content="Bonjour,\n\nFin.")).id


def send_event(event_id: str, email_type: str = "invitation", text: EventTemplate | None = None) -> str:
    with transaction() as session:
        return test_mails.send_event_test(session, HELENE, to=TO, event_id=event_id, email_type=email_type, text=text)


def send_broadcast(broadcast_id: str) -> str:
    with transaction() as session:
        return test_mails.send_broadcast_test(session, HELENE, to=TO, broadcast_id=broadcast_id)


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
def test_only_an_administrator_tests(club: str, actor: Actor) -> None:
    with reading() as session:
        for act in (
            lambda: test_mails.send_event_test(session, actor, to=TO, event_id="e", email_type="invitation"),
            lambda: test_mails.send_broadcast_test(session, actor, to=TO, broadcast_id="b"),
            lambda: test_mails.read_status(session, actor, "m"),
        ):
            with pytest.raises(Forbidden):
                act()


@pytest.mark.parametrize("kind", ["invitation", "reminder_1", "reminder_2", "broadcast"])
def test_it_is_marked_as_a_test_and_holds_no_personal_link(event_id: str, kind: str) -> None:
    if kind == "broadcast":
        send_broadcast(draft())
    else:
        send_event(event_id, kind)
    message = opened(written())
    text, html = part(message, "plain"), part(message, "html")
    assert (message["To"], message["X-Club-Kind"]) == ("essai@club.example", "test")
    assert message["Subject"].startswith("[TEST] ")
    assert message["List-Unsubscribe"] is None
    for said in (text, words(html)):
        assert "test" in said.lower()
    assert "#FEF3C7" in html
    assert not re.search(r"token=", text + html)
    assert "/essai?mode=test" in html


def test_it_tests_the_text_that_is_typed_before_it_is_saved(event_id: str) -> None:
    send_event(event_id, "reminder_1", EventTemplate("Pas encore {{EVENT_TITLE}}", "Non enregistré."))
    message = opened(written())
    assert message["Subject"] == "[TEST] Pas encore Matinale"
    assert "Non enregistré." in part(message, "plain")
    with reading() as session:
        assert session.get_one(Event, event_id).reminder_1_subject is None


def test_it_marks_nothing_as_sent(event_id: str) -> None:
    broadcast_id = draft()
    send_event(event_id)
    send_broadcast(broadcast_id)
    delivery.deliver()
    with reading() as session:
        states = session.exec(select(OutboxMail.kind, OutboxMail.state)).all()
        assert [tuple(state) for state in states] == [("test", MailState.SENT)] * 2
        assert not session.get_one(Event, event_id).invitation_sent
        assert invitations.read_progress(session, HELENE, event_id).recipients == 0
        assert session.get_one(BroadcastEmail, broadcast_id).status == "draft"
        (row,) = overview.read_mailings(session, HELENE).broadcasts
        assert (row.state, row.figures.recipients) == ("draft", 0)


def test_its_fate_is_told(event_id: str) -> None:
    mail_id = send_event(event_id)
    with reading() as session:
        assert test_mails.read_status(session, HELENE, mail_id).state == "waiting"
    with transaction() as session:
        session.add(MailPause(since=clock.now(), reason="Le serveur d’envoi ne répond pas."))
    with reading() as session:
        assert test_mails.read_status(session, HELENE, mail_id).reason == "Le serveur d’envoi ne répond pas."
    with transaction() as session:
        mail = session.get_one(OutboxMail, mail_id)
        mail.state, mail.relay_answer = MailState.FAILED, "550 Inconnu"
    with reading() as session:
        found = test_mails.read_status(session, HELENE, mail_id)
    assert (found.state, found.reason, found.words) == ("failed", test_mails.FAILED, "550 Inconnu")


def test_only_tests_are_told_of(event_id: str) -> None:
    with transaction() as session:
        now = clock.now()
        mail = OutboxMail(key="k", kind="sign_in", available_at=now, created_at=now, updated_at=now)
        session.add(mail)
    with pytest.raises(NotFound), reading() as session:
        test_mails.read_status(session, HELENE, mail.id)


@pytest.mark.parametrize(("to", "said"), [("", "Indiquez l’adresse"), ("pas-une-adresse", "adresse e-mail valide")])
def test_an_address_is_required(event_id: str, to: str, said: str) -> None:
    with pytest.raises(Invalid, match=said) as refusal, transaction() as session:
        test_mails.send_event_test(session, HELENE, to=to, event_id=event_id, email_type="invitation")
    assert refusal.value.field == "testEmail"


def test_what_does_not_exist_cannot_be_tested(event_id: str) -> None:
    with pytest.raises(Invalid), transaction() as session:
        test_mails.send_event_test(session, HELENE, to=TO, event_id=event_id, email_type="sign_in")
    with pytest.raises(NotFound), transaction() as session:
        test_mails.send_event_test(session, HELENE, to=TO, event_id="no-such-event", email_type="invitation")
    with pytest.raises(NotFound), transaction() as session:
        test_mails.send_broadcast_test(session, HELENE, to=TO, broadcast_id="no-such-broadcast")


def test_so_many_tests_leave_within_ten_minutes(
    club: str, monkeypatch: pytest.MonkeyPatch, later: Callable[[timedelta], None]
) -> None:
    """Fails when a session that was taken over sends as many mails to strangers as it likes."""
    monkeypatch.setattr(test_mails, "MOST", 2)
    letter = draft()
    send_broadcast(letter)
    send_broadcast(letter)
    with pytest.raises(TooMany, match="dix minutes"):
        send_broadcast(letter)
    later(timedelta(minutes=11))
    send_broadcast(letter)
