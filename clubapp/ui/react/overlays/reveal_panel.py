"""A part of the page that appears on demand, is scrolled to and takes the focus."""

import reflex as rx

from clubapp.ui.react.script_path import script


class RevealPanel(rx.Component):
    """The element with `data_autofocus`, or the h2, is focused; after 100 ms the panel is scrolled to, the focus seen.

    When the panel is removed, the focus returns to the control that opened it.
    """

    library = script(__name__, "reveal_panel.jsx")
    tag = "RevealPanel"


reveal_panel = RevealPanel.create
