"""The events of Reflex itself that pages need: each by its full name, with the payload its front end sends.

Anyone may send them, and none reaches a service. Any other payload is refused.
"""

import re
from collections.abc import Callable
from typing import Any

from reflex.state import FrontendEventExceptionState, OnLoadInternalState, State, UpdateVarsInternalState
from reflex_base.constants.state import FIELD_MARKER
from reflex_base.registry import RegistrationContext

LONGEST_REPORT = 500  # characters; looking for markup takes the square of it
_LONGEST_KEPT = 200
_MOST_KEPT = 20
_MOST_HASHES = 500
_HASH = re.compile(r"[0-9a-f]{16}")

_REPORT = f"{FrontendEventExceptionState.get_full_name()}.handle_frontend_exception"
HYDRATE = frozenset(f"{State.get_full_name()}.{name}" for name in ("hydrate", "hydrate_and_load"))

# The patterns are slow on long texts, and reload by an inline script that the policy forbids.
FrontendEventExceptionState.auto_reload_on_errors = []


def is_framework_event(name: str) -> bool:
    """Whether an event of that full name is one of these."""
    return name in _EXPECTED


def is_expected(name: str, payload: dict[str, Any]) -> bool:
    """Whether a payload is what the front end sends in this event: its keys, their types and their lengths."""
    return _EXPECTED[name](payload)


def shorten_report(name: str, payload: dict[str, Any]) -> None:
    """Keep the beginning of what a browser reports: what happened, and where."""
    if name == _REPORT:
        payload.update({key: (text or "")[:LONGEST_REPORT] for key, text in payload.items()})


def _is_empty(payload: dict[str, Any]) -> bool:
    return not payload


def _is_flag(payload: dict[str, Any]) -> bool:
    return set(payload) == {"value"} and isinstance(payload["value"], bool)


def _is_report(payload: dict[str, Any]) -> bool:
    """A text each; none where the browser knows nothing."""
    return set(payload) == {"info", "component_stack"} and all(
        isinstance(text, str | None) for text in payload.values()
    )


def _is_hydration(payload: dict[str, Any]) -> bool:
    """What the browser keeps, and the hashes of what its page was built with."""
    return (
        set(payload) <= {"vars", "hashes"}
        and _are_stored_values(payload.get("vars", {}))
        and _are_hashes(payload.get("hashes", []))
    )


def _is_stored_values_only(payload: dict[str, Any]) -> bool:
    return set(payload) == {"vars"} and _are_stored_values(payload["vars"])


def _are_stored_values(values: Any) -> bool:
    """Variables that a state of ours keeps in the browser, each a text as short as we make them."""
    return (
        isinstance(values, dict)
        and len(values) <= _MOST_KEPT
        and all(_is_client_storage(name) and isinstance(text, str) for name, text in values.items())
        and all(len(text) <= _LONGEST_KEPT for text in values.values())
    )


def _is_client_storage(full_name: str) -> bool:
    state_name, _, name = full_name.rpartition(".")
    state = RegistrationContext.get().base_states.get(state_name)
    known = name.removesuffix(FIELD_MARKER)
    return state is not None and known != name and state._is_client_storage(known)  # pyright: ignore[reportPrivateUsage]


def _are_hashes(values: Any) -> bool:
    return (
        isinstance(values, list)
        and len(values) <= _MOST_HASHES
        and all(isinstance(value, str) and _HASH.fullmatch(value) for value in values)
    )


_EXPECTED: dict[str, Callable[[dict[str, Any]], bool]] = {
    f"{State.get_full_name()}.hydrate": _is_empty,
    f"{State.get_full_name()}.hydrate_and_load": _is_hydration,
    f"{OnLoadInternalState.get_full_name()}.on_load_internal": _is_empty,
    f"{OnLoadInternalState.get_full_name()}.set_is_hydrated": _is_flag,
    f"{UpdateVarsInternalState.get_full_name()}.update_vars_internal": _is_stored_values_only,
    _REPORT: _is_report,
}
