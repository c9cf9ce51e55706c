"""The end of a long list: the link or the button that loads more of it."""

from typing import Any

import reflex as rx
from reflex_components_core.el.elements.inline import A

from clubapp.ui.kit.text import Text, show_if
from clubapp.ui.react.script_path import script


class LoadMoreLink(rx.Component):
    """A link that is followed automatically when it comes near the viewport."""

    library = script(__name__, "load_more.jsx")
    tag = "LoadMoreLink"

    to: rx.Var[str]
    shown: rx.Var[int]
    most: rx.Var[int]
    label: rx.Var[str]
    shown_label: rx.Var[str]

    def first_paint(self) -> rx.Component:
        """An ordinary link with the same result."""
        more = A.create(self.label, href=self.to, rel="next", class_name="button button-secondary")
        shown = rx.el.p(self.shown_label, role="status", class_name="more-shown")
        return rx.el.div(show_if(self.to, more), shown, class_name=self.class_name)


class LoadMoreButton(rx.Component):
    """After a press the focus moves to the first new entry."""

    library = LoadMoreLink.library
    tag = "LoadMoreButton"

    more: rx.Var[bool]
    shown: rx.Var[int]
    label: rx.Var[str]

    on_more: rx.EventHandler[rx.event.no_args_event_spec]


def load_more_link(label: str, *, to: Any, shown: Any, most: int, shown_label: Any, **props: Any) -> rx.Component:
    """Stands right after its list of `shown` entries, as `shown_label` says; an empty `to` means there are no more.

    It is followed by scrolling as long as fewer than `most` entries are shown.
    """
    return LoadMoreLink.create(label=label, to=to, shown=shown, most=most, shown_label=shown_label, **props)


def load_more_button(
    label: Text, *beside: rx.Component, more: Any, shown: Any, on_more: Any, **props: Any
) -> rx.Component:
    """Stands right after its list of `shown` entries; visible while there are `more`."""
    return LoadMoreButton.create(*beside, label=label, more=more, shown=shown, on_more=on_more, **props)
