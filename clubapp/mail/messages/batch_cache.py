"""What the messages of one batch have in common, such as the facts of their event, read from the database once.

A batch is what is composed within one short session (`batch_composer`). Whether a message may leave at all is not
cached (M10).
"""

from collections.abc import Callable, Hashable
from typing import TypeVar

from sqlmodel import Session

_CACHE = "mail.batch_cache"
T = TypeVar("T")


def begin_batch(session: Session) -> None:
    """Keep what `read_once` reads from now on, until the session ends."""
    session.info[_CACHE] = {}


def read_once(session: Session, key: Hashable, read: Callable[[], T]) -> T:
    """The value of `read()`, kept under `key` for the rest of the batch. Outside of a batch it is read each time."""
    cache = session.info.get(_CACHE)
    if cache is None:
        return read()
    if key not in cache:
        cache[key] = read()
    return cache[key]
