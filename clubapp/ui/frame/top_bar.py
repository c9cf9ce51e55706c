"""The bar above a screen of the administration: the search over everything."""

from typing import Any

import reflex as rx

from clubapp.ui.frame.finder_state import FinderState
from clubapp.ui.kit.icon import Icon, icon
from clubapp.ui.react.finder.finder import finder, finder_button

LABEL = "Chercher une personne, une rencontre, une action"
# In the order of KINDS in finder.jsx.
_DRAWINGS: tuple[Icon, ...] = ("search", "people", "building", "calendar", "arrow", "clock")


def top_bar() -> rx.Component:
    """The field that opens the search, and its dialog."""
    search: Any = FinderState.search
    return rx.el.div(
        finder_button(
            icon("search"),
            rx.el.span(LABEL, class_name="finder-field-text"),
            label=LABEL,
            has_key=True,
            class_name="finder-field",
        ),
        finder(*map(icon, _DRAWINGS), found=FinderState.found, failed=FinderState.failed, on_search=search),
        role="search",
        aria_label="Chercher partout",
        class_name="top-bar",
    )


def search_button() -> rx.Component:
    """The same for a phone, in the bar of the menu."""
    return finder_button(icon("search", 24), label=LABEL, class_name="finder-button")
