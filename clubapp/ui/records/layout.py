"""The layout that the screens of members and companies share: form, list with search, question before deleting."""

from dataclasses import dataclass
from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.services.base.form_fields import DOMAIN_CHOICES
from clubapp.ui.kit.banner import empty_state
from clubapp.ui.kit.button import button
from clubapp.ui.kit.dialog import confirm_dialog
from clubapp.ui.kit.field import form_actions, hidden_field, required_note
from clubapp.ui.kit.links import page_link
from clubapp.ui.kit.loading import spinner, when_loaded
from clubapp.ui.kit.surface import panel
from clubapp.ui.react.forms.draft_form import draft_form, draft_note
from clubapp.ui.react.overlays.reveal_panel import reveal_panel
from clubapp.ui.records.edit_conflict import difference_list
from clubapp.ui.records.rows import ALL, record_filter, record_rows, record_search, show_more_button

_COMPLETENESS = ((ALL, "Toutes les fiches"), ("to_complete", "À compléter"))
_DOMAINS = ((ALL, "Tous les domaines"), *DOMAIN_CHOICES[1:])


@dataclass(frozen=True)
class RecordTexts:
    """The French texts of a list; `first` labels the button that creates the first record."""

    title: str
    rows: str
    search: str
    none_found: str
    none: str
    none_hint: str
    first: str
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


def record_list(state: Any, form: Any, texts: RecordTexts, row: Any, *filters: rx.Component) -> rx.Component:
    """The search and the rows of a `RecordList` state; `form` is the `RecordForm` state that creates records."""
    shown = rx.fragment(
        _search(state, texts, *filters),
        rx.el.p(state.listing.found_label, role="status", class_name="people-found"),
        rx.cond(state.listing.rows, record_rows(state.listing.rows, row, texts.rows), _nobody(state, form, texts)),
        show_more_button(state.listing.more, state.show_more),
    )
    return panel(
        texts.title,
        when_loaded(state, shown, spinner(), "La liste n’a pas pu être chargée"),
    )


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


def _search(state: Any, texts: RecordTexts, *filters: rx.Component) -> rx.Component:
    wanted = state.wanted
    domain = rx.cond(wanted.domain != "", wanted.domain, ALL)
    completeness = rx.cond(wanted.to_complete, "to_complete", ALL)
    return record_search(
        texts.search,
        wanted.text,
        state.search,
        record_filter("Domaine d'activité", domain, _DOMAINS, state.choose_domain),
        *filters,
        record_filter("Fiches", completeness, _COMPLETENESS, state.choose_completeness),
    )


def _nobody(state: Any, form: Any, texts: RecordTexts) -> rx.Component:
    return rx.cond(
        state.listing.found_label != "",
        empty_state(texts.none_found, "Changez de mots ou de filtres pour en retrouver."),
        empty_state(texts.none, texts.none_hint, button(texts.first, on_click=form.toggle_new)),
    )
