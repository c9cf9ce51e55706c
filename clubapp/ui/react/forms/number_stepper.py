"""A number field with large buttons that add and subtract one."""

from typing import Any

import reflex as rx

from clubapp.ui.react.script_path import script


class NumberStepper(rx.Component):
    """A number field, whose id is its `name`, between the two buttons.

    It takes the focus when its value is `refused`; `described_by` is the id of the text that says why.
    """

    library = script(__name__, "number_stepper.jsx")
    tag = "NumberStepper"

    initial: rx.Var[int]
    max: rx.Var[int]
    name: rx.Var[str]
    refused: rx.Var[bool]
    described_by: rx.Var[str]


def number_stepper(name: str, initial: Any, max: int, **props: Any) -> rx.Component:
    """The number of guests, 0 to `max`."""
    return NumberStepper.create(name=name, initial=initial, max=max, **props)
