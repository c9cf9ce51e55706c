"""'Ce n'est pas moi' takes an account back: what was added since a browser was first seen goes (S14)."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlmodel import col, select

from clubapp import tokens
from clubapp.database import reading, transaction
from clubapp.models import Act, Factor, KnownBrowser, Member
from clubapp.refusals import NotFound
from clubapp.services.access import account_links, factors, known_browsers, recovery_codes, sign_in
from tests.factories import add_admin
from tests.services.access.second_factors import add_app, person_of
from tests.services.access.sign_ins import HELENE, MARIE, links_of, redeem
from tests.services.access.test_account_links import LEA, ask, browser, follow, letters, links, links_in, marie, note

__all__ = ["marie"]

Later = Callable[[timedelta], None]


def kept_factors(email: str = MARIE) -> list[str]:
    with reading() as session:
        return list(session.exec(select(Factor.friendly_name).where(Factor.email == email)))


def acts() -> list[str]:
    with reading() as session:
        return list(session.exec(select(Act.action).order_by(col(Act.number))))


@pytest.mark.parametrize("had_one", [True, False])
def test_not_me_removes_what_was_added_since_that_browser_was_first_seen(
    marie: Member, later: Later, had_one: bool
) -> None:
    note("a" * 43)
    own_codes: tuple[str, ...] = ()
    if had_one:
        own_codes = add_app(person_of(MARIE), "La mienne")[1]
    later(timedelta(hours=1))
    note("b" * 43)
    link = links(MARIE)["Ce n’est pas moi"]
    later(timedelta(minutes=1))
    thief = person_of(MARIE)
    _, codes = add_app(thief, "Celle du voleur")
    if had_one:
        with transaction() as session:
            codes = factors.renew_recovery_codes(session, thief)
    with transaction() as session:
        factors.enrol_factor(session, thief, "totp", "Commencée")
    ask(marie)
    note("c" * 43)
    before = len(acts())
    page = follow(link)
    assert kept_factors() == (["La mienne"] if had_one else [])
    with transaction() as session:
        assert not any(recovery_codes.use_code(session, MARIE, code) for code in (*codes, *own_codes))
        assert [row.token_hash for row in session.exec(select(KnownBrowser))] == [tokens.fingerprint("a" * 43)]
    expected = ["sign_out.everywhere", "factor.remove", "recovery_codes.voided", "email.cancelled"]
    assert acts()[before:] == expected
    removed = "«\u00a0Celle du voleur\u00a0», les codes de secours, le changement d’adresse en attente."
    assert removed in page.text
    assert any(removed in " ".join(letter["paragraphs"]) for letter in letters(MARIE))
    assert letters(HELENE) == []


def test_a_recovery_code_of_before_that_browser_stays(marie: Member, later: Later) -> None:
    note("a" * 43)
    _, codes = add_app(person_of(MARIE), "La mienne")
    later(timedelta(hours=1))
    note("b" * 43)
    told = len(letters(MARIE))
    page = follow(links(MARIE)["Ce n’est pas moi"])
    assert page.text == "Plus personne n’est connecté avec votre adresse."
    assert (kept_factors(), len(letters(MARIE))) == (["La mienne"], told)
    with transaction() as session:
        assert recovery_codes.use_code(session, MARIE, codes[0])


def test_not_me_voids_the_sign_in_links_that_were_asked_for_since(marie: Member, later: Later) -> None:
    note("a" * 43)
    note("b" * 43)
    later(timedelta(minutes=1))
    with transaction() as session:
        sign_in.request_link(session, MARIE, requester="192.0.2.7")
    page = follow(links(MARIE)["Ce n’est pas moi"])
    assert "les liens de connexion demandés" in page.text
    with pytest.raises(NotFound):
        redeem(links_of(MARIE)[0], confirmed=True)
    assert acts()[-1] == "sign_in.links_voided"


@pytest.fixture
def reported(marie: Member, later: Later) -> tuple[str, str]:
    """The link of an administrator's mail about a browser, after which a first factor was added."""
    with transaction() as session:
        add_admin(session, MARIE)
    note("a" * 43)
    later(timedelta(hours=1))
    note("b" * 43)
    later(timedelta(minutes=1))
    add_app(person_of(MARIE), "Récente")
    return links(MARIE)["Ce n’est pas moi"]


def told(recipient: str) -> list[str]:
    return [str(letter["paragraphs"]) for letter in letters(recipient)]


def test_every_administrator_is_told_when_not_me_removes_the_factor_of_one(reported: tuple[str, str]) -> None:
    page = follow(reported, "a" * 43)
    assert "Récente" in page.text
    assert kept_factors() == []
    for recipient in (MARIE, HELENE, LEA):
        assert any(MARIE in words and "Récente" in words for words in told(recipient))


@pytest.mark.parametrize("pressed_in", ["b" * 43, "c" * 43, ""])
def test_whoever_only_reads_an_administrator_s_mailbox_removes_no_factor(
    reported: tuple[str, str], pressed_in: str
) -> None:
    """Fails when the link of a mail takes the passkey away that its owner has added since."""
    note("c" * 43)
    with reading() as session:
        codes = recovery_codes.count_left(session, MARIE)
    page = follow(reported, pressed_in)
    assert "Récente" in page.text
    assert "réinitialiser votre double vérification" in page.text
    for act in (account_links.describe_link, account_links.follow_link):  # nobody is shut out all week by a mail
        with pytest.raises(NotFound, match="déjà fermé vos sessions"), transaction() as session:
            act(session, *reported, browser(pressed_in))
    assert kept_factors() == ["Récente"]
    with reading() as session:
        assert recovery_codes.count_left(session, MARIE) == codes == recovery_codes.COUNT
        assert not known_browsers.is_known(session, MARIE, browser("b" * 43))
    for recipient in (MARIE, HELENE, LEA):
        (words,) = [words for words in told(recipient) if "seule double vérification" in words]
        assert MARIE in words
    assert kept_factors() == ["Récente"]
    follow(reported, "a" * 43)
    assert kept_factors() == []


def test_a_browser_that_never_came_past_the_second_factor_is_not_known(marie: Member, later: Later) -> None:
    """Fails when whoever reads the mailbox makes two browsers known, and removes in one what is newer than another."""
    with transaction() as session:
        add_admin(session, MARIE)
    note("a" * 43)
    first, _ = add_app(person_of(MARIE), "Perdue")
    thief: list[tuple[str, str]] = []
    for token in ("x" * 43, "y" * 43):
        later(timedelta(minutes=10))
        with transaction() as session:
            sign_in.open_for(session, MARIE, browser(token), is_half_open=True)
        told_of = {link for letter in letters(MARIE) for link in links_in(letter).values()}
        (made,) = told_of - {*thief}
        thief.append(made)
    owner = person_of(MARIE)
    with transaction() as session:
        factors.remove_factor(session, owner, first.id)
    later(timedelta(minutes=10))
    add_app(person_of(MARIE), "La neuve")
    with transaction() as session:
        sign_in.open_for(session, MARIE, browser("y" * 43), is_half_open=True)
    follow(thief[1], "x" * 43)
    assert kept_factors() == ["La neuve"]
    with transaction() as session:
        sign_in.open_for(session, MARIE, browser("z" * 43), is_half_open=True)
        assert not known_browsers.is_known(session, MARIE, browser("z" * 43))
        known_browsers.confirm_browser(session, MARIE, browser("z" * 43))
        assert known_browsers.is_known(session, MARIE, browser("z" * 43))


def test_the_page_says_beforehand_what_stays_and_where_it_goes(reported: tuple[str, str]) -> None:
    with reading() as session:
        assert "Récente" in account_links.describe_link(session, *reported, browser()).text
        assert "Récente" not in account_links.describe_link(session, *reported, browser("a" * 43)).text


def test_with_an_older_factor_the_newer_one_of_an_administrator_goes(marie: Member, later: Later) -> None:
    with transaction() as session:
        add_admin(session, MARIE)
    note("a" * 43)
    add_app(person_of(MARIE), "La mienne")
    later(timedelta(hours=1))
    note("b" * 43)
    later(timedelta(minutes=1))
    add_app(person_of(MARIE), "Celle du voleur")
    follow(links(MARIE)["Ce n’est pas moi"])
    assert kept_factors() == ["La mienne"]
