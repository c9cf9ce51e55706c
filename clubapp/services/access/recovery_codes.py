"""Recovery codes: ten that replace a lost factor, each once. They are shown once, and kept as SHA-256 sums (S12)."""

import base64
import secrets
from datetime import datetime

from sqlalchemy import delete, func, update
from sqlmodel import Session, col, select

from clubapp import clock, tokens
from clubapp.models import RecoveryCode
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor

COUNT = 10
_BYTES = 15  # 120 bits, 24 characters of base32: enough for a sum without salt
_GROUP = 4


def renew_codes(session: Session, actor: Actor) -> tuple[str, ...]:
    """Ten new codes for the actor, who has proved who they are; the former ones are void."""
    delete_codes(session, actor.email)
    made = tuple(_new_code() for _ in range(COUNT))
    now = clock.now()
    session.add_all(RecoveryCode(email=actor.email, code_hash=_hash(code), created_at=now) for code in made)
    session.flush()
    audit.record(session, actor, "recovery_codes.renewed", actor.email)
    return made


def use_code(session: Session, email: str, code: str) -> bool:
    """Whether it is an unused code of the address; it is used up in one statement."""
    used = session.execute(
        update(RecoveryCode)
        .where(
            col(RecoveryCode.email) == email,
            col(RecoveryCode.code_hash) == _hash(code),
            col(RecoveryCode.used_at).is_(None),
        )
        .values(used_at=clock.now())
    )
    return used.rowcount == 1  # pyright: ignore[reportAttributeAccessIssue]


def count_left(session: Session, email: str) -> int:
    """How many codes of an address are unused."""
    unused = select(func.count()).where(col(RecoveryCode.email) == email, col(RecoveryCode.used_at).is_(None))
    return session.exec(unused).one()


def count_own(session: Session, actor: Actor) -> int:
    """How many codes of the actor are unused."""
    return count_left(session, actor.email)


def delete_codes(session: Session, email: str, since: datetime | None = None) -> bool:
    """Void every code of an address, or those made since a moment; whether there was one."""
    own = delete(RecoveryCode).where(col(RecoveryCode.email) == email)
    made_since = own if since is None else own.where(col(RecoveryCode.created_at) > since)
    return session.execute(made_since).rowcount > 0  # pyright: ignore[reportAttributeAccessIssue]


def _new_code() -> str:
    text = base64.b32encode(secrets.token_bytes(_BYTES)).decode().lower()
    return "-".join(text[at : at + _GROUP] for at in range(0, len(text), _GROUP))


def _hash(code: str) -> str:
    """Of the letters and digits alone: hyphens, spaces and capitals are as people type them."""
    return tokens.fingerprint("".join(filter(str.isalnum, code.lower())))
