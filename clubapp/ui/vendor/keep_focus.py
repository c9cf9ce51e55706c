"""Keeps the focus where it is while rows change places."""

import reflex as rx


class KeepFocus(rx.Component):
    """Around a list: a control inside it that has an id, and the focus, keeps it when its row is moved."""

    library = f"$/public{rx.asset('keep_focus.jsx', shared=True)}"
    tag = "KeepFocus"


keep_focus = KeepFocus.create
