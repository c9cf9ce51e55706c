"""The filter of a list, remembered by the tab, so that the links back to the list keep it."""

from typing import Any

import reflex as rx
from reflex_components_core.el.elements.inline import A

from clubapp.ui.react.script_path import script


class FilterMemory(rx.Component):
    """Stands on the screen of the list whose path is `of`, to which the links to `to` lead back; draws nothing."""

    library = script(__name__, "filter_memory.jsx")
    tag = "FilterMemory"

    of: rx.Var[str]
    to: rx.Var[str]

    def first_paint(self) -> rx.Component:
        """Nothing."""
        return rx.fragment()


class FilteredLink(rx.Component):
    """A link to a list, with the query that it was last left with."""

    library = FilterMemory.library
    tag = "FilteredLink"

    to: rx.Var[str]

    def first_paint(self) -> rx.Component:
        """A link to the whole list."""
        return A.create(*self.children, href=self.to, class_name=self.class_name)


def filter_memory(path: str, to: str = "") -> rx.Component:
    """Remember the filter of the list at a path, for the links to it, or to another path of the same list."""
    return FilterMemory.create(of=path, to=to or path)


def filtered_link(text: str, to: str, **props: Any) -> rx.Component:
    """A link to the list at a path, with its remembered filter."""
    return FilteredLink.create(text, to=to, **props)
