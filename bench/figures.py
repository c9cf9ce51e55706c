"""How a measurement is told: what was measured, what came out, and what it stands beside."""

import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.e2e.site import ROOT
from tests.servers import free_port

# What serves the baselines, in one process: the same server as the site's.
UVICORN = [sys.executable, "-m", "uvicorn", "--no-access-log", "--log-level", "error"]


@contextmanager
def baseline(app: str, environment: dict[str, str]) -> Iterator[int]:
    """A baseline that answers `/health`, in one process: its port. `app` is what uvicorn is asked for."""
    port = free_port()
    words = [*UVICORN, "--port", str(port), *app.split()]
    process = subprocess.Popen(words, cwd=ROOT, env=environment, start_new_session=True)
    try:
        until = time.monotonic() + 60
        while not _is_there(port):
            if time.monotonic() > until or process.poll() is not None:
                raise SystemExit(f"{app} does not answer")
            time.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.wait()


def _is_there(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=10) as answer:
            return answer.status == 200
    except OSError:
        return False


@dataclass(frozen=True)
class Figure:
    """One line of the table; `baseline` names the comparison and its figure, from the same run."""

    what: str
    value: str
    baseline: str = ""


def table(figures: list[Figure]) -> str:
    """A Markdown table."""
    lines = ["| measured | figure | beside it, in the same run |", "| --- | --- | --- |"]
    return "\n".join([*lines, *(f"| {one.what} | {one.value} | {one.baseline} |" for one in figures)])


def percentile(values: list[float], share: float) -> float:
    """The value that a share of the others stays below."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]
