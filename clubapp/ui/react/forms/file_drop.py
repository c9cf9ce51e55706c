"""Choosing a spreadsheet file and sending it to one of our addresses."""

import reflex as rx

from clubapp.ui.react.script_path import script


class FileDrop(rx.Component):
    """`on_received` hears of the id that the address answered with, `on_refused` of the French sentence."""

    library = script(__name__, "file_drop.jsx")
    tag = "FileDrop"

    address: rx.Var[str]
    label: rx.Var[str]
    hint: rx.Var[str]

    on_received: rx.EventHandler[rx.event.passthrough_event_spec(str)]
    on_refused: rx.EventHandler[rx.event.passthrough_event_spec(str)]


file_drop = FileDrop.create
