"""Carries people with the mouse or a finger from one table to another."""

import reflex as rx

from clubapp.ui.react.script_path import script


def _names(person: rx.Var[str], table: rx.Var[str]) -> tuple[rx.Var[str], rx.Var[str]]:
    return person, table


class Carrying(rx.Component):
    """Around tables, elements with `data-table`, and people, with `data-person-id`: see carrying.jsx.

    `on_carried` gets the person and the table.
    """

    library = script(__name__, "carrying.jsx")
    tag = "Carrying"

    on_carried: rx.EventHandler[_names]


carrying = Carrying.create
