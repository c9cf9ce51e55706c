"""How a measurement is told: what was measured, what came out, and what it stands beside."""

import sys
from dataclasses import dataclass

# What serves the baselines, in one process: the same server as the site's.
UVICORN = [sys.executable, "-m", "uvicorn", "--no-access-log", "--log-level", "error"]


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
