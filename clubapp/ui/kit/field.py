"""Form fields of one line or several: label, control, hint and error belong together."""

from collections.abc import Callable
from typing import Any, Literal

import reflex as rx

from clubapp.services.base.form_fields import LONGEST_BLOCK
from clubapp.ui.kit.text import Text, classes, keep_words_whole, show_if
from clubapp.ui.react.forms.length_counter import length_counter

InputType = Literal[
    "text", "email", "tel", "url", "number", "date", "datetime-local", "time", "search", "file", "hidden"
]


def field_id(name: str, props: dict[str, Any]) -> Any:
    """The id of a control: the caller's, needed when a name occurs twice on a screen, or one made of the name."""
    return props.pop("id", None) or f"field-{name}"


def aria_attributes(control_id: Any, hint: Text, error: Text) -> dict[str, Any]:
    """The properties that tie a control to its hint and its error."""
    hint_id = f"{control_id}-hint" if isinstance(hint, rx.Var) or hint else ""
    error_id = f"{control_id}-error"
    if isinstance(error, rx.Var):
        with_error = f"{hint_id} {error_id}" if hint_id else error_id
        refused = error != ""
        return {
            "aria_describedby": rx.cond(refused, with_error, hint_id),
            "aria_invalid": rx.cond(refused, "true", "false"),
        }
    if error:
        return {"aria_describedby": f"{hint_id} {error_id}".strip(), "aria_invalid": "true"}
    return {"aria_describedby": hint_id} if hint_id else {}


def hint_line(control_id: Any, hint: Text) -> rx.Component:
    """What to know before filling the field."""
    return show_if(hint, rx.el.p(keep_words_whole(hint), id=f"{control_id}-hint", class_name="field-hint"))


def error_line(control_id: Any, error: Text) -> rx.Component:
    """Why the value was refused; read aloud when it appears."""
    return show_if(error, rx.el.p(error, id=f"{control_id}-error", class_name="field-error", role="alert"))


def label_line(label: Text, control_id: Any, required: bool) -> rx.Component:
    """The visible name of a control; the mark of a required one is drawn, not part of the name."""
    mark: dict[str, Any] = {"data_required": "true"} if required else {}
    return rx.el.label(label, html_for=control_id, class_name="field-label", **mark)


def field_frame(
    label: Text, control_id: Any, control: rx.Component, *, required: bool, hint: Text, error: Text
) -> rx.Component:
    """Label, control, hint, error, in the order they are read."""
    return rx.el.div(
        label_line(label, control_id, required),
        control,
        hint_line(control_id, hint),
        error_line(control_id, error),
        class_name="field",
    )


def field(
    label: Text,
    name: str,
    type: InputType = "text",
    *,
    required: bool = False,
    hint: Text = "",
    error: Text = "",
    **input_props: Any,
) -> rx.Component:
    """A field of one line: text, e-mail, phone, address, number, date…"""
    control_id = field_id(name, input_props)
    control = rx.el.input(
        id=control_id,
        name=name,
        type=type,
        required=required,
        class_name=classes("control", input_props),
        **aria_attributes(control_id, hint, error),
        **input_props,
    )
    return field_frame(label, control_id, control, required=required, hint=hint, error=error)


def text_area(
    label: Text,
    name: str,
    rows: int = 5,
    *,
    required: bool = False,
    hint: Text = "",
    error: Text = "",
    longest: int = LONGEST_BLOCK,
    cover: Callable[[Any, rx.Component], rx.Component] | None = None,
    **props: Any,
) -> rx.Component:
    """A field of several lines. What is longer than `longest` is counted and refused, never cut off.

    `cover` puts an editor over the control, from its id and itself.
    """
    control_id = field_id(name, props)
    control = rx.el.textarea(
        id=control_id,
        name=name,
        rows=str(rows),
        required=required,
        class_name=classes("control control-area", props),
        **aria_attributes(control_id, hint, error),
        **props,
    )
    written = cover(control_id, control) if cover else control
    counted = rx.fragment(written, length_counter(target=control_id, longest=longest))
    return field_frame(label, control_id, counted, required=required, hint=hint, error=error)


def required_note() -> rx.Component:
    """What the mark beside a label means; once at the top of a form."""
    return rx.el.p("Les champs marqués d’un * sont obligatoires.", class_name="required-note")


def hidden_field(name: str, value: Any) -> rx.Component:
    """A value that the form submits without showing it."""
    return rx.el.input(type="hidden", name=name, value=value, read_only=True)


def form_row(*fields: rx.Component) -> rx.Component:
    """Fields side by side where there is room."""
    return rx.el.div(*fields, class_name="form-row")


def form_actions(*buttons: rx.Component) -> rx.Component:
    """The buttons that end a form."""
    return rx.el.div(*buttons, class_name="form-actions")
