"""A member's form over what is their own: its fields, its two versions, its preview."""

from typing import Any

import reflex as rx

from clubapp.ui.kit.button import button
from clubapp.ui.kit.dialog import dialog
from clubapp.ui.kit.field import field, form_actions, hidden_field, text_area
from clubapp.ui.react.forms.draft_form import draft_form
from clubapp.ui.react.forms.entries_button import entries_button
from clubapp.ui.records.edit_conflict import difference_list

READ_ONLY = "Contactez un admin pour modifier"
LISTED = "Séparez-les par des virgules."


def own_form(state: Any, *children: rx.Component, id: Any, draft: str, actions: tuple[rx.Component, ...] = ()) -> Any:
    """The form of an `OwnForm` state. What is typed in it is kept under the name `draft` of the record `id`."""
    return draft_form(
        hidden_field("seen", state.form.seen),
        difference_list(state.rivals, state.told),
        *children,
        form_actions(
            *actions,
            entries_button("Aperçu", on_entries=state.preview, class_name="button button-secondary"),
            button("Enregistrer", type="submit", busy=state.is_saving, busy_label="Enregistrement…"),
        ),
        name=f"{draft}:{id}",
        on_submit=state.save,
        on_restore=state.restore,
        busy=state.is_saving,
        attempt=state.attempt,
        saved=state.saved,
        key=id,
        class_name="form",
    )


def own_line(state: Any, label: str, name: str, type: Any = "text", **props: Any) -> rx.Component:
    """A field of one line."""
    return field(label, name, type, default_value=getattr(state.form, name), error=state.errors[name], **props)


def own_area(state: Any, label: str, name: str, rows: int, **props: Any) -> rx.Component:
    """A field of several lines."""
    return text_area(label, name, rows, default_value=getattr(state.form, name), error=state.errors[name], **props)


def own_preview(state: Any, title: str, page: rx.Component) -> rx.Component:
    """The public page of what is typed."""
    return dialog(
        title,
        rx.el.div(page, class_name="profile-preview"),
        open=state.is_previewed,
        on_close=state.close_preview,
        wide=True,
        backdrop_closes=True,
        description="Rien n'est encore enregistré.",
    )
