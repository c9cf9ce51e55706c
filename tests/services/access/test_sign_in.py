"""A link signs one browser in, once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.models import Admin, OutboxMail, SignInLink, UserSession
from clubapp.refusals import Forbidden, Invalid, NotFound, Refusal
from clubapp.services.access import sessions, sign_in
from clubapp.services.access.sign_in import ConfirmationRequired, OpenedSession, WrongCode
from tests.services.access.sign_ins import (
    HELENE,
    MARIE,
    STRANGER,
    At,
    ask,
    code_of,
    links_of,
    newest,
    redeem,
    secrets_of,
    type_code,
)


def sessions_count() -> int:
    """How many sessions were opened."""
    with reading() as session:
        return len(session.exec(select(UserSession)).all())


@pytest.mark.parametrize(("email", "home"), [(HELENE, "/admin"), (MARIE, "/member")])
def test_the_browser_that_asked_is_signed_in_at_once(known_people: None, email: str, home: str) -> None:
    nonce = ask(email)
    done = redeem(newest(email), nonce)
    assert isinstance(done, OpenedSession)
    assert done.home == home
    with transaction() as session:
        living = sessions.resolve_cookie(session, done.cookie)
    assert living
    assert living.actor.email == email


def test_another_browser_is_asked_to_confirm_and_uses_nothing_up(known_people: None) -> None:
    nonce = ask()
    link = newest()
    for other in ("", "another-browser"):
        for _ in range(20):
            assert redeem(link, other) == ConfirmationRequired("he•••@beffroi.example", "helene@beffroi.example")
    assert sessions_count() == 0
    assert isinstance(redeem(link, nonce), OpenedSession)


def test_another_browser_is_signed_in_once_confirmed(known_people: None) -> None:
    ask()
    assert isinstance(redeem(newest(), confirmed=True), OpenedSession)


def test_a_link_works_once(known_people: None) -> None:
    nonce = ask()
    link = newest()
    redeem(link, nonce)
    with pytest.raises(NotFound, match=r"^Pas de session$"):
        redeem(link, nonce)
    with pytest.raises(NotFound, match=r"^Pas de session$"):
        redeem(link, confirmed=True)
    assert sessions_count() == 1


def test_fifty_redemptions_at_once_give_one_session(known_people: None) -> None:
    nonce = ask()
    link = newest()

    def attempt(_: int) -> bool:
        try:
            return isinstance(redeem(link, nonce), OpenedSession)
        except NotFound:
            return False

    with ThreadPoolExecutor(50) as pool:
        assert sum(pool.map(attempt, range(50))) == 1
    assert sessions_count() == 1


def test_link_and_code_at_once_give_one_session(known_people: None) -> None:
    nonce = ask()
    link = newest()

    def attempt(number: int) -> bool:
        try:
            done = redeem(link, nonce) if number % 2 else type_code(code_of(link), nonce)
        except NotFound:
            return False
        return isinstance(done, OpenedSession)

    with ThreadPoolExecutor(10) as pool:
        assert sum(pool.map(attempt, range(10))) == 1
    assert sessions_count() == 1


@pytest.mark.parametrize(("access", "refresh"), [("", "x"), ("x", ""), ("", "")])
def test_a_missing_token_is_said(known_people: None, access: str, refresh: str) -> None:
    with pytest.raises(Invalid, match=r"^Tokens manquants$"), transaction() as session:
        sign_in.redeem_link(session, access, refresh, nonce="", confirmed=True)


def test_nothing_that_the_database_holds_is_accepted(known_people: None) -> None:
    nonce = ask()
    link = newest()
    access, refresh = secrets_of(link)
    kept = [str(value) for value in link.model_dump().values()]
    with reading() as session:
        mail = session.exec(select(OutboxMail)).one()
    written = " ".join(kept) + mail.model_dump_json()
    assert not any(secret in written for secret in (access, refresh, nonce, code_of(link)))
    for value in kept:
        for pair in ((value, refresh), (access, value), (value, value), (refresh, access)):
            with pytest.raises(Refusal), transaction() as session:
                sign_in.redeem_link(session, *pair, nonce=nonce, confirmed=True)
        assert isinstance(type_code(code_of(link), value), WrongCode)
        assert redeem(link, value) == ConfirmationRequired("he•••@beffroi.example", "helene@beffroi.example")
    assert isinstance(redeem(link, nonce), OpenedSession)


def test_secrets_are_long_and_unlike(known_people: None) -> None:
    nonces = {ask(f"{number}@ailleurs.example", f"192.0.2.{number}") for number in range(20)}
    with reading() as session:
        links = session.exec(select(SignInLink)).all()
    secrets = {secret for link in links for secret in secrets_of(link)} | nonces
    assert len(secrets) == 60
    assert min(map(len, secrets)) >= 43


def test_a_link_lives_thirty_minutes(known_people: None, at: At) -> None:
    at("2026-11-20T10:00:00")
    nonce = ask()
    link = newest()
    at("2026-11-20T10:29:59")
    assert isinstance(redeem(link), ConfirmationRequired)
    at("2026-11-20T10:30:00")
    with pytest.raises(NotFound, match="Pas de session"):
        redeem(link, nonce)
    assert type_code(code_of(link), nonce) == WrongCode(sign_in.CODE_GONE)


def test_the_life_of_a_link_is_a_setting(environment: pytest.MonkeyPatch, known_people: None, at: At) -> None:
    environment.setenv("CLUB_SIGN_IN_MINUTES", "10")
    from clubapp.settings import settings

    settings.cache_clear()
    start = at("2026-11-20T10:00:00")
    ask()
    assert newest().expires_at == start + timedelta(minutes=10)


def test_three_links_of_a_browsers_network_live_at_a_time_and_die_with_the_first_used(known_people: None) -> None:
    marie, nonces, links = ask(MARIE), [], []
    for _ in range(4):
        nonces.append(ask("  Helene@BEFFROI.example "))
        links.append(next(link for link in links_of(HELENE) if link.id not in {known.id for known in links}))
    with pytest.raises(NotFound, match="Pas de session"):
        redeem(links[0], nonces[0])
    assert type_code(code_of(links[0]), nonces[0]) == WrongCode(sign_in.CODE_GONE)
    assert isinstance(redeem(links[1], nonces[1]), OpenedSession)
    for late in (2, 3):
        with pytest.raises(NotFound, match="Pas de session"):
            redeem(links[late], nonces[late])
        assert type_code(code_of(links[late]), nonces[late]) == WrongCode(sign_in.CODE_GONE)
    assert isinstance(redeem(newest(MARIE), marie), OpenedSession)


def test_what_a_stranger_asks_for_voids_no_link_of_the_owner(known_people: None) -> None:
    nonce = ask()
    mine = newest()
    for _ in range(5):
        ask(requester="198.51.100.9")
    assert isinstance(redeem(mine, nonce), OpenedSession)


def test_an_address_that_lost_its_right_is_told(known_people: None) -> None:
    nonce = ask()
    with transaction() as session:
        session.delete(session.exec(select(Admin)).one())
    for attempt in (
        lambda: redeem(newest(), nonce),
        lambda: redeem(newest()),
        lambda: type_code(code_of(newest()), nonce),
    ):
        with pytest.raises(Forbidden, match=r"^Utilisateur non autorisé$"):
            attempt()
    assert sessions_count() == 0


def test_a_link_from_the_command_line_is_confirmed_in_any_browser(known_people: None) -> None:
    with transaction() as session:
        address = sign_in.create_link(session, " Helene@beffroi.example")
    assert address == sign_in.build_link_url(newest().id)
    assert address.startswith("http://localhost:3000/auth/callback#access_token=")
    assert isinstance(redeem(newest()), ConfirmationRequired)
    assert isinstance(redeem(newest(), confirmed=True), OpenedSession)


def test_the_command_line_makes_no_link_for_a_stranger(known_people: None) -> None:
    with pytest.raises(NotFound), transaction() as session:
        sign_in.create_link(session, STRANGER)
