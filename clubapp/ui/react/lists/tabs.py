"""Tabs: one of several panels at a time, by mouse and by arrow keys."""

from typing import Any

import reflex as rx

from clubapp.ui.react.script_path import script


class Tabs(rx.Component):
    """The list of tabs and its panels: the children, in the same order. A hidden panel keeps what is typed in it."""

    library = script(__name__, "tabs.jsx")
    tag = "Tabs"

    items: rx.Var[list[dict[str, str]]]
    initial: rx.Var[str]
    requested: rx.Var[str]
    label: rx.Var[str]

    on_change: rx.EventHandler[rx.event.passthrough_event_spec(str)]


def tabs(
    items: list[tuple[str, str, rx.Component]], default: str | rx.Var[str] = "", label: str = "", **props: Any
) -> rx.Component:
    """Panels as (key, label, content); `on_change` receives the key of the one chosen.

    A new value of `requested` shows a panel: it is the panel's key, a space, and anything that makes the value new.
    """
    return Tabs.create(
        *[rx.el.div(content) for _, _, content in items],
        items=[{"key": key, "label": text} for key, text, _ in items],
        initial=default if isinstance(default, rx.Var) or default else items[0][0],
        label=label or "Rubriques",
        **props,
    )
