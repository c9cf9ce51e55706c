"""The end of the chain of acts as it was last seen, in a file of this machine: the database alone cannot deny it (T1).

The chain shows gaps and changes inside it. Acts removed at its end or its beginning, or a whole new chain, show against
what is kept here, which whoever writes the database alone does not reach.
"""

import json
import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from clubapp.settings import settings

NAME = "journal-vu.json"


def file() -> Path:
    """The file, in the data directory."""
    return settings().data_dir / NAME


def read_end() -> tuple[int, str] | None:
    """Number and hash of the last act that was seen; None when none was, or the file cannot be read."""
    try:
        kept = json.loads(file().read_text())
        return int(kept["number"]), str(kept["hash"])
    except (OSError, ValueError, TypeError, KeyError):
        return None


def read_days() -> list[tuple[int, datetime]]:
    """Number and instant of the last act that was seen on each day; none when the file cannot be read."""
    try:
        days = json.loads(file().read_text())["days"]
        return [(int(number), datetime.fromisoformat(at)) for number, at in days]
    except (OSError, ValueError, TypeError, KeyError):
        return []


def keep_end(number: int, entry_hash: str, at: datetime | None = None, kept_from: int = 1) -> None:
    """Keep an end that was verified, of an act of the instant `at`, and forget the days before the act `kept_from`.

    A disk that takes no more leaves the former one.
    """
    if read_end() == (number, entry_hash):
        return
    days = [day for day in read_days() if kept_from <= day[0] < number]
    if at is not None:
        days = [day for day in days if day[1].date() != at.date()] + [(number, at)]
    kept = {"number": number, "hash": entry_hash, "days": [(each, seen_at.isoformat()) for each, seen_at in days]}
    with suppress(OSError):
        file().parent.mkdir(parents=True, exist_ok=True)
        # Whole or not at all; under one name, so that a full disk is left with one draft.
        draft = file().with_name(f".{NAME}")
        with open(os.open(draft, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as new:
            json.dump(kept, new)
        os.replace(draft, file())


def forget_end() -> None:
    """The journal was replaced on purpose, by a restored backup."""
    file().unlink(missing_ok=True)
