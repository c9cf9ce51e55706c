"""Whether the arguments of an event are those that its handler declares."""

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any


def are_declared(handler: Callable[..., Any], arguments: Mapping[str, Any]) -> bool:
    """Whether they have the names that the handler knows, all that it needs, and the types of its annotations."""
    known, needed = _parameters(handler)
    return needed <= set(arguments) <= set(known) and all(
        _is_instance(value, known[name]) for name, value in arguments.items()
    )


@cache
def _parameters(handler: Callable[..., Any]) -> tuple[dict[str, Any], frozenset[str]]:
    """The types of a handler's arguments by their names, and the names of those without a default."""
    hints = typing.get_type_hints(handler)
    declared = [each for each in inspect.signature(handler).parameters.values() if each.name != "self"]
    needed = frozenset(each.name for each in declared if each.default is each.empty)
    return {each.name: hints.get(each.name, Any) for each in declared}, needed


def _is_instance(value: Any, hint: Any) -> bool:
    """Whether a JSON value is of a type, with what is inside of it: a boolean is no number."""
    origin, inner = typing.get_origin(hint) or hint, typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(_is_instance(value, choice) for choice in inner)
    if origin is Any:
        return True
    if isinstance(value, bool):
        return origin is bool
    if not isinstance(value, int | float if origin is float else origin):
        return False
    return not inner or _are_instances(value, inner)


def _are_instances(value: Any, inner: tuple[Any, ...]) -> bool:
    """Whether what a list or a dict holds is of the types that its annotation names."""
    if isinstance(value, dict):
        return all(_is_instance(key, inner[0]) and _is_instance(each, inner[1]) for key, each in value.items())
    return all(_is_instance(each, inner[0]) for each in value)
