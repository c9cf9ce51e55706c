"""The foot of a long list: the way to more of it."""

from typing import Any

import reflex as rx
from reflex_components_core.el.elements.inline import A

from clubapp.ui.kit.text import show_if
from clubapp.ui.react.script_path import script


class LoadMoreLink(rx.Component):
    """It is taken by itself when it comes near the view."""

    library = script(__name__, "load_more.jsx")
    tag = "LoadMoreLink"

    to: rx.Var[str]
    shown: rx.Var[int]
    most: rx.Var[int]
    label: rx.Var[str]
    told: rx.Var[str]

    def first_paint(self) -> rx.Component:
        """An ordinary link with the same result."""
        more = A.create(self.label, href=self.to, rel="next", class_name="button button-secondary")
        told = rx.el.p(self.told, role="status", class_name="more-told")
        return rx.el.div(show_if(self.to, more), told, class_name=self.class_name)


class LoadMoreButton(rx.Component):
    """Hands the focus on to the first entry that is new."""

    library = LoadMoreLink.library
    tag = "LoadMoreButton"

    more: rx.Var[bool]
    shown: rx.Var[int]
    label: rx.Var[str]

    on_more: rx.EventHandler[rx.event.no_args_event_spec]


def load_more_link(label: str, *, to: Any, shown: Any, most: int, told: Any, **props: Any) -> rx.Component:
    """Stands right below its list, of which `shown` entries are there; `told` says so. Without `to` there are no more.

    It takes itself as one scrolls, as long as there are fewer than `most`.
    """
    return LoadMoreLink.create(label=label, to=to, shown=shown, most=most, told=told, **props)


def load_more_button(label: str, *, more: Any, shown: Any, on_more: Any, **props: Any) -> rx.Component:
    """Stands right below its list, of which `shown` entries are there, while there are `more`."""
    return LoadMoreButton.create(label=label, more=more, shown=shown, on_more=on_more, **props)
