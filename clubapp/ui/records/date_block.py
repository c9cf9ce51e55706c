"""The day of an event as a leaf of a calendar."""

from typing import Any

import reflex as rx


def date_block(month: Any, day: Any, *weekday: Any) -> rx.Component:
    """Month above the day, and below it the day of the week where one is given."""
    return rx.el.span(
        rx.el.span(month, class_name="date-block-month"),
        " ",
        rx.el.span(day, class_name="date-block-day"),
        *[rx.fragment(" ", rx.el.span(name, class_name="date-block-weekday")) for name in weekday],
        class_name="date-block",
    )
