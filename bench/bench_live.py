"""How long an answer takes while twenty administrators watch the event, beside the same while nobody watches.

Fifty people answer each second over real websockets, at their own moments whatever the server does (an open loop). Each
screen has the dialog of the event open at its people and asks again as a browser does: each second, for the people each
other time. All of them look for two seconds and are hidden for two, so that both kinds of answers are given at the same
hour of a machine that is not always as quick. Nothing may be lost: what was confirmed is stored, and each screen ends
with the figures of the database.
"""

import multiprocessing
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from http.client import HTTPConnection
from multiprocessing.synchronize import Event as Signal
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from sqlmodel import col, select

from bench.figures import Figure, percentile
from clubapp import clock
from clubapp.database import reading, transaction
from clubapp.models import EventReservation, Member
from clubapp.pages.admin.events.detail_state import EventDetailState
from clubapp.pages.admin.events.people_state import PeopleState
from clubapp.services.access import sessions
from clubapp.services.demo import ADMIN_EMAIL
from tests.e2e.invitation_steps import database_of
from tests.e2e.site import Site
from tests.factories import add_event, add_reservation
from tests.web.answer_form import post_answer
from tests.web.tab import Tab

SCREENS, PER_SECOND, ANSWERS, TURNS = 20, 50, 600, 5
LIMIT = 2.0  # times the p99 with nobody watching
PEOPLE_AT_ONCE = 30
_TICK = 1.0
_LOOK = 2.0
_UNSETTLED = 0.2  # after each change, answers are of neither kind
_DETAIL, _PEOPLE = (state.get_full_name() for state in (EventDetailState, PeopleState))


@dataclass
class Answering:
    """What became of the answers: how long each took to be confirmed, from the moment it was due."""

    alone: list[float] = field(default_factory=list)
    watched: list[float] = field(default_factory=list)
    lost: int = 0

    @property
    def p99s(self) -> tuple[float, float]:
        """In milliseconds: while nobody watches, and while all screens do."""
        alone, watched = (percentile(waits, 0.99) * 1000 for waits in (self.alone, self.watched))
        return alone, watched


@dataclass(frozen=True)
class Signals:
    """What the screens are told: that they are open, to look or be hidden, that it is over."""

    ready: Signal
    looking: Signal
    over: Signal


def measure(folder: Path) -> list[Figure]:
    """The p99 of an answer with twenty screens, beside that with none, and what each screen saw in the end."""
    site = Site(folder / "live")
    site.data_dir.mkdir(parents=True, exist_ok=True)
    site.command("migrate")
    site.command("demo", "--members", str(ANSWERS))
    site.start()
    try:
        _answer_all(site, *_announce(site, days=600, only=60), lambda _is_watched: None)  # warm
        turns = [_turn(site, number) for number in range(TURNS)]
    finally:
        site.stop()
    alone, watched = zip(*(turn.p99s for turn in turns), strict=True)
    return [
        Figure(
            f"p99 of an answer, {PER_SECOND} a second, {SCREENS} administrators watching, median of {TURNS} turns",
            f"{median(watched):.0f} ms, all {TURNS * ANSWERS} stored and seen by {SCREENS} screens",
            f"{median(alone):.0f} ms with nobody watching; at most {LIMIT:.0f} times that",
        )
    ]


def _turn(site: Site, number: int) -> Answering:
    """The answers to one event, while the screens look and are hidden by turns."""
    event_id, tokens = _announce(site, days=700 + 70 * number)
    with database_of(site), transaction() as session:
        cookies = [sessions.open_session(session, ADMIN_EMAIL)[0] for _ in range(SCREENS)]
    spawn = multiprocessing.get_context("spawn")
    signals, seen = Signals(spawn.Event(), spawn.Event(), spawn.Event()), spawn.Queue()
    screens = spawn.Process(target=_watch, args=(site.url, event_id, cookies, signals, seen))
    screens.start()
    assert signals.ready.wait(60), "the screens did not open"

    def show(is_watched: bool) -> None:
        (signals.looking.set if is_watched else signals.looking.clear)()

    answering = _answer_all(site, event_id, tokens, show)
    show(True)
    signals.over.set()
    shown = seen.get(timeout=60)
    screens.join()
    assert answering.lost == 0, f"answers without a confirmation: {answering.lost}"
    stored = _stored(site, event_id)
    assert stored == ANSWERS, f"stored: {stored}"
    assert shown == [ANSWERS] * SCREENS, f"screens that saw something else in the end: {shown}"
    return answering


def _announce(site: Site, days: int, only: int = ANSWERS) -> tuple[str, list[str]]:
    """An event and the tokens of those invited to it."""
    with database_of(site), transaction() as session:
        event = add_event(session, date=clock.now() + timedelta(days=days), status="confirmed", has_lunch=False)
        members = session.exec(select(Member).limit(only)).all()
        return event.id, [add_reservation(session, event, member)[1] for member in members]


def _stored(site: Site, event_id: str) -> int:
    with database_of(site), reading() as session:
        coming = EventReservation.event_id == event_id, col(EventReservation.will_attend).is_(True)
        return len(session.exec(select(EventReservation.id).where(*coming)).all())


def _answer_all(site: Site, event_id: str, tokens: list[str], show: Callable[[bool], None]) -> Answering:
    """Everyone says yes, one each fiftieth of a second; `show` is told when the screens look, and when they do not."""
    done, waiting, lock = Answering(), list(enumerate(tokens)), threading.Lock()
    begun = time.perf_counter() + 2

    def person() -> None:
        connection = HTTPConnection("127.0.0.1", site.port)
        while True:
            with lock:
                if not waiting:
                    return
                number, token = waiting.pop(0)
            due = number / PER_SECOND
            time.sleep(max(0.0, begun + due - time.perf_counter()))
            confirmed = post_answer(connection, event_id, token, will_attend="true").status == 303
            waited = time.perf_counter() - begun - due
            with lock:
                done.lost += not confirmed
                if due % _LOOK >= _UNSETTLED:
                    (done.watched if _is_watched(due) else done.alone).append(waited)

    people = [threading.Thread(target=person) for _ in range(PEOPLE_AT_ONCE)]
    for each in people:
        each.start()
    for change in range(int(len(tokens) / PER_SECOND / _LOOK)):
        time.sleep(max(0.0, begun + change * _LOOK - time.perf_counter()))
        show(_is_watched(change * _LOOK))
    for each in people:
        each.join()
    return done


def _is_watched(due: float) -> bool:
    """Whether the screens look at that moment, in seconds after the first answer."""
    return int(due / _LOOK) % 2 == 1


def _watch(url: str, event_id: str, cookies: list[str], signals: Signals, seen: Any) -> None:
    """Twenty screens, asking again and again while they are looked at, until it is over and a few times more."""
    shown = [0] * len(cookies)
    opened = threading.Barrier(len(cookies) + 1)

    def screen(place: int) -> None:
        with Tab(url, cookie=f"session={cookies[place]}", path="/admin/events") as tab:
            tab.hydrate()
            tab.call(f"{_DETAIL}.show", event_id=event_id)
            tab.call(f"{_PEOPLE}.open")
            opened.wait()
            time.sleep(Random(place).uniform(0, 2 * _TICK))  # they were opened at any moment
            ticks, left = 0, 4
            while left:
                left -= signals.over.is_set()
                if signals.looking.is_set():
                    ticks += 1
                    tab.send(f"{_DETAIL}.follow" if ticks % 2 else f"{_PEOPLE}.keep_up")
                until = time.monotonic() + _TICK
                while (rest := until - time.monotonic()) > 0:
                    shown[place] = max(shown[place], _coming(tab.receive(rest)))

    threads = [threading.Thread(target=screen, args=(place,)) for place in range(len(cookies))]
    for thread in threads:
        thread.start()
    opened.wait()
    signals.ready.set()
    for thread in threads:
        thread.join()
    seen.put(shown)


def _coming(update: dict[str, Any] | None) -> int:
    """The tile 'Présents' in an update; 0 when it is not in it."""
    for name, values in ((update or {}).get("delta") or {}).items():
        if name == _DETAIL:
            return next((value["stats"]["total_attending"] for key, value in values.items() if "detail" in key), 0)
    return 0


if __name__ == "__main__":
    for figure in measure(Path(sys.argv[1])):
        print(figure)
