"""The bar above a screen of the administration: the search over everything, and what can be made new."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.services.finder.shortcuts import NEW
from clubapp.ui.frame.finder_state import FinderState
from clubapp.ui.kit.icon import Icon, icon
from clubapp.ui.kit.links import page_link
from clubapp.ui.react.finder.finder import finder, finder_button, press_link
from clubapp.ui.react.overlays.action_menu import action_menu

LABEL = "Chercher une personne, une rencontre, une action"
# In the order of KINDS in finder.jsx.
_DRAWINGS: tuple[Icon, ...] = ("search", "people", "building", "calendar", "arrow", "clock")


def top_bar() -> rx.Component:
    """The search, then 'Nouveau'."""
    return rx.el.div(_search(), _new(), class_name="top-bar")


def _search() -> rx.Component:
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
        class_name="top-search",
    )


def _new() -> rx.Component:
    """Hidden by the style sheet on a phone, and on screens with such a button of their own."""
    made = (("Membre", routes.ADMIN), ("Entreprise", routes.ADMIN_COMPANIES), ("Événement", routes.ADMIN_EVENTS))
    menu = action_menu(
        "Nouveau",
        *[press_link(text, to=to, press=NEW, class_name="action-menu-item") for text, to in made],
        page_link("Message", to=routes.ADMIN_WRITE, class_name="action-menu-item"),
        text="Nouveau",
    )
    return rx.el.nav(menu, aria_label="Créer", class_name="new-menu")


def search_button() -> rx.Component:
    """The same for a phone, in the bar of the menu."""
    return finder_button(icon("search", 24), label=LABEL, class_name="finder-button")
