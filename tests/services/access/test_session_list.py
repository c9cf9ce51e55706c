"""A person sees their living sessions and ends them, and nobody else's (S9)."""

from collections.abc import Callable
from datetime import datetime

import pytest

from clubapp.database import reading, transaction
from clubapp.refusals import NotFound
from clubapp.services.access import session_list, sessions
from clubapp.services.base.actors import VISITOR, Actor
from tests.factories import add_admin, add_member

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.0 Mobile/15E148 Safari/604.1"
)


def signed_in(email: str, user_agent: str = "") -> Actor:
    with transaction() as session:
        cookie, _ = sessions.open_session(session, email, user_agent=user_agent)
        found = sessions.find_actor(session, cookie.partition(".")[0])
    assert found
    return found


@pytest.fixture
def marie(club: str, at: Callable[[str], datetime]) -> Actor:
    at("2026-11-20T10:00")
    with transaction() as session:
        add_member(session)
        add_admin(session)
    first = signed_in("marie@durand.example", FIREFOX)
    at("2026-11-20T10:10")
    signed_in("marie@durand.example", SAFARI)
    signed_in("helene@beffroi.example")
    return first


def test_one_s_own_are_listed_this_one_first(marie: Actor) -> None:
    with reading() as session:
        found = session_list.list_own_sessions(session, marie)
        assert session_list.list_own_sessions(session, VISITOR) == ()
    assert [(one.browser, one.is_this_one) for one in found] == [
        ("Firefox sur Windows", True),
        ("Safari sur iPhone", False),
    ]
    assert found[0].since == "vendredi 20 novembre 2026 à 11:00"


def test_another_of_one_s_own_is_ended(marie: Actor) -> None:
    with transaction() as session:
        session_list.end_own_session(session, marie, session_list.list_own_sessions(session, marie)[1].id)
    with reading() as session:
        assert [one.is_this_one for one in session_list.list_own_sessions(session, marie)] == [True]


def test_someone_else_s_this_one_and_an_ended_one_are_refused(marie: Actor) -> None:
    helene = signed_in("helene@beffroi.example")
    for session_id in (str(helene.session_id), str(marie.session_id), "", "x"):
        with transaction() as session, pytest.raises(NotFound):
            session_list.end_own_session(session, marie, session_id)
    with reading() as session:
        assert sessions.find_actor(session, str(helene.session_id))
        assert sessions.find_actor(session, str(marie.session_id))


def test_all_the_others_are_ended_and_nobody_else_s(marie: Actor) -> None:
    with transaction() as session:
        assert session_list.end_other_sessions(session, marie) == 1
        assert session_list.end_other_sessions(session, marie) == 0
        assert session_list.end_other_sessions(session, VISITOR) == 0
    with reading() as session:
        assert len(session_list.list_own_sessions(session, marie)) == 1
        assert sessions.read_own_sessions(session, Actor("helene@beffroi.example", session_id="x"))


@pytest.mark.parametrize(
    ("user_agent", "named"),
    [
        (FIREFOX, "Firefox sur Windows"),
        (SAFARI, "Safari sur iPhone"),
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge sur Linux"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140 Safari/537.36", "Chrome sur Mac"),
        ("Mozilla/5.0 (Linux; Android 15) SamsungBrowser/28 Chrome/130 Safari", "Samsung Internet sur Android"),
        ("access-token", "Accès par jeton"),
        ("curl/8", "Navigateur inconnu"),
        ("", "Navigateur inconnu"),
    ],
)
def test_a_browser_is_named(user_agent: str, named: str) -> None:
    assert session_list.name_browser(user_agent) == named
