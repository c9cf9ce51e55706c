"""What becomes of a worker that cannot begin."""

import multiprocessing
import time

import pytest

from clubapp.serving import server


def test_a_worker_that_cannot_begin_waits_before_it_ends(environment: pytest.MonkeyPatch) -> None:
    """Fails when workers whose settings no longer hold take each other's place as fast as they end."""
    environment.setenv("CLUB_PORT", "none")
    worker = multiprocessing.get_context("spawn").Process(target=server.application)
    begun = time.monotonic()
    worker.start()
    worker.join(60)
    assert worker.exitcode == 1
    assert time.monotonic() - begun >= server.WAITS_SECONDS
