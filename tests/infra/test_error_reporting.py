"""What a Sentry is told, by a real one's door: the error, and of no person, no machine and no secret."""

import json
import logging
import threading
import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import brotli
import pytest
import sentry_sdk

from clubapp import tokens
from clubapp.infra import error_reporting, logs

DECODERS = {"gzip": lambda body: zlib.decompress(body, 31), "br": brotli.decompress}


class Sink(HTTPServer):
    """Takes what is sent to `/api/1/envelope/`, as Sentry does."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Taker)
        self.bodies: list[str] = []

    @property
    def address(self) -> str:
        """For CLUB_SENTRY_DSN."""
        return f"http://public@127.0.0.1:{self.server_port}/1"

    def events(self) -> list[dict[str, Any]]:
        """What arrived, once everything has been sent."""
        sentry_sdk.flush(timeout=5)
        return [json.loads(body.splitlines()[2]) for body in self.bodies]


class _Taker(BaseHTTPRequestHandler):
    server: Sink

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        decoded = DECODERS.get(self.headers.get("Content-Encoding", ""), bytes)(body)
        self.server.bodies.append(decoded.decode())
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        """Says nothing."""


@pytest.fixture
def sink(environment: pytest.MonkeyPatch) -> Iterator[Sink]:
    """A Sentry that the settings name, and a logger that tells it."""
    server = Sink()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    environment.setenv("CLUB_SENTRY_DSN", server.address)
    (handler,) = error_reporting.log_handlers()
    log = logging.getLogger("clubapp")
    log.addHandler(handler)
    yield server
    log.removeHandler(handler)
    sentry_sdk.get_client().close(timeout=1)
    server.shutdown()
    server.server_close()


def fail(secret: str) -> None:
    private = f"marie.durand@club.example {secret}"
    _name = "".join(("Chan", "telle"))  # stands in no line of the source
    raise ValueError(f"no room for {private}, 06 12 34 56 78 nor +33353015501")


def test_an_error_arrives_under_its_reference_without_people_or_secrets(sink: Sink) -> None:
    token = tokens.derive("answer", "1")
    logs.begin_reference("C0FFEE00")
    try:
        fail(token)
    except ValueError as error:
        logs.log_unexpected(logging.getLogger("clubapp.web"), error)
    (event,) = sink.events()
    assert event["tags"] == {"reference": "C0FFEE00"}
    assert event["exception"]["values"][0]["type"] == "ValueError"
    assert event["exception"]["values"][0]["stacktrace"]["frames"][-1]["function"] == "fail"
    (told,) = sink.bodies
    for private in (token, "marie", "durand", "club.example", "12 34", "353015501", "Chantelle"):
        assert private not in told, private
    assert not {"user", "request", "server_name", "breadcrumbs", "modules"} & event.keys()


def test_what_is_no_error_goes_nowhere(sink: Sink) -> None:
    logging.getLogger("clubapp.web").warning("a client was cut off")
    assert sink.events() == []


@pytest.mark.usefixtures("environment")
def test_without_an_address_nothing_is_told_to_anyone() -> None:
    assert error_reporting.log_handlers() == []
