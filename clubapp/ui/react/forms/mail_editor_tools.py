"""Parts of the forms in which mails are written: live preview, variables, default texts, number of days."""

from collections.abc import Mapping, Sequence
from typing import Any

import reflex as rx

from clubapp.ui.react.script_path import script

_LIBRARY = script(__name__, "mail_editor_tools.jsx")


class TypingListener(rx.Component):
    """Calls `on_typed` with the texts of its fields, by name, when the person pauses or leaves a field."""

    library = _LIBRARY
    tag = "TypingListener"

    on_typed: rx.EventHandler[rx.event.passthrough_event_spec(dict[str, Any])]


class RequireFilled(rx.Component):
    """Disables the buttons inside it while one of the named fields of the form is empty."""

    library = _LIBRARY
    tag = "RequireFilled"

    names: rx.Var[list[str]]


class VariableButtons(rx.Component):
    """Buttons that insert a variable where the person was writing, or in the field whose id is `target`."""

    library = _LIBRARY
    tag = "VariableButtons"

    items: rx.Var[list[list[str]]]
    target: rx.Var[str]


class RestoreButton(rx.Component):
    """A button that puts texts back into the fields of the given ids."""

    library = _LIBRARY
    tag = "RestoreButton"

    texts: rx.Var[dict[str, str]]


class MailFrame(rx.Component):
    """A mail's HTML in a frame that runs nothing and opens nothing (M6)."""

    library = _LIBRARY
    tag = "MailFrame"

    html: rx.Var[str]
    title: rx.Var[str]


class DaysField(rx.Component):
    """A number field followed by 'jour' or 'jours' and `after`."""

    library = _LIBRARY
    tag = "DaysField"

    name: rx.Var[str]
    initial: rx.Var[int]
    max: rx.Var[int]
    described_by: rx.Var[str]
    invalid: rx.Var[bool]
    after: rx.Var[str]


def typing_listener(*children: Any, on_typed: Any, **props: Any) -> rx.Component:
    """A part of a form whose texts are sent to `on_typed`."""
    return TypingListener.create(*children, on_typed=on_typed, **props)


def require_filled(*buttons: rx.Component, names: list[str]) -> rx.Component:
    """Buttons that are enabled once the fields of these names are filled."""
    return RequireFilled.create(*buttons, names=names, class_name="when-filled")


def variable_buttons(items: Sequence[tuple[str, str]], labels: Mapping[str, str], target: str) -> rx.Component:
    """Each variable with its chip and what it means; stands in the same `.mail-text` as its fields."""
    rows = [[name, labels[name], meaning] for name, meaning in items]
    return VariableButtons.create(items=rows, target=target, class_name="variables")


def restore_button(label: str, texts: dict[str, Any]) -> rx.Component:
    """A button that sets the fields of these ids to these texts; Ctrl+Z undoes it."""
    return RestoreButton.create(label, texts=texts, class_name="button button-quiet")


def mail_frame(html: Any, title: str, **props: Any) -> rx.Component:
    """A mail's HTML as its reader sees it; `title` is the accessible name of the frame."""
    return MailFrame.create(html=html, title=title, **props)


def days_field(name: str, initial: Any, max: int, **props: Any) -> rx.Component:
    """A field for 0 to `max` days."""
    return DaysField.create(name=name, initial=initial, max=max, **props)
