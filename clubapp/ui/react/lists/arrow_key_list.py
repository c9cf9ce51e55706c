"""A list of rows that the arrow keys walk through."""

import reflex as rx

from clubapp.ui.react.script_path import script


class ArrowKeyList(rx.Component):
    """A `ul`; the button of each row carries `data_row="true"`. Tab goes through everything, as it does anywhere."""

    library = script(__name__, "arrow_key_list.jsx")
    tag = "ArrowKeyList"


arrow_key_list = ArrowKeyList.create
