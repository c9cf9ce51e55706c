"""Links: within the site without reloading, in a menu, and to elsewhere."""

from typing import Any

import reflex as rx
from reflex_components_core.el.elements.inline import A
from reflex_components_core.react_router import link

from clubapp.ui.kit.text import Text, classes
from clubapp.ui.react.frame.menu import nav_link

__all__ = ["external_link", "nav_link", "page_link", "skip_link"]


def page_link(*children: Any, to: Text, **props: Any) -> rx.Component:
    """A link to a screen of the site, followed without loading the page."""
    return link(*children, to=to, **props)


def external_link(text: Text | rx.Component, href: Text, **props: Any) -> rx.Component:
    """A link the browser follows by itself: other sites, `mailto:`, `tel:`, and files of ours such as a calendar.

    It opens in place: no new window to announce. (`rx.el.a` is a link within the site, whatever its address.)
    """
    return A.create(text, href=href, rel="noopener noreferrer", class_name=classes("external-link", props), **props)


def skip_link(text: str, target_id: str) -> rx.Component:
    """The first link of a page, past the menus to its content."""
    return A.create(text, href=f"#{target_id}", class_name="skip-link")
