"""People who post answers while processes are killed: `python -m tests.soak.fire FOLDER [WORKERS …]`.

Each connects again when it is cut off and posts again until it is answered, as the page does. In the end every
answer that was confirmed is stored, once, and every mail has left at most once (R1, R2).
"""

import multiprocessing
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from http.client import HTTPConnection, HTTPException
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sqlmodel import col, select

from bench.figures import percentile
from clubapp import clock, routes, tokens
from clubapp.database import reading, transaction
from clubapp.mail.transport.delivery import CONNECTIONS
from clubapp.models import EventReservation, ReservationAnswer
from clubapp.services.base.actors import SYSTEM
from clubapp.services.events import invitations
from tests.e2e.invitation_steps import database_of
from tests.e2e.several_servers import Several, kill, several
from tests.factories import add_event, add_member, add_reservation
from tests.web.answer_form import post_answer

CLIENTS = 2  # processes, so that the people are not slower than the site
PATIENCE = 60  # seconds until somebody gives an answer up
Link = tuple[str, str]


@dataclass(frozen=True)
class Plan:
    """How much, for how long, and how often a process is killed (0: never)."""

    workers: int = 4
    pages: int = 1000
    per_second: int = 100
    seconds: int = 60
    kill_every: float = 10

    @property
    def answers(self) -> int:
        """Answers in all."""
        return self.per_second * self.seconds


@dataclass(frozen=True)
class _Signals:
    """What the processes of the people and the one that kills tell each other."""

    open_pages: Any  # a barrier: every page is open
    go: Any  # the instant of the first answer
    told: Any  # a queue: what became of them


@dataclass
class Outcome:
    """What the people saw, and what is there in the end."""

    confirmed: list[str] = field(default_factory=list)  # tokens
    waits: list[float] = field(default_factory=list)  # seconds from the moment an answer was due
    given_up: int = 0
    kills: int = 0
    missing: int = 0  # confirmed and not stored
    twice: int = 0  # people with two answers in the history, or two mails of one kind
    mails: int = 0

    def __str__(self) -> str:
        p50, p99 = (percentile(self.waits, share) * 1000 for share in (0.5, 0.99))
        return (
            f"{len(self.confirmed)} answers confirmed, {self.given_up} given up, {self.missing} lost, "
            f"{self.twice} doubled, {self.mails} mails, {self.kills} kills; p50 {p50:.0f} ms, p99 {p99:.0f} ms"
        )


def run(folder: Path, plan: Plan) -> Outcome:
    """One site under fire, and what became of every answer."""
    with several(folder, plan.workers) as made:
        links = _invite(made, plan)
        outcome = _under_fire(made, plan, links)
        _look(made, outcome)
    return outcome


def _invite(made: Several, plan: Plan) -> list[Link]:
    """As many invitations as answers, spread over events: each page has one person, invited to several."""
    events = -(-plan.answers // plan.pages)
    with database_of(made.site), transaction() as session:
        people = [add_member(session, f"Membre {n}", f"membre{n}@fire.example") for n in range(plan.pages)]
        moments = [clock.now() + timedelta(days=4000 + 40 * n) for n in range(events)]
        invited = [
            [(event.id, add_reservation(session, event, person)[1]) for person in people]
            for event in (add_event(session, date=date, status="confirmed", has_lunch=False) for date in moments)
        ]
    return list(chain(*invited))[: plan.answers]


def _under_fire(made: Several, plan: Plan, links: list[Link]) -> Outcome:
    spawn = multiprocessing.get_context("spawn")
    signals = _Signals(spawn.Barrier(CLIENTS + 1), spawn.Value("d", 0.0), spawn.Queue())
    given = [(made.site.url, plan, number, links, signals) for number in range(CLIENTS)]
    clients = [spawn.Process(target=_client, args=each) for each in given]
    for client in clients:
        client.start()
    signals.open_pages.wait(600)
    _begin_mailing(made, plan)
    signals.go.value = time.time() + 1
    outcome = Outcome()
    while any(client.is_alive() for client in clients) and signals.told.qsize() < CLIENTS:
        time.sleep(plan.kill_every or 1)
        if plan.kill_every and time.time() < signals.go.value + plan.seconds:
            kill(random.choice(made.workers))
            outcome.kills += 1
    for _ in clients:
        confirmed, waits, given_up = signals.told.get(timeout=PATIENCE)
        outcome.confirmed += confirmed
        outcome.waits += waits
        outcome.given_up += given_up
    for client in clients:
        client.join()
    return outcome


def _begin_mailing(made: Several, plan: Plan) -> None:
    """Everyone is written to meanwhile, by a relay slow enough for processes to be killed in the middle of it."""
    with database_of(made.site), transaction() as session:
        event = add_event(session, date=clock.now() + timedelta(days=3900), status="confirmed")
        queued = invitations.send_invitations(session, SYSTEM, event.id).queued
    made.relay.seconds = CONNECTIONS * plan.workers * plan.seconds / 2 / queued


def _client(url: str, plan: Plan, number: int, links: list[Link], signals: _Signals) -> None:
    """Some of the people, each before a page of their own."""
    confirmed: list[str] = []
    waits: list[float] = []
    given_up: list[str] = []

    def person(place: int, mine: Sequence[tuple[int, Link]], ready: threading.Barrier) -> None:
        page = _Page(url, mine[0][1], f"127.0.3.{1 + place // 20}")
        ready.wait()
        while not signals.go.value:
            time.sleep(0.01)
        for turn, link in mine:
            due = signals.go.value + turn / plan.per_second
            time.sleep(max(0.0, due - time.time()))
            if page.answer(link):
                confirmed.append(link[1])
                waits.append(time.time() - due)
            else:
                given_up.append(link[1])

    turns = list(enumerate(links))
    places = range(number, plan.pages, CLIENTS)
    ready = threading.Barrier(len(places) + 1)
    threads = [threading.Thread(target=person, args=(place, turns[place :: plan.pages], ready)) for place in places]
    for thread in threads:
        thread.start()
        time.sleep(0.01)
    ready.wait(600)
    signals.open_pages.wait(600)
    for thread in threads:
        thread.join()
    signals.told.put((confirmed, waits, len(given_up)))


class _Page:
    """One open answer page: it connects and posts again for as long as it takes."""

    def __init__(self, site: str, link: Link, source: str) -> None:
        self._address, self._source = urlsplit(site), source
        self._connection: HTTPConnection | None = None
        self._try(lambda: self._open(link))

    def answer(self, link: Link) -> bool:
        """Say yes; whether it was confirmed in the end."""
        return self._try(lambda: self._press(link))

    def _try(self, act: Callable[[], bool]) -> bool:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with suppress(OSError, HTTPException):
                if act():
                    return True
            if self._connection:
                self._connection.close()
            self._connection = None
            time.sleep(0.2 + random.random() * 0.2)
        return False

    def _connected(self) -> HTTPConnection:
        if self._connection is None:
            place = self._address.hostname or "", self._address.port
            self._connection = HTTPConnection(*place, timeout=10, source_address=(self._source, 0))
        return self._connection

    def _open(self, link: Link) -> bool:
        connection = self._connected()
        connection.request("GET", f"{routes.answer(link[0])}?token={link[1]}")
        answer = connection.getresponse()
        answer.read()
        return answer.status == 200

    def _press(self, link: Link) -> bool:
        return post_answer(self._connected(), *link, will_attend="true").status == 303


def _look(made: Several, outcome: Outcome) -> None:
    """Compare what was confirmed with what is there."""
    time.sleep(3)  # the last confirmations leave
    with database_of(made.site), reading() as session:
        coming = select(EventReservation.response_token).where(col(EventReservation.will_attend).is_(True))
        stored = set(session.exec(coming))
        answers = Counter(session.exec(select(ReservationAnswer.reservation_id)))
    mails = Counter(str(mail["Message-ID"]) for mail in list(made.relay.accepted))
    outcome.missing = sum(tokens.fingerprint(token) not in stored for token in outcome.confirmed)
    outcome.twice = sum(count > 1 for count in chain(answers.values(), mails.values()))
    outcome.mails = len(mails)


if __name__ == "__main__":
    print(run(Path(sys.argv[1]), Plan(*(int(word) for word in sys.argv[2:]))))
