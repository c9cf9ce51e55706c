"""The directory of members: who may read it, whom it shows, and what of them (P1)."""

from typing import Any

import pytest

from clubapp import routes
from clubapp.database import reading, transaction
from clubapp.refusals import Forbidden
from clubapp.services.base.actors import SYSTEM, VISITOR, Actor
from clubapp.services.directory import for_members, for_visitors
from clubapp.services.directory.for_members import Colleague, MemberDirectory
from tests.factories import add_member
from tests.statements import counted

PAUL = Actor("paul@club.example", member_id="paul", session_id="s")
PHOTO = "/media/avatars/1795212000000-0123456789abcdef.jpg"
HIDDEN = dict.fromkeys(("is_listed", "shows_email", "shows_phone", "shows_photo"), False)


def read(text: str = "", **asked: str) -> MemberDirectory:
    with reading() as session:
        return for_members.search_members(session, PAUL, text=text, **asked)


def add_marie(**flags: bool) -> Colleague | None:
    """What another member sees of somebody who has everything."""
    with transaction() as session:
        facts: dict[str, Any] = {"company": "Étude Durand", "phone": "0320555501", "image_url": PHOTO, **flags}
        add_member(session, activity_domain="Formation & Conseil", expertise=["Notariat"], **facts)
    return next(iter(read().members), None)


@pytest.mark.parametrize("who", [VISITOR, SYSTEM, Actor("helene@club.example", is_admin=True, session_id="s")])
def test_only_members_read_it(club: str, who: Actor) -> None:
    with pytest.raises(Forbidden), reading() as session:
        for_members.search_members(session, who)


def test_what_is_public_is_shown_to_members_too(club: str) -> None:
    marie = add_marie()
    assert marie
    assert (marie.name, marie.trade, marie.company) == ("Marie Durand", "Notariat", "Étude Durand")
    assert (marie.domain, marie.phone, marie.phone_href) == (
        "Formation & Conseil",
        "03 20 55 55 01",
        "tel:+33320555501",
    )
    assert (marie.email, marie.email_href) == ("marie@durand.example", "mailto:marie@durand.example")
    assert marie.picture.address == PHOTO
    assert marie.href == routes.member_profile(marie.id)


def test_what_is_hidden_is_hidden_from_members_as_well(club: str) -> None:
    marie = add_marie(**HIDDEN | {"is_listed": True})
    assert marie
    assert (marie.phone, marie.phone_href, marie.email, marie.email_href) == ("", "", "", "")
    assert PHOTO not in repr(marie)
    assert (marie.name, marie.trade, marie.company) == ("Marie Durand", "Notariat", "Étude Durand")


def test_who_is_not_in_the_directory_is_not_in_that_of_members(club: str) -> None:
    assert add_marie(is_listed=False) is None
    assert read("durand").members == ()


def test_members_see_what_somebody_shows_to_them_alone_and_the_public_does_not(club: str) -> None:
    marie = add_marie(**HIDDEN | {f"{choice}_to_members": True for choice in HIDDEN})
    assert marie
    assert (marie.phone, marie.email) == ("03 20 55 55 01", "marie@durand.example")
    assert marie.picture.address == PHOTO
    assert marie.href == ""
    with reading() as session:
        assert for_visitors.search_members(session).members == ()


def test_who_left_the_club_is_nowhere(club: str) -> None:
    assert add_marie(is_active=False, is_listed_to_members=True) is None


def test_the_search_forgives_and_the_domain_narrows(club: str) -> None:
    add_marie()
    assert [one.name for one in read("dorand").members] == ["Marie Durand"]
    assert [one.name for one in read("notariats").members] == ["Marie Durand"]
    assert read("0320555501").members == ()
    found = read("plombier")
    assert (found.members, found.nobody) == ((), "Aucun membre ne correspond à «\u00a0plombier\u00a0»")
    assert [one.name for one in read(domain="formation-conseil").members] == ["Marie Durand"]
    assert read(domain="digital-communication").nobody == "Aucun membre dans ce domaine"


def test_a_long_list_costs_the_statements_of_a_short_one(club: str) -> None:
    counts = []
    for more in (3, 200):
        with transaction() as session:
            for number in range(more):
                add_member(session, f"Membre {number}", email=None, company=f"Maison {number}", image_url=PHOTO)
        for asked in ({}, {"text": "maison"}):
            with counted() as seen:
                found = read(**asked)
            counts.append(len([one for one in seen if one.startswith("SELECT")]))
    assert counts == [2, 1, 2, 1]
    assert (len(found.members), found.shown_label) == (60, "60 membres affichés sur 203")
    assert found.more_href == f"{routes.MEMBER_DIRECTORY}?q=maison&page=2"
    assert len(read("maison", page="2").members) == 120
