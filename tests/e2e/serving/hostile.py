"""What nobody means to send, and how long it holds up the others.

An answer that comes within LONGEST_PAUSE had no longer pause of the event loop in it. Where one takes longer, `/health`
is asked all the while; a pause that the input causes comes again, one of a busy machine does not, and so the shortest
of some attempts counts.
"""

import inspect
import json
import threading
import time
import typing
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from typing import Any

from clubapp.clubapp import app
from clubapp.web.security.guard import Access, access_of
from tests.e2e.several_servers import ask
from tests.e2e.site import Site
from tests.web.security.reports import HOSTILE
from tests.web.tab import Tab

LONGEST_PAUSE = 0.25  # seconds
ATTEMPTS = 4
# What expressions, parsers and limits may stumble upon when it comes again and again.
UNITS = ("a", "9", " ", "\\", '"', "<", "@", "a@", "a.", "/", "//[", "../", "%00", "&a=", ";q=", "0-0,", "\U0001f389")
WRONG = (None, True, -1, 10**300, 1e308, [], {}, "\0", "\ud800", "\x1b[2J\r\n\u202e")
Hears = Callable[[str, Callable[[], object]], None]


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


def send_all(tab: Tab, events: list[tuple[str, dict[str, Any]]]) -> None:
    """Send events, by name and arguments, and wait until they are worked off."""
    for name, payload in events:
        tab.send(name, **payload)
    tab.hydrate()
