"""How long a message is shown, and on which screen."""

import reflex as rx

from clubapp.ui.react.script_path import script


class ToastLife(rx.Component):
    """Shows its child for `after` milliseconds, or with 0 until the screen is left or a dialog opens; calls `on_end`.

    `name` identifies the message: its time goes on when it moves, and it is not shown again after a reload.
    It goes along to the path `leads_to`.
    """

    library = script(__name__, "toast_life.jsx")
    tag = "ToastLife"

    name: rx.Var[str]
    leads_to: rx.Var[str]
    after: rx.Var[int]
    is_error: rx.Var[bool]

    on_end: rx.EventHandler[rx.event.no_args_event_spec]


toast_life = ToastLife.create
