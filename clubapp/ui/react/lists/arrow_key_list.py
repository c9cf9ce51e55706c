"""A list in which the arrow keys move the focus between rows."""

import reflex as rx

from clubapp.ui.react.script_path import script


class ArrowKeyList(rx.Component):
    """A `ul`; the button of each row carries `data_row="true"`. Tab still reaches every control."""

    library = script(__name__, "arrow_key_list.jsx")
    tag = "ArrowKeyList"


arrow_key_list = ArrowKeyList.create
