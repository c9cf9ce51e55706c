"""The state of a visitor who has left goes soon; those of open tabs and of signed-in people stay."""

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import pytest
import reflex as rx
from redis.asyncio import Redis
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken

from clubapp.web.security.guard import SESSION_HEADER
from clubapp.web.states import lifetime, lifetime_watch
from clubapp.web.states.lifetime import VISITOR_SECONDS, drop_left_states
from clubapp.web.states.redis_state_manager import PollingStateManager, replace_state_manager
from tests.conftest import a_redis

HOUR = 3600


def tab(name: str) -> BaseStateToken:
    return BaseStateToken(ident=name, cls=rx.State)


async def use(states: Any, *names: str, session: str = "") -> None:
    for name in names:
        async with states.modify_state(tab(name)) as state:
            state.router_data = {"headers": {SESSION_HEADER: session} if session else {"host": "club"}}


def test_the_state_of_a_visitor_who_has_left_goes_after_five_minutes_without_an_event() -> None:
    async def leave() -> None:
        states, now = StateManagerMemory(token_expiration=HOUR), time.time()
        await use(states, "left", "open")
        await use(states, "signed in", session="s")
        drop_left_states(states, {"open"}, now + VISITOR_SECONDS - 60)
        assert set(states.states) == {"left", "open", "signed in"}
        async with states.modify_state(tab("left")):
            drop_left_states(states, {"open"}, now + VISITOR_SECONDS + 60)
            assert "left" in states.states
        drop_left_states(states, {"open"}, now + VISITOR_SECONDS + 60)
        assert set(states.states) == {"open", "signed in"}
        await states.close()

    asyncio.run(leave())


def test_of_the_visitors_who_have_left_the_newest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails when connections that come and go without a pause fill the memory within five minutes."""
    monkeypatch.setattr(lifetime, "MOST_LEFT", 2)

    async def attack() -> None:
        states = StateManagerMemory(token_expiration=HOUR)
        await use(states, "1", "2", "3", "4")
        drop_left_states(states, {"1"}, time.time())
        assert set(states.states) == {"1", "3", "4"}
        await states.close()

    asyncio.run(attack())


def test_many_who_have_left_go_in_parts_the_oldest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails when thousands of states are freed at once: nobody else is answered meanwhile."""
    monkeypatch.setattr(lifetime, "MOST_AT_ONCE", 2)

    async def leave() -> None:
        states, later = StateManagerMemory(token_expiration=HOUR), time.time() + VISITOR_SECONDS + 60
        await use(states, "1", "2", "3")
        assert drop_left_states(states, (), later)
        assert set(states.states) == {"3"}
        assert not drop_left_states(states, (), later)
        assert not states.states
        await states.close()

    asyncio.run(leave())


def test_the_server_looks_through_them_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifetime_watch, "MEMORY_SECONDS", 0.01)
    monkeypatch.setattr(lifetime, "VISITOR_SECONDS", 0)

    async def watch() -> None:
        states, gone = StateManagerMemory(token_expiration=HOUR), asyncio.Event()
        await use(states, "left", "open")
        monkeypatch.setattr(states, "_purge_token", lambda token: gone.set() if token.ident == "left" else None)
        app: Any = SimpleNamespace(state_manager=states, event_namespace=SimpleNamespace(sid_to_token={"sid": "open"}))
        watching = asyncio.create_task(lifetime_watch.watch_states(app))
        await asyncio.wait_for(gone.wait(), 5)
        watching.cancel()
        await states.close()

    asyncio.run(watch())


def test_in_redis_they_last_as_long_and_those_of_open_tabs_are_kept() -> None:
    async def expire(url: str) -> None:
        client = Redis.from_url(url)
        states = replace_state_manager(StateManagerRedis(redis=client, token_expiration=HOUR))
        assert isinstance(states, PollingStateManager)
        await use(states, "left", "open")
        await use(states, "signed in", session="s")

        async def left_of(name: str) -> int:
            return await client.ttl(tab(name)._state_key(rx.State))

        assert 0 < await left_of("left") <= VISITOR_SECONDS < await left_of("signed in") <= HOUR
        for name in ("left", "open", "signed in"):
            await client.expire(tab(name)._state_key(rx.State), 100, lt=True)
        await use(states, "signed in", session="s")
        await states.keep({"open", "signed in", "unknown"})
        assert await left_of("left") <= 100 < await left_of("open") <= VISITOR_SECONDS < await left_of("signed in")
        await states.close()

    with a_redis() as server:
        asyncio.run(expire(server.new_database()))
