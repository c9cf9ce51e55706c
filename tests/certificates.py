"""Certificates for servers of the tests, made by the openssl command."""

import shutil
import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import missing

_NEW_KEY = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1"


@dataclass(frozen=True)
class Authority:
    """A certificate authority that nobody knows; `SSL_CERT_FILE` may name its certificate."""

    folder: Path

    @classmethod
    def made(cls, folder: Path) -> "Authority":
        """A new one, kept in a folder."""
        if shutil.which("openssl") is None:
            missing("openssl", "apt-get install openssl")
        authority = cls(folder)
        _openssl(f"{_NEW_KEY} -subj /CN=Autorité", keyout=authority._key, out=authority.certificate)
        return authority

    @property
    def certificate(self) -> Path:
        """What those who trust it have."""
        return self.folder / "authority.pem"

    @property
    def _key(self) -> Path:
        return self.folder / "authority.key"

    def server(self, name: str) -> ssl.SSLContext:
        """What a server shows to be known under a name: 'IP:127.0.0.1', 'DNS:relay.example'."""
        key, certificate = self.folder / "server.key", self.folder / "server.pem"
        signed = f"{_NEW_KEY} -subj /CN=serveur -addext subjectAltName={name} -addext basicConstraints=CA:FALSE"
        _openssl(signed, CA=self.certificate, CAkey=self._key, keyout=key, out=certificate)
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        made.load_cert_chain(certificate, key)
        return made


def _openssl(words: str, **files: Path) -> None:
    named = [word for name, path in files.items() for word in (f"-{name}", str(path))]
    subprocess.run(["openssl", *words.split(), *named], check=True, capture_output=True)
