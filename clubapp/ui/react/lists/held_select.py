"""A select that several quick keys can move on before the server has answered."""

import reflex as rx

from clubapp.ui.react.script_path import script


def _choice(value: rx.Var[str], number: rx.Var[int]) -> tuple[rx.Var[str], rx.Var[int]]:
    return value, number


class HeldSelect(rx.Component):
    """A controlled select with an id, unique in the page. `on_choose` gets the value and the number of the choice;
    the select goes back to `value` once `settled` has reached that number.
    """

    library = script(__name__, "held_select.jsx")
    tag = "HeldSelect"

    value: rx.Var[str]
    settled: rx.Var[int]
    on_choose: rx.EventHandler[_choice]


held_select = HeldSelect.create
