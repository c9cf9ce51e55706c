"""The parts of the directory."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.public.directory.state import DirectoryState
from clubapp.services.base.search import LONGEST_QUERY
from clubapp.services.directory import pages
from clubapp.ui import button, empty_state, error_state, link_button, skeleton_cards, spinner
from clubapp.ui.directory.member_cards import member_cards
from clubapp.ui.frame.layouts import CONTACT_SECTION
from clubapp.ui.kit.links import external_link
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.forms.filter_form import filter_form
from clubapp.ui.react.forms.search_field import search_field
from clubapp.ui.react.lists.load_more import load_more_link

SEARCH_HINT = "Un nom, un métier, un service"
# So many members are loaded by scrolling; more only on request.
BY_ITSELF = 300

_FOUND: Any = DirectoryState.found


def heading() -> rx.Component:
    """The title, how many there are, and the search."""
    title = rx.el.div(
        rx.el.h1("Nos membres", class_name="page-title"),
        rx.el.p(_FOUND.count_label, role="status", class_name="directory-count"),
    )
    field = search_field(
        _kept(pages.DOMAIN_PARAMETER, _FOUND.chosen),
        parameter=pages.SEARCH_PARAMETER,
        reset=pages.PAGE_PARAMETER,
        label="Rechercher un membre",
        placeholder=SEARCH_HINT,
        max_length=LONGEST_QUERY,
        action=routes.DIRECTORY,
        query=_FOUND.wanted,
        class_name="directory-search",
    )
    return rx.el.div(title, field, class_name="directory-head")


def filters() -> rx.Component:
    """One button for all domains and one for each; the search text is kept."""
    return filter_form(
        *[_filter(slug, label) for slug, label in pages.list_domain_filters()],
        _kept(pages.SEARCH_PARAMETER, _FOUND.wanted),
        action=routes.DIRECTORY,
        aria_label="Filtrer par domaine d’activité",
        class_name="domain-filters",
    )


def members() -> rx.Component:
    """The cards with the link to more, or the placeholder, the empty state or the error."""
    cards = rx.fragment(member_cards(_FOUND.members), _more())
    return rx.cond(
        DirectoryState.is_loaded,
        rx.cond(_FOUND.members.length() > 0, cards, _nobody()),
        rx.cond(DirectoryState.error != "", _failed(), _loading()),
    )


def _more() -> rx.Component:
    return load_more_link(
        "Afficher plus de membres",
        to=_FOUND.more_href,
        shown=_FOUND.members.length(),
        most=BY_ITSELF,
        shown_label=_FOUND.shown_label,
        class_name="directory-more",
    )


def _kept(name: str, value: Any) -> rx.Component:
    """A hidden field with which one of the two forms submits the value of the other."""
    return show_if(value, rx.el.input(type="hidden", name=name, value=value))


def _filter(slug: str, label: str) -> rx.Component:
    named: dict[str, Any] = {"name": pages.DOMAIN_PARAMETER, "value": slug} if slug else {}
    return rx.el.button(label, type="submit", aria_pressed=_FOUND.chosen == slug, class_name="chip", **named)


def _nobody() -> rx.Component:
    everyone = link_button("Voir tous les membres", routes.DIRECTORY, variant="secondary")
    join = link_button("Rejoindre le réseau", f"{routes.HOME}#{CONTACT_SECTION}", variant="secondary")
    ask = external_link("Écrire au club", _FOUND.ask_href, class_name="button button-primary")
    searched = rx.el.div(ask, everyone, class_name="placeholder-actions")
    narrowed = rx.cond(_FOUND.chosen != "", everyone, join)
    return empty_state(_FOUND.nobody, _FOUND.advice, rx.cond(_FOUND.ask_href != "", searched, narrowed))


def _failed() -> rx.Component:
    again = button("Réessayer", variant="secondary", on_click=DirectoryState.load)
    return error_state("Erreur de chargement", DirectoryState.error, again)


def _loading() -> rx.Component:
    return rx.el.div(spinner("Chargement des membres…"), skeleton_cards(6), class_name="directory-loading")
