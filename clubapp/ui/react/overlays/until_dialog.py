"""What is said of an earlier act, and does not belong into the dialog that opens next."""

import reflex as rx

from clubapp.ui.react.script_path import script


class UntilDialog(rx.Component):
    """Its child until a dialog opens; then it is gone and `on_gone` is called. `name` is its own alone."""

    library = script(__name__, "until_dialog.jsx")
    tag = "UntilDialog"

    name: rx.Var[str]

    on_gone: rx.EventHandler[rx.event.no_args_event_spec]


until_dialog = UntilDialog.create
