"""A browser tab without the browser: speaks to the event socket, with whatever arguments it likes."""

import json
import time
from contextlib import suppress
from types import TracebackType
from typing import Any
from uuid import uuid4

from tests.web.plain_socket import Closed, PlainSocket

HYDRATE = "reflex___state____state.hydrate"
_NAMESPACE = "/_event"


class Tab:
    """One websocket connection, signed in when it is given a cookie; `source` is the address that it comes from."""

    def __init__(
        self,
        url: str,
        *,
        cookie: str = "",
        token: str = "",
        origin: str = "",
        path: str = "/",
        source: str = "",
        **headers: str,
    ) -> None:
        self.token, self.path = token or str(uuid4()), path
        given = {"Cookie": cookie, "Origin": origin, **headers}
        sent = [(name.encode(), value.encode()) for name, value in given.items() if value]
        address = f"{url.replace('http', 'ws', 1)}/_event/?EIO=4&transport=websocket&token={self.token}"
        self._socket = PlainSocket(address, sent, source)
        self._socket.receive(timeout=5)
        self._socket.send(f"40{_NAMESPACE},")
        self._socket.receive(timeout=5)

    def __enter__(self) -> "Tab":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def port(self) -> int:
        """The port of this end of the connection."""
        return self._socket.port

    def close(self) -> None:
        """Leave."""
        with suppress(Closed):
            self._socket.close()

    def is_closed_within(self, seconds: float) -> bool:
        """Whether the server ends the connection in that time."""
        until = time.monotonic() + seconds
        try:
            while (left := until - time.monotonic()) > 0:
                self._socket.receive(timeout=left)
        except Closed:
            return True
        return False

    def send(self, name: str, /, **payload: Any) -> None:
        """Send one event and wait for nothing."""
        event = {
            "name": name,
            "payload": payload,
            "router_data": {"pathname": self.path, "asPath": self.path, "query": {}},
        }
        self.send_packet(f"42{_NAMESPACE},{json.dumps(['event', event])}")

    def send_packet(self, packet: str) -> None:
        """Send one packet, whatever is in it."""
        self._socket.send(packet)

    def receive(self, seconds: float = 5) -> dict[str, Any] | None:
        """The next update, or None when none comes in time."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            message = self._socket.receive(timeout=left)
            if message is None:
                return None
            if message == "2":
                self._socket.send("3")
            elif isinstance(message, str) and message.startswith(f"42{_NAMESPACE},"):
                kind, *content = json.loads(message.removeprefix(f"42{_NAMESPACE},"))
                if kind == "event":
                    return content[0]
        return None

    def hydrate(self) -> dict[str, Any]:
        """Ask for the whole state of the tab: what any client can see."""
        return self.call(HYDRATE)[-1]

    def call(self, name: str, /, **payload: Any) -> list[dict[str, Any]]:
        """Send one event; the updates up to and including the hydrate that follows it."""
        self.send(name, **payload)
        if name != HYDRATE:
            self.send(HYDRATE)
        updates: list[dict[str, Any]] = []
        while (update := self.receive()) is not None:
            updates.append(update)
            if "is_hydrated_rx_state_" in update.get("delta", {}).get("reflex___state____state", {}):
                return updates
        raise AssertionError(f"no answer to {name}: {updates}")


def redirects(updates: list[dict[str, Any]]) -> list[str]:
    """Where the updates send the browser."""
    return [
        event["payload"]["path"]
        for update in updates
        for event in update.get("events", ())
        if event["name"] == "_redirect"
    ]
