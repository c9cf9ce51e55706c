"""What the open tabs show, where several processes share it in Redis."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from reflex.istate.manager import StateManager
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import StateToken


@dataclass
class SharedStates(StateManagerRedis):
    """Reflex's own manager, but no handler that is cancelled leaves its tab locked.

    When a page goes, Reflex cancels what it began. Cancelled while it asks for the lock of its tab or while it gives
    it back, a handler would leave it behind, and the next page of that tab would stand still until it expires.
    """

    _under_way: set[asyncio.Task[Any]] = field(default_factory=set, init=False)

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
        try:
            async with super()._lock(token, event_name) as lock_id:
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


def careful(states: StateManager) -> StateManager:
    """The manager to use in place of Reflex's; the same one where the states are not in Redis."""
    if not isinstance(states, StateManagerRedis):
        return states
    return SharedStates(
        redis=states.redis,
        token_expiration=states.token_expiration,
        lock_expiration=states.lock_expiration,
        lock_warning_threshold=states.lock_warning_threshold,
    )
