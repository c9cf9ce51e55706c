"""The handlers of a tab take turns, and one that is cancelled leaves its tab to the next (Redis; several processes)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import reflex as rx
from redis.asyncio import Redis
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken

from clubapp.web.states.redis_state_manager import replace_state_manager
from tests.conftest import a_redis

SLOW = 0.1
TAB = BaseStateToken(ident="a-tab", cls=rx.State)


class FarAway(Redis):
    """A server whose replies take their time; what was asked is done meanwhile."""

    async def set(self, *args: Any, **options: Any) -> Any:
        done = await super().set(*args, **options)
        await asyncio.sleep(SLOW)
        return done

    async def getdel(self, *args: Any, **options: Any) -> Any:
        await asyncio.sleep(SLOW)
        return await super().getdel(*args, **options)


@asynccontextmanager
async def states(url: str, client: type[Redis] = FarAway) -> AsyncIterator[StateManagerRedis]:
    made = replace_state_manager(StateManagerRedis(redis=client.from_url(url)))
    assert isinstance(made, StateManagerRedis)
    yield made
    await made.close()


async def hold(manager: StateManagerRedis, seconds: float) -> None:
    async with manager.modify_state(TAB):
        await asyncio.sleep(seconds)


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(SLOW / 2, id="on its way in"),
        pytest.param(SLOW * 1.5, id="at work"),
        pytest.param(SLOW * 2.5, id="on its way out"),
    ],
)
def test_a_cancelled_handler_leaves_the_tab_to_the_next(after: float) -> None:
    async def cancelled_then_next(url: str) -> None:
        async with states(url) as manager:
            handler = asyncio.create_task(hold(manager, SLOW))
            await asyncio.sleep(after)
            handler.cancel()
            with pytest.raises(asyncio.CancelledError):
                await handler
            await asyncio.wait_for(hold(manager, 0), 5)

    with a_redis() as server:
        asyncio.run(cancelled_then_next(server.new_database()))


def test_handlers_of_one_tab_take_turns_whatever_their_process() -> None:
    """Fails when two are at work at once, or one of a process passes another."""
    at_work, turns = 0, list[tuple[str, int]]()

    async def handle(manager: StateManagerRedis, process: str, number: int) -> None:
        nonlocal at_work
        async with manager.modify_state(TAB):
            at_work += 1
            assert at_work == 1
            await asyncio.sleep(0.005)
            turns.append((process, number))
            at_work -= 1

    async def two_processes(url: str) -> None:
        async with states(url, Redis) as one, states(url, Redis) as other:
            all_of_it = [handle(manager, name, n) for n in range(20) for manager, name in ((one, "a"), (other, "b"))]
            await asyncio.wait_for(asyncio.gather(*all_of_it), 20)

    with a_redis() as server:
        asyncio.run(two_processes(server.new_database()))
    for process in "ab":
        assert [number for name, number in turns if name == process] == list(range(20))


def test_a_handler_that_does_not_come_back_keeps_its_tab_no_longer_than_its_lock() -> None:
    """Fails when the next handler of the same process waits for its turn without end."""

    async def stuck_then_next(url: str) -> None:
        redis = Redis.from_url(url)
        manager = replace_state_manager(StateManagerRedis(redis=redis, lock_expiration=300, lock_warning_threshold=200))
        assert isinstance(manager, StateManagerRedis)
        stuck = asyncio.create_task(hold(manager, 60))
        await asyncio.sleep(0.05)
        await asyncio.wait_for(hold(manager, 0), 5)
        stuck.cancel()
        await asyncio.gather(stuck, return_exceptions=True)
        await manager.close()

    with a_redis() as server:
        asyncio.run(stuck_then_next(server.new_database()))


def test_no_process_is_told_of_the_locks_of_all() -> None:
    async def listeners(url: str) -> int:
        async with states(url, Redis) as manager:
            await asyncio.gather(hold(manager, 0.01), hold(manager, 0.01))
            return await manager.redis.pubsub_numpat()

    with a_redis() as server:
        assert asyncio.run(listeners(server.new_database())) == 0
