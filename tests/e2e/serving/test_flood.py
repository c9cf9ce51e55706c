"""Whoever sends without pause is cut off, and nobody else waits (W5)."""

import socket
import uuid

import pytest

from tests.e2e.several_servers import ask
from tests.e2e.site import Site
from tests.web.plain_socket import PlainSocket

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
