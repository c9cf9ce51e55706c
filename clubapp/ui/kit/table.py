"""Tables: aligned columns on a desk, stacked rows with their labels on a phone.

Roles are explicit because stacked rows, which are no table to CSS, lose the implicit ones.
"""

from typing import Any

import reflex as rx

from clubapp.ui.kit.text import Text, classes, visually_hidden


def data_table(headers: list[str], rows: Any, caption: str = "", **props: Any) -> rx.Component:
    """A table. `rows` is one component (an `rx.foreach`) or a list of `table_row`; an empty header is 'Actions'."""
    named = [rx.el.caption(caption, class_name="visually-hidden")] if caption else []
    body = rows if isinstance(rows, list | tuple) else [rows]
    return rx.el.table(
        *named,
        rx.el.thead(table_row(*[_header(text) for text in headers]), role="rowgroup"),
        rx.el.tbody(*body, role="rowgroup"),
        role="table",
        class_name=classes("data-table", props),
        **props,
    )


def _header(text: str) -> rx.Component:
    return rx.el.th(text or visually_hidden("Actions"), scope="col", role="columnheader")


def table_row(*cells: rx.Component, **props: Any) -> rx.Component:
    """A row of `cell`s."""
    return rx.el.tr(*cells, role="row", **props)


def cell(*children: Any, label: Text = "", **props: Any) -> rx.Component:
    """A cell; on a phone `label` stands before it."""
    if not isinstance(label, str) or label:
        props["data_label"] = label
    return rx.el.td(*children, role="cell", class_name=classes("cell", props), **props)
