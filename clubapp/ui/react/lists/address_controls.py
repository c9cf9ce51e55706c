"""Filters and orders of a list that stand in its address, so that they have a link and the back button undoes them."""

import reflex as rx

from clubapp.ui.react.script_path import script


class FilterLink(rx.Component):
    """A link that sets a parameter of the address to `value`; while it has it, the link is current and removes it.

    `reset` names, here and below, the parameters that are removed with any change, with spaces between them.
    """

    library = script(__name__, "address_controls.jsx")
    tag = "FilterLink"

    parameter: rx.Var[str]
    value: rx.Var[str]
    reset: rx.Var[str]


class NoFilterLink(rx.Component):
    """A link that removes these parameters from the address; it is current while the address has none of them."""

    library = FilterLink.library
    tag = "NoFilterLink"

    parameters: rx.Var[list[str]]
    reset: rx.Var[str]


class FilterSelect(rx.Component):
    """A native list whose options, its children, are values of a parameter; 'all' asks for nothing."""

    library = FilterLink.library
    tag = "FilterSelect"

    parameter: rx.Var[str]
    reset: rx.Var[str]


class SortHeader(rx.Component):
    """The heading of a column: the parameter becomes `column`, or with '-' before it at the next press."""

    library = FilterLink.library
    tag = "SortHeader"

    parameter: rx.Var[str]
    column: rx.Var[str]
    label: rx.Var[str]


class PageTurns(rx.Component):
    """Stands right after a list, of which the address names the `page`; after a press the focus is at its beginning."""

    library = FilterLink.library
    tag = "PageTurns"

    page: rx.Var[int]
    pages: rx.Var[int]
    newer: rx.Var[str]
    older: rx.Var[str]
    reset: rx.Var[str]


filter_link = FilterLink.create
no_filter_link = NoFilterLink.create
filter_select = FilterSelect.create
sort_header = SortHeader.create
page_turns = PageTurns.create
