"""The table of a list of records: columns that sort, a press on a row opens its form, rare acts behind three dots."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx

from clubapp.ui.kit.icon import Icon, icon
from clubapp.ui.kit.links import external_link, page_link
from clubapp.ui.kit.table import cell, table_row
from clubapp.ui.kit.text import Text, show_if, visually_hidden
from clubapp.ui.react.lists.address_controls import sort_header
from clubapp.ui.react.lists.arrow_key_rows import arrow_key_rows
from clubapp.ui.react.overlays.action_menu import action_menu

SORT = "tri"


@dataclass(frozen=True)
class Column:
    """A column with its label; `sort` is the name of its order in the address, empty for none."""

    label: str
    sort: str = ""


def record_table(
    rows: Any, row: Any, label: str, columns: Sequence[Column], *, kind: str, check: rx.Component | None = None
) -> rx.Component:
    """The rows under their headings; the arrow keys move between them. `kind` names their widths in record_table.css.

    `check` is the box that chooses all rows, where each has one.
    """
    headers = [*map(_header, columns), _header(Column("Actions"))]
    if check is not None:
        headers.insert(0, rx.el.th(check, scope="col", role="columnheader"))
    head = rx.el.tr(*headers, role="row")
    table = rx.el.table(
        rx.el.caption(label, class_name="visually-hidden"),
        rx.el.thead(head, role="rowgroup"),
        rx.el.tbody(rx.foreach(rows, row), role="rowgroup"),
        role="table",
        data_kind=kind,
        class_name="record-table",
    )
    return arrow_key_rows(table)


def _header(column: Column) -> rx.Component:
    if column.sort:
        return sort_header(parameter=SORT, column=column.sort, label=column.label)
    text = visually_hidden(column.label) if column.label == "Actions" else column.label
    return rx.el.th(text, scope="col", role="columnheader")


def record_row(
    *cells: rx.Component,
    id: Any,
    name: Any,
    opener: rx.Component,
    acts: Sequence[Any],
    page: Text = "",
    check: rx.Component | None = None,
) -> rx.Component:
    """A row: its box, `opener` and its `cells`, the eye to its `page`, and its `acts` behind three dots."""
    actions = rx.el.div(
        *([_read_link(name, page)] if page else []),
        action_menu(f"Autres actions\u00a0: {name}", *acts),
        class_name="record-actions",
    )
    return table_row(
        *([cell(check, class_name="record-check-cell")] if check is not None else []),
        cell(opener, class_name="record-name"),
        *cells,
        cell(actions, class_name="record-acts"),
        key=id,
        data_record_id=id,
        class_name="people-row",
    )


def row_opener(face: rx.Component, name: Any, under: Any, badges: Any, on_open: Any, *, also: Any = "") -> rx.Component:
    """The button that opens the form of a row; the whole row is its target. `also` stands beside `under` on a card."""
    on_card = show_if(also != "", rx.el.span(rx.cond(under != "", " · ", ""), also, class_name="people-also"))
    return rx.el.button(
        face,
        rx.el.span(
            rx.el.span(name, data_short="true", class_name="people-name"),
            show_if(
                (under != "") | (also != ""),
                rx.el.span(under, on_card, data_short="true", class_name="people-position"),
            ),
            badges,
            class_name="people-words",
        ),
        type="button",
        on_click=on_open,
        data_row="true",
        data_leaves_form="true",
        class_name="people-open",
    )


def text_cell(text: Any, under: Any = "", **props: Any) -> rx.Component:
    """A cell with a text, and a quieter one below it."""
    return cell(
        rx.el.span(text, data_short="true", class_name="record-text"),
        show_if(under != "", rx.el.span(under, data_short="true", class_name="people-domain")),
        **props,
    )


def phone_cell(phone: Any, href: Any) -> rx.Component:
    """A telephone number to press."""
    link = external_link(rx.fragment(visually_hidden("Appeler "), phone), href, class_name="record-phone")
    return cell(rx.cond(href != "", link, phone), class_name="record-phone-cell")


def completeness_ring(parts: Any, of: int) -> rx.Component:
    """A ring that is as full as a record: so many `parts` of all."""
    return rx.el.svg(
        rx.el.svg.circle(cx="8", cy="8", r="6", class_name="ring-ground"),
        rx.el.svg.circle(
            cx="8", cy="8", r="6", path_length=of, stroke_dasharray=f"{parts} {of}", class_name="ring-part"
        ),
        view_box="0 0 16 16",
        width="16",
        height="16",
        aria_hidden="true",
        class_name="ring",
    )


def missing_cell(missing: Any, parts: Any, of: int) -> rx.Component:
    """What the public page lacks, behind a ring that is as full as the record; nothing when it is complete."""
    ring = completeness_ring(parts, of)
    shown = rx.fragment(
        ring,
        rx.el.span(
            visually_hidden("À compléter\u00a0: "), missing, data_short="true", class_name="record-missing-words"
        ),
    )
    return cell(show_if(missing != "", shown), class_name="record-missing")


def menu_act(drawing: Icon, label: str, on_press: Any) -> rx.Component:
    """An act of a row's menu."""
    return rx.el.button(icon(drawing), label, type="button", on_click=on_press, class_name="action-menu-item")


def delete_act(name: Text, on_delete: Any, label: str = "Supprimer la fiche…") -> rx.Component:
    """The last act of a row's menu."""
    return rx.el.button(
        icon("bin"),
        label,
        visually_hidden(f"\u00a0: {name}"),
        type="button",
        on_click=on_delete,
        class_name="action-menu-item action-menu-danger",
    )


def _read_link(name: Text, page: Text) -> rx.Component:
    return page_link(
        icon("eye"),
        visually_hidden(f"Lire sa page\u00a0: {name}"),
        to=page,
        title="Lire sa page",
        class_name="icon-button people-read",
    )
