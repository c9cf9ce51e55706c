"""The forms in which members edit their own profile and company, with preview and edit conflicts."""

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


def own_form(
    state: Any,
    *children: rx.Component,
    id: Any,
    draft: str,
    lists: tuple[str, ...],
    actions: tuple[rx.Component, ...] = (),
) -> Any:
    """The form of an `OwnForm` state; `draft` and the record's `id` make the name of its draft.

    `lists` are the comma-separated fields, which show what was stored once they are saved.
    """
    return draft_form(
        hidden_field("seen", state.form.seen),
        difference_list(state.differences, state.saved_by),
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
        stored={name: getattr(state.form, name) for name in lists},
        key=id,
        class_name="form",
    )


def own_line(state: Any, label: str, name: str, type: Any = "text", **props: Any) -> rx.Component:
    """A field of one line of an `OwnForm` state."""
    return field(label, name, type, default_value=getattr(state.form, name), error=state.errors[name], **props)


def own_area(state: Any, label: str, name: str, rows: int, **props: Any) -> rx.Component:
    """A field of several lines of an `OwnForm` state."""
    return text_area(label, name, rows, default_value=getattr(state.form, name), error=state.errors[name], **props)


def own_preview(state: Any, title: str, page: rx.Component) -> rx.Component:
    """The dialog with the public page that the typed values make."""
    return dialog(
        title,
        rx.el.div(page, class_name="profile-preview"),
        open=state.is_previewed,
        on_close=state.close_preview,
        wide=True,
        backdrop_closes=True,
        description="Rien n’est encore enregistré.",
    )
