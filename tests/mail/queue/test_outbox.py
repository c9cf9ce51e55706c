"""The outbox keeps one row per message, in its cause's transaction, and the list always adds up (M7, M12)."""

import re

import pytest

from clubapp.database import reading, transaction
from clubapp.mail.messages.mail_kinds import MAIL_KINDS
from clubapp.mail.queue import outbox
from clubapp.mail.queue.outbox import Excluded
from clubapp.mail.transport.delivery import deliver
from clubapp.models import MailState
from clubapp.services.base.actors import Actor
from clubapp.services.events import invitations
from tests.factories import add_event, add_member
from tests.mail.mailings import ask_for_link, invite, mails
from tests.smtp_server import Relay

HELENE = Actor(email="helene@beffroi.example", is_admin=True)


def queue(key: str = "one") -> bool:
    with transaction() as session:
        return outbox.queue_mail(session, kind="test", key=key, recipient="marie@durand.example")


def test_the_same_key_queued_twice_is_one_message(club: str) -> None:
    """Fails without the unique index on the key."""
    assert (queue(), queue(), queue("another")) == (True, False, True)
    assert [mail.key for mail in mails()] == ["one", "another"]


def test_what_is_rolled_back_is_not_queued(club: str) -> None:
    def queue_then_fail() -> None:
        with transaction() as session:
            outbox.queue_mail(session, kind="test", key="one", recipient="marie@durand.example")
            raise LookupError

    with pytest.raises(LookupError):
        queue_then_fail()
    assert mails() == []


def test_a_message_is_as_pressing_as_its_kind_and_one_of_no_kind_is_not_queued(club: str) -> None:
    with transaction() as session:
        for kind in MAIL_KINDS:
            outbox.queue_mail(session, kind=kind, key=kind, recipient="marie@durand.example")
        with pytest.raises(KeyError):
            outbox.queue_mail(session, kind="no-such-kind", key="queued", recipient="marie@durand.example")
        with pytest.raises(KeyError):
            outbox.record_excluded(session, kind="no-such-kind", key="excluded", reason="pas d’adresse e-mail")
    assert {mail.kind: mail.priority for mail in mails()} == {name: kind.priority for name, kind in MAIL_KINDS.items()}
    pressing = [MAIL_KINDS[kind].priority for kind in ("sign_in", "test", "place_offered", "invitation")]
    assert pressing == sorted(set(pressing))


def test_the_message_id_is_made_when_queueing_on_the_senders_domain(club: str) -> None:
    queue()
    queue("two")
    identifiers = [mail.message_id for mail in mails()]
    assert all(re.fullmatch(r"<[0-9a-f-]{36}@beffroi\.example>", found) for found in identifiers)
    assert len(set(identifiers)) == 2


def test_those_left_out_are_told_with_the_reason_even_after_they_are_gone(club: str) -> None:
    with transaction() as session:
        event = add_event(session)
        zoe = add_member(session, name="Zoé Lefèbvre", email=None)
        paul = add_member(session, name="Paul Vasseur", email=None)
        for member in (zoe, paul):
            key = f"invitation:{event.id}:{member.id}:1"
            outbox.record_excluded(
                session,
                kind="invitation",
                key=key,
                reason="Pas d’adresse e-mail",
                member_id=member.id,
                event_id=event.id,
            )
    with transaction() as session:
        session.delete(session.merge(paul))
    with reading() as session:
        told = invitations.list_left_out(session, event.id)
    assert set(told) == {
        Excluded("Paul Vasseur", "Pas d’adresse e-mail"),
        Excluded("Zoé Lefèbvre", "Pas d’adresse e-mail"),
    }


def test_the_totals_add_up_over_every_state(club: str) -> None:
    invited = invite(*(f"Membre {number}" for number in range(len(MailState))))
    with transaction() as session:
        for mail, state in zip(mails(), MailState, strict=True):
            session.merge(mail).state = state
    with reading() as session:
        seen = invitations.read_progress(session, HELENE, invited.event.id)
        by_state = outbox.count_states(session)
    assert seen.recipients == len(MailState) - 1  # whoever is left out comes on top
    assert seen.recipients == seen.sent + seen.pending + seen.failed + seen.uncertain + seen.withdrawn
    assert seen.pending == 3
    assert by_state == {state.value: 1 for state in MailState}


def test_nothing_secret_is_in_the_outbox(relay: Relay) -> None:
    invited = invite("Marie Durand")
    ask_for_link()
    deliver()
    bodies = {str(message["X-Club-Kind"]): message.get_body(("plain",)) for message in relay.accepted}
    written = {kind: part.get_content() for kind, part in bodies.items() if part is not None}
    answer = invited.answer_tokens["marie.durand@invites.example"]
    access = written["sign_in"].split("access_token=")[1].split("&")[0]
    assert answer in written["invitation"]
    rows = " ".join(str(mail.model_dump()) for mail in mails())
    assert answer not in rows
    assert access not in rows
