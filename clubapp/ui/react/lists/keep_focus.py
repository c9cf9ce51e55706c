"""Keeps the focus where it is while rows change places (A7)."""

import reflex as rx

from clubapp.ui.react.script_path import script


class KeepFocus(rx.Component):
    """Around a list: a control inside it that has an id, and the focus, keeps it when its row is moved."""

    library = script(__name__, "keep_focus.jsx")
    tag = "KeepFocus"


keep_focus = KeepFocus.create
