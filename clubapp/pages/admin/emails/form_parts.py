"""What the dialogs of this screen have in common."""

from typing import Any

import reflex as rx


def failure(told: Any) -> rx.Component:
    """Why saving failed, where the buttons are."""
    return rx.cond(
        told.title != "",
        rx.el.div(
            rx.el.p(told.title, class_name="banner-title"),
            rx.cond(told.text != "", rx.el.p(told.text, class_name="banner-text"), rx.fragment()),
            role="alert",
            tab_index=-1,
            data_form_failure="true",
            class_name="banner banner-red event-form-failure",
        ),
        rx.fragment(),
    )


def hidden(name: str, value: Any) -> rx.Component:
    """What a form hands back without showing it."""
    return rx.el.input(type="hidden", name=name, value=value, read_only=True)
