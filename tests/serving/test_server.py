"""What becomes of a worker that cannot begin, and of metrics where nothing is shared in memory."""

import multiprocessing
import os
import tempfile
import time
from pathlib import Path

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


def test_metrics_have_a_folder_where_the_shared_memory_is_not_for_this_account(
    environment: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment.setenv("PROMETHEUS_MULTIPROC_DIR", "")  # taken back after the test
    monkeypatch.setattr(os, "access", lambda *_: False)
    with server._metrics_folder(2):
        folder = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
        assert folder.is_dir()
        assert folder.parent == Path(tempfile.gettempdir())
