"""One state of a component, under its name."""

from typing import Any

import reflex as rx


def example(name: str, *shown: Any) -> rx.Component:
    """The state `name`, and how it is drawn."""
    return rx.el.div(rx.el.p(name, class_name="kit-state"), *shown, class_name="kit-example")
