"""Sessions end when they should, and only then; no value in the database opens one."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlmodel import select

from clubapp.database import reading, transaction
from clubapp.models import Admin, Member, UserSession
from clubapp.services.access import administrators, sessions
from clubapp.services.base.actors import SYSTEM, VISITOR, Actor
from tests.factories import add_admin, add_member
from tests.services.access.open_sessions import sign_in, who
from tests.services.access.sign_ins import HELENE, MARIE, At


def rotate(cookie: str) -> str | None:
    """The cookie after a refresh."""
    with transaction() as session:
        changed = sessions.rotate_secret(session, cookie)
        return changed[0] if changed else None


def find(cookie: str) -> Actor | None:
    """What the guard sees of a session."""
    with reading() as session:
        return sessions.find_actor(session, cookie.partition(".")[0])


@pytest.fixture
def helene(club: str) -> str:
    with transaction() as session:
        add_admin(session, HELENE)
    return sign_in()


@pytest.mark.parametrize("cookie", ["", ".", "x", "x.y", "x.", ".y", "é" * 5000, "a.b.c", "\ud800.x"])
def test_a_made_up_cookie_opens_nothing(helene: str, cookie: str) -> None:
    session_id = helene.partition(".")[0]
    assert who(cookie) is None
    assert who(f"{session_id}.{cookie}") is None
    assert who(helene) is not None


def test_nothing_that_the_database_holds_is_accepted(helene: str) -> None:
    renewed = rotate(helene)
    assert renewed
    assert who(renewed)
    with reading() as session:
        row = session.exec(select(UserSession)).one()
    for value in (row.secret_hash, row.previous_hash, row.id):
        assert who(f"{row.id}.{value}") is None
    assert renewed.partition(".")[2] not in row.model_dump_json()
    assert who(renewed) is not None


def test_who_is_administrator_and_member_has_both_rights(club: str) -> None:
    with transaction() as session:
        add_admin(session, HELENE)
        both_id = add_member(session, email=HELENE).id
        member_id = add_member(session, email=MARIE).id
    helene, marie = who(sign_in()), who(sign_in(MARIE))
    assert helene
    assert (helene.is_admin, helene.member_id) == (True, both_id)
    assert marie
    assert (marie.is_admin, marie.member_id) == (False, member_id)


def test_an_inactive_member_is_nobody(club: str) -> None:
    with transaction() as session:
        add_member(session, email=MARIE, is_active=False)
    assert who(sign_in(MARIE)) is None


def test_a_session_lasts_one_hour_from_sign_in_whatever_is_done(club: str, at: At) -> None:
    at("2026-11-20T10:00")
    with transaction() as session:
        add_admin(session, HELENE)
    cookie = sign_in()
    at("2026-11-20T10:59:59")
    cookie = rotate(cookie) or ""
    assert who(cookie)
    assert find(cookie)
    end = at("2026-11-20T11:00:00")
    assert who(cookie) is None
    assert find(cookie) is None
    assert rotate(cookie) is None
    with reading() as session:
        assert session.exec(select(UserSession.expires_at)).one() == end


def test_a_removed_administrator_is_out_at_once(helene: str) -> None:
    with transaction() as session:
        add_admin(session, "lea@beffroi.example")
        administrators.remove_administrator(session, SYSTEM, HELENE)
    assert who(helene) is None
    assert find(helene) is None
    with transaction() as session:
        administrators.add_administrator(session, SYSTEM, HELENE)
    assert who(helene) is None, "coming back takes a new sign-in"


def test_a_right_that_vanished_by_any_other_way_counts_for_nothing(club: str) -> None:
    with transaction() as session:
        add_admin(session, HELENE)
        add_member(session, email=MARIE)
    cookies = [sign_in(HELENE), sign_in(MARIE)]
    with transaction() as session:
        session.delete(session.exec(select(Admin)).one())
        session.delete(session.exec(select(Member)).one())
    assert [find(cookie) for cookie in cookies] == [None, None]
    assert [who(cookie) for cookie in cookies] == [None, None]


def test_signing_out_ends_this_session_only(helene: str) -> None:
    other = sign_in()
    with transaction() as session:
        sessions.sign_out(session, helene)
        sessions.sign_out(session, "nonsense")
    assert who(helene) is None
    assert who(other) is not None


def test_all_sessions_of_an_address_end_together(helene: str) -> None:
    with transaction() as session:
        add_member(session, email=MARIE)
    second, marie = sign_in(), sign_in(MARIE)
    with transaction() as session:
        sessions.end_all_sessions(session, HELENE)
    assert [who(cookie) is None for cookie in (helene, second, marie)] == [True, True, False]


def test_a_person_sees_their_own_sessions_only(helene: str) -> None:
    with transaction() as session:
        add_member(session, email=MARIE)
    sign_in(MARIE)
    actor = who(helene)
    assert actor
    with reading() as session:
        assert [(one.user_agent, one.is_this_one) for one in sessions.read_own_sessions(session, actor)] == [
            ("Firefox", True)
        ]
        assert sessions.read_own_sessions(session, VISITOR) == ()


def test_a_refresh_changes_the_secret_and_not_the_end(helene: str) -> None:
    with transaction() as session:
        changed = sessions.rotate_secret(session, helene)
        row = session.exec(select(UserSession)).one()
    assert changed
    assert changed[0] != helene
    assert changed[1] == row.expires_at
    assert who(changed[0])


def test_two_tabs_that_refresh_together_both_stay(helene: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        renewed = set(pool.map(rotate, [helene] * 8))
    assert len(renewed) == 1
    (cookie,) = renewed
    assert cookie
    assert who(cookie)
    assert who(helene), "a request that left before the refresh still counts"


def test_a_refresh_whose_answer_was_lost_can_be_asked_again(club: str, at: At) -> None:
    at("2026-11-20T10:00")
    with transaction() as session:
        add_admin(session, HELENE)
    cookie = sign_in()
    renewed = rotate(cookie)
    at("2026-11-20T10:20")
    assert rotate(cookie) == renewed


def test_an_old_secret_that_comes_back_ends_the_session(club: str, at: At) -> None:
    at("2026-11-20T10:00:00")
    with transaction() as session:
        add_admin(session, HELENE)
    stolen = sign_in()
    renewed = rotate(stolen) or ""
    assert who(renewed)
    at("2026-11-20T10:00:59")
    assert who(stolen)
    at("2026-11-20T10:01:00")
    assert who(stolen) is None
    assert who(renewed) is None, "thief and owner cannot be told apart: both are out"
    assert find(renewed) is None


@pytest.mark.parametrize("refreshes", [2, 6])
def test_a_much_older_secret_ends_the_session_too(club: str, at: At, refreshes: int) -> None:
    start = at("2026-11-20T10:00")
    with transaction() as session:
        add_admin(session, HELENE)
    stolen = cookie = sign_in()
    for number in range(refreshes):
        at((start + timedelta(minutes=number)).isoformat()[:19])
        cookie = rotate(cookie) or ""
        assert who(cookie)
    assert rotate(stolen) is None
    assert who(cookie) is None


def test_a_foreign_secret_does_not_end_the_session(helene: str) -> None:
    session_id = helene.partition(".")[0]
    assert who(f"{session_id}.guess") is None
    assert who(helene) is not None


def test_a_signing_key_can_be_replaced_without_signing_anyone_out(helene: str, environment: pytest.MonkeyPatch) -> None:
    renewed = rotate(helene)
    environment.setenv(
        "CLUB_SECRET_KEY",
        "a-newer-key-that-is-long-enough-to-sign-with,a-test-key-of-enough-length-to-sign-with",
    )
    from clubapp.settings import settings

    settings.cache_clear()
    assert rotate(helene) == renewed
    again = rotate(renewed or "")
    assert again
    assert who(again)


def test_the_watch_over_open_pages_sees_the_same_as_the_guard(club: str, at: At) -> None:
    """An administrator, a member, someone with no right, a session that ended and one whose hour is over."""
    at("2026-11-20T10:00")
    with transaction() as session:
        add_admin(session, HELENE)
        add_member(session, email=MARIE)
    over = sign_in()
    at("2026-11-20T11:30")
    cookies = [over, sign_in(), sign_in(), sign_in(MARIE), sign_in("inconnue@ailleurs.example")]
    ids = [cookie.partition(".")[0] for cookie in cookies]
    with transaction() as session:
        sessions.end_session(session, ids[1])
    with reading() as session:
        assert sessions.find_active(session, ids) == {ids[2], ids[3]}
    assert [find(cookie) is not None for cookie in cookies] == [False, False, True, True, False]
