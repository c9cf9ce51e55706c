"""A new e-mail address counts once it is confirmed by its link, once, and the old one is told (S11)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

import pytest
from sqlalchemy import delete
from sqlmodel import col, select

from clubapp import tokens
from clubapp.database import reading, transaction
from clubapp.mail.messages.letter import Withdrawn
from clubapp.mail.messages.mail_kinds import compose
from clubapp.mail.queue import outbox
from clubapp.models import EmailChange, MailState, Member, OutboxMail
from clubapp.refusals import Conflict, Forbidden, Invalid, NotFound, Refusal, TooMany
from clubapp.services.access import email_change, sessions
from clubapp.services.base.actors import SYSTEM, VISITOR, Actor
from clubapp.services.members import editing, own_profile
from clubapp.services.privacy import retention
from tests.factories import add_admin, add_member

At = Callable[[str], datetime]
OLD, NEW = "marie@durand.example", "marie@nouvelle.example"
ADMIN = Actor("helene@beffroi.example", is_admin=True, session_id="h")


@pytest.fixture
def marie(club: str, at: At) -> Actor:
    at("2026-11-20T10:00")
    with transaction() as session:
        return Actor(OLD, member_id=add_member(session, email=OLD).id, session_id="s")


def member(person: Actor) -> Member:
    with reading() as session:
        found = session.get(Member, person.member_id)
    assert found
    return found


def ask(person: Actor, email: str = NEW) -> str:
    """Ask for another address; the token its link carries."""
    with transaction() as session:
        email_change.request_change(session, person, member(person), email)
    return tokens.derive("email-change", changes()[-1].id)


def changes() -> list[EmailChange]:
    with reading() as session:
        return list(session.exec(select(EmailChange).order_by(col(EmailChange.created_at))))


def mails(kind: str) -> list[OutboxMail]:
    with reading() as session:
        return list(
            session.exec(select(OutboxMail).where(OutboxMail.kind == kind).order_by(col(OutboxMail.created_at)))
        )


def confirm(token: str) -> str:
    with transaction() as session:
        return email_change.confirm_change(session, token)


@pytest.mark.parametrize("person", [VISITOR, SYSTEM])
def test_only_a_member_sends_again_or_gives_up(club: str, person: Actor) -> None:
    with transaction() as session:
        for act in (email_change.resend_link, email_change.cancel_change):
            with pytest.raises(Forbidden):
                act(session, person)


def test_the_new_address_gets_the_link_and_the_old_one_counts_until_it_is_followed(marie: Actor) -> None:
    token = ask(marie)
    (mail,) = mails("email_change")
    assert (mail.recipient, mail.member_id, token in str(mail.model_dump())) == (NEW, marie.member_id, False)
    with reading() as session:
        letter = compose(session, mail)
    assert letter.context["link"].endswith(f"/auth/adresse#token={token}")
    assert member(marie).email == OLD
    assert not mails("email_changed")


def test_a_confirmed_address_counts_and_the_old_one_is_told_and_signed_out(marie: Actor) -> None:
    with transaction() as session:
        sessions.open_session(session, OLD)
        row = session.get(Member, marie.member_id)
        assert row
        row.email_failed_at, row.email_failure = row.created_at, "550"
    assert confirm(ask(marie)) == NEW
    found = member(marie)
    assert (found.email, found.email_failed_at, found.email_failure) == (NEW, None, "")
    (told,) = mails("email_changed")
    assert told.recipient == OLD
    with transaction() as session:
        session.connection().execute(delete(EmailChange))  # forgotten after a day: the mail may still be waiting
    with reading() as session:
        assert sessions.read_own_sessions(session, marie) == ()
        assert sessions.find_rights(session, NEW).member_id == marie.member_id
        letter = compose(session, told)
    assert letter.context["new_email"] == "ma•••@nouvelle.example"


def corrected(marie: Actor, email: str = NEW) -> None:
    """An administrator gives the member another address in their form."""
    with transaction() as session:
        typed = replace(editing.open_form(session, ADMIN, str(marie.member_id)), email=email)
        editing.save(session, ADMIN, typed, optional=frozenset({"role", "description", "company_id", "email"}))


@pytest.mark.parametrize("change", [lambda marie: confirm(ask(marie)), corrected], ids=["by link", "in the form"])
def test_what_waits_follows_the_address_but_what_is_for_the_former_one(
    marie: Actor, change: Callable[[Actor], object]
) -> None:
    """Fails when an invitation that a wrong address holds up goes on to it, and blocks another one."""
    with transaction() as session:
        for kind in ("invitation", "broadcast", "security_notice", "sign_in"):
            outbox.queue_mail(session, kind=kind, key=kind, recipient=OLD, member_id=marie.member_id)
        outbox.queue_mail(session, kind="reminder_1", key="r", recipient=OLD, member_id=marie.member_id)
        session.exec(select(OutboxMail).where(OutboxMail.key == "r")).one().state = MailState.SENT
    change(marie)
    assert [mails(kind)[0].recipient for kind in ("invitation", "broadcast")] == [NEW, NEW]
    assert [mails(kind)[0].recipient for kind in ("security_notice", "sign_in", "reminder_1")] == [OLD, OLD, OLD]
    assert {mail.recipient for mail in (*mails("email_changed"), *mails("security_notice"))} == {OLD}


def test_the_link_to_a_new_address_goes_to_no_other_one(marie: Actor) -> None:
    ask(marie)
    corrected(marie, "m.durand@autre.example")
    assert [mail.recipient for mail in mails("email_change")] == [NEW]


def test_of_who_has_no_address_any_more_the_mails_stay_as_they_are(marie: Actor) -> None:
    with transaction() as session:
        outbox.queue_mail(session, kind="invitation", key="i", recipient=OLD, member_id=marie.member_id)
    corrected(marie, "")
    assert [mail.recipient for mail in mails("invitation")] == [OLD]


def test_a_link_is_good_once_even_for_many_at_the_same_time(marie: Actor) -> None:
    token = ask(marie)

    def attempt(_: int) -> str:
        with suppress(Refusal):
            return confirm(token)
        return ""

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(attempt, range(16)))[-2:] == ["", NEW]
    assert len(mails("email_changed")) == 1


def test_a_link_ends_after_a_day(marie: Actor, at: At) -> None:
    token = ask(marie)
    at("2026-11-21T10:00")
    with pytest.raises(NotFound, match="a déjà servi, a expiré"):
        confirm(token)
    with reading() as session:
        assert email_change.find_pending(session, member(marie)).email == ""
    assert member(marie).email == OLD


@pytest.mark.parametrize("token", ["", "x", "\ud800", "é" * 500])
def test_no_other_token_opens_anything(marie: Actor, token: str) -> None:
    ask(marie)
    with pytest.raises(NotFound):
        confirm(token)
    with pytest.raises(NotFound):
        confirm(changes()[0].token_hash)


def test_a_later_wish_a_new_link_and_giving_up_void_the_link_before(marie: Actor, at: At) -> None:
    first = ask(marie, "un@x.example")
    at("2026-11-20T10:01")
    second = ask(marie)
    at("2026-11-20T10:02")
    with transaction() as session:
        email_change.resend_link(session, marie)
    third = tokens.derive("email-change", changes()[-1].id)
    for token in (first, second):
        with pytest.raises(NotFound):
            confirm(token)
    with reading() as session:
        assert email_change.find_pending(session, member(marie)).email == NEW
        for mail in mails("email_change")[:2]:
            with pytest.raises(Withdrawn):
                compose(session, mail)
    with transaction() as session:
        email_change.cancel_change(session, marie)
    with pytest.raises(NotFound):
        confirm(third)
    with transaction() as session, pytest.raises(NotFound):
        email_change.resend_link(session, marie)
    assert member(marie).email == OLD


def test_five_wishes_a_day(marie: Actor, at: At) -> None:
    for _ in range(5):
        ask(marie)
    with pytest.raises(TooMany):
        ask(marie)
    at("2026-11-21T10:01")
    ask(marie)


def test_five_links_a_day_even_when_all_are_asked_for_at_once(marie: Actor) -> None:
    ask(marie)

    def resend(_: int) -> None:
        with suppress(TooMany), transaction() as session:
            email_change.resend_link(session, marie)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(resend, range(16)))
    assert len(changes()) == len(mails("email_change")) == 5


def test_an_address_that_is_taken_is_answered_alike_and_told_to_its_owner_alone(marie: Actor, at: At) -> None:
    with transaction() as session:
        add_member(session, "Luc", "luc@petit.example")
        add_admin(session, "helene@beffroi.example")
    for moment, taken in (("10:00", "luc@petit.example"), ("10:01", "helene@beffroi.example")):
        at(f"2026-11-20T{moment}")
        token = ask(marie, taken)
        with reading() as session:
            assert email_change.find_pending(session, member(marie)).email == taken
            assert compose(session, mails("email_change")[-1]).template == "email_change_taken"
        with pytest.raises(Conflict, match="ne peut pas être utilisée"):
            confirm(token)
    assert member(marie).email == OLD


def test_an_address_taken_meanwhile_is_refused_and_the_link_stays_good(marie: Actor) -> None:
    token = ask(marie)
    with transaction() as session:
        other = add_member(session, "Luc", NEW).id
    with pytest.raises(Conflict):
        confirm(token)
    with transaction() as session:
        session.delete(session.get(Member, other))
    assert confirm(token) == NEW


def test_who_is_no_longer_active_confirms_nothing(marie: Actor) -> None:
    token = ask(marie)
    with transaction() as session:
        row = session.get(Member, marie.member_id)
        assert row
        row.is_active = False
    with pytest.raises(NotFound):
        confirm(token)


def test_what_is_no_address_is_refused(marie: Actor) -> None:
    with pytest.raises(Invalid):
        ask(marie, "marie")
    assert not changes()


def test_an_address_changed_by_link_leaves_the_profile_as_it_was(marie: Actor) -> None:
    with reading() as session:
        before = own_profile.read_own_profile(session, marie).form
    confirm(ask(marie))
    with reading() as session:
        after = own_profile.read_own_profile(session, marie).form
    assert after == replace(before, email=NEW, seen=after.seen)


def test_old_wishes_are_forgotten(marie: Actor, at: At) -> None:
    ask(marie)
    at("2026-11-27T10:01")
    with transaction() as session:
        retention.erase_expired(session)
    assert not changes()
