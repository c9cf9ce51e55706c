"""A code signs in only where it was asked for, and cannot be guessed."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from clubapp.database import reading
from clubapp.services.access import sign_in, sign_in_limits
from clubapp.services.access.known_browsers import Browser
from clubapp.services.access.sign_in import OpenedSession, WrongCode
from tests.services.access.sign_ins import MARIE, At, ask, code_of, link_of, newest, redeem, type_code, wrong_code_of

OWN = Browser(token="propre", user_agent="Firefox")


def test_the_code_signs_in_where_it_was_asked_for(known_people: None) -> None:
    nonce = ask(MARIE)
    code = code_of(newest(MARIE))
    assert type_code(code, "another-browser") == WrongCode(sign_in.CODE_GONE)
    done = type_code(f" {code[:3]} {code[3:]} ", nonce)
    assert isinstance(done, OpenedSession)
    assert done.home == "/member"
    assert type_code(code, nonce) == WrongCode(sign_in.CODE_GONE)


def test_a_code_cut_short_costs_no_try(known_people: None) -> None:
    nonce = ask()
    code = code_of(newest())
    for typed in ("", "12", code[:5], f"{code}1"):
        assert type_code(typed, nonce) == WrongCode(sign_in.CODE_INCOMPLETE)
    assert newest().code_tries == 0
    assert isinstance(type_code(code, nonce), OpenedSession)


def test_five_wrong_codes_end_the_code_but_not_the_link(known_people: None) -> None:
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
    assert isinstance(redeem(link, nonce), OpenedSession)


def test_tries_that_race_are_all_counted(known_people: None) -> None:
    nonce = ask()
    link = newest()
    with ThreadPoolExecutor(20) as pool:
        said = list(pool.map(lambda _: type_code(wrong_code_of(link), nonce), range(20)))
    assert all(isinstance(one, WrongCode) for one in said)
    assert newest().code_tries == 5


def test_codes_of_an_address_cannot_be_guessed_all_day(known_people: None, at: At) -> None:
    start = at("2026-11-20T06:00")
    for hour in range(4):
        at((start + timedelta(hours=hour)).isoformat()[:19])
        nonce = ask()
        for _ in range(5):
            type_code(wrong_code_of(newest()), nonce)
    at("2026-11-20T10:00")
    nonce = ask()
    assert type_code(code_of(newest()), nonce) == WrongCode(sign_in.CODE_EXHAUSTED)
    assert isinstance(redeem(newest(), nonce), OpenedSession)
    at("2026-11-21T06:00")
    nonce = ask()
    assert isinstance(type_code(code_of(newest()), nonce), OpenedSession)


def test_guesses_on_invented_addresses_switch_nobodys_code_off(known_people: None) -> None:
    for number in range(12):
        invented = f"invente-{number}@ailleurs.example"
        nonce = ask(invented, requester="198.51.100.9")
        for _ in range(5):
            type_code(wrong_code_of(newest(invented)), nonce)
    nonce = ask()
    assert isinstance(type_code(code_of(newest()), nonce), OpenedSession)
    with reading() as session:
        assert sign_in_limits.count_wrong_codes(session) == 0


def test_a_network_that_guesses_a_hundred_times_has_its_codes_switched_off(known_people: None, at: At) -> None:
    start = at("2026-11-20T06:00")
    for number in range(20):
        at((start + timedelta(hours=number)).isoformat()[:19])
        person = f"personne-{number}@beffroi.example"
        nonce = ask(person, requester="198.51.100.9")
        for _ in range(5):
            type_code(wrong_code_of(link_of(nonce)), nonce)
    nonce = ask(requester="198.51.100.9")
    assert type_code(code_of(link_of(nonce)), nonce) == WrongCode(sign_in.CODE_EXHAUSTED)
    nonce = ask()
    assert isinstance(type_code(code_of(link_of(nonce)), nonce), OpenedSession)


def test_a_stranger_switches_no_code_off_for_a_browser_that_has_signed_in_before(known_people: None, at: At) -> None:
    """Fails when twenty wrong codes of anybody leave an owner without the code for a day (W14)."""
    start = at("2026-11-20T06:00")
    nonce = ask(browser=OWN)
    assert isinstance(type_code(code_of(newest()), nonce, OWN), OpenedSession)
    for number in range(4):
        at((start + timedelta(hours=1, minutes=number)).isoformat()[:19])
        nonce = ask(requester="198.51.100.9")
        for _ in range(5):
            type_code(wrong_code_of(link_of(nonce)), nonce)
    nonce = ask()
    assert type_code(code_of(link_of(nonce)), nonce) == WrongCode(sign_in.CODE_EXHAUSTED)
    nonce = ask(browser=OWN)
    assert isinstance(type_code(code_of(link_of(nonce)), nonce, OWN), OpenedSession)
    for number in range(4):
        at((start + timedelta(hours=2 + number)).isoformat()[:19])
        nonce = ask(browser=OWN)
        for _ in range(5):
            type_code(wrong_code_of(link_of(nonce)), nonce, OWN)
    at((start + timedelta(hours=6)).isoformat()[:19])
    nonce = ask(browser=OWN)
    assert type_code(code_of(link_of(nonce)), nonce, OWN) == WrongCode(sign_in.CODE_EXHAUSTED), "its own tries count"


def test_the_code_of_an_earlier_mail_is_good_as_long_as_its_link_is(known_people: None) -> None:
    first = ask()
    second = ask()
    earlier = link_of(first)
    assert isinstance(type_code(code_of(earlier), second), OpenedSession)
    assert type_code(code_of(link_of(second)), second) == WrongCode(sign_in.CODE_GONE), "one sign-in ends them all"
    stranger = ask(requester="198.51.100.9")
    own = ask()
    assert isinstance(type_code(code_of(link_of(own)), stranger), WrongCode), "of another network it is not"


def test_a_code_ends_with_its_link(known_people: None, at: At) -> None:
    at("2026-11-20T10:00")
    nonce = ask()
    code = code_of(newest())
    at("2026-11-20T10:31")
    assert type_code(code, nonce) == WrongCode(sign_in.CODE_GONE)


def test_the_digits_of_any_keyboard_are_digits(known_people: None) -> None:
    nonce = ask()
    assert isinstance(type_code("".join(chr(0xFF10 + int(digit)) for digit in code_of(newest())), nonce), OpenedSession)
