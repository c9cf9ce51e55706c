"""The links of the administration's menu."""

import reflex as rx

from clubapp.ui.react.script_path import script


class MenuLink(rx.Component):
    """A link with `aria-current`: 'page' on its own screen and those of the paths `also`, 'true' below `under`.

    With `is_near` the scripts of its screen are fetched while the browser has nothing else to do.
    """

    library = script(__name__, "menu_link.jsx")
    tag = "MenuLink"

    to: rx.Var[str]
    also: rx.Var[list[str]]
    under: rx.Var[list[str]]
    is_near: rx.Var[bool]


menu_link = MenuLink.create
