"""A real reverse proxy with TLS on this machine, with the configuration that `deploy/` gives for it."""

import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.servers import free_port

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
HOST = "club.example"
# Tests stand for a visitor elsewhere by this header: the proxy takes its value for the address that connects to it.
SEEN_FROM = "X-Seen-From"


@dataclass
class Proxy:
    """What visitors reach as https://club.example, on a port of this machine."""

    kind: str
    port: int
    plain_port: int
    folder: Path

    @classmethod
    @contextmanager
    def running(cls, kind: str, upstream: int) -> Iterator["Proxy"]:
        """`nginx` or `caddy` before the server that listens on `upstream`, gone with the block."""
        made = cls(kind, free_port(), free_port(), Path(tempfile.mkdtemp(prefix=f"club-{kind}-")))
        command = made._nginx(upstream) if kind == "nginx" else made._caddy(upstream)
        data = os.environ | {"HOME": str(made.folder), "XDG_DATA_HOME": str(made.folder), "CLUB_DOMAIN": HOST}
        with made._log.open("wb") as log:
            process = subprocess.Popen(
                command, env=data | {"CLUB_UPSTREAM": f"127.0.0.1:{upstream}"}, stdout=log, stderr=subprocess.STDOUT
            )
        try:
            made._await(process)
            yield made
        finally:
            process.terminate()
            process.wait(20)
            shutil.rmtree(made.folder, ignore_errors=True)

    @classmethod
    @contextmanager
    def first_nginx(cls, challenges: Path) -> Iterator[httpx.Client]:
        """nginx with the file for the first certificate, which does not exist yet; it serves that folder to certbot."""
        made = cls("nginx", 0, free_port(), Path(tempfile.mkdtemp(prefix="club-nginx-")))
        ours = _replaced(
            (DEPLOY / "nginx-first.conf").read_text(),
            {
                "    listen [::]:80;\n": "",
                "listen 80;": f"listen 127.0.0.1:{made.plain_port};",
                "/var/www/acme": str(challenges),
            },
        )
        process = subprocess.Popen(made._write_nginx(ours))
        try:
            with httpx.Client(
                base_url=f"http://127.0.0.1:{made.plain_port}", transport=httpx.HTTPTransport(retries=8)
            ) as client:
                yield client
        finally:
            process.terminate()
            process.wait(20)
            shutil.rmtree(made.folder, ignore_errors=True)

    @property
    def url(self) -> str:
        """Where a test connects, in place of https://club.example."""
        return f"https://127.0.0.1:{self.port}"

    def get(self, path: str, **headers: str) -> httpx.Response:
        """The answer to a visitor who asks for a page of https://club.example."""
        with httpx.Client(verify=False) as client:
            return client.get(
                self.url + path,
                headers={"Host": HOST, "Accept": "text/html"} | headers,
                extensions={"sni_hostname": HOST},
            )

    def agrees_on(self, ciphers: str) -> bool:
        """Whether it takes a connection of TLS 1.2 that offers only these."""
        offered = ssl._create_unverified_context()
        offered.maximum_version = ssl.TLSVersion.TLSv1_2
        offered.set_ciphers(ciphers)
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=5)
        try:
            offered.wrap_socket(plain, server_hostname=HOST).close()
        except ssl.SSLError:
            return False
        finally:
            plain.close()
        return True

    def logged(self) -> str:
        """Everything it wrote."""
        return "".join(path.read_text(errors="replace") for path in self.folder.rglob("*.log"))

    @property
    def _log(self) -> Path:
        return self.folder / "proxy.log"

    def _nginx(self, upstream: int) -> list[str]:
        key, certificate = self.folder / "key.pem", self.folder / "certificate.pem"
        request = f"req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN={HOST} -addext subjectAltName=DNS:{HOST}"
        subprocess.run(
            ["openssl", *request.split(), "-keyout", key, "-out", certificate], check=True, capture_output=True
        )
        ours = _replaced(
            (DEPLOY / "nginx.conf").read_text(),
            {
                "    listen [::]:80;\n": "",
                "    listen [::]:443 ssl http2;\n": "",
                "listen 80;": f"listen 127.0.0.1:{self.plain_port};",
                "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
                "/etc/letsencrypt/live/club.example/fullchain.pem": str(certificate),
                "/etc/letsencrypt/live/club.example/privkey.pem": str(key),
                "/var/log/nginx/clubapp.log": f"{self.folder}/nginx.log",
                "127.0.0.1:3000": f"127.0.0.1:{upstream}",
            },
        )
        return self._write_nginx(ours)

    def _write_nginx(self, ours: str) -> list[str]:
        """Write the whole configuration around a file of ours; return the command."""
        scratch = "".join(
            f"{kind}_temp_path {self.folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        visitor = f"set_real_ip_from 127.0.0.1;\nreal_ip_header {SEEN_FROM};\n"
        user = "user root;\n" if os.geteuid() == 0 else ""
        main = f"{user}daemon off;\npid {self.folder}/pid;\nerror_log {self.folder}/error.log;\nevents {{}}\n"
        file = self.folder / "nginx.conf"
        file.write_text(f"{main}http {{\n{scratch}{visitor}{ours}}}\n")
        return ["nginx", "-c", str(file), "-e", f"{self.folder}/error.log"]

    def _caddy(self, upstream: int) -> list[str]:
        ports = f"http_port {self.plain_port}\n\thttps_port {self.port}\n\tdefault_bind 127.0.0.1\n"
        alone = "admin off\n\tlocal_certs\n\tskip_install_trust\n"
        file = self.folder / "Caddyfile"
        file.write_text(
            _replaced((DEPLOY / "Caddyfile").read_text(), {"{\n\tlog {": f"{{\n\t{ports}\t{alone}\tlog {{"})
        )
        return ["caddy", "run", "--adapter", "caddyfile", "--config", str(file)]

    def _await(self, process: subprocess.Popen[bytes]) -> None:
        until = time.monotonic() + 20
        while time.monotonic() < until and process.poll() is None:
            with suppress(OSError):
                plain = socket.create_connection(("127.0.0.1", self.port), timeout=1)
                unchecked = ssl._create_unverified_context()
                unchecked.wrap_socket(plain, server_hostname=HOST).close()
                return
            time.sleep(0.05)
        raise AssertionError(f"{self.kind} did not start:\n{self.logged()}")


def _replaced(text: str, changes: dict[str, str]) -> str:
    """The text with each change made; every one must find its place."""
    for before, after in changes.items():
        assert before in text, before
        text = text.replace(before, after)
    return text
