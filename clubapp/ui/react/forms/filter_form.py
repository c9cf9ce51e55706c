"""A form whose answers go into the address: filters that can be shared, and undone by the browser's back button."""

from typing import Any

import reflex as rx


class FilterForm(rx.Component):
    """Works before React has taken over too: it is then an ordinary GET form with the same result."""

    library = "react-router"
    tag = "Form"
    alias = "FilterForm"

    method: rx.Var[str]
    action: rx.Var[str]
    prevent_scroll_reset: rx.Var[bool]
    replace: rx.Var[bool]


def filter_form(*children: Any, action: str, **props: Any) -> rx.Component:
    """A form sent by GET to a screen of the site, without loading the page anew; the page stays where it is."""
    return FilterForm.create(*children, action=action, method="get", prevent_scroll_reset=True, **props)
