"""A button that passes the entries of its form to a handler without submitting the form."""

from typing import Any

import reflex as rx

# Imported so that its script is linked: entries_button.jsx imports it.
from clubapp.ui.react.forms import entries_form
from clubapp.ui.react.script_path import script

REQUIRED = entries_form.EntriesForm


class EntriesButton(rx.Component):
    """Calls `on_entries` with a text for each name of the form around it."""

    library = script(__name__, "entries_button.jsx")
    tag = "EntriesButton"

    on_entries: rx.EventHandler[rx.event.passthrough_event_spec(dict[str, Any])]


entries_button = EntriesButton.create
