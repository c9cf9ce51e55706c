"""Containers: cards, panels, tiles with one figure."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from clubapp.ui.kit.text import Text, classes


def card(*children: Any, **props: Any) -> rx.Component:
    """A white box with a thin border."""
    return rx.el.div(*children, class_name=classes("card", props), **props)


def panel(title: Text, *children: Any, actions: Sequence[rx.Component] = (), **props: Any) -> rx.Component:
    """A section with a title; `actions` stand beside it."""
    tools = [rx.el.div(*actions, class_name="panel-actions")] if actions else []
    header = rx.el.div(rx.el.h2(title, class_name="panel-title"), *tools, class_name="panel-header")
    return rx.el.section(header, *children, class_name=classes("panel", props), **props)


def stat_tile(value: Any, label: Text, stat: str, **props: Any) -> rx.Component:
    """One figure and what it counts; it is keyed by its value, so that a change is animated."""
    shown = value.to_string() if isinstance(value, rx.Var) else str(value)
    return rx.el.div(
        rx.el.dt(label, class_name="stat-label"),
        rx.el.dd(value, key=shown, class_name="stat-value"),
        data_stat=stat,
        class_name=classes("stat-tile", props),
        **props,
    )


def stat_tiles(*tiles: rx.Component) -> rx.Component:
    """Tiles side by side, separated by thin lines: a list of terms, each with its figure."""
    return rx.el.dl(*tiles, class_name="stat-tiles")
