"""An authenticator without a browser: makes passkeys and signs with them, right or wrong."""

import base64
import hashlib
import json
import secrets
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40
ORIGIN = "http://localhost:3000"


def encode(content: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


class Passkey:
    """One passkey for the site, and the counter of its authenticator."""

    def __init__(self, site: str = "localhost") -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = secrets.token_bytes(32)
        self.site, self.count = site, 0

    def create(self, options: dict[str, Any], *, origin: str = ORIGIN) -> dict[str, Any]:
        """The answer to the options of a new passkey."""
        numbers = self.key.public_key().public_numbers()
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")})
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + public
        data = self._data(PRESENT | VERIFIED | ATTESTED) + attested
        made = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._answer("webauthn.create", options, origin, attestationObject=encode(made))

    def get(
        self, options: dict[str, Any], *, origin: str = ORIGIN, is_verified: bool = True, counts: bool = True
    ) -> dict[str, Any]:
        """The signed answer to the options of a request; a copy does not count on."""
        self.count += counts
        data = self._data(PRESENT | (VERIFIED if is_verified else 0))
        client = self._client("webauthn.get", options, origin)
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(
            "webauthn.get", options, origin, authenticatorData=encode(data), signature=encode(signature)
        )

    def _data(self, flags: int) -> bytes:
        return hashlib.sha256(self.site.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _client(self, kind: str, options: dict[str, Any], origin: str) -> bytes:
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": origin}).encode()

    def _answer(self, kind: str, options: dict[str, Any], origin: str, **response: str) -> dict[str, Any]:
        client = encode(self._client(kind, options, origin))
        return {
            "id": encode(self.id),
            "rawId": encode(self.id),
            "type": "public-key",
            "clientExtensionResults": {},
            "response": {"clientDataJSON": client, **response},
        }
