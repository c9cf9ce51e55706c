"""Challenges of second factors: signed, short-lived, bound to whom they were given to, and good once (S12).

The challenge itself carries its purpose, its end and what it is bound to, under our signature; the table only holds
those that were used. So nobody fills the database by asking for challenges.
"""

import base64
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from itsdangerous import BadData
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from clubapp import clock, tokens
from clubapp.models import FactorChallenge
from clubapp.refusals import NotFound

LIFETIME = timedelta(minutes=5)
GONE = "Cette vérification a expiré ou a déjà servi. Recommencez."
_BYTES = 32
_SALT = "factor-challenge"


class ChallengePurpose(StrEnum):
    """What a challenge is for; it serves for nothing else."""

    FACTOR = "factor"
    SIGN_IN = "sign_in"


@dataclass(frozen=True)
class Challenge:
    """A challenge as it is given out: `id` comes back with the answer, `nonce` is what a passkey signs."""

    id: str
    nonce: bytes
    expires_at: datetime


def make_challenge(purpose: ChallengePurpose, *, bound_to: str, factor_id: str = "") -> Challenge:
    """A new challenge; `bound_to` is the id of a session, or the hash of a browser's cookie."""
    nonce, until = secrets.token_bytes(_BYTES), clock.now() + LIFETIME
    content = [base64.b64encode(nonce).decode(), purpose, bound_to, factor_id, until.timestamp()]
    return Challenge(tokens.make_serializer(_SALT).dumps(content), nonce, until)


def use_challenge(
    session: Session, challenge_id: str, purpose: ChallengePurpose, *, bound_to: str, factor_id: str = ""
) -> Challenge:
    """Check a challenge that comes back, and use it up.

    Raises:
        NotFound: when it is forged, too old, used, of another purpose, or was given to somebody else.
    """
    try:
        encoded, *owner, until = tokens.make_serializer(_SALT).loads(challenge_id)
        nonce, expires_at = base64.b64decode(encoded), datetime.fromtimestamp(until, UTC)
    except (BadData, ValueError, TypeError):
        raise NotFound(GONE) from None
    if owner != [purpose, bound_to, factor_id] or expires_at <= clock.now():
        raise NotFound(GONE)
    try:
        with session.begin_nested():
            session.add(FactorChallenge(id=tokens.fingerprint(encoded), expires_at=expires_at))
    except IntegrityError:  # used before, perhaps by a concurrent call
        raise NotFound(GONE) from None
    return Challenge(challenge_id, nonce, expires_at)
