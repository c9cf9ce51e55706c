"""The foot of a long list: the way to more of it."""

from typing import Any

import reflex as rx

from clubapp.ui.react.script_path import script


class MoreLink(rx.Component):
    """Before React has taken over it is an ordinary link with the same result."""

    library = script(__name__, "load_more.jsx")
    tag = "MoreLink"

    to: rx.Var[str]
    shown: rx.Var[int]
    most: rx.Var[int]
    label: rx.Var[str]
    told: rx.Var[str]


class MoreButton(rx.Component):
    """Hands the focus on to the first entry that is new."""

    library = MoreLink.library
    tag = "MoreButton"

    more: rx.Var[bool]
    shown: rx.Var[int]
    label: rx.Var[str]

    on_more: rx.EventHandler[rx.event.no_args_event_spec]


def more_link(label: str, *, to: Any, shown: Any, most: int, told: Any, **props: Any) -> rx.Component:
    """Stands right below its list, of which `shown` entries are there; `told` says so. Without `to` there are no more.

    It takes itself as one scrolls, as long as there are fewer than `most`.
    """
    return MoreLink.create(label=label, to=to, shown=shown, most=most, told=told, **props)


def more_button(label: str, *, more: Any, shown: Any, on_more: Any, **props: Any) -> rx.Component:
    """Stands right below its list, of which `shown` entries are there, while there are `more`."""
    return MoreButton.create(label=label, more=more, shown=shown, on_more=on_more, **props)
