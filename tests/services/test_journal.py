"""The journal tells what became of every message, and lets administrators mend what did not arrive (M9, M12)."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlmodel import select

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.mail import claims, outbox
from clubapp.mail.delivery import Summary, deliver
from clubapp.models import MailState, Member, OutboxMail, UserSession
from clubapp.refusals import Conflict, Forbidden, Invalid, NotFound
from clubapp.services import delivery_control, journal, mending
from clubapp.services.actors import VISITOR, Actor
from clubapp.services.journal import Entry, Journal, Search
from tests.factories import add_member
from tests.mail.mailings import ask_for_link, fates, invite, mails
from tests.smtp_server import DROP_AFTER_ACCEPTING, Relay, always, only_for

ADMIN = Actor(email="helene@beffroi.example", is_admin=True)
MARIE, ZOE = "marie.durand@invites.example", "zoe.lefebvre@invites.example"


def opened(**asked: object) -> Journal:
    with reading() as session:
        return journal.read(session, ADMIN, Search(**asked))  # type: ignore[arg-type]


def only(**asked: object) -> Entry:
    (found,) = opened(**asked).messages
    return found


def counted(found: Journal) -> dict[str, int]:
    return {one.state: one.count for one in found.counts}


@pytest.mark.parametrize(
    "call",
    [
        lambda session: journal.read(session, VISITOR, Search()),
        lambda session: journal.filters(session, VISITOR),
        lambda session: journal.entry(session, VISITOR, "x"),
        lambda session: mending.resend(session, VISITOR, "x"),
        lambda session: mending.settle(session, VISITOR, "x"),
        lambda session: mending.correct_and_resend(session, VISITOR, "x", "a@b.example"),
        lambda session: delivery_control.state(session, VISITOR),
        lambda session: delivery_control.hold(session, VISITOR),
        lambda session: delivery_control.resume(session, VISITOR),
    ],
)
def test_only_administrators_see_it_and_act_on_it(club: str, call: Callable[..., object]) -> None:
    with transaction() as session, pytest.raises(Forbidden):
        call(session)


def test_every_message_is_told_with_its_person_its_fate_and_the_relays_words(relay: Relay) -> None:
    relay.at_rcpt = only_for(ZOE, "550 5.1.1 no such mailbox")
    invite("Marie Durand", "Zoe Lefebvre", title="Matinale d'hiver")
    deliver()
    sent, failed = only(state="sent"), only(state="failed")
    assert (sent.kind, sent.about, sent.person, sent.address) == (
        "Invitation",
        "Matinale d'hiver",
        "Marie Durand",
        MARIE,
    )
    assert (sent.state_label, sent.attempts, sent.words) == ("Envoyé", "1 essai", "250 queued as 1")
    assert failed.reason == "Le serveur d'envoi a refusé le message : 550 5.1.1 no such mailbox"
    assert failed.words == ""  # said once
    assert (failed.can_resend, failed.can_correct, failed.can_settle) == (True, True, False)
    assert (sent.can_resend, sent.can_correct) == (False, False)


def test_the_counts_add_up_and_each_narrows_to_its_own(club: str) -> None:
    invite(*(f"Membre {number}" for number in range(len(MailState))))
    with transaction() as session:
        for mail, state in zip(mails(), MailState, strict=True):
            session.merge(mail).state = state
    found = opened()
    assert found.total == len(MailState) == sum(one.count for one in found.counts)
    assert counted(found) == {"sent": 1, "waiting": 3, "failed": 1, "uncertain": 1, "withdrawn": 1, "excluded": 1}
    for state, count in counted(found).items():
        narrowed = opened(state=state)
        assert len(narrowed.messages) == count
        assert {one.state for one in narrowed.messages} == {state}
        assert counted(narrowed) == counted(found)


def test_it_is_searched_by_name_and_address_and_narrowed_by_kind_and_event(club: str) -> None:
    first = invite("Marie Durand", "Zoé Lefèbvre")
    invite("Paul 100%_Vasseur", date=clock.now() + timedelta(days=80))
    ask_for_link()
    assert opened(text="durand marie").total == 2  # her invitation, and her sign-in mail by its address
    assert opened(text="100%_").total == 1
    assert opened(text="%").total == 1
    assert opened(kind="sign_in").total == 1
    assert opened(event_id=first.event.id).total == 2
    assert opened(text="personne").messages == ()
    with reading() as session:
        filters = journal.filters(session, ADMIN)
    assert [choice.value for choice in filters.kinds] == ["invitation", "sign_in"]
    assert len(filters.events) == 2


def test_a_long_journal_is_read_by_pages_and_a_page_too_far_is_the_last(club: str) -> None:
    invite(*(f"Membre {number}" for number in range(journal.PAGE + 3)))
    seen = [len(opened(page=page).messages) for page in (1, 2, 3, -5)]
    assert seen == [journal.PAGE, 3, 3, journal.PAGE]
    assert opened(page=99).page == 2


def test_no_secret_is_in_it(relay: Relay) -> None:
    invited = invite("Marie Durand")
    ask_for_link()
    deliver()
    told = str(opened())
    assert invited.answer_tokens[MARIE] not in told
    assert "link_id" not in told
    assert mails()[0].message_id not in told


def test_a_message_that_failed_is_sent_again_as_the_same_message(relay: Relay) -> None:
    relay.at_rcpt = always("550 5.7.1 not today")
    invite("Marie Durand")
    deliver()
    before = mails()[0]
    relay.at_rcpt = lambda _: None
    with transaction() as session:
        mending.resend(session, ADMIN, before.id)
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
        mending.resend(session, ADMIN, mail_id)
    with transaction() as session, pytest.raises(Conflict):
        mending.resend(session, ADMIN, mail_id)
    assert deliver() == Summary(sent=1)
    with transaction() as session, pytest.raises(Conflict):
        mending.resend(session, ADMIN, mail_id)


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
        mending.resend(session, ADMIN, mails()[0].id)
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
        outbox.queue(session, kind="sign_in_unknown", key="s", recipient=MARIE, member_id=marie.id)
        outbox.queue(session, kind="event_changed", key="w", recipient=MARIE, member_id=marie.id)
        now = clock.now()
        session.add(UserSession(email=MARIE, secret_hash="x", created_at=now, expires_at=now + timedelta(hours=1)))
    failed = next(mail for mail in mails() if mail.kind == "invitation")
    with transaction() as session:
        mending.correct_and_resend(session, ADMIN, failed.id, " Marie.DURAND@Nouvelle.example ")
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
        "sign_in_unknown": MARIE,
    }


@pytest.mark.parametrize(
    ("typed", "said"),
    [("zoé", "valide"), ("ZOE@lefebvre.example", "déjà celle de Zoé"), (MARIE.upper(), "déjà l'adresse de ce membre")],
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
        mending.correct_and_resend(session, ADMIN, mails()[0].id, typed)
    assert refused.value.field == "email"
    assert fates() == {MARIE: "failed"}


def test_an_address_that_takes_mail_again_is_no_longer_flagged(relay: Relay) -> None:
    relay.at_rcpt = always("550 5.1.1 no")
    marie = invite("Marie Durand").members[0]
    deliver()
    relay.at_rcpt = lambda _: None
    with transaction() as session:
        mending.resend(session, ADMIN, mails()[0].id)
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
        mending.settle(session, ADMIN, entry.id)
    assert only().reason == "Marqué comme reçu par helene@beffroi.example."
    assert fates() == {MARIE: "sent"}
    with transaction() as session, pytest.raises(Conflict):
        mending.settle(session, ADMIN, entry.id)


def test_a_late_acknowledgement_does_not_undo_a_resending(relay: Relay) -> None:
    invite("Marie Durand")
    with transaction() as session:
        (mail,) = claims.claim(session, "slow", 5)
        claims.hand_over(session, [(mail.id, "slow")])
        claims.uncertain(session, mail.id, "slow", "cut")
    with transaction() as session:
        mending.resend(session, ADMIN, mail.id)
    with transaction() as session:
        claims.sent(session, [(mail.id, "slow", "250 late")])
    assert fates() == {MARIE: "pending"}


def test_a_sign_in_mail_is_not_sent_again_and_what_is_gone_is_told(club: str) -> None:
    ask_for_link()
    with transaction() as session:
        session.exec(select(OutboxMail)).one().state = MailState.FAILED
    assert not only().can_resend
    with transaction() as session, pytest.raises(Conflict):
        mending.resend(session, ADMIN, only().id)
    with transaction() as session, pytest.raises(NotFound):
        mending.resend(session, ADMIN, "no-such-mail")


def test_mail_held_back_by_hand_waits_and_people_still_sign_in(relay: Relay) -> None:
    with transaction() as session:
        held = delivery_control.hold(session, ADMIN)
    assert (held.is_on, held.is_by_hand) == (True, True)
    assert held.reason == "Les envois ont été suspendus par helene@beffroi.example."
    invite("Marie Durand")
    ask_for_link()
    assert deliver(until_empty=True) == Summary(sent=1)
    assert fates() == {MARIE: "pending", "marie@durand.example": "sent"}
    with transaction() as session:
        assert not delivery_control.resume(session, ADMIN).is_on
    assert deliver() == Summary(sent=1)


def test_a_pause_after_errors_says_why_and_ends_by_a_press(relay: Relay, at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")
    relay.at_rcpt = always("450 4.7.0 too many messages")
    invite(*(f"Membre {number}" for number in range(20)))
    deliver()
    with transaction() as session:
        paused = delivery_control.state(session, ADMIN)
        assert paused.reason == "Plusieurs envois de suite ont échoué. Dernière réponse : 450 4.7.0 too many messages"
        assert paused.until == "Nouvel essai à 11:00."
        tried = sum(mail.attempts for mail in mails())
    deliver()
    assert sum(mail.attempts for mail in mails()) == tried
    relay.at_rcpt = lambda _: None
    with transaction() as session:
        delivery_control.resume(session, ADMIN)
    assert deliver().sent > 0
