"""Removes the first paint once React shows the screen."""

import reflex as rx

from clubapp.ui.react.frame import frame


class Takeover(rx.Component):
    """Removes `#first-paint` and every `[data-first-paint]` when `ready` becomes true or the screen is left."""

    library = frame.LIBRARY
    tag = "Takeover"

    ready: rx.Var[bool]


def takeover(ready: bool | rx.Var[bool]) -> rx.Component:
    """Needed once on a screen with a first paint; `ready` is true when the screen's own data is loaded."""
    return Takeover.create(ready=ready)
