"""What no public page shows is served to its owner and to administrators; for everyone else it is not there (W16)."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from sqlmodel import select
from starlette.routing import Router
from starlette.testclient import TestClient

from clubapp import clock, database, routes
from clubapp.database import transaction
from clubapp.infra import image_store
from clubapp.models import TO_MEMBERS, Company, EmailSignature, Member
from clubapp.services.access import sessions
from clubapp.services.base.actors import SYSTEM, Actor
from clubapp.services.companies import editing, own_company
from clubapp.web.endpoints import media as served
from clubapp.web.endpoints import share_cards
from clubapp.web.security.headers import SecurityHeaders
from tests import images
from tests.factories import add_admin, add_company, add_event, add_member

HELENE, MARIE, LUC = "helene@beffroi.example", "marie@durand.example", "luc@sans.example"
HIDDEN = ({"shows_photo": False}, {"is_listed": False}, {"is_active": False})
SIZES = ("", "?w=64", "?w=768")
JPEG = images.encoded(images.quarters((800, 800)), "JPEG")
FOR_ALL = (200, "public, max-age=3600", "cross-origin")  # mails show it in webmails
FOR_ONE, FOR_NOBODY = (200, "private, no-store", "same-origin"), (404, "no-store", "same-origin")

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(club: str) -> Iterator[Ask]:
    """`ask(address, MARIE)`: its status, cache header and who may embed it, as she gets them. Luc has no company."""
    with transaction() as session:
        add_admin(session, HELENE)
        photo, company = image_store.address(image_store.save("avatars", JPEG)), add_company(session)
        add_member(session, email=MARIE, image_url=photo, company_id=company.id)
        add_member(session, "Luc", LUC)
        cookies = {email: sessions.open_session(session, email)[0] for email in (HELENE, MARIE, LUC)}
    with TestClient(SecurityHeaders(Router([*served.routes(), *share_cards.routes()]))) as client:

        def answer(address: str, email: str = "") -> tuple[int, str, str]:
            found = client.get(address, headers={"Cookie": f"session={cookies[email]}"} if email else {})
            return found.status_code, found.headers["cache-control"], found.headers["cross-origin-resource-policy"]

        yield answer


def changed(email: str, **change: object) -> Member:
    """A member, once something of them has changed."""
    with transaction() as session:
        return session.exec(select(Member).where(Member.email == email)).one().sqlmodel_update(change)


@pytest.mark.parametrize("hidden", HIDDEN)
def test_a_hidden_photograph_is_for_its_member_and_administrators(ask: Ask, hidden: dict[str, bool]) -> None:
    shown = changed(MARIE).image_url
    assert {ask(shown + size) for size in SIZES} == {FOR_ALL}
    now = changed(MARIE, **hidden).image_url
    for size in SIZES:
        assert [ask(shown + size, who) for who in ("", LUC, MARIE, HELENE)] == [FOR_NOBODY] * 4
        assert [ask(now + size, who) for who in ("", LUC, HELENE)] == [FOR_NOBODY, FOR_NOBODY, FOR_ONE]
        # Who is no longer active cannot sign in either.
        assert ask(now + size, MARIE) == (FOR_NOBODY if "is_active" in hidden else FOR_ONE)
    changed(MARIE, **dict.fromkeys(hidden, True))
    assert {ask(now + size) for size in SIZES} == {FOR_ALL}


@pytest.mark.parametrize("hidden", HIDDEN[:2])
def test_a_photograph_for_members_is_there_with_a_session_alone(ask: Ask, hidden: dict[str, bool]) -> None:
    changed(MARIE, **dict.fromkeys(TO_MEMBERS.values(), True))
    now = changed(MARIE, **hidden).image_url
    for size in SIZES:
        assert [ask(now + size, who) for who in ("", LUC, MARIE, HELENE)] == [FOR_NOBODY, FOR_ONE, FOR_ONE, FOR_ONE]
    withdrawn = [{"is_active": False}, {"shows_photo": False, "shows_photo_to_members": False}]
    for change in (*withdrawn, {"is_listed": False, "is_listed_to_members": False}):
        undone = {name: not value for name, value in change.items()}
        shown = changed(MARIE, **change).image_url
        assert {ask(shown + size, LUC) for size in SIZES} == {FOR_NOBODY}
        changed(MARIE, **undone)


def test_what_was_hidden_before_names_changed_is_hidden_too(ask: Ask) -> None:
    """A picture that keeps its name, such as one whose store was away, with the sizes made of it."""
    address = image_store.address(image_store.save("avatars", JPEG))
    changed(LUC, image_url=address)
    assert ask(f"{address}?w=64") == FOR_ALL
    with transaction() as session:
        session.connection().exec_driver_sql("UPDATE members SET shows_photo = FALSE")
    assert {ask(address + size) for size in SIZES} == {FOR_NOBODY}
    assert {ask(address + size, MARIE) for size in SIZES} == {FOR_NOBODY}
    assert {ask(address + size, LUC) for size in SIZES} == {FOR_ONE}


def test_what_becomes_public_in_another_process_is_there_at_once(ask: Ask) -> None:
    shown = changed(MARIE, shows_photo=False).image_url
    assert ask(shown) == FOR_NOBODY
    with database.engine().begin() as elsewhere:  # what no session of this process commits
        elsewhere.exec_driver_sql("UPDATE members SET shows_photo = TRUE")
    assert ask(shown) == FOR_ALL


def test_a_picture_that_no_record_names_is_for_its_sender_alone(ask: Ask) -> None:
    for bucket in image_store.BUCKETS:
        of_luc, of_helene, of_nobody = (
            image_store.address(image_store.save(bucket, JPEG, sender)) for sender in (LUC, HELENE, "")
        )
        for size in SIZES:
            assert [ask(of_luc + size, who) for who in ("", LUC, MARIE, HELENE)] == [
                FOR_NOBODY, FOR_ONE, FOR_NOBODY, FOR_NOBODY,
            ]  # fmt: skip
            assert [ask(of_helene + size, who) for who in (LUC, HELENE)] == [FOR_NOBODY, FOR_ONE]
            assert [ask(of_nobody + size, who) for who in ("", LUC, HELENE)] == [FOR_NOBODY] * 3


@pytest.mark.parametrize("hidden", [{}, {"shows_photo": False}])
@pytest.mark.parametrize("other", [True, False])
def test_a_photograph_that_was_replaced_or_removed_is_gone_for_everyone(
    ask: Ask, hidden: dict[str, bool], other: bool
) -> None:
    old, new = (image_store.address(image_store.save("avatars", JPEG, MARIE)) for _ in range(2))
    old = changed(MARIE, image_url=old) and changed(MARIE, **hidden).image_url
    assert ask(old, MARIE)[0] == 200
    changed(MARIE, image_url=new if other else "")
    assert {ask(old + size, who) for size in SIZES for who in ("", LUC, MARIE, HELENE)} == {FOR_NOBODY}
    assert ask(new, MARIE)[0] == 200


def test_logos_are_public_once_they_are_somewhere(ask: Ask) -> None:
    company, signature = (image_store.address(image_store.save("logos", JPEG)) for _ in range(2))
    assert [ask(company), ask(signature)] == [FOR_NOBODY] * 2
    with transaction() as session:
        session.exec(select(Company)).one().logo_url = company
        names = {"sender_name": "H", "sender_role": "A", "company_name": "C"}
        session.add(EmailSignature(**names, logo_url=signature, updated_at=clock.now()))
    assert [ask(company), ask(f"{signature}?w=64")] == [FOR_ALL] * 2


@pytest.mark.parametrize("by_member", [True, False])
@pytest.mark.parametrize("is_in_mails", [True, False])
def test_a_logo_that_was_removed_is_gone_for_everyone_unless_a_mail_shows_it(
    ask: Ask, by_member: bool, is_in_mails: bool
) -> None:
    """Fails when the one who sent it sees it until the clean-up of the night."""
    logo = image_store.address(image_store.save("logos", JPEG, MARIE))
    with transaction() as session:
        company = session.exec(select(Company)).one()
        company.sqlmodel_update({"logo_url": logo, "city": "Lille", "activity_domain": "Conseil", "description": "Là."})
        if is_in_mails:
            add_event(session, email_template=f'<img src="{logo}" alt="Logo">')
    assert ask(logo) == FOR_ALL
    with transaction() as session:
        if by_member:
            member = session.exec(select(Member).where(Member.email == MARIE)).one()
            marie = Actor(MARIE, member_id=member.id)
            opened = own_company.read_own_company(session, marie)
            assert opened
            own_company.save(session, marie, replace(opened.form, logo_url=""))
        else:
            form = editing.open_form(session, SYSTEM, session.exec(select(Company.id)).one())
            editing.save(session, SYSTEM, replace(form, logo_url=""), frozenset(vars(form)))
    expected = FOR_ALL if is_in_mails else FOR_NOBODY
    assert {ask(logo + size, who) for size in SIZES for who in ("", LUC, MARIE, HELENE)} == {expected}


@pytest.mark.parametrize("address", ["/media/avatars/1795212000000-0123456789abcdef.jpg", "/media/avatars/x%00.jpg"])
def test_what_is_missing_is_missing_for_everyone(ask: Ask, address: str) -> None:
    assert [ask(address + size, who) for size in SIZES for who in ("", LUC, HELENE)] == [FOR_NOBODY] * 9


def test_the_picture_of_a_shared_link_loses_the_photograph_at_once(ask: Ask) -> None:
    address = routes.shared_member(changed(MARIE).id)
    with TestClient(Router(share_cards.routes())) as client:
        shown = client.get(address)
        assert shown.headers["cache-control"] == "public, no-cache"
        changed(MARIE, shows_photo=False)
        hidden = client.get(address, headers={"If-None-Match": shown.headers["etag"]})
        changed(MARIE, image_url="")
        assert hidden.content == client.get(address).content != shown.content
        changed(MARIE, is_listed=False)
        assert client.get(address, headers={"If-None-Match": shown.headers["etag"]}).status_code == 404
