"""Whatever a visitor sends, or somebody signed in, nobody else waits for longer than a moment, and it comes to no error
of ours (W5).

What can be reached is read from the program itself: every handler by who may call it, every HTTP route of ours and of
Reflex. An answer that comes within LONGEST_PAUSE had no longer pause of the event loop in it. Where one
takes longer, `/health` is asked all the while; a pause that the input causes comes again, one of a busy machine does
not, and so the shortest of some attempts counts.
"""

import http.client
import inspect
import json
import re
import threading
import time
import typing
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from typing import Any
from urllib.parse import quote

import pytest
from starlette.routing import Route
from wsproto.utilities import LocalProtocolError

from clubapp.clubapp import app, own_routes
from clubapp.database import transaction
from clubapp.services import demo
from clubapp.services.access import sessions
from clubapp.serving.server import LARGEST_MESSAGE
from clubapp.web.security.address_limit import LONGEST_ADDRESS, LONGEST_PATH, TOO_LONG
from clubapp.web.security.guard import UNDECLARED, Access, access_of
from tests.e2e.invitation_steps import database_of
from tests.e2e.several_servers import ask
from tests.e2e.site import Site
from tests.web.plain_socket import Closed
from tests.web.security.reports import HOSTILE
from tests.web.tab import HYDRATE, Tab

LONGEST_PAUSE = 0.25  # seconds
ATTEMPTS = 4
AT_ONCE = 6  # events, for speed
EVENT = LARGEST_MESSAGE * 9 // 10  # characters of hostile text in one
BODY = 200_000
# What expressions, parsers and limits may stumble upon when it comes again and again.
UNITS = ("a", "9", " ", "\\", '"', "<", "@", "a@", "a.", "/", "//[", "../", "%00", "&a=", ";q=", "0-0,", "\U0001f389")
WRONG = (None, True, -1, 10**300, 1e308, [], {}, "\0", "\ud800", "\x1b[2J\r\n\u202e")
PARAMETERS = ("token", "q", "domaine", "page", "motif", "vue", "w", "date", "answer")
HEADERS = ("Accept", "Accept-Encoding", "Authorization", "Cookie", "If-None-Match", "Origin", "Range", "User-Agent")
Request = tuple[str, str, dict[str, str], bytes]


def texts(size: int) -> Iterator[str]:
    """Long texts, of so many characters in JSON."""
    for unit in UNITS:
        yield unit * (size // (len(json.dumps(unit)) - 2))
    yield f"a@{'a.' * (size // 2 - 2)}!"
    yield HOSTILE[: size // 2]


def values(size: int) -> list[Any]:
    """What no page of ours sends: long, nested, repeated, and of the wrong type."""
    nested: Any = "x"
    for level in range(400):
        nested = [nested] if level % 2 else {"a": nested}
    return [*texts(size), nested, ["x"] * (size // 6), {f"{n}": n for n in range(size // 20)}, *WRONG]


class Answers:
    """How long the slowest answer of `/health` took while a block ran."""

    def __init__(self, site: Site) -> None:
        self.slowest = 0.0
        self._site, self._is_over = site, threading.Event()
        self._asking = threading.Thread(target=self._ask)

    def __enter__(self) -> "Answers":
        self._asking.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._asking.join()

    def _ask(self) -> None:
        while not self._is_over.is_set():
            begun = time.monotonic()
            ask(self._site, "GET", "/health")
            self.slowest = max(self.slowest, time.monotonic() - begun)


def longest_pause(site: Site, act: Callable[[], object]) -> float:
    """The longest pause, in seconds, that an act causes: an upper limit, or the shortest that some attempts measure."""
    begun = time.monotonic()
    act()
    longest = time.monotonic() - begun
    for _ in range(ATTEMPTS):
        if longest < LONGEST_PAUSE:
            break
        with Answers(site) as answers:
            act()
        longest = min(longest, answers.slowest)
    return longest


Hears = Callable[[str, Callable[[], object]], None]


@pytest.fixture
def hears(site: Site) -> Iterator[Hears]:
    """Does what it is given, by a name, as `hearing` at the shared site."""
    with hearing(site) as do:
        yield do


@contextmanager
def hearing(site: Site) -> Iterator[Hears]:
    """Does what it is given, by a name; fails in the end for what held the others up, or left a trace in the log."""
    before, slow = len(site.log.read_text()), {}

    def do(name: str, act: Callable[[], object]) -> None:
        if (pause := longest_pause(site, act)) >= LONGEST_PAUSE:
            slow[name[:200]] = pause

    yield do
    assert not slow
    assert "Traceback" not in site.log.read_text()[before:]


def handlers(of: Container[Access | None]) -> dict[str, dict[str, Any]]:
    """Every event that the guard lets whoever has one of these accesses send, with the types of its arguments."""
    with app.set_contexts():
        known = app._registration_context.event_handlers
        reached = [name for name in sorted(known) if access_of(name) in of]
    found = {}
    for name in reached:
        hints = typing.get_type_hints(handler := known[name].handler.fn)
        found[name] = {each: hints[each] for each in inspect.signature(handler).parameters if each != "self"}
    return found


def payloads(declared: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Hostile arguments; for a form, also a plausible one with a hostile field."""
    if not declared:
        yield {"unknown": "a" * EVENT}
        return
    for value in values(EVENT // len(declared)):
        yield dict.fromkeys(declared, value)
    if any(typing.get_origin(hint) is dict for hint in declared.values()):
        for value in values(EVENT):
            yield {argument: {"email": value} for argument in declared}


def test_no_event_of_a_visitor_holds_up_the_others(site: Site, hears: Hears) -> None:
    found = handlers({Access.EVERYONE})
    assert len(found) > 20
    for name, declared in found.items():
        with Tab(site.url) as tab:
            hostile = list(payloads(declared))
            for start in range(0, len(hostile), AT_ONCE):
                hears(name, partial(_send_all, tab, name, hostile[start : start + AT_ONCE]))


def _send_all(tab: Tab, name: str, hostile: list[dict[str, Any]]) -> None:
    for payload in hostile:
        tab.send(name, **payload)
    tab.hydrate()


def test_forged_arguments_of_who_is_signed_in_are_refused_in_french_without_a_trace(
    own_site: Callable[..., Site],
) -> None:
    """Fails when a handler behind the sign-in is reached with arguments that it does not declare."""
    site = own_site()
    with database_of(site), transaction() as session:
        # A member too: reaches every handler.
        cookie = f"session={sessions.open_session(session, demo.SECOND_ADMIN_EMAIL)[0]}"
    found = handlers({access for access in Access if access is not Access.EVERYONE})
    assert len(found) > 250
    with hearing(site) as hears:
        for _, names in groupby(found, lambda name: name.rpartition(".")[0]):
            with Tab(site.url, cookie=cookie) as tab:
                assert [name for name in names if not _is_refused_in_french(tab, name)] == []
        for name, declared in found.items():
            if declared:
                with Tab(site.url, cookie=cookie) as tab:
                    hostile = [dict.fromkeys(declared, value) for value in ("a" * 3_000, *WRONG)]
                    hears(name, partial(_send_all, tab, name, hostile))


def _is_refused_in_french(tab: Tab, name: str) -> bool:
    tab.send(name, unknown=1)
    while update := tab.receive():
        if UNDECLARED in json.dumps(update, ensure_ascii=False):
            return True
    return False


def packets() -> Iterator[str]:
    """Whatever else goes over the socket: packets of engine.io, socket.io and Reflex."""
    page = {"pathname": "/", "asPath": "/", "query": {}}
    hydrate = {"name": HYDRATE, "payload": {}, "router_data": page}
    for value in values(EVENT):
        for event in (
            *({**hydrate, "router_data": {**page, part: value}} for part in (*page, "headers")),
            {**hydrate, "router_data": {**page, "query": {"token": value}}},
            *({**hydrate, part: value} for part in hydrate),
            value,
        ):
            yield f"42/_event,{json.dumps(['event', event])}"
        yield f"42/_event,{json.dumps(['client_error', {'error_type': value, 'message': value}])}"
        yield f"42/_event,{json.dumps(['event', value, value])}"
        yield f"42/_event,{json.dumps([value, value])}"
        yield from (f"{kind}/_event,{json.dumps(value)}" for kind in ("40", "42", "43", "451-"))
    for text in texts(EVENT):
        yield from (f"{start}{text}" for start in ("", "b", "4", "42", "42/_event,9", '42/_event,["event",'))


def test_no_packet_of_a_visitor_holds_up_the_others(site: Site, hears: Hears) -> None:
    tab = Tab(site.url)

    def send(packet: str) -> None:
        nonlocal tab
        try:
            tab.send_packet(packet)
            tab.hydrate()
        except (Closed, OSError, LocalProtocolError):
            tab.close()
            tab = Tab(site.url)

    for packet in packets():
        hears(packet, partial(send, packet))
    tab.close()


def requests() -> Iterator[Request]:
    """Hostile requests to every HTTP address: in path and parameters, in headers, in the body."""
    foreign = [route for route in app._api.routes if isinstance(route, Route)] if app._api else []
    known = {(method, route.path) for route in [*own_routes(), *foreign] for method in route.methods or ()}
    known |= {("GET", path) for path in ("/{any}", "/assets/{any}", "/{any}/")}
    assert len(known) > 80
    given = [quote(text, safe="/.%&=;,[]") for text in (*texts(LONGEST_PATH // 4), "\0", "a\r\nb")]
    for number, (method, path) in enumerate(sorted(known)):
        for text in given[number % 2 :: 2] if "{" in path else given[number % 4 :: 4]:
            part = text[:120].rpartition("%")[0] if "%" in text[118:120] else text[:120]
            yield method, f"{_filled(path, part)}?{'&'.join(f'{name}={part}' for name in PARAMETERS)}", {}, b""
        if method in ("POST", "PUT", "PATCH"):
            for body in bodies():
                yield method, _filled(path, "x"), {"Content-Type": "application/json"}, body
    for text in texts(LONGEST_ADDRESS):
        for path in ("/", "/membres", "/favicon.svg", "/member/data.json"):
            yield "GET", path, dict.fromkeys(HEADERS, text.encode().decode("latin-1")), b""
            yield "GET", path, {"Range": f"bytes={text}", "If-Range": text.encode().decode("latin-1")}, b""


def bodies() -> Iterable[bytes]:
    """Hostile bodies: fields of our forms with hostile values, what is no JSON, what is no text."""
    fields = ("access_token", "refresh_token", "nonce", "code", "testEmail", "type", "eventId", "broadcastId")
    for value in (*texts(1000), *WRONG):
        yield json.dumps(dict.fromkeys(fields, value)).encode()
    yield from (b"[" * BODY, b'{"a":' * BODY, b"9" * BODY, b"\xff" * BODY, b"choix=" * BODY, b"")


def _filled(path: str, text: str) -> str:
    return re.sub(r"{\w+(:\w+)?}", lambda _: text, path)


def test_no_request_of_a_visitor_holds_up_the_others(site: Site, hears: Hears) -> None:
    connection = http.client.HTTPConnection("localhost", site.port, timeout=20)
    broken = {}

    def send(method: str, target: str, headers: dict[str, str], body: bytes) -> None:
        try:
            connection.request(method, target, body or None, {"Accept": "text/html", "Origin": site.url, **headers})
            answer = connection.getresponse()
            answer.read()
            if answer.status >= 500:
                broken[method, target[:80], str(headers)[:80]] = answer.status
        except (OSError, ValueError, http.client.HTTPException):
            connection.close()

    for request in requests():
        hears(str(request), partial(send, *request))
    connection.close()
    assert not broken


def test_an_address_that_is_longer_than_any_of_ours_is_refused_in_french(site: Site) -> None:
    """Fails when what a visitor asks for is remembered, whatever its length, by each cache of routes on the way."""
    assert ask(site, "GET", f"/{'a' * LONGEST_PATH}") == (414, TOO_LONG)
    assert ask(site, "GET", f"/membres?q={'a' * LONGEST_ADDRESS}") == (414, TOO_LONG)
    assert ask(site, "GET", f"/membres?q={'a' * 1000}")[0] == 200
    with Tab(site.url, path=f"/{'a' * LONGEST_PATH}") as tab:
        tab.send(HYDRATE)
        assert tab.receive(seconds=1) is None
