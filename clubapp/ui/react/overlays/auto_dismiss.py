"""The timer that dismisses a message."""

import reflex as rx

from clubapp.ui.react.script_path import script


class AutoDismiss(rx.Component):
    """Calls `on_expire` after `after` milliseconds; waits while the message is hovered or focused."""

    library = script(__name__, "auto_dismiss.jsx")
    tag = "AutoDismiss"

    after: rx.Var[int]

    on_expire: rx.EventHandler[rx.event.no_args_event_spec]


auto_dismiss = AutoDismiss.create
