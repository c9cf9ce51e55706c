"""Whoever sends without pause is cut off, and nobody else waits (W5)."""

import socket
import uuid
from contextlib import suppress
from functools import partial

import pytest
from wsproto.utilities import LocalProtocolError

from tests.e2e.serving.hostile import hearing
from tests.e2e.several_servers import ask
from tests.e2e.site import Site
from tests.web.plain_socket import Closed, PlainSocket
from tests.web.tab import Tab

NO_MASK = bytes(4)
COUNT = 10_000_000  # far more than the buffers on the way take
CUT_OFF = r"reset|Broken pipe"
FRAMES = {"text": b"\x81\x81" + NO_MASK + b"3", "ping": b"\x89\x80" + NO_MASK, "fragment": b"\x00\x80" + NO_MASK}
DEEP = {
    "event": "42/_event," + "[" * 50_000,
    "connection": "40/_event," + '{"a":' * 15_000,
    "data": '42/_event,["event",' + "[" * 900 + "]" * 901,
}


def test_a_message_of_endless_depth_holds_up_nobody_and_fills_no_log(site: Site) -> None:
    before = len(site.log.read_text())
    with hearing(site) as hears:
        for kind, packet in DEEP.items():
            hears(kind, partial(_send_again_and_again, site, packet))
    with Tab(site.url) as tab:
        assert tab.hydrate()
    assert len(site.log.read_text()) - before < 5_000


def _send_again_and_again(site: Site, packet: str) -> None:
    with suppress(Closed, OSError, LocalProtocolError), Tab(site.url) as tab:
        for _ in range(20):
            tab.send_packet(packet)
        tab.hydrate()


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
