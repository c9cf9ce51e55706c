"""Administrators mend what did not arrive: sent again, to a corrected address, or settled by hand."""

import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlmodel import col, select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail.queue import claims, outbox
from clubapp.mail.transport.delivery import Summary, deliver
from clubapp.models import MailState, Member, OutboxMail, UserSession
from clubapp.refusals import Conflict, Invalid, NotFound
from clubapp.services.mail_log import resending
from tests.factories import add_member
from tests.mail.mailings import ask_for_link, fates, invite, mails
from tests.services.mail_log.mail_log_steps import ADMIN, MARIE, only, opened
from tests.smtp_server import DROP_AFTER_ACCEPTING, Relay, always, only_for


def test_a_message_that_failed_is_sent_again_as_the_same_message(relay: Relay) -> None:
    relay.at_rcpt = always("550 5.7.1 not today")
    invite("Marie Durand")
    deliver()
    before = mails()[0]
    relay.at_rcpt = lambda _: None
    with transaction() as session:
        resending.resend_mail(session, ADMIN, before.id)
    assert deliver() == Summary(sent=1)
    assert relay.accepted[0]["Message-ID"] == before.message_id
    assert opened().total == 1


def test_it_is_sent_again_once_however_often_it_is_asked_for(relay: Relay) -> None:
    relay.at_data = always(DROP_AFTER_ACCEPTING)
    invite("Marie Durand")
    deliver()
    relay.at_data = lambda _: None
    mail_id = mails()[0].id
    with transaction() as session:
        resending.resend_mail(session, ADMIN, mail_id)
    with transaction() as session, pytest.raises(Conflict):
        resending.resend_mail(session, ADMIN, mail_id)
    assert deliver() == Summary(sent=1)
    with transaction() as session, pytest.raises(Conflict):
        resending.resend_mail(session, ADMIN, mail_id)


def test_what_is_sent_again_late_has_its_days_of_patience_anew(
    relay: Relay,
    at: Callable[[str], datetime],
) -> None:
    at("2026-11-01T10:00")
    relay.at_rcpt = always("550 no")
    invite("Marie Durand", date=clock.now() + timedelta(days=60))
    deliver()
    at("2026-11-11T10:00")
    relay.at_rcpt = always("450 later")
    with transaction() as session:
        resending.resend_mail(session, ADMIN, mails()[0].id)
    assert deliver() == Summary(retried=1)


def test_the_address_is_corrected_for_the_member_and_for_all_that_waits(relay: Relay) -> None:
    relay.at_rcpt = only_for(MARIE, "550 5.1.1 no such mailbox")
    marie = invite("Marie Durand").members[0]
    deliver()
    with reading() as session:
        flagged = session.get_one(Member, marie.id)
        assert flagged.email_failed_at is not None
        assert flagged.email_failure == "550 5.1.1 no such mailbox"
    with transaction() as session:
        outbox.queue_mail(session, kind="sign_in_unknown", key="s", recipient=MARIE, member_id=marie.id)
        outbox.queue_mail(session, kind="event_changed", key="w", recipient=MARIE, member_id=marie.id)
        outbox.queue_mail(session, kind="welcome", key="f", recipient=MARIE, member_id=marie.id)
        outbox.queue_mail(session, kind="broadcast", key="o", recipient="o@old.example", member_id=marie.id)
        for mail in session.exec(select(OutboxMail).where(col(OutboxMail.key).in_(("f", "o")))):
            mail.state = MailState.FAILED
        now = clock.now()
        session.add(UserSession(email=MARIE, secret_hash="x", created_at=now, expires_at=now + timedelta(hours=1)))
    failed = next(mail for mail in mails() if mail.kind == "invitation")
    with transaction() as session:
        again = resending.correct_and_resend(session, ADMIN, failed.id, " Marie.DURAND@Nouvelle.example ")
    assert again == 2
    with reading() as session:
        corrected = session.get_one(Member, marie.id)
        assert (corrected.email, corrected.email_failed_at, corrected.email_failure) == (
            "marie.durand@nouvelle.example", None, "",
        )  # fmt: skip
        assert session.exec(select(UserSession)).one().ended_at is not None
    told = {mail.kind: mail.recipient for mail in mails()}
    assert told == {
        "invitation": "marie.durand@nouvelle.example",
        "event_changed": "marie.durand@nouvelle.example",
        "welcome": "marie.durand@nouvelle.example",
        "broadcast": "o@old.example",
        "sign_in_unknown": MARIE,
    }


def test_what_failed_at_a_former_address_goes_to_the_one_the_member_has_now(relay: Relay) -> None:
    relay.at_rcpt = only_for(MARIE, "550 5.1.1 no such mailbox")
    marie = invite("Marie Durand").members[0]
    deliver()
    with transaction() as session:
        session.get_one(Member, marie.id).email = "marie@nouvelle.example"
    with transaction() as session:
        assert resending.correct_and_resend(session, ADMIN, mails()[0].id, "marie@nouvelle.example") == 1
    assert [(mail.recipient, mail.state) for mail in mails()] == [("marie@nouvelle.example", MailState.PENDING)]


@pytest.mark.parametrize(
    ("typed", "said"),
    [("zoé", "valide"), ("ZOE@lefebvre.example", "déjà celle de Zoé"), (MARIE.upper(), "déjà l’adresse de ce membre")],
)
def test_a_wrong_address_is_refused_beside_the_field_and_nothing_moves(
    relay: Relay,
    typed: str,
    said: str,
) -> None:
    relay.at_rcpt = always("550 no")
    invite("Marie Durand")
    deliver()
    with transaction() as session:
        add_member(session, name="Zoé", email="zoe@lefebvre.example")
    with transaction() as session, pytest.raises(Invalid, match=said) as refused:
        resending.correct_and_resend(session, ADMIN, mails()[0].id, typed)
    assert refused.value.field == "email"
    assert fates() == {MARIE: "failed"}


def test_of_two_members_given_one_address_at_the_same_instant_the_second_is_told_whose_it_is(relay: Relay) -> None:
    """The second begins while the first is not committed yet: only the database can know."""
    relay.at_rcpt = always("550 5.1.1 no")
    invite("Marie Durand", "Paul Vasseur")
    deliver()
    first, second = mails()
    written, refusals = threading.Event(), []

    def correct_the_second() -> None:
        written.wait()
        try:
            with transaction() as session:
                resending.correct_and_resend(session, ADMIN, second.id, "accueil@durand.example")
        except Exception as refusal:
            refusals.append(refusal)

    other = threading.Thread(target=correct_the_second)
    other.start()
    with transaction() as session:
        resending.correct_and_resend(session, ADMIN, first.id, "accueil@durand.example")
        written.set()
        time.sleep(0.5)
    other.join()
    (refusal,) = refusals
    assert isinstance(refusal, Invalid), refusal
    assert (refusal.text, refusal.field) == ("Cette adresse est déjà celle de Marie Durand.", "email")
    assert fates() == {"accueil@durand.example": "pending", second.recipient: "failed"}


def test_an_address_that_takes_mail_again_is_no_longer_flagged(relay: Relay) -> None:
    relay.at_rcpt = always("550 5.1.1 no")
    marie = invite("Marie Durand").members[0]
    deliver()
    relay.at_rcpt = lambda _: None
    with transaction() as session:
        resending.resend_mail(session, ADMIN, mails()[0].id)
    deliver()
    with reading() as session:
        assert session.get_one(Member, marie.id).email_failed_at is None


def test_what_was_written_may_be_refused_without_blame_for_the_address(relay: Relay) -> None:
    relay.at_data = always("554 5.7.1 looks like spam")
    marie = invite("Marie Durand").members[0]
    deliver()
    with reading() as session:
        assert session.get_one(Member, marie.id).email_failed_at is None


def test_an_uncertain_message_is_settled_by_hand_and_by_nobody_twice(relay: Relay) -> None:
    relay.at_data = always(DROP_AFTER_ACCEPTING)
    invite("Marie Durand")
    deliver()
    entry = only()
    assert (entry.state_label, entry.can_settle, entry.can_resend) == ("Incertain", True, True)
    with transaction() as session:
        resending.mark_as_arrived(session, ADMIN, entry.id)
    assert only().reason == "Marqué comme reçu par helene@beffroi.example."
    assert fates() == {MARIE: "sent"}
    with transaction() as session, pytest.raises(Conflict):
        resending.mark_as_arrived(session, ADMIN, entry.id)


def test_a_late_acknowledgement_does_not_undo_a_resending(relay: Relay) -> None:
    invite("Marie Durand")
    with transaction() as session:
        (mail,) = claims.claim(session, "slow", 5)
        claims.hand_over(session, [(mail.id, "slow")])
        claims.mark_uncertain(session, mail.id, "slow", "cut")
    with transaction() as session:
        resending.resend_mail(session, ADMIN, mail.id)
    with transaction() as session:
        claims.mark_sent(session, [(mail.id, "slow", "250 late")])
    assert fates() == {MARIE: "pending"}


def test_a_sign_in_mail_is_not_sent_again_and_what_is_gone_is_told(club: str) -> None:
    ask_for_link()
    with transaction() as session:
        session.exec(select(OutboxMail)).one().state = MailState.FAILED
    assert not only().can_resend
    with transaction() as session, pytest.raises(Conflict):
        resending.resend_mail(session, ADMIN, only().id)
    with transaction() as session, pytest.raises(NotFound):
        resending.resend_mail(session, ADMIN, "no-such-mail")
