"""Reading again, after an outage, what could not be read."""

from typing import Any

import reflex as rx

from clubapp.ui.react.script_path import script


class ReadAgain(rx.Component):
    """Beside a message of failure: calls `on_well` when the site works again. A failure of a site that works is left to
    the person.
    """

    library = script(__name__, "read_again.jsx")
    tag = "ReadAgain"

    on_well: rx.EventHandler[rx.event.no_args_event_spec]

    def first_paint(self) -> rx.Component:
        """Nothing."""
        return rx.fragment()


def read_again(on_well: Any) -> rx.Component:
    """Calls `on_well` when an outage is over."""
    return ReadAgain.create(on_well=on_well)
