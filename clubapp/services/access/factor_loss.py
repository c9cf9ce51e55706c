"""All factors of an address at once: reset when lost, moved with the address, deleted with the person (S12)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, update
from sqlmodel import Session, col, select

from clubapp.models import Admin, Factor, FactorStatus, FactorTries, KnownBrowser, RecoveryCode
from clubapp.refusals import Conflict, NotFound
from clubapp.services.access import known_browsers, recovery_codes, security_notices, sessions
from clubapp.services.access.known_browsers import Browser
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_fresh_admin
from clubapp.text.email_addresses import normalise

NOT_YOURSELF = "Un autre administrateur doit réinitialiser votre double vérification."
NONE_TO_RESET = "Cette personne n’a pas de double vérification."
_FACTORS = (Factor, RecoveryCode, FactorTries)
_OF_A_PERSON = (*_FACTORS, KnownBrowser)


@dataclass(frozen=True)
class RemovedFactors:
    """The names of the factors that were removed, or `kept` instead, and whether recovery codes were removed."""

    names: tuple[str, ...] = ()
    has_codes: bool = False
    kept: tuple[str, ...] = ()


def reset_factors(session: Session, actor: Actor, email: str) -> str:
    """Remove every factor of somebody who has lost theirs, and end their sessions; return the address normalised.

    Their browsers stay known, so that a sign-in from any other one is told (S14).

    Raises:
        Forbidden: for anyone but an administrator.
        ProofRequired: when the last proof is too old.
        Conflict: when it is the actor's own address.
        NotFound: when the address has none.
    """
    require_fresh_admin(actor)
    address = normalise(email)
    if address == actor.email:
        raise Conflict(NOT_YOURSELF)
    if not sessions.has_factor(session, address):
        raise NotFound(NONE_TO_RESET)
    query = select(Factor.factor_type).where(Factor.email == address, Factor.status == FactorStatus.VERIFIED)
    types = list(session.exec(query.order_by(col(Factor.created_at))))
    _delete(session, address, _FACTORS)
    sessions.end_all_sessions(session, address)
    audit.record(session, actor, "factor.reset", address, factor_type=types)
    security_notices.tell_factors_reset(session, actor, address)
    return address


def delete_factors(session: Session, email: str) -> None:
    """Delete everything about the second factors and the browsers of an address."""
    _delete(session, email, _OF_A_PERSON)


def find_kept(session: Session, email: str, since: datetime, browser: Browser) -> tuple[str, ...]:
    """The names of the factors that `remove_factors_since` would keep."""
    verified = col(Factor.email) == email, col(Factor.status) == FactorStatus.VERIFIED
    older = select(Factor.id).where(*verified, col(Factor.created_at) <= since)
    if (
        session.get(Admin, email) is None
        or session.exec(older.limit(1)).first()
        or known_browsers.is_known(session, email, browser, before=since)
    ):
        return ()
    newer = select(Factor.friendly_name).where(*verified, col(Factor.created_at) > since)
    return tuple(session.exec(newer.order_by(col(Factor.created_at))))


def remove_factors_since(session: Session, email: str, since: datetime, browser: Browser) -> RemovedFactors:
    """Remove the factors, recovery codes and known browsers that an address has got since a moment.

    With the last factor every recovery code goes. The link that leads here is in a mail, and whoever reads the mailbox
    of an administrator must not be rid of their factor: when none is older, all stay, and their codes too, unless the
    `browser` was known before that moment.
    """
    actor, own = Actor(email=email), col(Factor.email) == email
    newer = col(KnownBrowser.email) == email, col(KnownBrowser.first_seen_at) > since
    if kept := find_kept(session, email, since, browser):
        session.execute(delete(KnownBrowser).where(*newer))
        return RemovedFactors(kept=kept)
    query = select(Factor).where(own, col(Factor.created_at) > since).order_by(col(Factor.created_at))
    names = []
    for factor in session.exec(query).all():
        session.delete(factor)
        if factor.status == FactorStatus.VERIFIED:
            names.append(factor.friendly_name)
            audit.record(session, actor, "factor.remove", email, factor_type=factor.factor_type)
    session.flush()
    session.execute(delete(KnownBrowser).where(*newer))
    has_codes = recovery_codes.delete_codes(session, email, since if sessions.has_factor(session, email) else None)
    if has_codes:
        audit.record(session, actor, "recovery_codes.voided", email)
    return RemovedFactors(tuple(names), has_codes)


def follow_address(session: Session, old: str, new: str | None) -> None:
    """Let the factors and browsers of a person follow a change of their address: it takes away no protection.

    Those of an administrator stay with the address that administers.
    """
    if not new or session.get(Admin, old) or session.get(Admin, new):
        return
    delete_factors(session, new)
    for table in _OF_A_PERSON:
        session.execute(update(table).where(col(table.email) == old).values(email=new))


def _delete(session: Session, email: str, tables: Sequence[Any]) -> None:
    for table in tables:
        session.execute(delete(table).where(col(table.email) == email))
