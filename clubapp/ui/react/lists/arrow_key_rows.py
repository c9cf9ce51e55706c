"""Rows in which the arrow keys move the focus."""

import reflex as rx

from clubapp.ui.react.script_path import script


class ArrowKeyRows(rx.Component):
    """Around rows with `data_record_id`, whose buttons carry `data_row="true"`. Tab still reaches every control.

    Texts that may be cut carry `data_short="true"`; the row under the mouse has the whole of them as its title.
    """

    library = script(__name__, "arrow_key_rows.jsx")
    tag = "ArrowKeyRows"


arrow_key_rows = ArrowKeyRows.create
