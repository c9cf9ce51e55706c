"""Authenticator apps: time-based codes of six digits (S12; RFC 6238). The seed is kept encrypted."""

import base64
import hashlib
import hmac
import string
from datetime import datetime

import segno
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from pyotp import random_base32
from pyotp.totp import TOTP

from clubapp.refusals import NotFound
from clubapp.settings import settings

STEP_SECONDS = 30
DRIFT_STEPS = 1
DIGITS = 6
UNREADABLE = (
    "Cette application ne peut plus être vérifiée\u00a0: la clé du site a changé. Utilisez un code de secours, ou "
    "demandez à un administrateur de réinitialiser votre double vérification."
)


def new_secret() -> str:
    """A seed of 160 random bits, in base32."""
    return random_base32()


def seal(secret: str) -> str:
    """The stored form of a seed: encrypted under the newest key of the site."""
    return _cipher().encrypt(secret.encode()).decode()


def unseal(sealed: str) -> str:
    """The seed of a stored form, under any key of the site.

    Raises:
        NotFound: when no key of the site made it.
    """
    try:
        return _cipher().decrypt(sealed.encode()).decode()
    except InvalidToken:
        raise NotFound(UNREADABLE) from None


def reseal(sealed: str) -> str:
    """The same seed under the newest key of the site, so that a former key can be dropped.

    Raises:
        InvalidToken: when no key of the site made it.
    """
    return _cipher().rotate(sealed.encode()).decode()


def build_uri(secret: str, email: str, issuer: str) -> str:
    """The `otpauth:` address that an app reads."""
    return TOTP(secret).provisioning_uri(name=email, issuer_name=issuer)


def draw_qr(uri: str) -> str:
    """The QR code of an address as an SVG image, in a `data:` address."""
    return segno.make(uri, error="m").svg_data_uri(scale=5, border=3, dark="#1b2430", light="#ffffff")


def find_step(secret: str, code: str, now: datetime, *, after: int | None) -> int | None:
    """The step of 30 s that a code is of: the present one or a neighbour, and newer than `after`; else None."""
    digits = "".join(character for character in code if character in string.digits)
    if len(digits) != DIGITS:
        return None
    present, generator = int(now.timestamp()) // STEP_SECONDS, TOTP(secret)
    steps = range(present - DRIFT_STEPS, present + DRIFT_STEPS + 1)
    matching = [step for step in steps if hmac.compare_digest(generator.generate_otp(step), digits)]
    return next((step for step in matching if after is None or step > after), None)


def _cipher() -> MultiFernet:
    derived = (hmac.digest(key.encode(), b"factor-secret", hashlib.sha256) for key in settings().keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in derived])
