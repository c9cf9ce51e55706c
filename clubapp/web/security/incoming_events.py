"""What a browser sends around an event: bounded before Reflex keeps it in caches, states and logs.

Reflex remembers thousands of paths, and writes what it cannot read into the log.
"""

import re
from typing import Any, TypeGuard

import reflex as rx

from clubapp.web.security.address_limit import LONGEST_ADDRESS, LONGEST_PATH

_NAME = re.compile(r"\w+(?:\.\w+)+", re.ASCII)
_LONGEST_NAME = 300
# Never a host: Reflex puts it after the origin, or alone where there is none, and parses the whole.
_PATH = re.compile(r"(?:/(?!/)[^\x00-\x1f]*)?")
_MOST_PARAMETERS = 50


def is_readable(event: Any) -> bool:
    """Whether an event has the parts that the front end sends, each of its type and of a length that an address has."""
    if not isinstance(event, dict) or not isinstance(event.get("payload", {}), dict):
        return False
    name, page = event.get("name", ""), event.get("router_data", {})
    if not _is_short(name, _LONGEST_NAME) or not _NAME.fullmatch(name):
        return False
    return isinstance(page, dict) and _is_address(page)


def _is_address(page: dict[str, Any]) -> bool:
    parameters = page.get("query", {})
    return (
        set(page) <= {"pathname", "asPath", "query"}
        and _is_short(page.get("pathname", ""), LONGEST_PATH)
        and _is_short(page.get("asPath", ""), LONGEST_ADDRESS)
        and _PATH.fullmatch(page.get("asPath", "")) is not None
        and isinstance(parameters, dict)
        and len(parameters) <= _MOST_PARAMETERS
        and all(_is_short(text, LONGEST_ADDRESS) for pair in parameters.items() for text in _texts(*pair))
    )


def _texts(name: str, value: Any) -> list[Any]:
    """The texts of a parameter. That of an unknown address ('splat') is the list of its segments."""
    segments = value if isinstance(value, list) and len(value) <= LONGEST_PATH else [value]
    return [name, *segments]


def _is_short(text: Any, longest: int) -> TypeGuard[str]:
    return isinstance(text, str) and len(text) <= longest


def drop_unreadable(app: rx.App) -> None:
    """Have the application's event socket pass over what is not readable, without an answer."""
    namespace: Any = app.event_namespace
    on_event, on_client_error = namespace.on_event, namespace.on_client_error

    async def on_readable_event(sid: str, *sent: Any) -> None:
        if len(sent) == 1 and is_readable(sent[0]):
            await on_event(sid, sent[0])

    async def on_readable_error(sid: str, *sent: Any) -> None:
        await on_client_error(sid, *sent[:1])

    namespace.on_event, namespace.on_client_error = on_readable_event, on_readable_error
