"""Who administers the club: one more, one less, and never nobody."""

import threading
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from sqlmodel import Session, select

from clubapp import clock, routes
from clubapp.database import reading, transaction
from clubapp.models import Act, Admin
from clubapp.refusals import Conflict, Forbidden, Invalid, NotFound
from clubapp.services.access import administrators, sessions, sign_in
from clubapp.services.access.known_browsers import Browser
from clubapp.services.base.actors import VISITOR, Actor
from tests.factories import add_admin, add_member

HELENE = Actor(email="helene@beffroi.example", is_admin=True, session_id="s")
MARIE = Actor(email="marie@durand.example", member_id="m", session_id="t")


def everyone() -> tuple[str, ...]:
    with reading() as session:
        return administrators.list_admin_emails(session, HELENE)


def remove(email: str) -> None:
    with transaction() as session:
        administrators.remove_administrator(session, HELENE, email)


ACTS: list[Callable[[Session, Actor], Any]] = [
    administrators.list_administrators,
    administrators.list_admin_emails,
    lambda session, actor: administrators.add_administrator(session, actor, "marie@durand.example"),
    lambda session, actor: administrators.remove_administrator(session, actor, HELENE.email),
]


@pytest.mark.parametrize("actor", [VISITOR, MARIE], ids=["visitor", "member"])
@pytest.mark.parametrize("act", ACTS)
def test_only_an_administrator_may(club: str, actor: Actor, act: Callable[[Session, Actor], Any]) -> None:
    with transaction() as session:
        add_admin(session)
        add_admin(session, "lea@beffroi.example")
    with pytest.raises(Forbidden), transaction() as session:
        act(session, actor)
    assert everyone() == ("helene@beffroi.example", "lea@beffroi.example")


def test_the_list_says_who_they_are_and_which_is_oneself(club: str, at: Callable[[str], datetime]) -> None:
    at("2026-11-20T10:00")
    with transaction() as session:
        add_admin(session)
        add_admin(session, "marie@durand.example")
        add_member(session, "Marie Durand", "marie@durand.example")
    with reading() as session:
        found = administrators.list_administrators(session, HELENE)
    since = "Depuis le vendredi 20 novembre 2026"
    assert [(one.email, one.name, one.since, one.is_me) for one in found] == [
        ("helene@beffroi.example", "", since, True),
        ("marie@durand.example", "Marie Durand", since, False),
    ]


def test_an_address_is_normalised_and_added_once(club: str) -> None:
    with transaction() as session:
        add_admin(session)
        assert administrators.add_administrator(session, HELENE, " Lea@Beffroi.Example ") == "lea@beffroi.example"
    with pytest.raises(Conflict, match="administre déjà le club") as refused, transaction() as session:
        administrators.add_administrator(session, HELENE, "LEA@beffroi.example")
    assert refused.value.field == "email"
    with pytest.raises(Invalid), transaction() as session:
        administrators.add_administrator(session, HELENE, "lea")
    with reading() as session:
        assert [entry.action for entry in session.exec(select(Act))] == ["admin.add"]


def test_whoever_is_removed_is_signed_out_and_the_last_one_stays(club: str) -> None:
    with transaction() as session:
        add_admin(session)
        add_admin(session, "lea@beffroi.example")
        cookie, _ = sessions.open_session(session, "lea@beffroi.example")
    remove("lea@beffroi.example")
    with reading() as session:
        assert sessions.find_actor(session, cookie.partition(".")[0]) is None
    with pytest.raises(Conflict, match="garde au moins un administrateur"):
        remove("helene@beffroi.example")
    with pytest.raises(NotFound):
        remove("lea@beffroi.example")
    assert everyone() == ("helene@beffroi.example",)


def test_one_address_added_twice_at_once_is_told_to_the_second(club: str) -> None:
    for number in range(5):
        email, together, outcomes = f"lea{number}@beffroi.example", threading.Barrier(2), []

        def add() -> None:
            with transaction() as session:
                session.exec(select(Admin)).all()
                if club == "postgres":  # SQLite lets one writer in at a time
                    together.wait()  # noqa: B023
                try:
                    outcomes.append(administrators.add_administrator(session, HELENE, email))  # noqa: B023
                except Conflict as refusal:
                    outcomes.append(refusal.text)  # noqa: B023

        threads = [threading.Thread(target=add) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcomes) == [email, f"{email} administre déjà le club."]


def test_two_removals_at_once_leave_one(club: str) -> None:
    both = ["helene@beffroi.example", "lea@beffroi.example"]
    for _ in range(5):
        with transaction() as session:
            for email in both:
                session.merge(Admin(email=email, created_at=clock.now()))
        together, refusals = threading.Barrier(2), []

        def leave(email: str) -> None:
            together.wait()  # noqa: B023
            try:
                remove(email)
            except Conflict as refusal:
                refusals.append(refusal.text)  # noqa: B023

        threads = [threading.Thread(target=leave, args=(email,)) for email in both]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (len(everyone()), len(refusals)) == (1, 1)


def test_a_sign_in_leads_where_the_administrator_chose(club: str) -> None:
    def land() -> str:
        with transaction() as session:
            opened = sign_in.open_for(session, HELENE.email, Browser(token="b"))
        return opened.home

    with transaction() as session:
        add_admin(session, HELENE.email)
    assert land() == routes.ADMIN
    for opens_here, page in ((True, routes.ADMIN_TODAY), (False, routes.ADMIN)):
        with transaction() as session:
            administrators.choose_start_page(session, HELENE, opens_here)
        with reading() as session:
            assert session.get_one(Admin, HELENE.email).opens_today is opens_here
        assert land() == page
