"""The native dialog element, opened and closed by a prop."""

import reflex as rx

from clubapp.ui.react.script_path import script

script(__name__, "scroll_room.jsx")  # imported by the component, and where toasts are shown without dialogs


class Modal(rx.Component):
    """Shown while `open`. Esc and the cross call `on_close`; the focus moves in, stays in and returns (A2).

    `leaves_on_back`: so does going back, where the screen below stays the same and only its address changes.
    """

    library = script(__name__, "modal.jsx")
    tag = "Modal"

    title: rx.Var[str]
    description: rx.Var[str]
    open: rx.Var[bool]
    role: rx.Var[str]
    backdrop_closes: rx.Var[bool]
    leaves_on_back: rx.Var[bool]

    on_close: rx.EventHandler[rx.event.no_args_event_spec]


modal = Modal.create
