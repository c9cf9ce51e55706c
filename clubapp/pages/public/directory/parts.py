"""The parts of the directory."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.public.directory.state import DirectoryState
from clubapp.ui import button, empty_state, error_state, link_button, skeleton_cards, spinner
from clubapp.ui.directory.list_parts import directory_search, more_members
from clubapp.ui.directory.member_cards import member_cards
from clubapp.ui.frame.layouts import CONTACT_SECTION
from clubapp.ui.kit.links import external_link
from clubapp.ui.react.lists.read_again import read_again

_FOUND: Any = DirectoryState.found


def heading() -> rx.Component:
    """The title, how many there are, and the search."""
    title = rx.el.div(
        rx.el.h1("Nos membres", class_name="page-title"),
        rx.el.p(_FOUND.count_label, role="status", class_name="directory-count"),
    )
    return rx.el.div(title, directory_search(_FOUND, routes.DIRECTORY), class_name="directory-head")


def members() -> rx.Component:
    """The cards with the link to more, or the placeholder, the empty state or the error."""
    cards = rx.fragment(member_cards(_FOUND.members), more_members(_FOUND))
    return rx.cond(
        DirectoryState.is_loaded,
        rx.cond(_FOUND.members.length() > 0, cards, _nobody()),
        rx.cond(DirectoryState.error != "", _failed(), _loading()),
    )


def _nobody() -> rx.Component:
    everyone = link_button("Voir tous les membres", routes.DIRECTORY, variant="secondary")
    join = link_button("Rejoindre le réseau", f"{routes.HOME}#{CONTACT_SECTION}", variant="secondary")
    ask = external_link("Écrire au club", _FOUND.ask_href, class_name="button button-primary")
    searched = rx.el.div(ask, everyone, class_name="placeholder-actions")
    narrowed = rx.cond(_FOUND.chosen != "", everyone, join)
    return empty_state(_FOUND.nobody, _FOUND.advice, rx.cond(_FOUND.ask_href != "", searched, narrowed))


def _failed() -> rx.Component:
    again = button("Réessayer", variant="secondary", on_click=DirectoryState.load)
    return error_state(
        "Erreur de chargement", DirectoryState.error, rx.fragment(again, read_again(DirectoryState.load))
    )


def _loading() -> rx.Component:
    return rx.el.div(spinner("Chargement des membres…"), skeleton_cards(6), class_name="directory-loading")
