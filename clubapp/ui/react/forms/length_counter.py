"""The number of characters of a long text, beside its field."""

import reflex as rx

from clubapp.ui.react.script_path import script


class LengthCounter(rx.Component):
    """Counts the field whose id is `target`; beyond `longest` it is refused before it is sent, and keeps its text."""

    library = script(__name__, "length_counter.jsx")
    tag = "LengthCounter"

    target: rx.Var[str]
    longest: rx.Var[int]

    def first_paint(self) -> rx.Component:
        """Nothing: nobody types into the first paint."""
        return rx.fragment()


length_counter = LengthCounter.create
