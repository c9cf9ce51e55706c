"""Keeps the focus where it was while rows are reordered or a control is replaced (A7)."""

import reflex as rx

from clubapp.ui.react.script_path import script


class KeepFocus(rx.Component):
    """A focused control with an id keeps the focus when React moves its row; `data-focus-after` takes that of one which
    is gone.
    """

    library = script(__name__, "keep_focus.jsx")
    tag = "KeepFocus"


keep_focus = KeepFocus.create
