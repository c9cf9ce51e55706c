"""A form that submits every (name, value) pair in order, so that rows may repeat a name."""

from typing import Any

import reflex as rx

from clubapp.ui.react.script_path import script


class EntriesForm(rx.Component):
    """Fields keep their text until the form is closed; the server validates it and shows errors beside them.

    With `marks_press` the pressed button is busy, with `data-pressed`, and all are disabled at once, until the server
    has answered.
    """

    library = script(__name__, "entries_form.jsx")
    tag = "EntriesForm"

    busy: rx.Var[bool]
    attempt: rx.Var[int]
    marks_press: rx.Var[bool]

    on_entries: rx.EventHandler[rx.event.passthrough_event_spec(list[list[str]])]


def entries_form(*children: Any, on_entries: Any, busy: Any = False, attempt: Any = 0, **props: Any) -> rx.Component:
    """A form. Increment `attempt` after a refusal: the first wrong field then gets the focus."""
    return EntriesForm.create(*children, on_entries=on_entries, busy=busy, attempt=attempt, **props)


def pairs_of(entries: Any) -> list[tuple[str, str]]:
    """The fields that a form submitted, in their order; malformed pairs of a forged call are dropped."""
    pairs = [pair for pair in entries if isinstance(pair, list) and len(pair) == 2] if isinstance(entries, list) else []
    return [(name, value) for name, value in pairs if isinstance(name, str) and isinstance(value, str)]
