"""Asking for a sign-in mail: strangers learn nothing, and nobody asks too often."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.models import OutboxMail, SignInLink
from clubapp.refusals import Invalid, TooMany
from clubapp.services.access import sign_in, sign_in_limits
from clubapp.services.access.known_browsers import Browser
from clubapp.services.access.sign_in import OpenedSession
from tests.factories import add_member
from tests.services.access.sign_ins import HELENE, HERE, MARIE, STRANGER, At, ask, code_of, link_of, newest, redeem
from tests.statements import counted


def test_known_and_unknown_addresses_leave_the_same_traces(known_people: None) -> None:
    for email in (HELENE, MARIE, STRANGER):
        assert len(ask(email)) == 43
    with reading() as session:
        mails = session.exec(select(OutboxMail)).all()
        links = session.exec(select(SignInLink)).all()
    assert {mail.recipient: mail.kind for mail in mails} == {
        HELENE: "sign_in",
        MARIE: "sign_in",
        STRANGER: "sign_in_unknown",
    }
    assert {(mail.priority, mail.state, tuple(sorted(mail.context))) for mail in mails} == {
        (0, "pending", ("code", "link_id"))
    }
    assert len(links) == 3


def test_every_address_costs_the_same_questions_to_the_database(known_people: None) -> None:
    traces = []
    for email in (HELENE, MARIE, STRANGER):
        with counted() as asked:
            ask(email)
        traces.append(asked)
    assert traces[0] == traces[1] == traces[2]
    assert len(traces[0]) > 3


def test_an_inactive_member_is_a_stranger(club: str) -> None:
    with transaction() as session:
        add_member(session, email=MARIE, is_active=False)
    ask(MARIE)
    with reading() as session:
        assert session.exec(select(OutboxMail)).one().kind == "sign_in_unknown"


@pytest.mark.parametrize("email", ["", "helene", "helene@", "a@b@c", "x\n@beffroi.example", "\0@b.example"])
def test_what_is_not_an_address_is_refused(known_people: None, email: str) -> None:
    with pytest.raises(Invalid) as refused:
        ask(email)
    assert refused.value.field == "email"


def test_an_address_over_its_limit_keeps_its_last_link(known_people: None, at: At) -> None:
    at("2026-11-20T10:00")
    nonces = [ask() for _ in range(5)]
    at("2026-11-20T10:05")
    with pytest.raises(TooMany) as refused:
        ask()
    assert "dans 10 minutes" in refused.value.text
    assert refused.value.retry_after == 600
    assert isinstance(redeem(link_of(nonces[-1]), nonces[-1]), OpenedSession)
    ask()


def test_a_stranger_cannot_use_up_the_owners_requests(known_people: None) -> None:
    for _ in range(5):
        ask(requester="203.0.113.9")
    with pytest.raises(TooMany):
        ask(requester="203.0.113.9")
    nonce = ask(requester=HERE)
    assert isinstance(redeem(newest(), nonce), OpenedSession)


def test_an_address_has_a_limit_over_all_networks(known_people: None) -> None:
    for number in range(10):
        ask(requester=f"203.0.113.{number}")
    with pytest.raises(TooMany, match="Le dernier lien envoyé reste valable"):
        ask(requester=HERE)
    assert isinstance(redeem(newest(), confirmed=True), OpenedSession)


@pytest.mark.parametrize("networks", [[HERE], ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9"]])
def test_a_network_has_a_limit_over_all_addresses(known_people: None, networks: list[str]) -> None:
    for number in range(20):
        ask(f"{number}@ailleurs.example", networks[number % len(networks)])
    with pytest.raises(TooMany, match="Réessayez dans 15 minutes"):
        ask(requester=networks[0])
    ask(requester="198.51.100.1")


def test_a_stranger_of_the_same_network_keeps_nobody_out_who_has_signed_in_before(known_people: None) -> None:
    """Fails when twenty requests of one guest of a network keep a club's evening from signing in (W14)."""
    own = Browser(token="propre", user_agent="Firefox")
    nonce = ask(MARIE, browser=own)
    with transaction() as session:
        sign_in.redeem_code(session, code_of(newest(MARIE)), nonce=nonce, browser=own)
    for number in range(20):
        ask(f"{number}@ailleurs.example")
    with pytest.raises(TooMany):
        ask(MARIE)
    with pytest.raises(TooMany):
        ask(browser=own)  # Hélène has not
    for _ in range(sign_in_limits.MAX_PER_ADDRESS_AND_REQUESTER):
        ask(MARIE, browser=own)
    with pytest.raises(TooMany):
        ask(MARIE, browser=own)


def test_people_who_sign_in_are_never_slowed_down(known_people: None) -> None:
    for _ in range(25):
        nonce = ask()
        assert isinstance(redeem(newest(), nonce), OpenedSession)


def test_a_burst_does_not_slip_under_the_limit(known_people: None) -> None:
    def attempt(_: int) -> bool:
        try:
            return bool(ask())
        except TooMany:
            return False

    with ThreadPoolExecutor(20) as pool:
        assert sum(pool.map(attempt, range(20))) == sign_in_limits.MAX_PER_ADDRESS_AND_REQUESTER


def test_a_flood_of_strangers_does_not_keep_the_club_out(known_people: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in_limits, "MAX_REQUESTS", 3)
    for number in range(4):
        assert ask(f"{number}@ailleurs.example", f"203.0.113.{number}")
    nonce = ask()
    with reading() as session:
        states = {mail.key: mail.state for mail in session.exec(select(OutboxMail))}
    assert sorted(states.values()) == ["excluded", "pending", "pending", "pending", "pending"]
    assert isinstance(redeem(newest(), nonce), OpenedSession)


def test_the_network_address_is_not_kept(known_people: None) -> None:
    ask()
    assert HERE not in newest().model_dump_json()
    assert len(newest().requester) == 64


def test_a_stranger_is_told_once_a_day_that_the_address_is_not_known(known_people: None, at: At) -> None:
    """Fails when somebody fills the mailbox of a person who has nothing to do with the club."""

    def mails() -> int:
        with reading() as session:
            return len(session.exec(select(OutboxMail).where(OutboxMail.recipient == STRANGER)).all())

    at("2026-11-20T10:00")
    for _ in range(3):
        assert len(ask(STRANGER)) == 43
    assert mails() == 1
    at("2026-11-21T09:00")
    ask(STRANGER)
    assert mails() == 1
    at("2026-11-21T10:01")
    ask(STRANGER)
    assert mails() == 2
    ask(HELENE)
    ask(HELENE)
    with reading() as session:
        assert len(session.exec(select(OutboxMail).where(OutboxMail.recipient == HELENE)).all()) == 2
