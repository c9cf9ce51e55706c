"""Reflex's state manager over Redis: locks cost less and are released on cancellation, visitors' states end soon."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from weakref import WeakValueDictionary

from reflex.istate.manager import StateManager
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken, StateToken
from reflex.state import BaseState, State

from clubapp.web.states.lifetime import VISITOR_SECONDS, is_visitors

# Seconds between two polls of a lock that another process holds; doubled each time.
_SOONEST, _LATEST = 0.002, 0.25


@dataclass
class PollingStateManager(StateManagerRedis):
    """Reflex's manager for states in Redis, with locks that cost less and are released on cancellation.

    Reflex makes every process listen to every lock that any of them takes or releases, which takes half of their time.
    Here the handlers of a tab queue within their process, and only the first polls Redis for the lock: two processes
    want one tab only while its page moves from one to the other.

    When a page closes, Reflex cancels its handlers. A handler cancelled while it takes or releases the lock would leave
    it held, and the next page of that tab would wait until the lock expires.
    """

    _under_way: set[asyncio.Task[Any]] = field(default_factory=set, init=False)
    _turns: WeakValueDictionary[bytes, asyncio.Lock] = field(default_factory=WeakValueDictionary, init=False)

    async def set_state(self, token: StateToken[Any], state: Any, **context: Any) -> None:
        """Store a state, that of a visitor for a shorter time."""
        manager = self._for_visitors if isinstance(state, BaseState) and is_visitors(state) else self
        await StateManagerRedis.set_state(manager, token, state, **context)

    async def keep(self, open_tabs: Iterable[str]) -> None:
        """Let the states of tabs that are open last for as long as those of visitors do from now, or longer."""
        classes = self._get_required_state_classes(State, subclasses=True)
        for ident in open_tabs:
            token, pipeline = BaseStateToken(ident=ident, cls=State), self.redis.pipeline(transaction=False)
            for state_class in classes:
                pipeline.expire(token._state_key(state_class), VISITOR_SECONDS, gt=True)
            await pipeline.execute()

    @cached_property
    def _for_visitors(self) -> StateManagerRedis:
        """This manager, but for how long what it stores is kept."""
        brief = copy(self)
        brief.token_expiration = VISITOR_SECONDS
        return brief

    def _ensure_lock_task(self) -> None:
        """No subscription: locks are polled."""

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
            async with _take_turn(turn, self.lock_expiration / 1000), super()._lock(token, event_name) as lock_id:
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
async def _take_turn(turn: asyncio.Lock, seconds: float) -> AsyncIterator[None]:
    """Wait for the lock of this process, at most as long as a Redis lock lasts; then go on without it."""
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


def replace_state_manager(states: StateManager) -> StateManager:
    """The manager to use in place of Reflex's; the same one where the states are not in Redis."""
    if not isinstance(states, StateManagerRedis):
        return states
    if states._lock_task:
        states._lock_task.cancel()
    # Each new connection would read the library's version from disk to report it to Redis.
    states.redis.get_connection_kwargs()["driver_info"] = None
    return PollingStateManager(
        redis=states.redis,
        token_expiration=states.token_expiration,
        lock_expiration=states.lock_expiration,
        lock_warning_threshold=states.lock_warning_threshold,
    )
