"""All factors of an address at once: reset when lost, moved with the address, deleted with the person (S12)."""

from datetime import datetime

from sqlalchemy import delete, update
from sqlmodel import Session, col

from clubapp.models import Admin, Factor, FactorTries, KnownBrowser, RecoveryCode
from clubapp.refusals import Conflict, NotFound
from clubapp.services.access import recovery_codes, security_notices, sessions
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor, require_fresh_admin
from clubapp.text.email_addresses import normalise

NOT_YOURSELF = "Un autre administrateur doit réinitialiser votre double vérification."
NONE_TO_RESET = "Cette personne n’a pas de double vérification."
_OF_A_PERSON = (Factor, RecoveryCode, FactorTries, KnownBrowser)


def reset_factors(session: Session, actor: Actor, email: str) -> str:
    """Remove every factor of somebody who has lost theirs, and end their sessions; return the address normalised.

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
    delete_factors(session, address)
    sessions.end_all_sessions(session, address)
    audit.record(session, actor, "factor.reset", address)
    security_notices.tell_factors_reset(session, actor, address)
    return address


def delete_factors(session: Session, email: str) -> None:
    """Delete everything about the second factors and the browsers of an address."""
    for table in _OF_A_PERSON:
        session.execute(delete(table).where(col(table.email) == email))


def delete_factors_since(session: Session, email: str, since: datetime) -> None:
    """Delete the factors of an address that were added since a moment; with the last one, all that belongs to them."""
    session.execute(delete(Factor).where(col(Factor.email) == email, col(Factor.created_at) > since))
    session.execute(
        delete(KnownBrowser).where(col(KnownBrowser.email) == email, col(KnownBrowser.first_seen_at) > since)
    )
    if not sessions.has_factor(session, email):
        recovery_codes.delete_codes(session, email)


def follow_address(session: Session, old: str, new: str | None) -> None:
    """Let the factors and browsers of a person follow a change of their address: it takes away no protection.

    Those of an administrator stay with the address that administers.
    """
    if not new or session.get(Admin, old) or session.get(Admin, new):
        return
    delete_factors(session, new)
    for table in _OF_A_PERSON:
        session.execute(update(table).where(col(table.email) == old).values(email=new))
