"""Text, and the class names components carry."""

import re
from typing import Any

import reflex as rx

Text = str | rx.Var[str]
_HYPHENED = re.compile("(e-mails?)")


def visually_hidden(text: Text) -> rx.Component:
    """Text for screen readers only."""
    return rx.el.span(text, class_name="visually-hidden")


def broken_address(parts: Any, **props: Any) -> rx.Component:
    """An e-mail address whose lines break between its parts, the Var of a list of texts."""
    return rx.el.span(rx.foreach(parts, lambda part: rx.fragment(part, rx.el.wbr())), **props)


def keep_words_whole(text: Text) -> Text | rx.Component:
    """A text in which no line breaks at the hyphen of 'e-mail'."""
    if isinstance(text, rx.Var) or "e-mail" not in text:
        return text
    parts = _HYPHENED.split(text)
    return rx.fragment(*(rx.el.span(part, class_name="no-break") if n % 2 else part for n, part in enumerate(parts)))


def classes(own: str | rx.Var[str], props: dict[str, Any]) -> list[Any]:
    """A component's own class names, then those the caller adds; takes the latter out of `props`."""
    added = props.pop("class_name", None)
    if not added:
        return [own]
    return [own, *added] if isinstance(added, list) else [own, added]


def show_if(condition: Any, component: rx.Component) -> rx.Component:
    """A component shown while a Var holds, or, for a plain value, decided once."""
    if isinstance(condition, rx.Var):
        return rx.cond(condition, component, rx.fragment())
    return component if condition else rx.fragment()
