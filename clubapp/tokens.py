"""Secrets that links carry: derived from the signing key, never stored (decision 0004).

A token is HMAC-SHA256(key, purpose and identifier). The database keeps its SHA-256 only, so a copy of the
database opens nothing, and yet a link can be rebuilt to be sent again.
"""

import base64
import hashlib
import hmac

from clubapp.settings import settings


def derive(purpose: str, identifier: str) -> str:
    """The token of one thing for one purpose, under the newest key: 43 URL-safe characters, 256 bits."""
    return _derive(settings().keys[0], purpose, identifier)


def rebuild(purpose: str, identifier: str, kept: str) -> str | None:
    """The token whose SHA-256 is `kept`, under whichever configured key made it; None when no key does."""
    made = (_derive(key, purpose, identifier) for key in settings().keys)
    return next((token for token in made if is_same_token(fingerprint(token), kept)), None)


def derive_code(purpose: str, identifier: str) -> str:
    """Six digits derived in the same way."""
    return f"{int.from_bytes(_digest(settings().keys[0], purpose, identifier)[:8], 'big') % 1_000_000:06d}"


def fingerprint(token: str) -> str:
    """What the database keeps of a token: its SHA-256 in hexadecimal."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def keyed_fingerprint(purpose: str, value: str) -> str:
    """A value one can compare but not read back, such as a network address."""
    return _digest(settings().keys[0], purpose, value).hex()


def is_same_token(left: str, right: str) -> bool:
    """Compare two fingerprints in constant time."""
    return hmac.compare_digest(left.encode(), right.encode())


def _derive(key: str, purpose: str, identifier: str) -> str:
    return base64.urlsafe_b64encode(_digest(key, purpose, identifier)).decode().rstrip("=")


def _digest(key: str, purpose: str, identifier: str) -> bytes:
    return hmac.digest(key.encode(), f"{purpose}\0{identifier}".encode("utf-8", "surrogatepass"), "sha256")
