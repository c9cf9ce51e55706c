"""How long the state of a tab is kept: an hour for a signed-in person, five minutes for a visitor who has left (W5).

A state of many kilobytes is made for each connection, and anybody can connect.
"""

from collections.abc import Collection
from typing import Any

from reflex.istate.manager.memory import StateManagerMemory

from clubapp.web.security.guard import SESSION_HEADER

VISITOR_SECONDS = 300
MOST_LEFT = 500  # states in the memory of a process whose visitors have left
MOST_AT_ONCE = 20  # to free a state of thousands of objects takes milliseconds, in which nobody is answered


def is_visitors(state: Any) -> bool:
    """Whether no session came with the connection that the state of a tab was last used by."""
    return SESSION_HEADER not in state._get_root_state().router_data.get("headers", {})


def drop_left_states(states: StateManagerMemory, connected: Collection[str], now: float) -> bool:
    """Forget the states of visitors who have left, after VISITOR_SECONDS or beyond the newest MOST_LEFT.

    `connected` are the tokens of open tabs, `now` the time in seconds of `time.time`.

    Returns:
        Whether more are to go: MOST_AT_ONCE go in one call, the oldest first.
    """
    left = [
        (expires_at - states.token_expiration, token)
        for key, (expires_at, token) in states._token_expires_at.items()  # pyright: ignore[reportPrivateUsage] - Reflex
        if key not in connected and not _is_used(states, token.lock_key) and is_visitors(states.states[key])
    ]
    left.sort(key=lambda each: each[0])
    beyond = len(left) - MOST_LEFT
    gone = [
        token for number, (used_at, token) in enumerate(left) if number < beyond or now - used_at >= VISITOR_SECONDS
    ]
    for token in gone[:MOST_AT_ONCE]:
        states._purge_token(token)  # pyright: ignore[reportPrivateUsage] - Reflex offers no other way
    return len(gone) > MOST_AT_ONCE


def _is_used(states: StateManagerMemory, key: str) -> bool:
    lock = states._states_locks.get(key)  # pyright: ignore[reportPrivateUsage] - Reflex offers no other way
    return lock is not None and lock.locked()
