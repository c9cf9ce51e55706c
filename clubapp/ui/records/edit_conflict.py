"""Resolving an edit conflict: for each field, the saved value or the typed one is chosen."""

from typing import Any

import reflex as rx

from clubapp.services.base.edit_conflicts import RECORD_CHANGED, Difference
from clubapp.ui.kit.text import Text, show_if

KEEP = "keep_"
THEIRS, MINE = "theirs", "mine"


def difference_list(rows: Any, saved_by: Text) -> rx.Component:
    """Each field that both people changed, as radios named `keep_<field>` with the values 'theirs' and 'mine'."""
    section = rx.el.section(
        rx.el.h3("Deux versions de cette fiche", class_name="differences-title"),
        rx.el.p(RECORD_CHANGED, " ", saved_by, class_name="differences-text"),
        rx.foreach(rows, _difference),
        role="alert",
        tab_index=-1,
        data_form_failure="true",
        class_name="differences",
    )
    return show_if(rows.length() > 0, section)


def _difference(row: Any) -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend(row.label),
        _version(row, THEIRS, "Version enregistrée", row.theirs),
        _version(row, MINE, "Votre saisie", row.mine),
        key=row.name,
        class_name="difference",
    )


def _version(row: Any, choice: str, label: str, value: Any) -> rx.Component:
    radio = rx.el.input(
        type="radio", name=f"{KEEP}{row.name}", value=choice, default_checked=choice == MINE, class_name="checkbox-box"
    )
    shown = rx.cond(
        row.is_image & (value != ""),
        rx.el.img(src=value, alt="", class_name="difference-image"),
        rx.el.span(rx.cond(value != "", value, "(vide)"), class_name="difference-value"),
    )
    words = rx.el.span(rx.el.span(label, class_name="difference-whose"), shown, class_name="difference-words")
    return rx.el.label(radio, words, class_name="difference-version")


def fields_kept_theirs(entries: Any, rows: tuple[Difference, ...] | list[Difference]) -> list[str]:
    """The names of the fields in which the saved version was chosen."""
    chosen = entries if isinstance(entries, dict) else {}
    return [row.name for row in rows if chosen.get(f"{KEEP}{row.name}") == THEIRS]
