"""A form whose values go into the address, so that a filtered list has a link and the back button undoes it."""

from typing import Any

import reflex as rx


class FilterForm(rx.Component):
    """Before the takeover it is an ordinary GET form with the same result."""

    library = "react-router"
    tag = "Form"
    alias = "FilterForm"

    method: rx.Var[str]
    action: rx.Var[str]
    prevent_scroll_reset: rx.Var[bool]
    replace: rx.Var[bool]


def filter_form(*children: Any, action: str, **props: Any) -> rx.Component:
    """A form sent by GET to a screen of the site, without loading or scrolling the page."""
    return FilterForm.create(*children, action=action, method="get", prevent_scroll_reset=True, **props)
