"""Whatever a visitor sends, nobody else waits for longer than a moment, and it comes to no error of ours (W5).

What can be reached is read from the program itself: every handler by who may call it, every HTTP route of ours and of
Reflex. What somebody signed in forges, `test_guard_matrix.py` sends.
"""

import http.client
import json
import re
import typing
import uuid
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any
from urllib.parse import quote

import pytest
from starlette.routing import Route
from wsproto.utilities import LocalProtocolError

from clubapp.clubapp import app, own_routes
from clubapp.serving.server import LARGEST_MESSAGE
from clubapp.web.security.address_limit import LONGEST_ADDRESS, LONGEST_PATH, TOO_LONG
from clubapp.web.security.guard import Access
from tests.e2e.serving.hostile import WRONG, handlers, hearing, send_all, texts, values
from tests.e2e.several_servers import ask
from tests.e2e.site import Site
from tests.web.plain_socket import Closed
from tests.web.security.reports import REFLEX, REPORT
from tests.web.tab import HYDRATE, Tab

AT_ONCE = 6  # events, for speed
EVENT = LARGEST_MESSAGE * 9 // 10  # characters of hostile text in one
BODY = 200_000
PARAMETERS = ("token", "q", "domaine", "page", "motif", "vue", "w", "date", "answer")
HEADERS = ("Accept", "Accept-Encoding", "Authorization", "Cookie", "If-None-Match", "Origin", "Range", "User-Agent")
Request = tuple[str, str, dict[str, str], bytes]
Hears = Callable[[str, Callable[[], object]], None]


@pytest.fixture
def hears(site: Site) -> Iterator[Hears]:
    """Does what it is given, by a name, as `hearing` at the shared site."""
    with hearing(site) as do:
        yield do


def test_what_a_browser_reports_is_logged_and_makes_it_run_nothing(site: Site) -> None:
    """Fails when Reflex answers with a script: no policy of ours lets it run. First: of many, few are logged."""
    mark = uuid.uuid4().hex[:8]
    with Tab(site.url) as tab:
        updates = tab.call(f"{REFLEX}.{REPORT}", info=f"TypeError: null is not an object {mark}", component_stack=None)
    assert [event for update in updates for event in update.get("events") or ()] == []
    assert f"browser error: TypeError: null is not an object {mark}" in site.log.read_text()


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
    assert f"{REFLEX}.{REPORT}" in found  # which Reflex looks through with its expressions, for hours
    for name, declared in found.items():
        with Tab(site.url) as tab:
            hostile = [(name, payload) for payload in payloads(declared)]
            for start in range(0, len(hostile), AT_ONCE):
                hears(name, partial(send_all, tab, hostile[start : start + AT_ONCE]))


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
    known -= {("HEAD", path) for method, path in known if method == "GET"}  # what answers both is one
    known |= {("GET", path) for path in ("/{any}", "/assets/{any}", "/{any}/")}
    assert len(known) > 70
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
        tab.path = "/membres"
        assert "a" * LONGEST_PATH not in json.dumps(tab.hydrate())  # which would be the second answer
