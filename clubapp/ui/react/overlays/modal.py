"""The native dialog, opened and closed by a property."""

import reflex as rx

from clubapp.ui.react.script_path import script


class Modal(rx.Component):
    """`open` drives it; Esc and the cross call `on_close`; focus goes in, stays in, comes back (A2)."""

    library = script(__name__, "modal.jsx")
    tag = "Modal"

    title: rx.Var[str]
    description: rx.Var[str]
    open: rx.Var[bool]
    role: rx.Var[str]
    backdrop_closes: rx.Var[bool]

    on_close: rx.EventHandler[rx.event.no_args_event_spec]


modal = Modal.create
