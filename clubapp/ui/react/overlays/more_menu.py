"""The '…' of a screen: acts that are rare, or that destroy."""

from typing import Any

import reflex as rx

from clubapp.ui.react.script_path import script


class MoreMenu(rx.Component):
    """A button that shows and hides its children: buttons and links, the destructive one last."""

    library = script(__name__, "more_menu.jsx")
    tag = "MoreMenu"

    label: rx.Var[str]


def more_menu(*acts: rx.Component, label: str, id: str, **props: Any) -> rx.Component:
    """The menu. `label` is the name of its button, `id` the one of its list, unique on the screen."""
    return MoreMenu.create(*acts, label=label, id=id, **props)
