"""A bearer token names its person for a while, and ends with their session."""

from datetime import timedelta

import pytest
from itsdangerous import URLSafeSerializer
from sqlalchemy import update
from sqlmodel import col

from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import UserSession
from clubapp.refusals import NotFound
from clubapp.services.access import sessions
from clubapp.services.base.actors import VISITOR
from clubapp.settings import settings
from tests.factories import add_admin, add_member
from tests.services.access.open_sessions import sign_in, who
from tests.services.access.sign_ins import HELENE, MARIE, At


def test_a_bearer_token_names_its_person_for_ten_minutes(club: str, at: At) -> None:
    start = at("2026-11-20T10:00")
    with transaction() as session:
        add_admin(session, HELENE)
    actor = who(sign_in())
    assert actor
    made = sessions.issue_access_token(actor)
    assert made.expires_at == start + timedelta(minutes=10)
    with reading() as session:
        assert sessions.find_token_actor(session, made.token) == actor
        assert sessions.find_token_actor(session, made.token[:-2] + "xx") is None
        assert sessions.find_token_actor(session, "") is None
        at("2026-11-20T10:10")
        assert sessions.find_token_actor(session, made.token) is None


def test_a_bearer_token_is_signed_with_sha_256(club: str) -> None:
    """Fails when the library's own choice, SHA-1, makes or opens one."""
    with transaction() as session:
        add_admin(session, HELENE)
    actor = who(sign_in())
    assert actor
    made = sessions.issue_access_token(actor)
    assert len(made.token.rpartition(".")[2]) == 43  # 256 bits in base64; SHA-1 has 27
    by_default = URLSafeSerializer(settings().keys[0], salt="access-token")
    with reading() as session:
        assert sessions.find_token_actor(session, made.token) == actor
        forged = by_default.dumps([actor.session_id, made.expires_at.timestamp()])
        assert sessions.find_token_actor(session, str(forged)) is None


def test_a_bearer_token_ends_with_its_session(club: str, at: At) -> None:
    at("2026-11-20T10:00")
    with transaction() as session:
        add_admin(session, HELENE)
    cookie = sign_in()
    at("2026-11-20T10:55")
    actor = who(cookie)
    assert actor
    made = sessions.issue_access_token(actor)
    assert made.expires_at == actor.expires_at
    with transaction() as session:
        sessions.sign_out(session, cookie)
        assert sessions.find_token_actor(session, made.token) is None


def test_a_visitor_gets_no_bearer_token(club: str) -> None:
    with pytest.raises(NotFound, match="Pas de session"):
        sessions.issue_access_token(VISITOR)


def test_a_script_gets_a_token_for_an_administrator_only(club: str, at: At) -> None:
    start = at("2026-11-20T10:00")
    with transaction() as session:
        add_admin(session, HELENE)
        add_member(session, email=MARIE)
        made = sessions.issue_admin_token(session, HELENE, lifetime=timedelta(minutes=30))
        actor = sessions.find_token_actor(session, made.token)
        assert actor
        assert actor.is_admin
        assert made.expires_at == start + timedelta(minutes=30)
        for other in (MARIE, "inconnue@ailleurs.example"):
            with pytest.raises(NotFound):
                sessions.issue_admin_token(session, other)
    with transaction() as session:
        session.execute(update(UserSession).values(ended_at=clock.now()).where(col(UserSession.email) == HELENE))
        assert sessions.find_token_actor(session, made.token) is None
