"""Tabs: one of several panels at a time, by mouse and by arrow keys."""

from typing import Any

import reflex as rx

from clubapp.ui.react.script_path import script


class Tabs(rx.Component):
    """The list of tabs and its panels, which are the children in the same order. Panels keep what is typed in them."""

    library = script(__name__, "tabs.jsx")
    tag = "Tabs"

    items: rx.Var[list[dict[str, str]]]
    initial: rx.Var[str]
    asked: rx.Var[str]
    label: rx.Var[str]

    on_change: rx.EventHandler[rx.event.passthrough_event_spec(str)]


def tabs(
    items: list[tuple[str, str, rx.Component]], default: str | rx.Var[str] = "", label: str = "", **props: Any
) -> rx.Component:
    """Panels as (key, label, content); `on_change` receives the key of the one chosen.

    `asked`, whenever it changes, shows a panel: its key, and after a space anything that makes it another text.
    """
    return Tabs.create(
        *[rx.el.div(content) for _, _, content in items],
        items=[{"key": key, "label": text} for key, text, _ in items],
        initial=default if isinstance(default, rx.Var) or default else items[0][0],
        label=label or "Rubriques",
        **props,
    )
