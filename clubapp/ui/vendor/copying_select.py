"""A list whose choice is copied into another field at once, without asking the server."""

import reflex as rx


class CopyingSelect(rx.Component):
    """`choices` have a value, a label and what is `copied` into the field named `fills`, if anything."""

    library = f"$/public{rx.asset('copying_select.jsx', shared=True)}"
    tag = "CopyingSelect"

    choices: rx.Var[list[dict[str, str]]]
    fills: rx.Var[str]
    name: rx.Var[str]
    required: rx.Var[bool]
    default_value: rx.Var[str]


copying_select = CopyingSelect.create
