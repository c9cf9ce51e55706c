"""A link signs one browser in, once; a code only where it was asked for; strangers learn nothing."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import event
from sqlmodel import col, select

from clubapp import tokens
from clubapp.database import engine, reading, transaction
from clubapp.models import Admin, OutboxMail, SignInLink, UserSession
from clubapp.refusals import Forbidden, Invalid, NotFound, Refusal, TooMany
from clubapp.services import sessions, sign_in, sign_in_limits
from clubapp.services.sign_in import Confirmation, Redeemed, WrongCode
from tests.factories import add_admin, add_member

HELENE = "helene@beffroi.example"
MARIE = "marie@durand.example"
STRANGER = "inconnu@ailleurs.example"
HERE = "192.0.2.7"
At = Callable[[str], datetime]


@pytest.fixture
def people(club: str) -> None:
    with transaction() as session:
        add_admin(session, HELENE)
        add_member(session, email=MARIE)


def ask(email: str = HELENE, requester: str = HERE) -> str:
    """Ask for a mail; the nonce."""
    with transaction() as session:
        return sign_in.request(session, email, requester=requester)


def newest(email: str = HELENE) -> SignInLink:
    """The row of the last request of an address."""
    with reading() as session:
        query = select(SignInLink).where(SignInLink.email == email).order_by(col(SignInLink.created_at).desc())
        rows = session.exec(query).all()
        return next((row for row in rows if row.voided_at is None), rows[0])


def secrets_of(link: SignInLink) -> tuple[str, str]:
    """The two tokens of a link's fragment."""
    fragment = parse_qs(urlsplit(sign_in.link_address(link.id)).fragment)
    return fragment["access_token"][0], fragment["refresh_token"][0]


def redeem(link: SignInLink, nonce: str = "", confirmed: bool = False) -> Redeemed | Confirmation:
    """What the callback page's POST does."""
    with transaction() as session:
        return sign_in.redeem(session, *secrets_of(link), nonce=nonce, confirmed=confirmed, user_agent="Firefox")


def type_code(code: str, nonce: str) -> Redeemed | WrongCode:
    """What the code field's POST does."""
    with transaction() as session:
        return sign_in.redeem_code(session, code, nonce=nonce, user_agent="Firefox")


def code_of(link: SignInLink) -> str:
    """The six digits of the mail."""
    return tokens.derive_code("sign-in-code", link.id)


def wrong_code_of(link: SignInLink) -> str:
    """Six digits that are not those of the mail."""
    return f"{(int(code_of(link)) + 1) % 1_000_000:06d}"


def sessions_count() -> int:
    """How many sessions were opened."""
    with reading() as session:
        return len(session.exec(select(UserSession)).all())


@pytest.mark.parametrize(("email", "home"), [(HELENE, "/admin"), (MARIE, "/member")])
def test_the_browser_that_asked_is_signed_in_at_once(people: None, email: str, home: str) -> None:
    nonce = ask(email)
    done = redeem(newest(email), nonce)
    assert isinstance(done, Redeemed)
    assert done.home == home
    with transaction() as session:
        living = sessions.resolve(session, done.cookie)
    assert living
    assert living.actor.email == email


def test_another_browser_is_asked_to_confirm_and_uses_nothing_up(people: None) -> None:
    nonce = ask()
    link = newest()
    for other in ("", "another-browser"):
        for _ in range(20):
            assert redeem(link, other) == Confirmation("he•••@beffroi.example")
    assert sessions_count() == 0
    assert isinstance(redeem(link, nonce), Redeemed)


def test_another_browser_is_signed_in_once_confirmed(people: None) -> None:
    ask()
    assert isinstance(redeem(newest(), confirmed=True), Redeemed)


def test_a_link_works_once(people: None) -> None:
    nonce = ask()
    link = newest()
    redeem(link, nonce)
    with pytest.raises(NotFound, match=r"^Pas de session$"):
        redeem(link, nonce)
    with pytest.raises(NotFound, match=r"^Pas de session$"):
        redeem(link, confirmed=True)
    assert sessions_count() == 1


def test_fifty_redemptions_at_once_give_one_session(people: None) -> None:
    nonce = ask()
    link = newest()

    def attempt(_: int) -> bool:
        try:
            return isinstance(redeem(link, nonce), Redeemed)
        except NotFound:
            return False

    with ThreadPoolExecutor(50) as pool:
        assert sum(pool.map(attempt, range(50))) == 1
    assert sessions_count() == 1


def test_link_and_code_at_once_give_one_session(people: None) -> None:
    nonce = ask()
    link = newest()

    def attempt(number: int) -> bool:
        try:
            done = redeem(link, nonce) if number % 2 else type_code(code_of(link), nonce)
        except NotFound:
            return False
        return isinstance(done, Redeemed)

    with ThreadPoolExecutor(10) as pool:
        assert sum(pool.map(attempt, range(10))) == 1
    assert sessions_count() == 1


@pytest.mark.parametrize(("access", "refresh"), [("", "x"), ("x", ""), ("", "")])
def test_a_missing_token_is_said(people: None, access: str, refresh: str) -> None:
    with pytest.raises(Invalid, match=r"^Tokens manquants$"), transaction() as session:
        sign_in.redeem(session, access, refresh, nonce="", confirmed=True)


def test_nothing_that_the_database_holds_is_accepted(people: None) -> None:
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
                sign_in.redeem(session, *pair, nonce=nonce, confirmed=True)
        assert isinstance(type_code(code_of(link), value), WrongCode)
        assert redeem(link, value) == Confirmation("he•••@beffroi.example")
    assert isinstance(redeem(link, nonce), Redeemed)


def test_secrets_are_long_and_unlike(people: None) -> None:
    nonces = {ask(f"{number}@ailleurs.example", f"192.0.2.{number}") for number in range(20)}
    with reading() as session:
        links = session.exec(select(SignInLink)).all()
    secrets = {secret for link in links for secret in secrets_of(link)} | nonces
    assert len(secrets) == 60
    assert min(map(len, secrets)) >= 43


def test_a_link_lives_thirty_minutes(people: None, at: At) -> None:
    at("2026-11-20T10:00:00")
    nonce = ask()
    link = newest()
    at("2026-11-20T10:29:59")
    assert isinstance(redeem(link), Confirmation)
    at("2026-11-20T10:30:00")
    with pytest.raises(NotFound, match="Pas de session"):
        redeem(link, nonce)
    assert type_code(code_of(link), nonce) == WrongCode(sign_in.CODE_GONE)


def test_the_life_of_a_link_is_a_setting(environment: pytest.MonkeyPatch, people: None, at: At) -> None:
    environment.setenv("CLUB_SIGN_IN_MINUTES", "10")
    from clubapp.settings import settings

    settings.cache_clear()
    start = at("2026-11-20T10:00:00")
    ask()
    assert newest().expires_at == start + timedelta(minutes=10)


def test_a_new_request_voids_the_older_link_and_code_of_that_address_only(people: None) -> None:
    first, marie = ask(), ask(MARIE)
    old = newest()
    second = ask("  Helene@BEFFROI.example ")
    with pytest.raises(NotFound, match="Pas de session"):
        redeem(old, first)
    assert type_code(code_of(old), first) == WrongCode(sign_in.CODE_GONE)
    assert isinstance(redeem(newest(), second), Redeemed)
    assert isinstance(redeem(newest(MARIE), marie), Redeemed)


def test_an_address_that_lost_its_right_is_told(people: None) -> None:
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


def test_known_and_unknown_addresses_leave_the_same_traces(people: None) -> None:
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


def test_every_address_costs_the_same_questions_to_the_database(people: None) -> None:
    asked: list[str] = []
    listener = lambda _connection, _cursor, statement, *_: asked.append(statement)  # noqa: E731
    event.listen(engine(), "before_cursor_execute", listener)
    traces = []
    for email in (HELENE, MARIE, STRANGER):
        asked.clear()
        ask(email)
        traces.append(tuple(asked))
    event.remove(engine(), "before_cursor_execute", listener)
    assert traces[0] == traces[1] == traces[2]
    assert len(traces[0]) > 3


def test_an_inactive_member_is_a_stranger(club: str) -> None:
    with transaction() as session:
        add_member(session, email=MARIE, is_active=False)
    ask(MARIE)
    with reading() as session:
        assert session.exec(select(OutboxMail)).one().kind == "sign_in_unknown"


@pytest.mark.parametrize("email", ["", "helene", "helene@", "a@b@c", "x\n@beffroi.example", "\0@b.example"])
def test_what_is_not_an_address_is_refused(people: None, email: str) -> None:
    with pytest.raises(Invalid) as refused:
        ask(email)
    assert refused.value.field == "email"


def test_the_code_signs_in_where_it_was_asked_for(people: None) -> None:
    nonce = ask(MARIE)
    code = code_of(newest(MARIE))
    assert type_code(code, "another-browser") == WrongCode(sign_in.CODE_GONE)
    done = type_code(f" {code[:3]} {code[3:]} ", nonce)
    assert isinstance(done, Redeemed)
    assert done.home == "/member"
    assert type_code(code, nonce) == WrongCode(sign_in.CODE_GONE)


def test_a_code_cut_short_costs_no_try(people: None) -> None:
    nonce = ask()
    code = code_of(newest())
    for typed in ("", "12", code[:5], f"{code}1"):
        assert type_code(typed, nonce) == WrongCode(sign_in.CODE_INCOMPLETE)
    assert newest().code_tries == 0
    assert isinstance(type_code(code, nonce), Redeemed)


def test_five_wrong_codes_end_the_code_but_not_the_link(people: None) -> None:
    nonce = ask()
    link = newest()
    said = [type_code(wrong_code_of(link), nonce) for _ in range(5)]
    assert [isinstance(one, WrongCode) and one.text for one in said] == [
        "Code incorrect. Il vous reste 4 essais.",
        "Code incorrect. Il vous reste 3 essais.",
        "Code incorrect. Il vous reste 2 essais.",
        "Code incorrect. Il vous reste 1 essai.",
        sign_in.CODE_EXHAUSTED,
    ]
    assert type_code(code_of(link), nonce) == WrongCode(sign_in.CODE_EXHAUSTED)
    assert isinstance(redeem(link, nonce), Redeemed)


def test_tries_that_race_are_all_counted(people: None) -> None:
    nonce = ask()
    link = newest()
    with ThreadPoolExecutor(20) as pool:
        said = list(pool.map(lambda _: type_code(wrong_code_of(link), nonce), range(20)))
    assert all(isinstance(one, WrongCode) for one in said)
    assert newest().code_tries == 5


def test_codes_of_an_address_cannot_be_guessed_all_day(people: None, at: At) -> None:
    start = at("2026-11-20T06:00")
    for hour in range(4):
        at((start + timedelta(hours=hour)).isoformat()[:19])
        nonce = ask()
        for _ in range(5):
            type_code(wrong_code_of(newest()), nonce)
    at("2026-11-20T10:00")
    nonce = ask()
    assert type_code(code_of(newest()), nonce) == WrongCode(sign_in.CODE_EXHAUSTED)
    assert isinstance(redeem(newest(), nonce), Redeemed)
    at("2026-11-21T06:00")
    nonce = ask()
    assert isinstance(type_code(code_of(newest()), nonce), Redeemed)


def test_an_address_over_its_limit_keeps_its_last_link(people: None, at: At) -> None:
    at("2026-11-20T10:00")
    nonces = [ask() for _ in range(5)]
    at("2026-11-20T10:05")
    with pytest.raises(TooMany) as refused:
        ask()
    assert "dans 10 minutes" in refused.value.text
    assert refused.value.retry_after == 600
    assert isinstance(redeem(newest(), nonces[-1]), Redeemed)
    ask()


def test_a_stranger_cannot_use_up_the_owners_requests(people: None) -> None:
    for _ in range(5):
        ask(requester="203.0.113.9")
    with pytest.raises(TooMany):
        ask(requester="203.0.113.9")
    nonce = ask(requester=HERE)
    assert isinstance(redeem(newest(), nonce), Redeemed)


def test_an_address_has_a_limit_over_all_networks(people: None) -> None:
    for number in range(10):
        ask(requester=f"203.0.113.{number}")
    with pytest.raises(TooMany, match="Le dernier lien envoyé reste valable"):
        ask(requester=HERE)
    assert isinstance(redeem(newest(), confirmed=True), Redeemed)


@pytest.mark.parametrize("networks", [[HERE], ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9"]])
def test_a_network_has_a_limit_over_all_addresses(people: None, networks: list[str]) -> None:
    for number in range(20):
        ask(f"{number}@ailleurs.example", networks[number % len(networks)])
    with pytest.raises(TooMany, match="Réessayez dans 15 minutes"):
        ask(requester=networks[0])
    ask(requester="198.51.100.1")


def test_people_who_sign_in_are_never_slowed_down(people: None) -> None:
    for _ in range(25):
        nonce = ask()
        assert isinstance(redeem(newest(), nonce), Redeemed)


def test_a_burst_does_not_slip_under_the_limit(people: None) -> None:
    def attempt(_: int) -> bool:
        try:
            return bool(ask())
        except TooMany:
            return False

    with ThreadPoolExecutor(20) as pool:
        assert sum(pool.map(attempt, range(20))) == sign_in_limits.PER_ADDRESS_HERE


def test_a_flood_of_strangers_does_not_keep_the_club_out(people: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in_limits, "IN_ALL", 3)
    for number in range(4):
        assert ask(f"{number}@ailleurs.example", f"203.0.113.{number}")
    nonce = ask()
    with reading() as session:
        states = {mail.key: mail.state for mail in session.exec(select(OutboxMail))}
    assert sorted(states.values()) == ["excluded", "pending", "pending", "pending", "pending"]
    assert isinstance(redeem(newest(), nonce), Redeemed)


def test_the_network_address_is_not_kept(people: None) -> None:
    ask()
    assert HERE not in newest().model_dump_json()
    assert len(newest().requester) == 64


def test_a_link_from_the_command_line_is_confirmed_in_any_browser(people: None) -> None:
    with transaction() as session:
        address = sign_in.make_link(session, " Helene@beffroi.example")
    assert address == sign_in.link_address(newest().id)
    assert address.startswith("http://localhost:3000/auth/callback#access_token=")
    assert isinstance(redeem(newest()), Confirmation)
    assert isinstance(redeem(newest(), confirmed=True), Redeemed)


def test_the_command_line_makes_no_link_for_a_stranger(people: None) -> None:
    with pytest.raises(NotFound), transaction() as session:
        sign_in.make_link(session, STRANGER)
