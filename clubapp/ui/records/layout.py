"""The layout that the screens of members and companies share: form, list with search, question before deleting."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.services.base.form_fields import DOMAIN_CHOICES
from clubapp.services.base.search import LONGEST_QUERY
from clubapp.ui.kit.banner import empty_state
from clubapp.ui.kit.button import button
from clubapp.ui.kit.dialog import confirm_dialog
from clubapp.ui.kit.field import form_actions, hidden_field, required_note
from clubapp.ui.kit.icon import icon
from clubapp.ui.kit.links import page_link
from clubapp.ui.kit.loading import spinner, when_loaded
from clubapp.ui.kit.surface import panel
from clubapp.ui.react.forms.draft_form import draft_form, draft_note
from clubapp.ui.react.forms.search_field import search_field
from clubapp.ui.react.lists.address_controls import filter_link, filter_select, no_filter_link
from clubapp.ui.react.overlays.reveal_panel import reveal_panel
from clubapp.ui.records.edit_conflict import difference_list
from clubapp.ui.records.rows import ALL, show_more_button
from clubapp.ui.records.table import SORT, Column, record_table

_DOMAINS = ((ALL, "Tous les domaines"), *DOMAIN_CHOICES[1:])
_SHEET = "record-filters"


@dataclass(frozen=True)
class RecordTexts:
    """The French texts of a list; `first` labels the button that creates the first record, `back` the one that leaves
    the filters on a phone."""

    title: str
    rows: str
    search: str
    none_found: str
    none: str
    none_hint: str
    first: str
    back: str
    ask_to_delete: str


def record_form(state: Any, *fields: rx.Component, draft: str, new_title: str) -> rx.Component:
    """The form of a `RecordForm` state while it is open; keyed by `opening`, so that each record gets a new one."""
    form = state.form
    is_new = form.id == ""
    fields_form = draft_form(
        hidden_field("id", form.id),
        hidden_field("seen", form.seen),
        difference_list(state.differences, state.saved_by),
        required_note(),
        *fields,
        form_actions(
            button("Annuler", variant="secondary", on_click=state.close),
            button(
                rx.cond(is_new, "Créer", "Mettre à jour"),
                type="submit",
                busy=state.is_saving,
                busy_label="Enregistrement…",
            ),
        ),
        name=rx.cond(is_new, f"{draft}:new", f"{draft}:{form.id}"),
        on_submit=state.save,
        on_restore=state.restore,
        busy=state.is_saving,
        attempt=state.attempt,
        saved=state.saved,
        class_name="form",
    )
    title = rx.cond(is_new, new_title, f"Modifier {form.name}")
    history = page_link("Historique", to=f"{routes.ADMIN_ACTS}?objet={draft}.{form.id}")
    actions = [rx.cond(is_new, rx.fragment(), history)]
    shown = reveal_panel(panel(title, fields_form, actions=actions), key=state.opening, class_name="record-form")
    note = draft_note(draft=draft, on_new=state.toggle_new, on_edit=state.edit)
    return rx.fragment(note, rx.cond(state.is_open, shown, rx.fragment()))


def record_list(
    state: Any,
    form: Any,
    texts: RecordTexts,
    row: Any,
    *,
    columns: tuple[Column, ...],
    chips: list[rx.Component],
    kind: str,
    check: rx.Component | None = None,
) -> rx.Component:
    """The search and the rows of a `RecordList` state; `form` is the `RecordForm` state that creates records.

    `columns` name those of `row`, `chips` are its filters, `kind` and `check` as in `record_table`.
    """
    table = record_table(state.listing.rows, row, texts.rows, columns, kind=kind, check=check)
    shown = rx.fragment(
        _search(texts, columns, chips),
        rx.el.p(state.listing.found_label, role="status", class_name="people-found"),
        rx.cond(state.listing.rows, table, _nobody(state, form, texts)),
        show_more_button(state.listing.more, state.listing.rows.length(), state.show_more),
    )
    return panel(
        texts.title,
        when_loaded(state, shown, spinner(), "La liste n’a pas pu être chargée"),
        class_name="record-list",
    )


def filter_chip(label: str, parameter: str, value: str, count: Any = None) -> rx.Component:
    """A filter that is on or off, with how many records it leaves."""
    return filter_link(label, *_counted(count), parameter=parameter, value=value, class_name="chip")


def all_chip(label: str, parameters: Sequence[str], count: Any = None) -> rx.Component:
    """What takes away the filters of these parameters, with how many records there are."""
    return no_filter_link(label, *_counted(count), parameters=list(parameters), class_name="chip")


def _counted(count: Any) -> list[Any]:
    return [] if count is None else [" ", rx.el.span(count, class_name="chip-count")]


def delete_question(state: Any, form: Any, texts: RecordTexts, *effects: rx.Component) -> rx.Component:
    """The question before the record `state.doomed` is deleted, with its `effects`; its open form is closed then."""
    return confirm_dialog(
        f"Supprimer {state.doomed_name}",
        texts.ask_to_delete,
        *effects,
        open=state.doomed != "",
        on_confirm=[state.delete, form.drop(state.doomed)],
        on_cancel=state.keep,
        confirm_label="Supprimer",
        danger=True,
        busy=state.is_busy,
    )


def _search(texts: RecordTexts, columns: tuple[Column, ...], chips: list[rx.Component]) -> rx.Component:
    """The search, and the filters: beside it at a desk, in a sheet on a phone."""
    orders = [(ALL, "Plus récents d’abord"), *((column.sort, column.label) for column in columns if column.sort)]
    leaves: dict[str, Any] = {"popoverTarget": _SHEET, "popoverTargetAction": "hide"}
    sheet = rx.el.div(
        rx.el.h3("Filtres", class_name="record-sheet-title"),
        rx.el.div(*chips, role="group", aria_label="Filtres", class_name="record-chips"),
        _choice("Domaine d'activité", "domaine", _DOMAINS),
        rx.el.div(_choice("Trier par", SORT, orders), class_name="record-order"),
        button(texts.back, class_name="record-sheet-close", custom_attrs=leaves),
        id=_SHEET,
        custom_attrs={"popover": "auto"},
        class_name="record-sheet",
    )
    opener = button(
        icon("filter"),
        "Filtres",
        variant="secondary",
        class_name="record-sheet-open",
        custom_attrs={"popoverTarget": _SHEET},
    )
    search = search_field(
        parameter="q",
        reset="",
        label=texts.search,
        placeholder=texts.search,
        max_length=LONGEST_QUERY,
        action="",
        class_name="record-search",
    )
    return rx.el.div(search, opener, sheet, class_name="record-tools")


def _choice(label: str, parameter: str, choices: Any) -> rx.Component:
    options = [rx.el.option(text, value=value) for value, text in choices]
    return filter_select(*options, parameter=parameter, aria_label=label, class_name="control control-select")


def _nobody(state: Any, form: Any, texts: RecordTexts) -> rx.Component:
    return rx.cond(
        state.listing.found_label != "",
        empty_state(texts.none_found, "Changez de mots ou de filtres pour en retrouver."),
        empty_state(texts.none, texts.none_hint, button(texts.first, variant="secondary", on_click=form.toggle_new)),
    )
