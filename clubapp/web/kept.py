"""What is made once and given to all who ask for it, until something it is made of has changed."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from clubapp import clock
from clubapp.web import changes

T = TypeVar("T")
# What was asked for last; a page takes some 100 kB.
MOST = 64
_kept: dict[str, tuple[str, asyncio.Future[Any]]] = {}


async def kept(name: str, version: str, make: Callable[[], Awaitable[T]]) -> T:
    """What `make` gives: called once for a version, also when several ask while it runs. What fails is not kept.

    Names are ours, never a visitor's words: whoever invents them would push out what others ask for.
    """
    made_for, made = _kept.pop(name, ("", None))
    if made is None or made_for != version:
        made = asyncio.ensure_future(make())
        made.add_done_callback(lambda done: _forget_failure(name, done))
    _kept[name] = version, made
    while len(_kept) > MOST:
        del _kept[next(iter(_kept))]
    # Whoever leaves meanwhile does not take it from the others.
    return await asyncio.shield(made)


async def changes_and_minute() -> str:
    """A version of what shows data and depends on the time: events begin at whole minutes.

    Raises:
        SQLAlchemyError: when the database is away.
    """
    return f"{await changes.stamp()} {int(clock.now().timestamp()) // 60}"


def _forget_failure(name: str, made: asyncio.Future[Any]) -> None:
    if (made.cancelled() or made.exception()) and _kept.get(name, ("", None))[1] is made:
        del _kept[name]
