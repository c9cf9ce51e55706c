"""Rows of a form that can be put in order by buttons and keys, and take what is known of a person."""

from typing import Any

import reflex as rx

from clubapp.ui.react.script_path import script


class SortableRows(rx.Component):
    """See the component beside this file."""

    library = script(__name__, "sortable_rows.jsx")
    tag = "SortableRows"

    rows: rx.Var[list[Any]]
    people: rx.Var[list[Any]]
    noun: rx.Var[str]
    name_field: rx.Var[str]
    other_fields: rx.Var[dict[str, str]]


def sortable_rows(
    *children: Any, rows: Any, people: Any, noun: str, name_field: str, other_fields: dict[str, str], **props: Any
) -> rx.Component:
    """`rows` have a `key`, which stands as `data-row` on the element of each; `people` have a `name` and a `company`.

    `other_fields` says what a known name fills: field by property of the person.
    """
    return SortableRows.create(
        *children, rows=rows, people=people, noun=noun, name_field=name_field, other_fields=other_fields, **props
    )
