"""Buttons, and links that look like one."""

from typing import Any, Literal

import reflex as rx

from clubapp.ui.kit.links import external_link, page_link
from clubapp.ui.kit.text import Text, classes

Variant = Literal["primary", "secondary", "quiet", "danger"]
_CLASS: dict[Variant, str] = {
    "primary": "button button-primary",
    "secondary": "button button-secondary",
    "quiet": "button button-quiet",
    "danger": "button button-danger",
}


def button(
    *children: Any,
    variant: Variant = "primary",
    busy: bool | rx.Var[bool] = False,
    busy_label: str | None = None,
    disabled: bool | rx.Var[bool] = False,
    type: Literal["button", "submit", "reset"] = "button",
    **props: Any,
) -> rx.Component:
    """A button. While `busy` or `disabled` it keeps the focus, says so to screen readers, and presses are ignored.

    It is `aria-disabled`, because a button that becomes `disabled` loses the focus (A7); frame.jsx ignores the presses.
    """
    if busy is not False or disabled is not False:
        props["aria_disabled"] = disabled if busy is False else busy if disabled is False else busy | disabled
    if busy is not False:
        props["aria_busy"] = busy
        if busy_label:
            children = (rx.cond(busy, rx.fragment(busy_label), rx.fragment(*children)),)
    return rx.el.button(*children, type=type, class_name=classes(_CLASS[variant], props), **props)


def link_button(text: Text | rx.Component, to: Text, variant: Variant = "primary", **props: Any) -> rx.Component:
    """A link drawn as a button: within the site for a path or a Var, otherwise an `external_link`."""
    props["class_name"] = classes(_CLASS[variant], props)
    inside = isinstance(to, rx.Var) or to.startswith("/")
    return page_link(text, to=to, **props) if inside else external_link(text, to, **props)


def close_button(label: str, **props: Any) -> rx.Component:
    """A button with a cross; `label` is its accessible name."""
    cross = rx.el.svg(
        rx.el.svg.path(d="M5 5l10 10M15 5L5 15", stroke="currentColor", stroke_width="2", stroke_linecap="round"),
        view_box="0 0 20 20",
        width="20",
        height="20",
        aria_hidden="true",
    )
    return rx.el.button(cross, type="button", aria_label=label, class_name="icon-button", **props)
