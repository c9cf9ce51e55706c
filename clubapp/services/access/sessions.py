"""Sessions: one row per signed-in browser, valid for one hour from sign-in by the server's clock (S8, S9, S10).

A code typed before the hour is over counts as a new sign-in in the same session.

The cookie is '<session id>.<secret>'. Each new secret is derived from the one before, so that two tabs that refresh
together get the same one, and a reused old secret is recognised (S10).
"""

import re
import secrets
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from itsdangerous import BadData
from sqlalchemy import ColumnElement, ScalarSelect, bindparam, exists, or_, select, update
from sqlmodel import Session, col

from clubapp import clock, tokens
from clubapp.models import Admin, Factor, FactorStatus, Member, UserSession
from clubapp.refusals import NotFound
from clubapp.services.base import audit
from clubapp.services.base.actors import SYSTEM, Actor, FactorStep
from clubapp.settings import settings

LIFETIME = timedelta(hours=1)
GRACE = timedelta(seconds=60)
ACCESS_TOKEN_LIFETIME = timedelta(minutes=10)
PROOF_LIFETIME = timedelta(minutes=10)
_PURPOSE, _TOKEN_PURPOSE = "session-secret", "access-token"
# How many rotations to follow from an old secret; one every ten minutes makes six in the hour of a session.
_ANCESTORS = 64
_IDENTIFIER = re.compile(r"[0-9a-f-]{36}")

NOT_AN_ADMIN = "Cette adresse n’est pas celle d’un administrateur."
FACTOR_FIRST = "Cette personne doit d’abord se connecter au site et y ajouter une double vérification."


@dataclass(frozen=True)
class Rights:
    """The present rights of an address; one in both lists has both, and lands as an administrator (D2)."""

    is_admin: bool
    member_id: str | None

    @property
    def can_sign_in(self) -> bool:
        """Whether the address has any right."""
        return self.is_admin or self.member_id is not None


@dataclass(frozen=True)
class ActiveSession:
    """A session whose secret was verified, and its person."""

    session_id: str
    expires_at: datetime
    actor: Actor


@dataclass(frozen=True)
class AccessToken:
    """A bearer token for scripts and server functions."""

    token: str
    expires_at: datetime


@dataclass(frozen=True)
class OwnSession:
    """One of the actor's own sessions."""

    session_id: str
    user_agent: str
    signed_in_at: datetime
    is_this_one: bool


def find_rights(session: Session, email: str) -> Rights:
    """The present rights of an address, by the same single query for known and unknown ones (S5)."""
    is_admin, member_id = session.execute(select(_is_admin(email), _member_id(email))).one()
    return Rights(is_admin, member_id)


def open_session(
    session: Session, email: str, *, user_agent: str = "", lifetime: timedelta = LIFETIME, is_half_open: bool = False
) -> tuple[str, datetime]:
    """Start a session; return the value of its cookie and when it expires. Half open, it waits for a factor (S12)."""
    secret, now = secrets.token_urlsafe(32), clock.now()
    made = UserSession(
        email=email,
        secret_hash=tokens.fingerprint(secret),
        user_agent="".join(filter(str.isprintable, user_agent))[:300],
        is_half_open=is_half_open,
        proved_at=None if is_half_open else now,
        created_at=now,
        expires_at=now + lifetime,
    )
    session.add(made)
    session.flush()
    return f"{made.id}.{secret}", made.expires_at


def find_actor(session: Session, session_id: str) -> Actor | None:
    """The person of an active session, or None. One query, since it runs for every event of every screen.

    A person without any right left is None at once, even if `end_all_sessions` was not called (S9).
    """
    now = clock.now()
    row = session.execute(_BEHIND, {"session_id": session_id, "now": now}).one_or_none()
    if row is None or not (row.is_admin or row.member_id):
        return None
    needs_proof = now - (row.proved_at or row.created_at) > PROOF_LIFETIME
    if step := _factor_step(row):
        return Actor(
            row.email, session_id=session_id, expires_at=row.expires_at, factor_step=step, needs_proof=needs_proof
        )
    return Actor(row.email, row.is_admin, row.member_id, session_id, row.expires_at, needs_proof=needs_proof)


def has_factor(session: Session, email: str) -> bool:
    """Whether an address has a second factor that counts."""
    return session.execute(select(_has_factor(email))).scalar_one()


def mark_proved(session: Session, session_id: str) -> None:
    """The person of a session has proved who they are by a factor or as it demands: it is open from now on (S13)."""
    values = {"is_half_open": False, "proved_at": clock.now()}
    session.execute(update(UserSession).where(col(UserSession.id) == session_id).values(**values))


def half_open_others(session: Session, actor: Actor) -> None:
    """Let every other session of the actor wait for the factor they have just added."""
    others = update(UserSession).where(
        col(UserSession.email) == actor.email, col(UserSession.id) != actor.session_id, *_living(clock.now())
    )
    session.execute(others.values(is_half_open=True, proved_at=None))


def find_active(session: Session, session_ids: list[str]) -> frozenset[str]:
    """The ids among `session_ids` of sessions that are active, in one query."""
    email = col(UserSession.email)
    has_right = or_(_is_admin(email), _member_id(email).is_not(None))
    found = select(col(UserSession.id)).where(col(UserSession.id).in_(session_ids), *_living(clock.now()), has_right)
    return frozenset(session.execute(found).scalars())


def resolve_cookie(session: Session, cookie: str) -> ActiveSession | None:
    """The active session of a cookie, or None. Needs a `transaction()`: the first use of a new secret is stored,
    and an old secret that is used after its grace period ends the session (S10)."""
    row, secret = _row_of(session, cookie)
    if row is None or not _accepts(session, row, secret):
        return None
    actor = find_actor(session, row.id)
    return ActiveSession(row.id, row.expires_at, actor) if actor else None


def find_session_id(session: Session, cookie: str) -> str | None:
    """The id of the living session of a cookie, read from the sessions alone: whose it is, is not asked.

    Needs a `transaction()`, as `resolve_cookie` does.
    """
    row, secret = _row_of(session, cookie)
    return row.id if row is not None and _accepts(session, row, secret) else None


def rotate_secret(session: Session, cookie: str) -> tuple[str, datetime] | None:
    """Change a session's secret. Return the new cookie and the unchanged expiry, or None for an invalid cookie.

    The previous secret, within its grace period, returns the current one: tabs that refresh together agree.
    """
    if resolve_cookie(session, cookie) is None:
        return None
    row, secret = _row_of(session, cookie)
    assert row is not None
    identifier = f"{row.id}.{tokens.fingerprint(secret)}"
    if tokens.is_same_token(tokens.fingerprint(secret), row.secret_hash):
        fresh = tokens.derive(_PURPOSE, identifier)
        row.previous_hash, row.secret_hash, row.secret_seen_at = row.secret_hash, tokens.fingerprint(fresh), None
        session.flush()
    else:
        fresh = tokens.rebuild(_PURPOSE, identifier, row.secret_hash)
    return (f"{row.id}.{fresh}", row.expires_at) if fresh else None


def renew_session(session: Session, cookie: str) -> tuple[str, datetime] | None:
    """Let a session last for its whole time again, with another secret; None for an invalid cookie.

    To be called once the person has proved anew who they are.
    """
    changed = rotate_secret(session, cookie)
    row, _ = _row_of(session, cookie)
    if changed is None or row is None:
        return None
    row.expires_at = clock.now() + LIFETIME
    if not row.is_half_open and not has_factor(session, row.email):
        row.proved_at = clock.now()  # a mail proves nothing more of whoever has a factor
    session.flush()
    return changed[0], row.expires_at


def end_session(session: Session, session_id: str) -> None:
    """End one session in all its tabs."""
    _end_where(session, col(UserSession.id) == session_id)


def end_all_sessions(session: Session, email: str) -> None:
    """End every session of an address (S9)."""
    _end_where(session, col(UserSession.email) == email)


def sign_out(session: Session, cookie: str) -> None:
    """End the session of a cookie, if it is valid."""
    if living := resolve_cookie(session, cookie):
        end_session(session, living.session_id)
        audit.record(session, living.actor, "sign_out", living.session_id)


def end_former_session(session: Session, cookie: str) -> None:
    """End the session that a new sign-in in the same browser replaces: no act of its own."""
    if living := resolve_cookie(session, cookie):
        end_session(session, living.session_id)


def sign_out_everywhere(session: Session, actor: Actor) -> None:
    """End every session of the actor."""
    end_all_sessions(session, actor.email)
    audit.record(session, actor, "sign_out.everywhere")


def read_own_sessions(session: Session, actor: Actor) -> tuple[OwnSession, ...]:
    """The actor's active sessions, newest first (S9)."""
    if actor.session_id is None:
        return ()
    query = select(UserSession).where(col(UserSession.email) == actor.email, *_living(clock.now()))
    rows = session.execute(query.order_by(col(UserSession.created_at).desc())).scalars()
    return tuple(OwnSession(row.id, row.user_agent, row.created_at, row.id == actor.session_id) for row in rows)


def issue_access_token(actor: Actor, *, lifetime: timedelta = ACCESS_TOKEN_LIFETIME) -> AccessToken:
    """A bearer token of the actor's session, valid for `lifetime` but never longer than the session."""
    if not actor.is_signed_in or actor.expires_at is None:
        raise NotFound("Pas de session")
    until = min(clock.now() + lifetime, actor.expires_at)
    return AccessToken(tokens.make_serializer(_TOKEN_PURPOSE).dumps([actor.session_id, until.timestamp()]), until)


def find_token_actor(session: Session, token: str) -> Actor | None:
    """The person of a bearer token, or None when it is forged or expired, or its session has ended."""
    try:
        session_id, until = tokens.make_serializer(_TOKEN_PURPOSE).loads(token)
    except (BadData, ValueError, TypeError):
        return None
    return find_actor(session, session_id) if clock.now().timestamp() < until else None


def make_access_token(session: Session, actor: Actor, *, lifetime: timedelta = ACCESS_TOKEN_LIFETIME) -> AccessToken:
    """As `issue_access_token`, and noted in the journal of acts."""
    made = issue_access_token(actor, lifetime=lifetime)
    audit.record(session, actor, "token.made", actor.session_id or "", until=made.expires_at.isoformat())
    return made


def issue_admin_token(
    session: Session, email: str, *, operator: Actor = SYSTEM, lifetime: timedelta = ACCESS_TOKEN_LIFETIME
) -> AccessToken:
    """A bearer token of an administrator for scripts, with a session of its own. `operator` is who asks for it.

    Raises:
        NotFound: when the address is not an administrator's, or must add a second factor first.
    """
    if not find_rights(session, email).is_admin:
        raise NotFound(NOT_AN_ADMIN)
    cookie, _ = open_session(session, email, user_agent="access-token", lifetime=lifetime)
    actor = find_actor(session, cookie.partition(".")[0])
    assert actor is not None
    if actor.factor_step:
        raise NotFound(FACTOR_FIRST)
    return make_access_token(session, replace(actor, operator=operator.operator), lifetime=lifetime)


def _is_admin(email: object) -> ColumnElement[bool]:
    return exists().where(col(Admin.email) == email)


def _member_id(email: object) -> ScalarSelect[str]:
    query = select(col(Member.id)).where(col(Member.email) == email, col(Member.is_active).is_(True))
    return query.scalar_subquery()


def _has_factor(email: object) -> ColumnElement[bool]:
    return exists().where(col(Factor.email) == email, col(Factor.status) == FactorStatus.VERIFIED)


def _factor_step(row: Any) -> FactorStep:
    """What the session of a row still waits for."""
    if row.is_half_open:
        return FactorStep.VERIFY if row.has_factor else FactorStep.ENROL
    must_have_one = row.is_admin and settings().admin_second_factor == "required"
    return FactorStep.ENROL if must_have_one and not row.has_factor else FactorStep.NONE


def _living(now: Any) -> tuple[ColumnElement[bool], ...]:
    return col(UserSession.ended_at).is_(None), col(UserSession.expires_at) > now


# Built once, since the guard runs it for every event.
_BEHIND = select(
    col(UserSession.email),
    col(UserSession.expires_at),
    col(UserSession.created_at),
    col(UserSession.proved_at),
    col(UserSession.is_half_open),
    _is_admin(col(UserSession.email)).label("is_admin"),
    _member_id(col(UserSession.email)).label("member_id"),
    _has_factor(col(UserSession.email)).label("has_factor"),
).where(col(UserSession.id) == bindparam("session_id"), *_living(bindparam("now")))


def _row_of(session: Session, cookie: str) -> tuple[UserSession | None, str]:
    session_id, _, secret = cookie.partition(".")
    if not _IDENTIFIER.fullmatch(session_id):
        return None, secret
    query = select(UserSession).where(col(UserSession.id) == session_id, *_living(clock.now())).with_for_update()
    return session.execute(query).scalar_one_or_none(), secret


def _accepts(session: Session, row: UserSession, secret: str) -> bool:
    shown, now = tokens.fingerprint(secret), clock.now()
    if tokens.is_same_token(shown, row.secret_hash):
        row.secret_seen_at = row.secret_seen_at or now
        return True
    in_grace = row.secret_seen_at is None or now < row.secret_seen_at + GRACE
    if in_grace and tokens.is_same_token(shown, row.previous_hash or ""):
        return True
    if _was_once(row, secret):
        row.ended_at = now
        audit.record(session, Actor(email=row.email, session_id=row.id), "session.replayed", row.id)
    return False


def _was_once(row: UserSession, secret: str) -> bool:
    """Whether a secret is a former one of this session: deriving from it leads to the current one."""
    for _ in range(_ANCESTORS):
        shown = tokens.fingerprint(secret)
        if tokens.is_same_token(shown, row.previous_hash or "") or tokens.is_same_token(shown, row.secret_hash):
            return True
        secret = tokens.derive(_PURPOSE, f"{row.id}.{shown}")
    return False


def _end_where(session: Session, which: ColumnElement[bool]) -> None:
    session.execute(update(UserSession).where(which, col(UserSession.ended_at).is_(None)).values(ended_at=clock.now()))
