"""Choices: a box to tick, a list to choose from (native, so that every device shows its own)."""

from typing import Any

import reflex as rx

from clubapp.ui.kit.field import aria_attributes, error_line, field_frame, field_id, hint_line
from clubapp.ui.kit.text import Text, classes

Options = list[tuple[str, str]] | rx.Var


def checkbox(label: Text, name: str, *, hint: Text = "", error: Text = "", **props: Any) -> rx.Component:
    """A box to tick; takes `checked` with `on_change`, or `default_checked`."""
    control_id = field_id(name, props)
    box = rx.el.input(
        id=control_id,
        name=name,
        type="checkbox",
        class_name=classes("checkbox-box", props),
        **aria_attributes(control_id, hint, error),
        **props,
    )
    return rx.el.div(
        rx.el.label(box, rx.el.span(label), html_for=control_id, class_name="checkbox-label"),
        hint_line(control_id, hint),
        error_line(control_id, error),
        class_name="field field-checkbox",
    )


def select(
    label: Text,
    name: str,
    options: Options,
    *,
    required: bool = False,
    hint: Text = "",
    error: Text = "",
    placeholder: str = "",
    **props: Any,
) -> rx.Component:
    """A native list of (value, label) pairs; `placeholder` is the first line while nothing is chosen."""
    control_id = field_id(name, props)
    control = rx.el.select(
        *([rx.el.option(placeholder, value="")] if placeholder else []),
        *_options(options),
        id=control_id,
        name=name,
        required=required,
        class_name=classes("control control-select", props),
        **aria_attributes(control_id, hint, error),
        **props,
    )
    return field_frame(label, control_id, control, required=required, hint=hint, error=error)


def _options(options: Options) -> list[rx.Component]:
    if isinstance(options, rx.Var):
        return [rx.foreach(options, lambda option: rx.el.option(option[1], value=option[0]))]
    return [rx.el.option(label, value=value) for value, label in options]
