"""A list whose choice is copied into another field at once, without asking the server."""

import reflex as rx

from clubapp.ui.react.script_path import script


class CopyingSelect(rx.Component):
    """`choices` have a value, a label and what is `copied` into the field named `fills`, if anything."""

    library = script(__name__, "copying_select.jsx")
    tag = "CopyingSelect"

    choices: rx.Var[list[dict[str, str]]]
    fills: rx.Var[str]
    name: rx.Var[str]
    required: rx.Var[bool]
    default_value: rx.Var[str]


copying_select = CopyingSelect.create
