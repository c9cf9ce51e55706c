"""A search that is made as one types and stands in the address: it can be shared, and the back button keeps it."""

from typing import Any

import reflex as rx

from clubapp.ui.react.script_path import script


class SearchField(rx.Component):
    """Before React has taken over it is an ordinary GET form with the same result."""

    library = script(__name__, "search_field.jsx")
    tag = "SearchField"

    parameter: rx.Var[str]
    forgets: rx.Var[str]
    label: rx.Var[str]
    placeholder: rx.Var[str]
    longest: rx.Var[int]
    action: rx.Var[str]


def search_field(*children: Any, parameter: str, forgets: str, label: str, action: str, **props: Any) -> rx.Component:
    """A form of one field, sent to a screen of the site as `?parameter=…`; `children` are its hidden fields.

    `forgets` is the parameter of the address that a new search takes away.
    """
    return SearchField.create(*children, parameter=parameter, forgets=forgets, label=label, action=action, **props)
