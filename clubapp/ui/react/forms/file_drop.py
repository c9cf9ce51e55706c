"""Uploads a spreadsheet file that is chosen or dropped."""

import reflex as rx

from clubapp.ui.react.script_path import script


class FileDrop(rx.Component):
    """Posts the file to `address`; `on_received` gets the id in the response, `on_refused` the French reason."""

    library = script(__name__, "file_drop.jsx")
    tag = "FileDrop"

    address: rx.Var[str]
    label: rx.Var[str]
    hint: rx.Var[str]

    on_received: rx.EventHandler[rx.event.passthrough_event_spec(str)]
    on_refused: rx.EventHandler[rx.event.passthrough_event_spec(str)]


file_drop = FileDrop.create
