"""What becomes of a message, whatever the relay does: never lost, never sent twice (M8, M9, M10, M11, M12, R3, R4)."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError
from sqlmodel import col, update

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.messages import recipients_now
from clubapp.mail.queue import outbox
from clubapp.mail.transport import delivery
from clubapp.mail.transport import smtp as relays
from clubapp.mail.transport.delivery import Summary, deliver
from clubapp.models import Event, EventStatus, MailState, Member, OutboxMail, SignInLink
from clubapp.services.base.actors import Actor
from clubapp.services.events import invitations
from clubapp.settings import settings
from tests.conftest import forget_settings, on_sqlite
from tests.mail.mailings import ask_for_link, fates, invite, mails
from tests.smtp_server import DROP, DROP_AFTER_ACCEPTING, Relay, always, once, only_for

pytestmark = on_sqlite

MARIE, ZOE, PAUL = "marie.durand@invites.example", "zoe.lefebvre@invites.example", "paul.vasseur@invites.example"
HELENE = Actor(email="helene@beffroi.example", is_admin=True)


def test_every_message_goes_out_once_to_its_one_recipient(relay: Relay) -> None:
    invite("Marie Durand", "Zoe Lefebvre", "Paul Vasseur")
    assert deliver() == Summary(sent=3)
    assert deliver() == Summary()
    assert relay.recipients == {MARIE: 1, ZOE: 1, PAUL: 1}
    assert all(len(addresses) == 1 for _, addresses in relay.envelopes)
    assert {message["To"].addresses[0].addr_spec for message in relay.accepted} == {MARIE, ZOE, PAUL}
    assert {sender for sender, _ in relay.envelopes} == {"contact@beffroi.example"}


def test_what_the_relay_answered_is_kept(relay: Relay) -> None:
    invite("Marie Durand")
    deliver()
    (mail,) = mails()
    assert (mail.state, mail.relay_answer, mail.attempts) == (MailState.SENT, "250 queued as 1", 1)
    assert mail.sent_at is not None


def test_one_connection_carries_many_messages(relay: Relay) -> None:
    invite(*(f"Membre {number}" for number in range(40)))
    assert deliver() == Summary(sent=40)
    assert relay.connections <= delivery.CONNECTIONS


@pytest.mark.parametrize("reply", ["450 4.2.1 greylisted", "421 4.3.2 shutting down"])
def test_a_temporary_refusal_of_the_address_is_tried_again_later(
    relay: Relay, later: Callable[[timedelta], None], reply: str
) -> None:
    relay.at_rcpt = once(reply)
    invite("Marie Durand", "Zoe Lefebvre")
    assert deliver() == Summary(retried=2)
    assert deliver() == Summary()  # not before its time
    message_ids = {mail.message_id for mail in mails()}
    later(timedelta(minutes=1))
    assert deliver() == Summary(sent=2)
    assert {message["Message-ID"] for message in relay.accepted} == message_ids
    assert {mail.attempts for mail in mails()} == {2}


def test_a_temporary_refusal_of_the_content_is_tried_again(relay: Relay, later: Callable[[timedelta], None]) -> None:
    relay.at_data = once("451 4.3.0 try again")
    invite("Marie Durand")
    assert deliver() == Summary(retried=1)
    later(timedelta(minutes=1))
    assert deliver() == Summary(sent=1)
    assert relay.recipients == {MARIE: 1}


@pytest.mark.parametrize("stage", ["at_rcpt", "at_data"])
def test_a_refusal_for_good_fails_that_message_alone(relay: Relay, stage: str) -> None:
    setattr(relay, stage, only_for(ZOE, "550 5.1.1 no such mailbox"))
    invite("Marie Durand", "Zoe Lefebvre", "Paul Vasseur")
    assert deliver() == Summary(sent=2, failed=1)
    assert fates() == {MARIE: "sent", ZOE: "failed", PAUL: "sent"}
    (failed,) = [mail for mail in mails() if mail.state == MailState.FAILED]
    assert failed.reason == "Le serveur d’envoi a refusé le message\u00a0: 550 5.1.1 no such mailbox"


def test_a_connection_lost_before_the_hand_over_is_tried_again(
    relay: Relay, later: Callable[[timedelta], None]
) -> None:
    relay.at_rcpt = once(DROP)
    invite("Marie Durand")
    assert deliver() == Summary(retried=1)
    later(timedelta(minutes=1))
    assert deliver() == Summary(sent=1)


def test_a_sender_that_the_relay_refuses_is_no_fault_of_the_message(
    relay: Relay, later: Callable[[timedelta], None]
) -> None:
    relay.at_mail = once("550 5.7.1 sender not allowed")
    invite("Marie Durand")
    assert deliver() == Summary(retried=1)
    later(timedelta(minutes=1))
    assert deliver() == Summary(sent=1)


def test_cut_after_the_dot_the_message_is_uncertain_and_never_sent_again(
    relay: Relay, later: Callable[[timedelta], None]
) -> None:
    relay.at_data = only_for(ZOE, DROP_AFTER_ACCEPTING)
    invited = invite("Marie Durand", "Zoe Lefebvre")
    assert deliver() == Summary(sent=1, uncertain=1)
    relay.at_data = lambda _: None
    for _ in range(3):
        later(timedelta(hours=7))
        assert deliver() == Summary()
    assert relay.recipients == {MARIE: 1, ZOE: 1}
    with reading() as session:
        seen = invitations.read_progress(session, HELENE, invited.event.id)
    assert (seen.recipients, seen.sent, seen.uncertain) == (2, 1, 1)
    assert "peut-être parti" in next(mail.reason for mail in mails() if mail.state == MailState.UNCERTAIN)


def test_cut_after_the_dot_a_sign_in_mail_is_sent_again(relay: Relay, later: Callable[[timedelta], None]) -> None:
    relay.at_data = once(DROP_AFTER_ACCEPTING)
    ask_for_link()
    assert deliver() == Summary(retried=1)
    later(timedelta(minutes=1))
    assert deliver() == Summary(sent=1)
    assert relay.recipients == {"marie@durand.example": 2}
    assert len({message["Message-ID"] for message in relay.accepted}) == 1


def test_an_acknowledgement_that_never_comes_leaves_the_message_uncertain(
    relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relays, "DATA_SECONDS", 0.3)
    relay.seconds = 1.0
    invite("Marie Durand")
    assert deliver() == Summary(uncertain=1)


def test_what_the_relay_accepted_is_recorded_once_the_database_is_back(relay: Relay) -> None:
    invite("Marie Durand", "Zoe Lefebvre", "Paul Vasseur")
    file = Path(settings().database_url.removeprefix("sqlite:///"))
    away = file.with_name("away.sqlite3")
    back: list[threading.Timer] = []

    def take_away(_recipient: str) -> None:
        if not back:
            file.rename(away)
            back.append(threading.Timer(0.3, away.rename, [file]))
            back[0].start()

    relay.at_data = take_away
    with pytest.raises(OperationalError):  # whoever wants the next message meets it
        deliver()
    back[0].join()
    assert relay.recipients
    assert {mail.recipient for mail in mails() if mail.state == MailState.SENT} == set(relay.recipients)


def test_a_slow_acknowledgement_is_waited_for(relay: Relay) -> None:
    relay.seconds = 0.5
    invite("Marie Durand")
    assert deliver() == Summary(sent=1)


def test_without_a_relay_in_reach_everything_waits_and_then_leaves(
    club: str, environment: pytest.MonkeyPatch, later: Callable[[timedelta], None]
) -> None:
    environment.setenv("CLUB_SMTP_URL", "smtp://127.0.0.1:9")
    forget_settings()
    invite(*(f"Membre {number}" for number in range(20)))
    done = deliver()
    assert done.halted
    assert done.retried <= delivery.ERRORS_IN_A_ROW + delivery.CONNECTIONS
    assert set(fates().values()) == {"pending"}
    environment.delenv("CLUB_SMTP_URL")
    forget_settings()
    later(timedelta(minutes=1))
    assert deliver() == Summary(sent=20)


def test_a_relay_that_does_not_speak_tls_gets_nothing(relay: Relay, environment: pytest.MonkeyPatch) -> None:
    environment.setenv("CLUB_SMTP_URL", relay.url.replace("smtp://", "smtp+starttls://club:secret@"))
    forget_settings()
    invite("Marie Durand")
    assert deliver() == Summary(retried=1)
    assert relay.accepted == []


def test_after_five_errors_in_a_row_the_pass_stops(relay: Relay) -> None:
    relay.at_rcpt = always("450 4.7.0 too many messages")
    invite(*(f"Membre {number}" for number in range(40)))
    done = deliver()
    assert done.halted
    assert done.retried <= delivery.ERRORS_IN_A_ROW + delivery.CONNECTIONS
    untouched = [mail for mail in mails() if not mail.attempts]
    assert len(untouched) == 40 - done.retried
    assert {mail.state for mail in untouched} == {"pending"}


def test_it_gives_up_after_five_days(relay: Relay, later: Callable[[timedelta], None]) -> None:
    relay.at_rcpt = always("450 4.2.1 greylisted")
    invite("Marie Durand", date=clock.now() + timedelta(days=60))
    deliver()
    later(timedelta(days=4, hours=23, minutes=59, seconds=50))
    assert deliver() == Summary(failed=1)
    assert mails()[0].reason == "Abandonné après 2 essais\u00a0: 450 4.2.1 greylisted"


def test_it_gives_up_when_the_event_will_have_passed(relay: Relay, later: Callable[[timedelta], None]) -> None:
    relay.at_rcpt = always("450 4.2.1 greylisted")
    invite("Marie Durand", date=clock.now() + timedelta(seconds=10))
    assert deliver() == Summary(failed=1)


def test_each_wait_is_longer_than_the_last(relay: Relay, later: Callable[[timedelta], None]) -> None:
    relay.at_rcpt = always("450 4.2.1 greylisted")
    invite("Marie Durand")
    waits = []
    for _ in range(5):
        deliver()
        waits.append(mails()[0].available_at - clock.now())
        later(waits[-1])
    assert all(later > 1.3 * earlier for earlier, later in pairwise(waits))
    assert waits[-1] <= timedelta(minutes=10)


def test_a_poison_message_fails_alone(relay: Relay) -> None:
    invite("Marie Durand", "Zoe Lefebvre")
    with transaction() as session:
        outbox.queue_mail(session, kind="test", key="poison", recipient=PAUL)
        session.execute(update(OutboxMail).where(col(OutboxMail.key) == "poison").values(kind="no-such-kind"))
    assert deliver() == Summary(sent=2, failed=1)
    poison = next(mail for mail in mails() if mail.key == "poison")
    assert poison.reason == f"Ce message n’a pas pu être composé (référence {poison.id[:8]})."


def test_an_address_that_cannot_be_carried_fails_alone(relay: Relay) -> None:
    invite("Marie Durand")
    with transaction() as session:
        outbox.queue_mail(session, kind="sign_in_unknown", key="one", recipient="zoé@dupont.example")
        outbox.queue_mail(session, kind="sign_in_unknown", key="two", recipient="a@b.example>\r\nRCPT TO:<c@d.example")
    assert deliver() == Summary(sent=1, failed=2)
    assert relay.recipients == {MARIE: 1}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"status": EventStatus.CANCELLED}, recipients_now.EVENT_CANCELLED),
        ({"date": datetime.fromisoformat("2026-11-20T09:00+00:00")}, recipients_now.EVENT_PAST),
        ({}, recipients_now.EVENT_GONE),
    ],
)
def test_nothing_goes_out_for_an_event_that_will_not_be(
    relay: Relay, later: Callable[[timedelta], None], change: dict[str, object], reason: str
) -> None:
    invited = invite("Marie Durand")
    with transaction() as session:
        event = session.get_one(Event, invited.event.id)
        for name, value in change.items():
            setattr(event, name, value)
        if not change:
            session.delete(event)
    assert deliver() == Summary(withdrawn=1)
    assert relay.accepted == []
    assert [(mail.state, mail.reason) for mail in mails()] == [("withdrawn", reason)]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"is_active": False}, recipients_now.MEMBER_INACTIVE),
        ({"opted_out_at": datetime.fromisoformat("2026-11-20T09:00+00:00")}, recipients_now.MEMBER_OPTED_OUT),
        ({}, recipients_now.MEMBER_GONE),
    ],
)
def test_nothing_goes_out_to_someone_who_left(relay: Relay, change: dict[str, object], reason: str) -> None:
    invited = invite("Marie Durand", "Zoe Lefebvre")
    with transaction() as session:
        member = session.get_one(Member, invited.members[0].id)
        for name, value in change.items():
            setattr(member, name, value)
        if not change:
            session.delete(member)
    assert deliver() == Summary(sent=1, withdrawn=1)
    assert relay.recipients == {ZOE: 1}
    assert [mail.reason for mail in mails() if mail.state == MailState.WITHDRAWN] == [reason]


@pytest.mark.parametrize("change", ["redeemed_at", "voided_at", "expires_at"])
def test_a_sign_in_mail_whose_link_is_over_is_withdrawn(relay: Relay, change: str) -> None:
    link = ask_for_link()
    with transaction() as session:
        setattr(session.get_one(SignInLink, link.id), change, clock.now())
    assert deliver() == Summary(withdrawn=1)
    assert relay.accepted == []


def test_until_empty_waits_for_the_retries_and_tells_how_many(relay: Relay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clubapp.mail.queue.retry_policy.FIRST_WAIT", timedelta(seconds=1))
    relay.at_rcpt = once("450 4.2.1 greylisted")
    invite("Marie Durand")
    told: list[int] = []
    assert deliver(until_empty=True, tell_waiting=told.append) == Summary(sent=1, retried=1)
    assert set(told) == {1}


def test_the_list_adds_up_whatever_happens(relay: Relay, later: Callable[[timedelta], None]) -> None:
    faults = {0: "450 later", 1: "550 no", 2: DROP_AFTER_ACCEPTING, 3: "554 spam", 4: DROP}
    relay.at_data = lambda address: faults.get(int(address.split("@")[0].split(".")[1]) % 11)
    invited = invite(*(f"Membre {number}" for number in range(22)))
    for _ in range(30):
        deliver()
        with reading() as session:
            seen = invitations.read_progress(session, HELENE, invited.event.id)
        assert seen.recipients == 22
        assert seen.recipients == seen.sent + seen.pending + seen.failed + seen.uncertain + seen.withdrawn
        later(timedelta(hours=2))
    assert (seen.sent, seen.failed, seen.uncertain) == (12, 4, 4)
    assert max(relay.recipients.values()) == 1
