"""A message that is dismissed when a dialog opens, because it is about an earlier action."""

import reflex as rx

from clubapp.ui.react.script_path import script


class UntilDialog(rx.Component):
    """Shows its child until a dialog opens, then calls `on_dismiss`. `name` identifies the message."""

    library = script(__name__, "until_dialog.jsx")
    tag = "UntilDialog"

    name: rx.Var[str]

    on_dismiss: rx.EventHandler[rx.event.no_args_event_spec]


until_dialog = UntilDialog.create
