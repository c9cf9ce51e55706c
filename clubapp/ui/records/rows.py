"""What the screens of members and companies share: the rows of a list, and the search above it."""

from collections.abc import Callable, Sequence
from typing import Any

import reflex as rx

from clubapp.services.base.search import LONGEST_QUERY
from clubapp.ui.access.download_link import download_link
from clubapp.ui.kit.badge import badge
from clubapp.ui.kit.button import button
from clubapp.ui.kit.icon import icon
from clubapp.ui.kit.links import page_link
from clubapp.ui.kit.text import Text, show_if, visually_hidden
from clubapp.ui.react.lists.arrow_key_list import arrow_key_list

SEARCH_PAUSE_MS = 250
ALL = "all"


def record_row(
    *,
    id: Any,
    name: Any,
    line: Any,
    domain: Any,
    face: rx.Component,
    badges: Any,
    on_open: Any,
    on_delete: Any,
    page: Text = "",
) -> rx.Component:
    """A row: a press opens its form, the eye its `page` if there is one; the bin asks before deleting."""
    return rx.el.li(
        rx.el.button(
            face,
            rx.el.span(
                rx.el.span(name, class_name="people-name"),
                rx.el.span(line, class_name="people-position"),
                class_name="people-words",
            ),
            rx.el.span(
                rx.el.span(domain, class_name="people-domain"),
                rx.el.span(badges, class_name="people-badges"),
                class_name="people-side",
            ),
            type="button",
            on_click=on_open,
            data_row="true",
            data_leaves_form="true",
            class_name="people-open",
        ),
        *([_page_link(name, page)] if page else []),
        _delete_button(name, on_delete),
        key=id,
        data_record_id=id,
        class_name="people-row",
    )


def record_rows(rows: Any, row: Any, label: str) -> rx.Component:
    """The list of rows; the arrow keys move between them."""
    return arrow_key_list(rx.foreach(rows, row), aria_label=label, class_name="people-rows")


def missing_badge(missing: Any) -> rx.Component:
    """What is missing on a public page; nothing while `missing` is empty."""
    return show_if(missing != "", badge(f"À compléter\u00a0: {missing}", "amber"))


def record_search(label: str, text: Any, on_text: Any, *filters: rx.Component, generation: Any = 0) -> rx.Component:
    """The search above a list, run while one types, and its filters. A new `generation` resets the field to `text`."""
    field = rx.el.input(
        key=generation,
        type="search",
        name="search",
        default_value=text,
        placeholder=label,
        aria_label=label,
        auto_complete="off",
        max_length=LONGEST_QUERY,
        on_change=on_text.debounce(SEARCH_PAUSE_MS),
        class_name="control",
    )
    return rx.el.div(field, *filters, role="search", class_name="people-search")


def record_filter(label: str, value: Any, choices: Sequence[tuple[str, str]], on_choice: Any) -> rx.Component:
    """A filter; the first of `choices` means no filter."""
    options = [rx.el.option(text, value=key) for key, text in choices]
    return rx.el.select(
        *options, value=value, on_change=on_choice, aria_label=label, class_name="control control-select"
    )


def show_more_button(more: Any, on_click: Any) -> rx.Component:
    """The button that shows the next page of a long list; nothing while `more`, the number left, is 0."""
    return show_if(
        more > 0,
        rx.el.div(
            button("Afficher plus", variant="secondary", on_click=on_click),
            rx.el.span(more, " de plus", class_name="muted"),
            class_name="people-more",
        ),
    )


def _hidden(name: Text) -> rx.Component:
    return rx.el.span(name, class_name="visually-hidden")


def _page_link(name: Text, page: Text) -> rx.Component:
    return page_link(
        icon("eye"),
        visually_hidden("Lire la page de "),
        _hidden(name),
        to=page,
        title="Lire sa page",
        class_name="icon-button people-read",
    )


def _delete_button(name: Text, on_delete: Any) -> rx.Component:
    return rx.el.button(
        icon("bin"),
        visually_hidden("Supprimer "),
        _hidden(name),
        type="button",
        title="Supprimer",
        on_click=on_delete,
        class_name="icon-button people-delete",
    )


def table_links(export: Callable[[str], str], import_path: str) -> rx.Component:
    """Links to the export in both formats and to the import."""
    return rx.el.nav(
        download_link("Exporter en CSV", export("csv")),
        download_link("Exporter en XLSX", export("xlsx")),
        page_link("Importer", to=import_path),
        aria_label="Import et export",
        class_name="table-links",
    )
