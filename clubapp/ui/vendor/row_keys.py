"""A list of rows that the arrow keys walk through."""

import reflex as rx


class RowKeys(rx.Component):
    """A `ul`; the button of each row carries `data_row="true"`. Tab goes through everything, as it does anywhere."""

    library = f"$/public{rx.asset('row_keys.jsx', shared=True)}"
    tag = "RowKeys"


row_keys = RowKeys.create
