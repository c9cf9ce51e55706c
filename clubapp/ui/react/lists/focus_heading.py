"""A heading that announces what just happened."""

import reflex as rx

from clubapp.ui.react.script_path import script


class FocusHeading(rx.Component):
    """Takes the focus when it appears, so that screen readers and the keyboard continue from it."""

    library = script(__name__, "focus_heading.jsx")
    tag = "FocusHeading"


focus_heading = FocusHeading.create
