"""What stands around a directory, for visitors and for members: search, domains, the way to more.

`found` is the Var of a `DirectoryPage` or a `MemberDirectory`, `action` the path of its screen.
"""

from typing import Any

import reflex as rx

from clubapp.services.base.search import LONGEST_QUERY
from clubapp.services.directory import for_visitors
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.forms.filter_form import filter_form
from clubapp.ui.react.forms.search_field import search_field
from clubapp.ui.react.lists.load_more import load_more_link

SEARCH_HINT = "Un nom, un métier, un service"
# So many members are loaded by scrolling; more only on request.
BY_ITSELF = 300


def directory_search(found: Any, action: str) -> rx.Component:
    """The search, which keeps the domain."""
    return search_field(
        _kept(for_visitors.DOMAIN_PARAMETER, found.chosen),
        parameter=for_visitors.SEARCH_PARAMETER,
        reset=for_visitors.PAGE_PARAMETER,
        label="Rechercher un membre",
        placeholder=SEARCH_HINT,
        max_length=LONGEST_QUERY,
        action=action,
        query=found.wanted,
        class_name="directory-search",
    )


def domain_filters(found: Any, action: str) -> rx.Component:
    """One button for all domains and one for each; the search text is kept."""
    return filter_form(
        *[_filter(found, slug, label) for slug, label in for_visitors.list_domain_filters()],
        _kept(for_visitors.SEARCH_PARAMETER, found.wanted),
        action=action,
        aria_label="Filtrer par domaine d’activité",
        class_name="domain-filters",
    )


def more_members(found: Any) -> rx.Component:
    """The link to a list that is longer by a page."""
    return load_more_link(
        "Afficher plus de membres",
        to=found.more_href,
        shown=found.members.length(),
        most=BY_ITSELF,
        shown_label=found.shown_label,
        class_name="directory-more",
    )


def _kept(name: str, value: Any) -> rx.Component:
    """A hidden field with which one of the two forms submits the value of the other."""
    return show_if(value, rx.el.input(type="hidden", name=name, value=value))


def _filter(found: Any, slug: str, label: str) -> rx.Component:
    named: dict[str, Any] = {"name": for_visitors.DOMAIN_PARAMETER, "value": slug} if slug else {}
    return rx.el.button(label, type="submit", aria_pressed=found.chosen == slug, class_name="chip", **named)
