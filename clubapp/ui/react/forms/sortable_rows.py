"""Rows of a form that buttons and keys reorder, and that are filled from a list of people."""

from typing import Any

import reflex as rx

from clubapp.ui.react.script_path import script


class SortableRows(rx.Component):
    """See sortable_rows.jsx for the attributes that its children carry."""

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

    `other_fields` maps the fields that a known name fills to the properties of the person.
    """
    return SortableRows.create(
        *children, rows=rows, people=people, noun=noun, name_field=name_field, other_fields=other_fields, **props
    )
