"""A select whose choice fills another field in the browser."""

import reflex as rx

from clubapp.ui.react.script_path import script


class CopyingSelect(rx.Component):
    """Each of `choices` has a `value`, a `label` and the text `copied` into the select named `target`, if any."""

    library = script(__name__, "copying_select.jsx")
    tag = "CopyingSelect"

    choices: rx.Var[list[dict[str, str]]]
    target: rx.Var[str]
    name: rx.Var[str]
    required: rx.Var[bool]
    default_value: rx.Var[str]


copying_select = CopyingSelect.create
