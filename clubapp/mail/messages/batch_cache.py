"""One look at the database for messages that are written out one after the other.

What the messages of a mailing show in common, such as the facts of their event, is read once in a look, and a look is
short. Whether a message may go out at all is read anew for each (M10).
"""

from collections.abc import Callable, Hashable
from typing import TypeVar

from sqlmodel import Session

_CACHE = "mail.glance"
T = TypeVar("T")


def begin_batch(session: Session) -> None:
    """From here on, and until the session ends, what is read in common is kept."""
    session.info[_CACHE] = {}


def read_once(session: Session, key: Hashable, read: Callable[[], T]) -> T:
    """What `read` gives, or gave to an earlier message of the look. Outside of one it is read each time."""
    kept = session.info.get(_CACHE)
    if kept is None:
        return read()
    if key not in kept:
        kept[key] = read()
    return kept[key]
