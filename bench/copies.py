"""Processes of their own that have our modules at once: copies of one that imported them, which takes half a second."""

import multiprocessing
import os
from collections.abc import Callable
from multiprocessing.process import BaseProcess

from tests.conftest import forget_settings

_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(["tests.soak.deliverer", "tests.soak.racer"])


def start(main: Callable[..., None], *words: str) -> BaseProcess:
    """A process that runs `main(*words)` with this one's environment, and nothing else of it."""
    process = _SERVER.Process(target=_run, args=(dict(os.environ), main, words))
    process.start()
    return process


def ended(process: BaseProcess, seconds: float) -> int | None:
    """Its exit code, None when it has not ended in time."""
    process.join(seconds)
    return process.exitcode


def _run(environment: dict[str, str], main: Callable[..., None], words: tuple[str, ...]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    forget_settings()
    main(*words)
