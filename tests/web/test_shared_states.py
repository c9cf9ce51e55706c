"""A handler that is cancelled on its way in or out leaves its tab to whoever comes next (Redis; several processes)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import reflex as rx
from redis.asyncio import Redis
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken

from clubapp.web.shared_states import careful
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
async def states(url: str) -> AsyncIterator[StateManagerRedis]:
    made = careful(StateManagerRedis(redis=FarAway.from_url(url)))
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
