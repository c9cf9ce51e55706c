"""The moment when React takes over from the content the server wrote into the page."""

import reflex as rx

from clubapp.ui.react.frame import frame


class Takeover(rx.Component):
    """Removes `#first-paint` and every `[data-first-paint]` once `ready`, or when the screen is left."""

    library = frame.LIBRARY
    tag = "Takeover"

    ready: rx.Var[bool]


def takeover(ready: bool | rx.Var[bool]) -> rx.Component:
    """Stands once on a screen whose document carries a first paint; `ready` holds when its own data is there."""
    return Takeover.create(ready=ready)
