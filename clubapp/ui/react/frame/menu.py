"""Menus: links that mark the current screen, and the button that opens them on a phone."""

from typing import Any

import reflex as rx
from reflex_components_core.el.elements.inline import A

from clubapp.ui.react.frame import frame
from clubapp.web.documents.component_templates import HERE


class NavLink(rx.Component):
    """A link of a menu; carries `aria-current` on its own screen, and on those of the paths `also`."""

    library = frame.LIBRARY
    tag = "NavLink"

    to: rx.Var[str]
    also: rx.Var[list[str]]

    def first_paint(self) -> rx.Component:
        """An ordinary link."""
        current = rx.cond(self.to == HERE, "page", rx.Var("undefined"))
        return A.create(*self.children, href=self.to, aria_current=current, class_name=self.class_name)


class CollapsibleMenu(rx.Component):
    """A button that shows and hides its children; on a wide screen the style sheet always shows them."""

    library = NavLink.library
    tag = "CollapsibleMenu"

    label: rx.Var[str]

    def first_paint(self) -> rx.Component:
        """The same elements: the menu opens without any script."""
        icon = rx.el.span(class_name="fold-icon", aria_hidden="true")
        label = rx.el.span(self.label, class_name="fold-label")
        opens = {"popovertarget": "menu"}
        return rx.el.div(
            rx.el.button(icon, label, type="button", class_name="fold-button", custom_attrs=opens),
            rx.el.div(*self.children, id="menu", class_name="fold-content", custom_attrs={"popover": "auto"}),
            class_name=self.class_name,
        )


def nav_link(text: str, to: str, also: tuple[str, ...] = (), **props: Any) -> rx.Component:
    """A `NavLink`."""
    return NavLink.create(text, to=to, also=list(also), **props)


def collapsible_menu(*children: Any, label: str = "Menu", **props: Any) -> rx.Component:
    """A menu folded behind a button on a phone."""
    return CollapsibleMenu.create(*children, label=label, **props)
