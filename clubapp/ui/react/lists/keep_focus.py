"""Keeps the focus on a control while rows are reordered (A7)."""

import reflex as rx

from clubapp.ui.react.script_path import script


class KeepFocus(rx.Component):
    """Around a list: a focused control with an id keeps the focus when React moves its row."""

    library = script(__name__, "keep_focus.jsx")
    tag = "KeepFocus"


keep_focus = KeepFocus.create
