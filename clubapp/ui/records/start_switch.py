"""The choice of the page to which a sign-in leads."""

from typing import Any

import reflex as rx


def start_switch(opens_here: Any, on_change: Any) -> rx.Component:
    """A switch of the page it stands on."""
    box = rx.el.input(
        type="checkbox", role="switch", checked=opens_here, on_change=on_change, class_name="checkbox-box switch"
    )
    return rx.el.label(box, rx.el.span("Ouvrir ici à chaque connexion"), class_name="checkbox-label start-switch")
