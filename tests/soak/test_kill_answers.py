"""kill -9 while people post answers: every answer that was confirmed is there, none is there twice (R1, R2).

CLUB_TEST_ROUNDS sets how often the process is killed; `make soak` sets it high: an event is then cut twenty times.
"""

import os
import random
import time
from collections import Counter
from contextlib import suppress

import pytest
from sqlmodel import select

from clubapp import tokens
from clubapp.database import engine, reading, transaction
from clubapp.models import EventReservation, OutboxMail, ReservationAnswer
from tests.factories import add_event, add_member, add_reservation
from tests.soak import answerer
from tests.soak.processes import PROCESSES

ROUNDS = int(os.environ.get("CLUB_TEST_ROUNDS", "2"))
KILLS = 2 if ROUNDS < 20 else 20
INVITED = 50 * KILLS

Confirmed = dict[str, dict[str, int]]


def invite() -> list[tuple[str, str]]:
    """The links of one event: its id and a token each."""
    with transaction() as session:
        event = add_event(session, status="confirmed")
        members = [add_member(session, f"Membre {n}", f"membre{n}@club.example") for n in range(INVITED)]
        return [(event.id, add_reservation(session, event, member)[1]) for member in members]


def answer_until_killed(links: list[tuple[str, str]], seconds: float) -> Confirmed:
    """Let a process take answers, kill it after a while, and keep what it had confirmed."""
    told, tells = PROCESSES.Pipe(duplex=False)
    variables = {name: value for name, value in os.environ.items() if name.startswith("CLUB_")}
    process = PROCESSES.Process(target=answerer.run, args=(variables, links, tells))
    process.start()
    tells.close()
    lines = [told.recv_bytes().decode()]  # the first answer stands: from here on, any moment
    time.sleep(seconds)
    process.kill()
    with suppress(EOFError):
        while True:
            lines.append(told.recv_bytes().decode())
    process.join()
    confirmed: Confirmed = {}
    for token, step, value in map(str.split, lines):
        confirmed.setdefault(token, {})[step] = int(value)
    return confirmed


def stored() -> Confirmed:
    """What the database holds, by the fingerprint of the token."""
    with reading() as session:
        rows = session.exec(select(EventReservation)).all()
    return {
        row.response_token: {
            "will_attend": int(bool(row.will_attend)),
            "with_lunch": int(bool(row.with_lunch)),
            "guest_count": row.guest_count,
        }
        for row in rows
    }


def twice() -> list[str]:
    """Whoever answered, was cut, and answered again, and has more than one answer or one confirmation for it."""
    with reading() as session:
        answers = Counter(session.exec(select(ReservationAnswer.reservation_id)).all())
        mails = Counter(session.exec(select(OutboxMail.reservation_id)).all())
    assert answers.keys() == mails.keys(), "no answer without its confirmation"
    return [str(who) for who in answers if (answers[who], mails[who]) != (1, 1)]


@pytest.mark.slow
@pytest.mark.parametrize("round_number", range(ROUNDS // KILLS))
def test_every_confirmed_answer_survives_a_kill(club: str, round_number: int) -> None:
    chance = random.Random(time.time_ns())
    links = invite()
    confirmed: Confirmed = {}
    for _ in range(KILLS):
        left = [link for link in links if "guest_count" not in confirmed.get(link[1], {})]
        chance.shuffle(left)
        if not left:
            break
        engine().dispose()
        for token, steps in answer_until_killed(left, chance.random() * 0.25).items():
            confirmed.setdefault(token, {}).update(steps)
    assert confirmed
    kept = stored()
    for token, steps in confirmed.items():
        row = kept[tokens.fingerprint(token)]
        assert steps.items() <= row.items(), (round_number, steps, row)
    assert twice() == [], "each person has one answer in the history, and one confirmation on its way"
    unasked = {row_token: row for row_token, row in kept.items() if row["guest_count"] and not row["will_attend"]}
    assert unasked == {}
