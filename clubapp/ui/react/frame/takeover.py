"""Removes the first paint once React shows the screen."""

import reflex as rx

from clubapp.ui.react.frame import frame


class Takeover(rx.Component):
    """Removes `#first-paint` and every `[data-first-paint]` when `ready` becomes true or the screen is left."""

    library = frame.LIBRARY
    tag = "Takeover"

    ready: rx.Var[bool]


def takeover(ready: bool | rx.Var[bool]) -> rx.Component:
    """Needed once on a screen with a first paint; `ready` is true when the screen's own data is loaded.

    A tab that has shown the screen before still has what was loaded then, perhaps of another address, until the
    events of this loading have run.
    """
    return Takeover.create(ready=ready if ready is True else ready & rx.State.is_hydrated)
