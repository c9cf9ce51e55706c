"""The parts of the directory. The first paint's template directory.html draws the same."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.public.directory.state import DirectoryState
from clubapp.services import directory
from clubapp.ui import button, empty_state, error_state, link_button, skeleton_cards, spinner
from clubapp.ui.people import member_cards
from clubapp.ui.vendor.address_form import address_form

_MEMBERS: Any = DirectoryState.members


def heading() -> rx.Component:
    """The title and how many there are."""
    return rx.el.header(
        rx.el.h1("Nos membres", class_name="page-title"),
        rx.el.p(DirectoryState.count_label, role="status", class_name="directory-count"),
        class_name="directory-head",
    )


def filters() -> rx.Component:
    """One button for all domains and one for each."""
    return address_form(
        *[_filter(slug, label) for slug, label in directory.filters()],
        action=routes.DIRECTORY,
        aria_label="Filtrer par domaine d’activité",
        class_name="domain-filters",
    )


def members() -> rx.Component:
    """The cards, or what stands in their place."""
    cards = member_cards(_MEMBERS)
    return rx.cond(
        DirectoryState.is_loaded,
        rx.cond(_MEMBERS.length() > 0, cards, _nobody()),
        rx.cond(DirectoryState.error != "", _failed(), _loading()),
    )


def _filter(slug: str, label: str) -> rx.Component:
    named: dict[str, Any] = {"name": directory.DOMAIN_PARAMETER, "value": slug} if slug else {}
    return rx.el.button(label, type="submit", aria_pressed=DirectoryState.chosen == slug, class_name="chip", **named)


def _nobody() -> rx.Component:
    return empty_state(
        "Aucun membre dans ce domaine",
        "La place est peut-être libre\u00a0: parlez-nous de votre métier.",
        link_button("Voir tous les membres", routes.DIRECTORY, variant="secondary"),
    )


def _failed() -> rx.Component:
    again = button("Réessayer", variant="secondary", on_click=DirectoryState.load)
    return error_state("Erreur de chargement", DirectoryState.error, again)


def _loading() -> rx.Component:
    return rx.el.div(spinner("Chargement des membres…"), skeleton_cards(6), class_name="directory-loading")
