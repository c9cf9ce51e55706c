"""A cache of the values of asynchronous functions, by name and version."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from clubapp import clock
from clubapp.web.documents import commit_stamp

T = TypeVar("T")
# Entries kept, least recently used dropped first; a page takes some 100 kB.
MOST = 64
_entries: dict[str, tuple[str, asyncio.Future[Any]]] = {}


async def get_or_make(name: str, version: str, make: Callable[[], Awaitable[T]]) -> T:
    """The value of `make`, called once per version, also for concurrent callers. A failure is not cached.

    Names never contain a visitor's text: invented ones would push out the entries that others need.
    """
    made_for, made = _entries.pop(name, ("", None))
    if made is None or made_for != version:
        made = asyncio.ensure_future(make())
        made.add_done_callback(lambda done: _forget_failure(name, done))
    _entries[name] = version, made
    while len(_entries) > MOST:
        del _entries[next(iter(_entries))]
    # A caller that is cancelled does not cancel it for the others.
    return await asyncio.shield(made)


async def read_minute_version() -> str:
    """A version of what shows data and depends on the time: events begin at whole minutes.

    Raises:
        SQLAlchemyError: when the database is away.
    """
    return f"{await commit_stamp.read_stamp()} {int(clock.now().timestamp()) // 60}"


def _forget_failure(name: str, made: asyncio.Future[Any]) -> None:
    if (made.cancelled() or made.exception()) and _entries.get(name, ("", None))[1] is made:
        del _entries[name]
