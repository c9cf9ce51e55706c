"""Answers race the freeze of the numbers, and whoever freezes is killed: one count, told at most once (D8; R2, R4).

CLUB_TEST_ROUNDS sets how often; `make soak` sets it high.
"""

import os
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email.message import EmailMessage

import pytest
from sqlmodel import col, func, select

from clubapp import clock
from clubapp.database import engine, reading, transaction
from clubapp.mail.transport.delivery import deliver
from clubapp.models import EventAnnouncement, EventReservation, OutboxMail
from clubapp.refusals import Conflict
from clubapp.services.answers import by_link
from clubapp.services.answers.answer_form import parse_answer
from clubapp.services.base.actors import SYSTEM
from clubapp.services.events import announcement
from tests.factories import add_event, add_member, add_reservation
from tests.smtp_server import Relay
from tests.soak import announcer
from tests.soak.processes import PROCESSES

ROUNDS = int(os.environ.get("CLUB_TEST_ROUNDS", "2"))
COOK, GUESTS = "chef@traiteur.example", 2
MEALS = re.compile(r"^Déjeuners\s: (\d+)(?: \((\d+) auparavant, ([+-]\d+)\))?$", re.MULTILINE)


def invite(people: int, month: int = 1) -> tuple[str, list[str]]:
    """An event whose caterer is to be told, and the tokens of who is invited; the first has said yes."""
    with transaction() as session:
        date = (clock.now() + timedelta(days=31 * month)).replace(
            hour=12
        )  # late on the last of a month is the next one
        event = add_event(session, "Souper", date, status="confirmed", caterer_email=f"{month}-{COOK}")
        members = [add_member(session, f"Membre {number}", None) for number in range(people)]
        first = {"will_attend": True, "with_lunch": True, "guest_count": GUESTS}
        given = [first, *({} for _ in range(people - 1))]
        rows = [add_reservation(session, event, one, **said) for one, said in zip(members, given, strict=True)]
        return event.id, [token for _, token in rows]


def count_coming(event_id: str) -> int:
    with reading() as session:
        coming = EventReservation.event_id == event_id, col(EventReservation.will_attend).is_(True)
        return session.exec(select(func.count()).select_from(EventReservation).where(*coming)).one()


def read_announcements(event_id: str) -> list[EventAnnouncement]:
    with reading() as session:
        own = select(EventAnnouncement).where(EventAnnouncement.event_id == event_id)
        return list(session.exec(own.order_by(col(EventAnnouncement.number))))


def read_difference(message: EmailMessage) -> int:
    """By how many meals a mail to the caterer differs from the one before; all of them in the first."""
    plain = message.get_body(("plain",))
    assert plain
    found = MEALS.search(plain.get_content().replace("\r\n", "\n"))
    assert found
    now, was, more = found.groups()
    assert was is None or int(was) + int(more) == int(now)
    is_first = "remplacent" not in plain.get_content()
    return int(more or (now if is_first else 0))


def freeze_elsewhere(event_id: str, seconds: float | None = None, handing: tuple[Relay, str] | None = None) -> float:
    """Let a process freeze and deliver, and kill it after that long, or when a relay has taken what goes to an address.

    Returns how long it lived, in seconds.
    """
    engine().dispose()
    told, tells = PROCESSES.Pipe(duplex=False)
    variables = {name: value for name, value in os.environ.items() if name.startswith("CLUB_")}
    process = PROCESSES.Process(target=announcer.run, args=(variables, event_id, tells))
    process.start()
    tells.close()
    told.recv_bytes()
    begun = time.monotonic()
    if handing is not None:
        relay, recipient = handing  # the message is taken all the same: only the answer reaches nobody
        relay.at_data = lambda address: process.kill() if address == recipient else None
    if seconds is not None:
        process.join(seconds)
        process.kill()
    process.join()
    return time.monotonic() - begun


@pytest.mark.slow
def test_an_answer_that_races_the_freeze_is_in_the_number_or_in_the_next_difference(relay: Relay) -> None:
    """Each answer is one member, two guests and three meals, and every other one is taken back later: a number that
    is not of one instant is not a multiple. Fails when the freeze does not hold the event.
    """
    event_id, tokens = invite(ROUNDS + 1)

    def answer(token: str, will_attend: bool) -> None:
        said = parse_answer(True, True, GUESTS) if will_attend else parse_answer(False)
        with transaction() as session:
            by_link.record_answer(session, event_id, token, said)

    def freeze() -> bool:
        try:
            with transaction() as session:
                announcement.announce(session, SYSTEM, event_id)
        except Conflict:  # nothing had changed yet
            return False
        return True

    def race(*acts: Callable[[], object]) -> None:
        start = threading.Barrier(len(acts))

        def run(act: Callable[[], object]) -> None:
            start.wait()
            act()

        for done in [pool.submit(run, act) for act in acts]:
            done.result()

    freeze()
    with ThreadPoolExecutor(3) as pool:
        for number in range(1, ROUNDS + 1):
            before = count_coming(event_id)
            acts = [lambda token=tokens[number]: answer(token, True), freeze]
            if number % 2 == 0:
                acts.append(lambda token=tokens[number - 1]: answer(token, False))
            race(*acts)
            told = read_announcements(event_id)[-1].present
            assert abs(told - before) <= 1 or told == count_coming(event_id), number
    freeze()
    deliver(until_empty=True)
    frozen = read_announcements(event_id)
    for row in frozen:
        people = len(row.people)
        assert (row.guests, row.meals, people) == (2 * row.present, 3 * row.present, 3 * row.present), row.number
    coming = count_coming(event_id)
    assert frozen[-1].meals == 3 * coming
    differences = [read_difference(message) for message in relay.accepted]
    assert len(differences) == len(frozen)
    assert sum(differences) == 3 * coming, "the differences that the caterer read add up to who comes"


@pytest.mark.slow
def test_whoever_freezes_is_killed_and_the_caterer_is_told_at_most_once(relay: Relay) -> None:
    """A round: a process that freezes and delivers is killed, at some moment of its life or when its message has been
    handed over and not yet acknowledged; another one finishes the work.

    Fails when numbers and mails are not of one transaction, or a message is handed over before that is committed.
    """
    chance = random.Random(time.time_ns())
    life = freeze_elsewhere(invite(2, month=ROUNDS + 1)[0])
    assert sum(relay.recipients.values()) == 1
    kills, handed_over = Counter[str](), list[str]()
    for number in range(1, ROUNDS + 1):
        event_id, _ = invite(2, month=number)
        if number % 2:
            freeze_elsewhere(event_id, chance.random() * life)
        else:
            freeze_elsewhere(event_id, handing=(relay, f"{number}-{COOK}"))
            handed_over.append(f"{number}-{COOK}")
        kills[f"{len(read_announcements(event_id))} frozen, {relay.recipients[f'{number}-{COOK}']} told"] += 1
        announcer.freeze(event_id)
        relay.at_data = lambda _: None
        deliver(until_empty=True)
        assert [row.number for row in read_announcements(event_id)] == [1]
    with reading() as session:
        states = dict(session.exec(select(OutboxMail.recipient, OutboxMail.state)).all())
    assert len(states) == ROUNDS + 1
    assert set(states.values()) <= {"sent", "uncertain"}
    assert set(relay.recipients.values()) <= {1}
    assert {(states[address], relay.recipients[address]) for address in handed_over} == {("uncertain", 1)}
    assert all(states[address] == "uncertain" for address in set(states) - set(relay.recipients))
    print(dict(kills), dict(Counter(states.values())))
