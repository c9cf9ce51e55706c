"""kill -9 in the middle of a mailing: nobody is forgotten, nobody receives it twice (R1, R2).

CLUB_TEST_ROUNDS sets how often a deliverer is killed; `make soak` sets it high: a mailing is then cut twenty times.
"""

import os
import random
import time
from collections import Counter
from multiprocessing.process import BaseProcess

import pytest

from clubapp.mail.queue import claims
from clubapp.mail.transport.delivery import CONNECTIONS, deliver
from tests.mail.mailings import ask_for_link, fates, invite
from tests.smtp_server import Relay
from tests.soak.deliverer import CRASHED, main
from tests.soak.processes import copies

ROUNDS = int(os.environ.get("CLUB_TEST_ROUNDS", "2"))
KILLS = min(ROUNDS, 20)
INVITED = 300 if ROUNDS > 2 else 120


def deliverer(*crash_point: str) -> BaseProcess:
    return copies.start(main, *crash_point)


def kill_at_a_random_moment(relay: Relay, chance: random.Random) -> None:
    """Kill a deliverer once the relay has a few more messages, give or take some milliseconds."""
    goal = len(relay.accepted) + chance.randrange(INVITED // (KILLS + 1))
    process = deliverer()
    while len(relay.accepted) < goal and process.is_alive():
        time.sleep(0.002)
    time.sleep(chance.random() * 0.05)
    process.kill()
    process.join()


@pytest.mark.slow
@pytest.mark.parametrize("mailing", range(ROUNDS // KILLS))
def test_killed_at_random_moments_a_mailing_reaches_everyone_once(relay: Relay, mailing: int) -> None:
    chance = random.Random(time.time_ns())
    invite(*(f"Membre {number}" for number in range(INVITED)))
    relay.seconds = 0.004
    for _ in range(KILLS):
        kill_at_a_random_moment(relay, chance)
    assert copies.ended(deliverer(), 120) == 0
    states = fates()
    by_state = Counter(states.values())
    assert by_state["sent"] + by_state["uncertain"] == INVITED
    assert by_state["uncertain"] <= KILLS * CONNECTIONS
    assert set(relay.recipients.values()) == {1}
    missing = set(states) - set(relay.recipients)
    assert {states[address] for address in missing} <= {"uncertain"}


def finish() -> None:
    """Deliver what is left, as soon as what the killed processes held is free."""
    while claims.count_waiting():
        deliver()
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("point", "state", "received", "links"),
    [
        ("before-claim", "sent", 1, 1),
        ("after-claim", "sent", 1, 1),
        ("mid-data", "uncertain", 0, 1),
        ("after-the-dot", "uncertain", 1, 2),
        ("after-250", "uncertain", 1, 2),
    ],
)
def test_each_crash_point_ends_in_its_stated_state_and_a_sign_in_mail_arrives_whatever_the_crash(
    relay: Relay, point: str, state: str, received: int, links: int
) -> None:
    """Fails when the hand-over is not committed before the message leaves: after the dot it would arrive twice."""
    invite("Marie Durand")
    assert copies.ended(deliverer(point), 30) == CRASHED
    ask_for_link()
    assert copies.ended(deliverer(point), 30) == CRASHED
    finish()
    invited, signing_in = "marie.durand@invites.example", "marie@durand.example"
    assert fates() == {invited: state, signing_in: "sent"}
    assert (relay.recipients[invited], relay.recipients[signing_in]) == (received, links)
