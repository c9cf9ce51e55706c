"""Menus: links that know when they are current, and the fold they hide in on a phone."""

from typing import Any

import reflex as rx

from clubapp.ui.react.frame import frame


class NavLink(rx.Component):
    """A link of a menu; carries `aria-current` on its own screen, and on those listed in `also`."""

    library = frame.LIBRARY
    tag = "NavLink"

    to: rx.Var[str]
    also: rx.Var[list[str]]


class Fold(rx.Component):
    """A button that shows and hides what it holds; on a wide screen the style sheet shows it always."""

    library = NavLink.library
    tag = "Fold"

    label: rx.Var[str]


def nav_link(text: str, to: str, also: tuple[str, ...] = (), **props: Any) -> rx.Component:
    """A link of a menu."""
    return NavLink.create(text, to=to, also=list(also), **props)


def fold(*children: Any, label: str = "Menu", **props: Any) -> rx.Component:
    """A menu folded behind a button on a phone."""
    return Fold.create(*children, label=label, **props)
