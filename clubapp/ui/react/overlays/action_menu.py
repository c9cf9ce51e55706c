"""A button that opens a menu: the rare acts on something behind three dots, or what can be made new."""

from typing import Any

import reflex as rx

from clubapp.ui.react.script_path import script


class ActionMenu(rx.Component):
    """Its children are links and buttons; what destroys stands last."""

    library = script(__name__, "action_menu.jsx")
    tag = "ActionMenu"

    label: rx.Var[str]
    text: rx.Var[str]


def action_menu(label: Any, *acts: Any, **props: Any) -> rx.Component:
    """A menu; `label` is the accessible name of its button and names what the `acts` are done to.

    With `text` the button shows a plus and that text in place of the dots.
    """
    return ActionMenu.create(*acts, label=label, **props)
