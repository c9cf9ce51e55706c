"""A button within a form that hands over what is typed, without sending the form."""

from typing import Any

import reflex as rx

# The component imports it beside it.
from clubapp.ui.react.forms import entries_form
from clubapp.ui.react.script_path import script

REQUIRED = entries_form.EntriesForm


class EntriesButton(rx.Component):
    """Calls `on_entries` with a text for each name of the form around it."""

    library = script(__name__, "entries_button.jsx")
    tag = "EntriesButton"

    on_entries: rx.EventHandler[rx.event.passthrough_event_spec(dict[str, Any])]


entries_button = EntriesButton.create
