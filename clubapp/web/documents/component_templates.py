"""The first paint of a screen: its tree of Reflex components, with its Vars, becomes a Jinja template.

Reflex turns the same tree into React code, so a screen is written once. To the template `MemberPageState.profile` is
`member_page_state["profile"]`; conditions, loops and attributes have their equivalents. A component that only the
browser has says with a method `first_paint` what the server draws in its place. What has no equivalent is refused.
"""

import re
from typing import Any

import reflex as rx
from jinja2 import Environment, StrictUndefined
from markupsafe import escape
from reflex_base.constants.state import FIELD_MARKER
from reflex_base.vars.base import CustomVarOperation, LiteralVar, ToOperation
from reflex_base.vars.object import ObjectItemOperation
from reflex_base.vars.sequence import ArraySliceOperation, ConcatVarOperation
from reflex_components_core.base.bare import Bare
from reflex_components_core.core.cond import Cond
from reflex_components_core.core.foreach import Foreach


def given(name: str, type_: type) -> Any:
    """A value that a template gets by its name."""
    return rx.Var(f"{name}{FIELD_MARKER}", _var_type=type_).guess_type()


# Where the visitor is, for the links that say so.
HERE: Any = given("here", str)

JINJA = Environment(autoescape=True, undefined=StrictUndefined)
_VOID = {"img", "input", "br", "hr"}
_INVISIBLE_TAGS = {"LiveRegion", "RouteFocus", "Takeover"}
# Components of the browser's router, and React's names of attributes; the other names are HTML's in camel case.
_TAGS = {"Link": "a", "Form": "form"}
_NAMES = {"className": "class", "htmlFor": "for", "defaultValue": "value", "to": "href"}
_BOOLEAN_AS_TEXT = re.compile("aria-|data-|spellcheck$")
_REACT_ONLY = re.compile("key$|ref$|preventScrollReset$|on[A-Z]")
_OPERATIONS = {
    "boolify": "{}",
    "boolean_not_operation": "(not {})",
    "is_not_none_operation": "({} is not none)",
    "array_length_operation": "({}|length)",
    "array_contains_operation": "({1} in {0})",
    "_or_operation": "({} or {})",
    "_and_operation": "({} and {})",
    "ternary_operation": "({1} if {0} else {2})",
}
_COMPARISONS = {"===": "==", "!==": "!=", ">": ">", ">=": ">=", "<": "<", "<=": "<="}


def template_source(given: Any) -> str:
    """The source of the template of a component and all that is in it.

    Raises:
        TypeError: when something has no equivalent.
    """
    if isinstance(given, Bare):
        return _text(given.contents)
    if given.tag in _INVISIBLE_TAGS:
        return ""
    if hasattr(given, "first_paint"):
        return template_source(given.first_paint())
    inner = [template_source(child) for child in given.children]
    if isinstance(given, Cond):
        return _if_else(given.cond, *inner)
    if isinstance(given, Foreach):
        entry = given._render().arg_var_name.removesuffix(FIELD_MARKER)
        return f"{{% for {entry} in {_expression(given.iterable)} %}}{inner[0]}{{% endfor %}}"
    return "".join(inner) if isinstance(given, rx.Fragment) else _element(given, "".join(inner))


def _element(given: rx.Component, inner: str) -> str:
    if given.library not in (None, "react-router"):
        raise TypeError(f"{type(given).__name__} has no method first_paint")
    name = _TAGS.get(given.tag or "", given.tag)
    props = {key: value for key, value in given._render().props.items() if not _REACT_ONLY.match(key)}
    named = sorted((_NAMES.get(key, key.lower()), key) for key in props)
    attributes = "".join(_attribute(attribute, props[key]) for attribute, key in named)
    return f"<{name}{attributes}>{'' if name in _VOID else f'{inner}</{name}>'}"


def _attribute(name: str, value: Any) -> str:
    """As in React, what is undefined is left out, and so is what does not hold, unless it is told as a text."""
    while isinstance(value, ToOperation):
        value = value._original
    if str(value) == "undefined":
        return ""
    if isinstance(value, CustomVarOperation) and value._name == "ternary_operation":
        condition, *either = (argument for _, argument in value._args)
        return _if_else(condition, *(_attribute(name, one) for one in either))
    if value._var_type is not bool:
        return f' {name}="{_text(value)}"'
    if _BOOLEAN_AS_TEXT.match(name):
        return f' {name}="{_if_else(value, "true", "false")}"'
    return _if_else(value, f" {name}", "")


def _text(value: Any) -> str:
    if isinstance(value, LiteralVar) and "{" not in str(value._var_value):
        return str(escape(value._var_value))
    if isinstance(value, ConcatVarOperation):
        return "".join(map(_text, value._var_value))
    return f"{{{{ {_expression(value)} }}}}"


def _if_else(condition: Any, shown: str, otherwise: str) -> str:
    return f"{{% if {_expression(condition)} %}}{shown}{{% else %}}{otherwise}{{% endif %}}"


def _expression(value: Any) -> str:
    if isinstance(value, LiteralVar):
        return repr(value._var_value)
    if isinstance(value, ToOperation):
        return _expression(value._original)
    if isinstance(value, ObjectItemOperation | ArraySliceOperation):
        return _part(value)
    if isinstance(value, CustomVarOperation):
        return _operation(value, *(argument for _, argument in value._args))
    if value._var_data and value._var_data.state:
        return f"{value._var_data.state.rpartition('____')[2]}[{value._var_data.field_name!r}]"
    if str(value).endswith(FIELD_MARKER):
        return str(value).removesuffix(FIELD_MARKER)
    raise TypeError(f"{value!s} has no equivalent")


def _part(value: ObjectItemOperation | ArraySliceOperation) -> str:
    if isinstance(value, ObjectItemOperation):
        return f"{_expression(value._object)}.{_text(value._key)}"
    ends = ("" if end is None else str(end) for end in (value._start, value._stop))
    return f"{_expression(value._array)}[{':'.join(ends)}]"


def _operation(value: CustomVarOperation[Any], *arguments: Any) -> str:
    inner = [_expression(argument) for argument in arguments]
    if value._name in _OPERATIONS:
        return _OPERATIONS[value._name].format(*inner)
    # A comparison has no name of its own: its code is "(left === right)", for texts with a call on either side.
    code = str(value).replace("?.valueOf?.()", "")
    sign = code.removeprefix(f"({arguments[0]!s}").removesuffix(f"{arguments[-1]!s})").strip()
    if sign not in _COMPARISONS:
        raise TypeError(f"{code} has no equivalent")
    return f"({inner[0]} {_COMPARISONS[sign]} {inner[1]})"
