"""The programme of an event, found in its description: the lines that begin with an hour."""

import re
from dataclasses import dataclass

_HOUR = r"(\d{1,2})\s?[hH:]\s?(\d{2})?"
_LINE = re.compile(rf"[-–•*]?\s*(?:[àÀ]\s+)?{_HOUR}(?:\s*(?:-|–|—|à)\s*{_HOUR})?\s*(?:[-–—:,|]\s*|\s+)(\S.*)")


@dataclass(frozen=True)
class ProgrammeStep:
    """One line of a programme: '12:15' or '12:15 – 13:00', and what takes place."""

    hour: str
    what: str


@dataclass(frozen=True)
class ProgrammePart:
    """Some prose of a description, and the steps that follow it; either may be empty."""

    prose: str
    steps: tuple[ProgrammeStep, ...]


def read_parts(description: str) -> tuple[ProgrammePart, ...]:
    """The description in its order, as prose and the lines that begin with an hour."""
    parts: list[ProgrammePart] = []
    prose: list[str] = []
    steps: list[ProgrammeStep] = []
    for line in description.strip().splitlines():
        step = _parse(line)
        if steps and not step and line.strip():
            parts.append(ProgrammePart("\n".join(prose).strip(), tuple(steps)))
            prose, steps = [], []
        if step:
            steps.append(step)
        else:
            prose.append(line)
    return (*parts, ProgrammePart("\n".join(prose).strip(), tuple(steps))) if prose or steps else ()


def _parse(line: str) -> ProgrammeStep | None:
    found = _LINE.fullmatch(line.strip())
    if not found:
        return None
    hours = [_format(found[1], found[2]), _format(found[3], found[4]) if found[3] else ""]
    return None if None in hours else ProgrammeStep(" – ".join(filter(None, hours)), found[5])


def _format(hour: str, minute: str | None) -> str | None:
    is_hour = int(hour) < 24 and int(minute or 0) < 60
    return f"{int(hour):02d}:{minute or '00'}" if is_hour else None
