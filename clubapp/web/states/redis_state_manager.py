"""What the open tabs show, where several processes share it in Redis."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakValueDictionary

from reflex.istate.manager import StateManager
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import StateToken

# How soon a lock that another process holds is asked for again, in seconds: longer each time.
_SOONEST, _LATEST = 0.002, 0.25


@dataclass
class SharedStates(StateManagerRedis):
    """Reflex's own manager, with locks that cost less and that no cancelled handler leaves behind.

    Reflex has every process listen to every lock that any of them takes or gives back, which fills half of their time.
    Here the handlers of a tab stand in line within their process, and only the first asks Redis for the lock, again and
    again: two processes want one tab only while its page moves from one to the other.

    When a page goes, Reflex cancels what it began. Cancelled while it asks for the lock of its tab or while it gives
    it back, a handler would leave it behind, and the next page of that tab would stand still until it expires.
    """

    _under_way: set[asyncio.Task[Any]] = field(default_factory=set, init=False)
    _turns: WeakValueDictionary[bytes, asyncio.Lock] = field(default_factory=WeakValueDictionary, init=False)

    def _ensure_lock_task(self) -> None:
        """Nothing is listened to."""

    async def _wait_lock(self, lock_key: bytes, lock_id: bytes) -> None:
        pause = _SOONEST
        while not await self._try_get_lock(lock_key, lock_id):
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LATEST)

    async def _try_get_lock(self, lock_key: bytes, lock_id: bytes) -> bool | None:
        asked = self._see_through(super()._try_get_lock(lock_key, lock_id))
        try:
            return await asyncio.shield(asked)
        except asyncio.CancelledError:
            self._see_through(self._give_back(lock_key, lock_id, asked))
            raise

    @asynccontextmanager
    async def _lock(self, token: StateToken[Any], event_name: str | None = None) -> AsyncIterator[bytes]:
        lock_id = b""
        turn = self._turns.setdefault(self._lock_key(token), asyncio.Lock())
        try:
            async with _patient(turn, self.lock_expiration / 1000), super()._lock(token, event_name) as lock_id:
                yield lock_id
        except asyncio.CancelledError:
            if lock_id:
                self._see_through(self._give_back(self._lock_key(token), lock_id))
            raise

    async def _give_back(self, lock_key: bytes, lock_id: bytes, asked: asyncio.Task[bool | None] | None = None) -> None:
        if asked:
            await asked
        if await self.redis.get(lock_key) == lock_id:
            await self.redis.delete(lock_key)

    def _see_through(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task


@asynccontextmanager
async def _patient(turn: asyncio.Lock, seconds: float) -> AsyncIterator[None]:
    """One's turn, but whoever does not come back keeps the others no longer than their lock would."""
    try:
        async with asyncio.timeout(seconds):
            await turn.acquire()
    except TimeoutError:
        yield
        return
    try:
        yield
    finally:
        turn.release()


def careful(states: StateManager) -> StateManager:
    """The manager to use in place of Reflex's; the same one where the states are not in Redis."""
    if not isinstance(states, StateManagerRedis):
        return states
    if states._lock_task:
        states._lock_task.cancel()
    # When many pages come back many connections are made. What each tells Redis of its library is read from disk.
    states.redis.get_connection_kwargs()["driver_info"] = None
    return SharedStates(
        redis=states.redis,
        token_expiration=states.token_expiration,
        lock_expiration=states.lock_expiration,
        lock_warning_threshold=states.lock_warning_threshold,
    )
