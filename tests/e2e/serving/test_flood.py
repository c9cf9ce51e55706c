"""Whoever sends without pause is cut off, and nobody else waits (W5)."""

import socket
import time
import uuid
from contextlib import suppress

import pytest

from tests.e2e.several_servers import ask
from tests.e2e.site import Site
from tests.web.plain_socket import Closed, PlainSocket
from tests.web.security.reports import HOSTILE, REFLEX, REPORT
from tests.web.tab import Tab

NO_MASK = bytes(4)
COUNT = 10_000_000  # far more than the buffers on the way take
CUT_OFF = r"reset|Broken pipe"
FRAMES = {"text": b"\x81\x81" + NO_MASK + b"3", "ping": b"\x89\x80" + NO_MASK, "fragment": b"\x00\x80" + NO_MASK}


@pytest.mark.parametrize("kind", FRAMES)
def test_a_flood_of_frames_is_cut_off_and_the_others_are_served(site: Site, kind: str) -> None:
    """Fails when frames are counted as messages only, or read on after the connection is to end."""
    flood = PlainSocket(f"ws://localhost:{site.port}/_event/?EIO=4&transport=websocket&token={uuid.uuid4()}", [])
    if kind == "fragment":
        flood.send_raw(b"\x01\x80" + NO_MASK)  # a message that goes on and on
    with pytest.raises(OSError, match=CUT_OFF):
        flood.send_raw(FRAMES[kind] * COUNT)
    assert ask(site, "GET", "/health")[0] == 200
    flood.close()


def test_a_request_whose_head_never_ends_is_cut_off(site: Site) -> None:
    with socket.create_connection(("127.0.0.1", site.port)) as endless:
        endless.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ")
        with pytest.raises(OSError, match=CUT_OFF):
            endless.sendall(b"x" * COUNT)
    assert ask(site, "GET", "/health")[0] == 200


def slowest_answer(site: Site, seconds: float) -> float:
    """How long the slowest answer took, of those asked for one after the other in that time."""
    slowest, until = 0.0, time.monotonic() + seconds
    while (begun := time.monotonic()) < until:
        assert ask(site, "GET", "/health")[0] == 200
        slowest = max(slowest, time.monotonic() - begun)
    return slowest


@pytest.mark.parametrize("info", [HOSTILE, "\\" * 45_000], ids=["reload", "markup"])
def test_a_report_of_a_browser_holds_up_nobody(site: Site, info: str) -> None:
    """Fails when Reflex looks through all of what a visitor sends with its expressions: for hours, or a minute."""
    with Tab(site.url) as tab:
        tab.send(f"{REFLEX}.{REPORT}", info=info, component_stack=info[:1_000])
        assert slowest_answer(site, 2) < 0.5
        assert tab.hydrate()


def test_what_a_browser_reports_is_logged_and_makes_it_run_nothing(site: Site) -> None:
    """Fails when Reflex answers with a script: no policy of ours lets it run."""
    mark = uuid.uuid4().hex[:8]
    with Tab(site.url) as tab:
        updates = tab.call(f"{REFLEX}.{REPORT}", info=f"TypeError: null is not an object {mark}", component_stack=None)
    assert [event for update in updates for event in update.get("events") or ()] == []
    assert f"browser error: TypeError: null is not an object {mark}" in site.log.read_text()


DEEP = {
    "event": "42/_event," + "[" * 50_000,
    "connection": "40/_event," + '{"a":' * 15_000,
    "data": '42/_event,["event",' + "[" * 900 + "]" * 901,
}


@pytest.mark.parametrize("kind", DEEP)
def test_a_message_of_endless_depth_holds_up_nobody_and_fills_no_log(site: Site, kind: str) -> None:
    before = len(site.log.read_text())
    deep = PlainSocket(f"ws://localhost:{site.port}/_event/?EIO=4&transport=websocket&token={uuid.uuid4()}", [])
    deep.send("40/_event,")
    for _ in range(20):
        deep.send(DEEP[kind])
    assert slowest_answer(site, 1) < 0.5
    deep.close()
    with Tab(site.url) as tab:
        assert tab.hydrate()
    said = site.log.read_text()[before:]
    assert "Traceback" not in said
    assert len(said) < 5_000


def test_an_address_holds_so_many_connections_and_those_that_are_open_go_on(site: Site) -> None:
    here, tabs = "127.0.2.1", []
    with suppress(Closed):
        while len(tabs) < 300:
            tabs.append(Tab(site.url, source=here))
    assert 20 <= len(tabs) < 300
    assert tabs[0].hydrate()
    with Tab(site.url, source="127.0.2.2") as other:
        assert other.hydrate()
    for tab in tabs:
        tab.close()
    until = time.monotonic() + 10
    while time.monotonic() < until:
        with suppress(Closed), Tab(site.url, source=here) as again:
            assert again.hydrate()
            return
    raise AssertionError("nobody is let in again")
