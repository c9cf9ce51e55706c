"""Processes killed again and again under people's answers: none is lost, nothing is done twice (R1, R2).

CLUB_TEST_ROUNDS above 2 takes the full measure: a thousand pages, a hundred answers a second for a minute.
"""

import os
from pathlib import Path

import pytest

from clubapp import frontend_build
from tests.soak.fire import Plan, run

IS_FULL = int(os.environ.get("CLUB_TEST_ROUNDS", "1")) > 2
PLAN = Plan() if IS_FULL else Plan(workers=2, pages=20, per_second=10, seconds=4, kill_every=2.5)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_whatever_is_killed_what_was_confirmed_is_stored_once(tmp_path: Path) -> None:
    """Fails when an answer is confirmed before its commit."""
    frontend_build.build()
    outcome = run(tmp_path / "site", PLAN)
    print(outcome)
    assert outcome.kills
    assert (outcome.missing, outcome.twice) == (0, 0), str(outcome)
    assert len(outcome.confirmed) + outcome.given_up == PLAN.answers
    assert len(outcome.confirmed) > PLAN.answers / 2
    assert outcome.mails
    # A page that gives up was told nothing. Beside other tests a new process may come too late for some.
    assert not (IS_FULL and outcome.given_up), str(outcome)
