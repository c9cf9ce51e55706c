"""People are told of what concerns their account, and their mails' links cancel, undo and sign out (S14)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlmodel import col, select
from starlette.applications import Starlette
from starlette.testclient import TestClient

from clubapp import tokens
from clubapp.database import reading, transaction
from clubapp.mail.messages import mail_kinds
from clubapp.models import Act, ActChanges, EmailChange, Factor, KnownBrowser, Member, OutboxMail
from clubapp.refusals import NotFound
from clubapp.services.access import (
    account_links,
    administrators,
    email_change,
    factor_loss,
    known_browsers,
    recovery_codes,
    sessions,
)
from clubapp.services.access.known_browsers import Browser
from clubapp.services.base.actors import Actor, command_actor
from clubapp.services.privacy import retention
from clubapp.web.endpoints.access import account_link
from tests.factories import add_admin, add_member
from tests.services.access.open_sessions import sign_in, who
from tests.services.access.second_factors import add_app, person_of
from tests.services.access.sign_ins import HELENE, MARIE

LEA = "lea@beffroi.example"
NEW = "voleur@ailleurs.example"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
Later = Callable[[timedelta], None]


@pytest.fixture
def marie(club: str, later: Later) -> Member:
    with transaction() as session:
        add_admin(session, HELENE)
        add_admin(session, LEA)
        return add_member(session, email=MARIE)


def letters(recipient: str, kind: str = "security_notice") -> list[dict[str, Any]]:
    """What a recipient was told, as it is written."""
    with reading() as session:
        mails = session.exec(select(OutboxMail).where(OutboxMail.kind == kind, OutboxMail.recipient == recipient))
        return [mail_kinds.compose(session, mail).context for mail in mails]


def links(recipient: str) -> dict[str, tuple[str, str]]:
    """Purpose and token of each link that a recipient got, by the label of its button."""
    found = {}
    for letter in letters(recipient):
        found.update(links_in(letter))
    return found


def links_in(letter: Any) -> dict[str, tuple[str, str]]:
    """The same of one letter."""
    found = {}
    for label, link in letter["buttons"]:
        asked = parse_qs(urlsplit(link).query)
        found[label] = (asked["acte"][0], asked["token"][0])
    return found


def browser(token: str = "elsewhere") -> Browser:
    """The browser of a cookie; by default one in which nobody has signed in."""
    return Browser(token, FIREFOX)


def follow(link: tuple[str, str], token: str = "elsewhere") -> account_links.LinkAct:
    with transaction() as session:
        return account_links.follow_link(session, *link, browser(token))


def ask(member: Member) -> EmailChange:
    with transaction() as session:
        email_change.request_change(session, Actor(MARIE, member_id=member.id), member, NEW)
    with reading() as session:
        return session.exec(select(EmailChange).order_by(col(EmailChange.created_at).desc())).all()[0]


def confirm(change: EmailChange) -> None:
    with transaction() as session:
        email_change.confirm_change(session, tokens.derive("email-change", change.id))


def address(member: Member) -> str | None:
    with reading() as session:
        return session.exec(select(Member.email).where(Member.id == member.id)).one()


def test_the_old_address_is_told_at_the_request_and_cancels_it(marie: Member) -> None:
    change = ask(marie)
    assert len(letters(MARIE)) == 1
    cookie = sign_in(MARIE)
    cancel = links(MARIE)["Annuler ce changement"]
    with reading() as session:
        assert account_links.describe_link(session, *cancel, browser()).button == "Annuler ce changement"
    assert who(cookie)
    follow(cancel)
    assert who(cookie) is None
    with pytest.raises(NotFound):
        confirm(change)
    with pytest.raises(NotFound):
        follow(cancel)
    assert address(marie) == MARIE


@pytest.mark.parametrize("is_confirmed", [False, True])
def test_the_mail_of_a_request_that_another_replaced_stays_good(
    marie: Member, later: Later, is_confirmed: bool
) -> None:
    """Fails when asking once more makes the links of the first mail worthless."""
    first = ask(marie)
    link = links(MARIE)["Annuler ce changement"]
    later(timedelta(hours=2))
    second = ask(marie)
    assert first.id != second.id
    if is_confirmed:
        confirm(second)
        later(timedelta(days=5))
        with transaction() as session:
            retention.erase_expired(session)
    follow(link)
    assert address(marie) == MARIE
    with pytest.raises(NotFound):
        confirm(second)


def test_a_link_that_has_nothing_to_cancel_says_that_the_address_is_the_same(marie: Member, later: Later) -> None:
    ask(marie)
    link = links(MARIE)["Annuler ce changement"]
    later(timedelta(days=2))
    with transaction() as session:
        retention.erase_expired(session)
    with pytest.raises(NotFound, match="votre fiche a bien cette adresse"):
        follow(link)


@pytest.mark.parametrize("label", ["Annuler ce changement", "Rétablir mon adresse"])
def test_the_old_address_takes_itself_back_within_a_week(marie: Member, later: Later, label: str) -> None:
    change = ask(marie)
    link = links(MARIE)[label]
    confirm(change)
    assert address(marie) == NEW
    thief = sign_in(NEW)
    later(timedelta(days=6, hours=23))
    with transaction() as session:
        retention.erase_expired(session)
    follow(link)
    assert address(marie) == MARIE
    assert who(thief) is None
    with pytest.raises(NotFound):
        follow(link)


def test_after_a_week_nothing_is_undone(marie: Member, later: Later) -> None:
    change = ask(marie)
    link = links(MARIE)["Rétablir mon adresse"]
    with pytest.raises(NotFound), transaction() as session:
        email_change.undo_by_link(session, change.id, browser())
    confirm(change)
    later(timedelta(days=7, minutes=1))
    with pytest.raises(NotFound):
        follow(link)
    assert address(marie) == NEW
    with transaction() as session:
        retention.erase_expired(session)
    with reading() as session:
        assert not session.exec(select(EmailChange)).all()


def test_the_mail_of_the_confirmed_change_undoes_it_too(marie: Member) -> None:
    confirm(ask(marie))
    (letter,) = letters(MARIE, "email_changed")
    asked = parse_qs(urlsplit(str(letter["undo"])).query)
    follow((asked["acte"][0], asked["token"][0]))
    assert address(marie) == MARIE


def test_factors_follow_the_address_and_come_back_with_it(marie: Member) -> None:
    add_app(person_of(MARIE))
    change = ask(marie)
    link = links(MARIE)["Rétablir mon adresse"]
    confirm(change)
    with reading() as session:
        assert (sessions.has_factor(session, NEW), sessions.has_factor(session, MARIE)) == (True, False)
    follow(link)
    with reading() as session:
        assert (sessions.has_factor(session, NEW), sessions.has_factor(session, MARIE)) == (False, True)


def changes_of(action: str) -> list[dict[str, Any]]:
    """What the acts of a code say of before and after."""
    with reading() as session:
        return [dict(each) for each in session.exec(select(ActChanges.content).join(Act).where(Act.action == action))]


def test_a_second_change_does_not_keep_the_first_from_being_undone(marie: Member, later: Later) -> None:
    confirm(ask(marie))
    link, thief = links(MARIE)["Rétablir mon adresse"], sign_in(NEW)
    later(timedelta(days=1))
    with transaction() as session:
        again = session.get_one(Member, marie.id)
        email_change.request_change(session, Actor(NEW, member_id=marie.id), again, "voleur@encore.example")
    with reading() as session:
        second = session.exec(select(EmailChange).where(EmailChange.old_email == NEW)).one()
    confirm(second)
    links_of_thief, thief_again = links(NEW), sign_in("voleur@encore.example")
    follow(link)
    assert address(marie) == MARIE
    assert [who(thief), who(thief_again)] == [None, None]
    for other in links_of_thief.values():
        with pytest.raises(NotFound):
            follow(other)
    assert address(marie) == MARIE
    assert changes_of("email.undone") == [{"email": ["voleur@encore.example", MARIE]}]


def test_what_an_administrator_decided_since_is_not_undone(marie: Member) -> None:
    confirm(ask(marie))
    link = links(MARIE)["Rétablir mon adresse"]
    with transaction() as session:
        session.get_one(Member, marie.id).email = "marie@decidee.example"
    with pytest.raises(NotFound):
        follow(link)
    assert address(marie) == "marie@decidee.example"


def test_whoever_administers_too_takes_their_address_back(marie: Member, later: Later) -> None:
    with transaction() as session:
        add_admin(session, MARIE)
    later(timedelta(hours=1))
    confirm(ask(marie))
    follow(links(MARIE)["Rétablir mon adresse"])
    assert address(marie) == MARIE


@pytest.mark.parametrize("had_one", [True, False])
def test_a_factor_that_was_added_since_the_change_goes_with_it(marie: Member, later: Later, had_one: bool) -> None:
    if had_one:
        add_app(person_of(MARIE))
    later(timedelta(hours=1))
    confirm(ask(marie))
    later(timedelta(hours=1))
    app, codes = add_app(person_of(NEW))
    follow(links(MARIE)["Rétablir mon adresse"])
    with reading() as session:
        assert session.exec(select(Factor.id).where(Factor.id == app.id)).all() == []
        assert sessions.has_factor(session, MARIE) is had_one
    with transaction() as session:
        assert not any(recovery_codes.use_code(session, MARIE, code) for code in codes)


def test_the_old_mailbox_of_an_administrator_removes_no_factor_with_the_change(marie: Member, later: Later) -> None:
    """Fails when whoever reads a former mailbox is rid of the passkey that its owner has added since."""
    with transaction() as session:
        add_admin(session, MARIE)
    later(timedelta(hours=1))
    confirm(ask(marie))
    later(timedelta(hours=1))
    app, _ = add_app(person_of(MARIE), "La sienne")
    page = follow(links(MARIE)["Rétablir mon adresse"])
    assert "La sienne" in page.text
    with reading() as session:
        assert session.exec(select(Factor.id)).all() == [app.id]


def note(token: str, address: str = "") -> None:
    with transaction() as session:
        known_browsers.note_sign_in(session, MARIE, known_browsers.Browser(token, FIREFOX, address))


def test_a_sign_in_with_another_browser_is_told_once_and_ends_all_sessions(marie: Member) -> None:
    note("a" * 43)
    note("a" * 43)
    assert letters(MARIE) == []
    note("b" * 43)
    note("b" * 43)
    (letter,) = letters(MARIE)
    assert "Firefox sur Linux" in " ".join(letter["paragraphs"])
    cookies = [sign_in(MARIE), sign_in(MARIE)]
    link = links(MARIE)["Ce n’est pas moi"]
    follow(link)
    assert [who(cookie) for cookie in cookies] == [None, None]
    with pytest.raises(NotFound):
        follow(link)
    note("b" * 43)
    assert len(letters(MARIE)) == 2


def test_not_me_voids_the_change_of_address_that_was_asked_for_too(marie: Member) -> None:
    note("a" * 43)
    note("b" * 43)
    change = ask(marie)
    follow(links(MARIE)["Ce n’est pas moi"])
    with pytest.raises(NotFound):
        confirm(change)
    assert address(marie) == MARIE


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("90.1.2.3", "Lieu\u00a0: France,"),
        ("::ffff:90.1.2.3", "Lieu\u00a0: France,"),
        ("2a02:a03f::1", "Lieu\u00a0: Belgique,"),
        ("192.168.1.20", "Lieu\u00a0: inconnu,"),
        ("unix:", "Lieu\u00a0: inconnu,"),
    ],
)
def test_a_sign_in_with_another_browser_is_told_with_its_country_and_without_its_address(
    marie: Member, address: str, told: str
) -> None:
    note("a" * 43)
    note("b" * 43, address)
    (letter,) = letters(MARIE)
    assert told in " ".join(letter["paragraphs"])
    with reading() as session:
        rows = [*session.exec(select(KnownBrowser)).all(), *session.exec(select(OutboxMail)).all()]
        assert not [row for row in (*map(str, rows), str(letter)) if address in row]


def test_browsers_are_forgotten_with_time_and_kept_in_number(marie: Member, later: Later) -> None:
    for number in range(known_browsers.MOST_BROWSERS + 5):
        note(f"{number:043d}")
        later(timedelta(minutes=1))
    told = len(letters(MARIE))
    note(f"{known_browsers.MOST_BROWSERS + 4:043d}")
    assert len(letters(MARIE)) == told
    later(known_browsers.LIFETIME + timedelta(days=1))
    with transaction() as session:
        retention.erase_expired(session)
    note("z" * 43)
    assert letters(MARIE) == []  # the first of all again; what was told a year ago is erased


@pytest.mark.parametrize("token", ["", "x", "x.y", "\ud800", "a" * 300])
def test_a_forged_link_does_nothing(marie: Member, token: str) -> None:
    for purpose in ("not-me", "cancel-email-change", "undo-email-change", "else", ""):
        with pytest.raises(NotFound):
            follow((purpose, token))
    change = ask(marie)
    purpose, token = links(MARIE)["Annuler ce changement"]
    with pytest.raises(NotFound):
        follow(("undo-email-change", token))
    with pytest.raises(NotFound):
        follow(("not-me", token))
    assert change.id in token
    assert purpose == "cancel-email-change"


def test_opening_a_link_changes_nothing_and_its_button_does(marie: Member) -> None:
    change = ask(marie)
    purpose, token = links(MARIE)["Annuler ce changement"]
    page = TestClient(Starlette(routes=account_link.routes()), base_url="http://localhost:3000")
    asked = {"acte": purpose, "token": token}
    for _ in range(2):
        shown = page.get("/auth/alerte", params=asked)
        assert (shown.status_code, shown.headers["referrer-policy"]) == (200, "no-referrer")
        assert "Annuler ce changement" in shown.text
    pressed = {account_link.PRESS: purpose}
    assert f'name="{account_link.PRESS}" value="{purpose}"' in shown.text
    for data, headers in (({}, {}), ({"acte": purpose}, {}), (pressed, {"Origin": "https://evil.example"})):
        assert "Annuler ce changement" in page.post("/auth/alerte", params=asked, data=data, headers=headers).text
    assert page.post("/auth/alerte", params=asked, data=pressed).status_code == 200
    assert page.post("/auth/alerte", params=asked, data=pressed).status_code == 404
    with pytest.raises(NotFound):
        confirm(change)
    assert page.get("/auth/alerte").status_code == 404


def test_every_administrator_is_told_of_one_more_and_one_less(marie: Member) -> None:
    helene = Actor(HELENE, is_admin=True, session_id="s")
    with transaction() as session:
        administrators.add_administrator(session, helene, "paul@beffroi.example")
    for recipient in (HELENE, LEA, "paul@beffroi.example"):
        (letter,) = letters(recipient)
        assert HELENE in str(letter["paragraphs"])
    with transaction() as session:
        administrators.remove_administrator(session, helene, "paul@beffroi.example")
    for recipient in (HELENE, LEA, "paul@beffroi.example"):
        assert len(letters(recipient)) == 2
    assert letters(MARIE) == []


def test_a_command_that_resets_is_told_to_all(marie: Member) -> None:
    add_app(person_of(LEA))
    with transaction() as session:
        factor_loss.reset_factors(session, command_actor(), LEA)
    for recipient in (HELENE, LEA):
        assert any("la personne qui exploite le site" in str(letter["paragraphs"]) for letter in letters(recipient))


def test_whoever_is_removed_and_no_member_leaves_no_factor(marie: Member) -> None:
    add_app(person_of(LEA))
    helene = Actor(HELENE, is_admin=True, session_id="s")
    with transaction() as session:
        administrators.remove_administrator(session, helene, LEA)
    with reading() as session:
        assert not sessions.has_factor(session, LEA)
