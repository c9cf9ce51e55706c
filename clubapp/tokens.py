"""The secret tokens of links: derived from the signing key, never stored (decision 0004).

A token is HMAC-SHA256(key, purpose and identifier). The database keeps only its SHA-256: a copy of the database gives
no access, and yet a link can be rebuilt to be sent again.
"""

import base64
import hashlib
import hmac

from itsdangerous import URLSafeSerializer

from clubapp.settings import settings


def derive(purpose: str, identifier: str) -> str:
    """The token of one identifier for one purpose, under the newest key: 43 URL-safe characters, 256 bits."""
    return _derive(settings().keys[0], purpose, identifier)


def rebuild(purpose: str, identifier: str, expected: str) -> str | None:
    """The token whose fingerprint is `expected`, under the configured key that made it; None when no key did."""
    tokens = (_derive(key, purpose, identifier) for key in settings().keys)
    return next((token for token in tokens if is_same_token(fingerprint(token), expected)), None)


def derive_code(purpose: str, identifier: str) -> str:
    """A code of six digits, derived like a token."""
    return f"{int.from_bytes(_digest(settings().keys[0], purpose, identifier)[:8], 'big') % 1_000_000:06d}"


def fingerprint(token: str) -> str:
    """What the database keeps of a token: its SHA-256 in hexadecimal."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def keyed_fingerprint(purpose: str, value: str) -> str:
    """A keyed hash in hexadecimal, to compare values such as network addresses without storing them."""
    return _digest(settings().keys[0], purpose, value).hex()


def is_same_token(left: str, right: str) -> bool:
    """Whether two fingerprints are equal, compared in constant time."""
    return hmac.compare_digest(left.encode(), right.encode())


def make_serializer(purpose: str) -> URLSafeSerializer:
    """Signs what a client keeps, for one purpose, by HMAC-SHA-256 (not the default SHA-1); checks it under any key."""
    algorithm = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
    return URLSafeSerializer(list(reversed(settings().keys)), salt=purpose, signer_kwargs=algorithm)


def _derive(key: str, purpose: str, identifier: str) -> str:
    return base64.urlsafe_b64encode(_digest(key, purpose, identifier)).decode().rstrip("=")


def _digest(key: str, purpose: str, identifier: str) -> bytes:
    return hmac.digest(key.encode(), f"{purpose}\0{identifier}".encode("utf-8", "surrogatepass"), "sha256")
