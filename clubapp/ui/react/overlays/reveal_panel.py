"""A part of the page that appears on demand: it scrolls into sight and takes the focus."""

import reflex as rx

from clubapp.ui.react.script_path import script


class RevealPanel(rx.Component):
    """What carries `data_autofocus`, or its h2, is focused; after 100 ms it is scrolled to.

    When it goes, the focus returns to what opened it.
    """

    library = script(__name__, "reveal_panel.jsx")
    tag = "RevealPanel"


reveal_panel = RevealPanel.create
