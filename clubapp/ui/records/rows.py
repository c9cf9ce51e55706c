"""What stands around a list of records: the end of a long one, its export and import."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from clubapp.ui.access.download_link import download_link
from clubapp.ui.kit.badge import badge
from clubapp.ui.kit.links import page_link
from clubapp.ui.kit.text import show_if
from clubapp.ui.react.lists.load_more import load_more_button

ALL = "all"


def missing_badge(missing: Any) -> rx.Component:
    """What is missing on a public page; nothing while `missing` is empty."""
    return show_if(missing != "", badge(f"À compléter\u00a0: {missing}", "amber"))


def show_more_button(more: Any, shown: Any, on_click: Any) -> rx.Component:
    """The button that shows the next page of a long list of `shown` rows; none without `more`, the number left."""
    left = show_if(more > 0, rx.el.span(more, " de plus", class_name="muted"))
    return load_more_button(
        "Afficher plus", left, more=more > 0, shown=shown, on_more=on_click, class_name="people-more"
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
