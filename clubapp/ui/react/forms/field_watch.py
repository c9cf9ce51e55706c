"""Something invisible in a form that tells the server what some of its fields hold while they are typed."""

import reflex as rx

from clubapp.ui.react.script_path import script


class FieldWatch(rx.Component):
    """`on_fields` receives a dict of the named fields' texts."""

    library = script(__name__, "field_watch.jsx")
    tag = "FieldWatch"

    names: rx.Var[list[str]]

    on_fields: rx.EventHandler[rx.event.passthrough_event_spec(dict[str, str])]


field_watch = FieldWatch.create
