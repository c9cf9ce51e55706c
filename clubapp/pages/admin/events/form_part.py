"""The event form in its dialog."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.events.form_state import EventFormState
from clubapp.pages.admin.events.typed import SpeakerRow
from clubapp.services.event_form import MAX_SPEAKERS, STATUSES
from clubapp.ui import button, checkbox, dialog, field, form_actions, form_row, required_note, select, text_area
from clubapp.ui.vendor.entries_form import entries_form


def form_dialog() -> rx.Component:
    """The form, for a new event or an existing one."""
    return dialog(
        rx.cond(EventFormState.form.id != "", "Modifier l'événement", "Nouvel événement"),
        entries_form(
            rx.el.input(type="hidden", name="id", value=EventFormState.form.id, read_only=True),
            rx.el.input(type="hidden", name="seen", value=EventFormState.form.seen, read_only=True),
            required_note(),
            _main_fields(),
            _speakers(),
            rx.el.div(_failure(), _buttons(), class_name="event-form-end"),
            on_entries=EventFormState.submit,
            busy=EventFormState.is_saving,
            attempt=EventFormState.attempt,
            class_name="event-form",
        ),
        open=EventFormState.is_open,
        on_close=EventFormState.close,
        wide=True,
        data_event_id=rx.cond(EventFormState.is_open & (EventFormState.form.id != ""), EventFormState.form.id, None),
    )


def _main_fields() -> rx.Component:
    form, errors = EventFormState.form, EventFormState.errors
    return rx.el.div(
        field("Titre", "title", required=True, default_value=form.title, error=errors.title, data_autofocus="true"),
        form_row(
            field(
                "Date et heure",
                "date",
                type="datetime-local",
                max="9999-12-31T23:59",  # keeps the year typed by keyboard to four digits
                required=True,
                default_value=form.date,
                error=errors.date,
            ),
            select("Statut", "status", list(STATUSES), required=True, default_value=form.status, error=errors.status),
        ),
        form_row(
            field("Lieu", "location", required=True, default_value=form.location, error=errors.location),
            field(
                "Nombre maximum de participants",
                "max_participants",
                type="number",
                min="1",
                step="1",
                input_mode="numeric",
                placeholder="Illimité",
                default_value=form.max_participants,
                error=errors.max_participants,
            ),
        ),
        field("Adresse complète", "address", default_value=form.address, error=errors.address),
        text_area("Description", "description", rows=4, default_value=form.description, error=errors.description),
        checkbox("Un déjeuner est proposé", "has_lunch", default_checked=form.has_lunch),
        class_name="event-form-main",
    )


def _speakers() -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend("Intervenants"),
        rx.foreach(EventFormState.rows, _speaker),
        rx.cond(
            _count() < MAX_SPEAKERS,
            button("Ajouter un intervenant", variant="secondary", on_click=EventFormState.add_speaker),
            rx.fragment(),
        ),
        class_name="speakers",
    )


def _speaker(row: SpeakerRow, index: Any) -> rx.Component:
    errors = EventFormState.errors
    first = index == 0
    name_id = f"speaker-name-{row.key}"
    return rx.el.div(
        rx.el.div(
            rx.el.p(f"Intervenant {index + 1}", class_name="speaker-number"),
            rx.cond(_count() > 1, _remove(row, index), rx.fragment()),
            class_name="speaker-head",
        ),
        form_row(
            rx.cond(
                first,
                field(
                    "Nom", "speaker_name", required=True, id=name_id, default_value=row.name, error=errors.speaker_name
                ),
                field("Nom", "speaker_name", id=name_id, default_value=row.name),
            ),
            _line("Entreprise", "speaker_company", row.company, row.key, rx.cond(first, errors.speaker_company, "")),
            _line("Rôle", "speaker_role", row.role, row.key, rx.cond(first, errors.speaker_role, "")),
        ),
        text_area(
            "Présentation",
            "speaker_bio",
            rows=2,
            id=f"speaker-bio-{row.key}",
            default_value=row.bio,
            error=rx.cond(first, errors.speaker_bio, ""),
        ),
        key=row.key,
        role="group",
        aria_label=f"Intervenant {index + 1}",
        class_name="speaker-row",
    )


def _line(label: str, name: str, value: Any, key: Any, error: Any) -> rx.Component:
    return field(label, name, id=f"{name.replace('_', '-')}-{key}", default_value=value, error=error)


def _remove(row: SpeakerRow, index: Any) -> rx.Component:
    return button(
        "Supprimer",
        rx.el.span(f" l'intervenant {index + 1}", class_name="visually-hidden"),
        variant="quiet",
        on_click=EventFormState.remove_speaker(row.key),
    )


def _failure() -> rx.Component:
    failure = EventFormState.failure
    return rx.cond(
        failure.title != "",
        rx.el.div(
            rx.el.p(failure.title, class_name="banner-title"),
            rx.cond(failure.text != "", rx.el.p(failure.text, class_name="banner-text"), rx.fragment()),
            role="alert",
            tab_index=-1,
            data_form_failure="true",
            class_name="banner banner-red event-form-failure",
        ),
        rx.fragment(),
    )


def _count() -> Any:
    return rx.Var.create(EventFormState.rows).length()


def _buttons() -> rx.Component:
    label = rx.cond(EventFormState.form.id != "", "Mettre à jour", "Créer")
    return form_actions(
        button("Annuler", variant="secondary", on_click=EventFormState.close),
        button(label, type="submit", busy=EventFormState.is_saving, busy_label="Enregistrement…"),
    )
