"""The doctor opens a websocket at the public address, as a browser does."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from clubapp.doctor import Level, installation_checks
from tests.conftest import forget_settings


class _Proxy(BaseHTTPRequestHandler):
    """Passes pages on; what it answers to a handshake is `handshake`."""

    handshake = 101

    def do_GET(self) -> None:
        self.send_response(self.handshake if self.headers.get("Upgrade") else 200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@contextmanager
def proxy(handshake: int) -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), type("Proxy", (_Proxy,), {"handshake": handshake}))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def check_at(environment: pytest.MonkeyPatch, address: str) -> tuple[Level, str, str]:
    environment.setenv("CLUB_PUBLIC_URL", address)
    forget_settings()
    found = next(each for each in installation_checks.run_installation_checks() if each.name == "WebSocket")
    return found.level, found.text, found.mend


def test_a_proxy_that_cuts_websockets_is_named_with_its_settings(environment: pytest.MonkeyPatch) -> None:
    with proxy(101) as address:
        assert check_at(environment, address)[:2] == (Level.OK, f"ouvert à l’adresse {address}")
    with proxy(400) as address:
        level, told, mend = check_at(environment, address)
    assert (level, told) == (Level.FAILED, f"WebSocket bloqué à l’adresse {address} (réponse 400)")
    assert "proxy_set_header Upgrade $http_upgrade" in mend
    assert check_at(environment, address) == (Level.OK, f"pas essayé\u00a0: le site ne répond pas à {address}", "")
