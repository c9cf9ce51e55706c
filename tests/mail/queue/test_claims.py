"""Who may take a message, when and for how long: workers side by side, dead ones, and what goes first (M8, M11, R4)."""

import threading
import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlmodel import select

from clubapp import clock
from clubapp.database import transaction
from clubapp.mail.messages.account import EMAIL_CHANGED
from clubapp.mail.queue import claims, outbox, pause
from clubapp.mail.transport import delivery
from clubapp.mail.transport.delivery import Summary, deliver
from clubapp.models import BroadcastEmail, MailState, OutboxMail, SignInLink
from clubapp.services.access import security_notices
from tests.conftest import forget_settings
from tests.factories import add_member
from tests.mail.mailings import ask_for_link, fates, invite, mails
from tests.smtp_server import Relay

MARIE, ZOE, PAUL = "marie.durand@invites.example", "zoe.lefebvre@invites.example", "paul.vasseur@invites.example"


def claim(owner: str) -> list[OutboxMail]:
    with transaction() as session:
        return claims.claim(session, owner, 5)


def hand_over(mail_id: str, owner: str) -> bool:
    with transaction() as session:
        return claims.hand_over(session, [(mail_id, owner)])[0]


def test_sign_in_mails_go_first(relay: Relay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "CONNECTIONS", 1)
    invite(*(f"Membre {number}" for number in range(8)))
    ask_for_link()
    deliver()
    assert relay.accepted[0]["X-Club-Kind"] == "sign_in"


def test_a_sign_in_mail_queued_during_a_long_mailing_leaves_before_the_rest_of_it(relay: Relay) -> None:
    relay.seconds = 0.05
    invite(*(f"Membre {number}" for number in range(300)))
    stopping = threading.Event()
    worker = threading.Thread(target=lambda: deliver(stopping=stopping))
    worker.start()
    try:
        wait_until(lambda: len(relay.accepted) > 30)
        ask_for_link()
        before = len(relay.accepted)
        wait_until(lambda: "marie@durand.example" in relay.recipients)
        order = [message["X-Club-Kind"] for message in relay.accepted]
        assert order.index("sign_in") - before < 10 * delivery.CONNECTIONS
        assert len(relay.accepted) < 300
    finally:
        stopping.set()
        worker.join()


def wait_until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def test_what_tells_of_an_account_leaves_during_a_pause_that_a_person_asked_for(relay: Relay) -> None:
    """Whoever holds a stolen session must not keep people from being told by pausing the queue first."""
    invite("Marie Durand")
    with transaction() as session:
        pause.begin_pause(session, "helene@beffroi.example", "Suspendu par Hélène.")
        security_notices.tell_factor_removed(session, ZOE, "Ma clé")
        paul = add_member(session, email=PAUL)
        asked = {"new_email": "p…", "change_id": "x"}
        outbox.queue_mail(session, kind=EMAIL_CHANGED, key="k", recipient=PAUL, member_id=paul.id, context=asked)
    assert claims.has_due()
    assert claims.count_waiting() == 2
    deliver()
    assert relay.recipients == {ZOE: 1, PAUL: 1}


def test_a_paused_broadcast_waits_while_others_leave_and_a_stopped_one_is_withdrawn(relay: Relay) -> None:
    with transaction() as session:
        member = add_member(session)
        mailings = [BroadcastEmail(subject=name, content="x", created_at=clock.now()) for name in ("a", "b", "c")]
        session.add_all(mailings)
        session.flush()
        for sent in mailings:
            outbox.queue_mail(
                session, kind="broadcast", key=sent.subject, recipient=str(member.email), member_id=member.id,
                broadcast_id=sent.id,
            )  # fmt: skip
        mailings[0].paused_at = mailings[1].stopped_at = clock.now()
    assert deliver(until_empty=True) == Summary(sent=1, withdrawn=1)
    assert {mail.key: mail.state for mail in mails()} == {"a": "pending", "b": "withdrawn", "c": "sent"}
    with transaction() as session:
        session.merge(mailings[0]).paused_at = None
    assert deliver() == Summary(sent=1)


def test_the_pace_is_kept(relay: Relay, environment: pytest.MonkeyPatch, later: Callable[[timedelta], None]) -> None:
    environment.setenv("CLUB_MAIL_PER_MINUTE", "7")
    forget_settings()
    invite(*(f"Membre {number}" for number in range(20)))
    sent = []
    for _ in range(4):
        sent.append(deliver().sent)
        later(timedelta(seconds=61))
    assert sent == [7, 7, 6, 0]


OTHER_PLANS = ("hashjoin", "mergejoin", "hashagg", "material", "sort")


def test_a_claim_takes_no_more_than_it_may_however_it_is_planned(relay: Relay) -> None:
    """Fails when PostgreSQL may read the choice once for each message: the second reading passes over the first's."""
    invite(*(f"Membre {number}" for number in range(20)))
    with transaction() as session:
        if session.get_bind().dialect.name == "postgresql":
            for plan in OTHER_PLANS:
                session.connection().execute(text(f"SET LOCAL enable_{plan} = off"))
        assert len(claims.claim(session, "one", 3)) == 3
        assert len(claims.claim(session, "two", 5)) == 5


def test_two_workers_send_each_message_once(relay: Relay) -> None:
    """Fails when a claim is not committed before the message is written out."""
    invite(*(f"Membre {number}" for number in range(100)))
    done: list[Summary] = []
    workers = [threading.Thread(target=lambda: done.append(deliver())) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sum(summary.sent for summary in done) == 100
    assert len(relay.recipients) == 100
    assert set(relay.recipients.values()) == {1}


def test_a_message_that_the_relay_holds_keeps_no_sign_in_mail_waiting(relay: Relay) -> None:
    """Fails when the lanes that found nothing left wait for the one that is still busy."""
    let_go = relay.held[MARIE] = threading.Event()
    invite("Marie Durand")
    worker = threading.Thread(target=deliver)
    worker.start()
    try:
        wait_until(lambda: fates()[MARIE] == MailState.HANDING_OVER)
        ask_for_link()
        wait_until(lambda: "marie@durand.example" in relay.recipients)
        assert MARIE not in relay.recipients
    finally:
        let_go.set()
        worker.join()
    assert fates() == {MARIE: "sent", "marie@durand.example": "sent"}


def test_stopping_lets_the_message_in_flight_finish_and_gives_back_the_rest(relay: Relay) -> None:
    relay.seconds = 0.3
    invite(*(f"Membre {number}" for number in range(30)))
    stopping = threading.Event()
    threading.Timer(0.7, stopping.set).start()
    done = deliver(until_empty=True, stopping=stopping)
    assert 0 < done.sent < 30
    assert len(relay.accepted) == done.sent
    assert sorted(fates().values()) == ["pending"] * (30 - done.sent) + ["sent"] * done.sent
    assert {mail.attempts for mail in mails() if mail.state == MailState.PENDING} == {0}


def test_what_a_dead_worker_had_only_claimed_is_sent(relay: Relay, later: Callable[[timedelta], None]) -> None:
    """Fails without the lease: what a worker took with it when it died would never leave."""
    invite("Marie Durand")
    assert len(claim("a worker that dies")) == 1
    assert deliver() == Summary()
    later(claims.LEASE + timedelta(seconds=1))
    assert deliver() == Summary(sent=1)


def test_what_a_dead_worker_was_handing_over_is_uncertain_unless_it_signs_in(
    relay: Relay, later: Callable[[timedelta], None]
) -> None:
    invite("Marie Durand")
    ask_for_link()
    for mail in claim("a worker that dies"):
        assert hand_over(mail.id, "a worker that dies")
    later(claims.HAND_OVER_LEASE + timedelta(seconds=1))
    with transaction() as session:
        session.exec(select(SignInLink)).one().expires_at = clock.now() + timedelta(minutes=20)
    assert deliver() == Summary(sent=1)
    assert fates() == {MARIE: "uncertain", "marie@durand.example": "sent"}


def test_a_worker_thought_dead_cannot_send_what_another_took(relay: Relay, later: Callable[[timedelta], None]) -> None:
    """Fails when a step does not ask who holds the message."""
    invite("Marie Durand")
    (mail,) = claim("slow")
    later(claims.LEASE + timedelta(seconds=1))
    claims.recover_expired()
    claim("quick")
    assert not hand_over(mail.id, "slow")
    assert hand_over(mail.id, "quick")


def test_an_acknowledgement_that_comes_late_settles_an_uncertain_message(
    relay: Relay, later: Callable[[timedelta], None]
) -> None:
    invite("Marie Durand")
    (mail,) = claim("slow")
    hand_over(mail.id, "slow")
    later(claims.HAND_OVER_LEASE + timedelta(seconds=1))
    claims.recover_expired()
    assert fates() == {MARIE: "uncertain"}
    with transaction() as session:
        claims.mark_sent(session, [(mail.id, "slow", "250 at last")])
    assert fates() == {MARIE: "sent"}
