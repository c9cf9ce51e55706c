"""Passkeys: what a browser is asked, and whether its answer is right (S12; WebAuthn)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import webauthn
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, options_to_json_dict
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from clubapp import tokens
from clubapp.refusals import Invalid
from clubapp.settings import LOOPBACK, settings

REFUSED = "Cette clé d’accès n’a pas été acceptée. Recommencez, ou choisissez un autre moyen."
_TIMEOUT_MS = 5 * 60 * 1000
Credential = dict[str, Any]


@dataclass(frozen=True)
class NewKey:
    """What is kept of a new passkey, in base64url, and its counter."""

    credential_id: str
    public_key: str
    sign_count: int


def creation_options(nonce: bytes, email: str, known: Iterable[str]) -> dict[str, Any]:
    """What the browser is asked for a new passkey; authenticators that hold a `known` one are left out."""
    options = webauthn.generate_registration_options(
        rp_id=_site(),
        rp_name=settings().name,
        user_name=email,
        user_id=bytes.fromhex(tokens.keyed_fingerprint("webauthn-user", email)),
        user_display_name=email,
        challenge=nonce,
        timeout=_TIMEOUT_MS,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
        ),
        exclude_credentials=_descriptors(known),
    )
    return options_to_json_dict(options)


def request_options(nonce: bytes, known: Iterable[str] = (), *, is_alone: bool = False) -> dict[str, Any]:
    """What the browser is asked to prove with one of the `known` passkeys, or with any that it has for the site.

    One that `is_alone`, without a mail before, must also verify its user.
    """
    wanted = UserVerificationRequirement.REQUIRED if is_alone else UserVerificationRequirement.PREFERRED
    options = webauthn.generate_authentication_options(
        rp_id=_site(),
        challenge=nonce,
        timeout=_TIMEOUT_MS,
        allow_credentials=_descriptors(known),
        user_verification=wanted,
    )
    return options_to_json_dict(options)


def check_creation(credential: Credential, nonce: bytes) -> NewKey:
    """The key of a new passkey.

    Raises:
        Invalid: when the answer is not one to this challenge, from our site.
    """
    try:
        made = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=nonce,
            expected_rp_id=_site(),
            expected_origin=list(settings().origins),
        )
    except (WebAuthnException, ValueError, KeyError, TypeError):
        raise Invalid(REFUSED, field="credential") from None
    return NewKey(
        bytes_to_base64url(made.credential_id), bytes_to_base64url(made.credential_public_key), made.sign_count
    )


def check_assertion(
    credential: Credential, nonce: bytes, *, public_key: str, sign_count: int, is_alone: bool = False
) -> int:
    """The new counter of a passkey that signed the challenge. A counter that went back is that of a copy.

    Raises:
        Invalid: for any other challenge, site or key, or a counter that did not rise.
    """
    try:
        verified = webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=nonce,
            expected_rp_id=_site(),
            expected_origin=list(settings().origins),
            credential_public_key=base64url_to_bytes(public_key),
            credential_current_sign_count=sign_count,
            require_user_verification=is_alone,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError):
        raise Invalid(REFUSED, field="credential") from None
    return verified.new_sign_count


def credential_id_of(credential: Credential) -> str:
    """Which passkey answers; empty when it does not say so."""
    found = credential.get("id")
    return found if isinstance(found, str) else ""


def _site() -> str:
    """The host that passkeys are bound to; browsers refuse an address in figures."""
    host = urlsplit(settings().public_url).hostname or ""
    return "localhost" if host in LOOPBACK else host


def _descriptors(known: Iterable[str]) -> list[PublicKeyCredentialDescriptor]:
    return [PublicKeyCredentialDescriptor(id=base64url_to_bytes(one)) for one in known]
