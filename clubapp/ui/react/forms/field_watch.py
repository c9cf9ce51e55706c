"""An invisible part of a form that sends the values of some fields to the server while they are typed."""

import reflex as rx

from clubapp.ui.react.script_path import script


class FieldWatch(rx.Component):
    """`on_fields` receives the texts of the fields `names`, by name."""

    library = script(__name__, "field_watch.jsx")
    tag = "FieldWatch"

    names: rx.Var[list[str]]

    on_fields: rx.EventHandler[rx.event.passthrough_event_spec(dict[str, str])]


field_watch = FieldWatch.create
