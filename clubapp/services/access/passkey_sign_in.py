"""Signing in with a passkey alone, without a mail: the browser finds the one it has for the site (S12)."""

from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from clubapp import tokens
from clubapp.models import Factor, FactorStatus
from clubapp.refusals import Invalid
from clubapp.services.access import factor_challenges, factors, passkeys, sessions, sign_in
from clubapp.services.access.factor_challenges import ChallengePurpose
from clubapp.services.access.factors import Refused
from clubapp.services.access.known_browsers import Browser
from clubapp.services.access.sign_in import OpenedSession
from clubapp.services.base import audit
from clubapp.services.base.actors import Actor

UNKNOWN_KEY = "Cette clé d’accès n’est pas connue ici. Connectez-vous par e-mail."


@dataclass(frozen=True)
class PasskeyRequest:
    """What the browser is asked, and the challenge that comes back with its answer."""

    challenge_id: str
    options: dict[str, Any]


def ask_for_passkey(browser: str) -> PasskeyRequest:
    """A challenge for any passkey of the site, bound to the cookie of a browser. Nothing is stored."""
    made = factor_challenges.make_challenge(ChallengePurpose.SIGN_IN, bound_to=tokens.fingerprint(browser))
    return PasskeyRequest(made.id, passkeys.request_options(made.nonce, is_alone=True))


def redeem_passkey(
    session: Session, challenge_id: str, credential: dict[str, Any], browser: Browser
) -> OpenedSession | Refused:
    """Sign in the person of a passkey. It must have verified its user, for it stands alone.

    Returns:
        `Refused` when the passkey is nobody's, its answer is wrong, its counter went back, or its person has lost
        their right since: the challenge is used up all the same.

    Raises:
        NotFound: when the challenge is not good any more.
    """
    asked = factor_challenges.use_challenge(
        session, challenge_id, ChallengePurpose.SIGN_IN, bound_to=tokens.fingerprint(browser.token)
    )
    query = select(Factor).where(col(Factor.credential_id) == passkeys.credential_id_of(credential))
    factor = session.exec(query.where(col(Factor.status) == FactorStatus.VERIFIED).with_for_update()).first()
    if factor is None:
        return Refused(UNKNOWN_KEY)
    try:
        factors.check_passkey(session, factor, credential, asked.nonce, is_alone=True)
    except Invalid as refusal:
        return Refused(refusal.text)
    if not sessions.find_rights(session, factor.email).can_sign_in:
        return Refused(sign_in.NOT_ALLOWED)
    audit.record(session, Actor(email=factor.email), "factor.used", factor.email, factor_type=factor.factor_type)
    return sign_in.open_for(session, factor.email, browser)
