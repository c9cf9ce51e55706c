"""/admin/email-settings: when the automatic mails go out."""

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.reminders.preview_state import ReminderPreviewState
from clubapp.pages.admin.reminders.state import ReminderRow, RemindersState
from clubapp.pages.admin.reminders.text_part import text_fields, unanswered_fields
from clubapp.services.reminders.settings import MAX_DAYS_BEFORE, ReminderCard
from clubapp.ui import banner, button, checkbox, form_actions, hidden_field, skeleton_lines, when_loaded
from clubapp.ui.frame.layouts import admin_layout
from clubapp.ui.kit.field import error_line
from clubapp.ui.kit.text import show_if
from clubapp.ui.mail.navigation import mail_tabs
from clubapp.ui.react.forms.draft_form import draft_form
from clubapp.ui.react.forms.mail_editor_tools import days_field
from clubapp.web.screens.page import Page

_NOTE = "Ces paramètres s’appliquent à tous les nouveaux événements, et aux envois à venir des événements déjà créés."
_INVITATION = "event_invitation"
_AUTOMATIC = (
    "Une fois cet envoi activé, les invitations d’un événement confirmé partent d’elles-mêmes à cette date, si elles "
    "ne sont pas déjà parties."
)


def content() -> rx.Component:
    """The screen."""
    return admin_layout(
        mail_tabs(),
        banner(_NOTE, RemindersState.recipients, "indigo", role="note"),
        when_loaded(RemindersState, _form(), skeleton_lines(8), "Les paramètres n’ont pas pu être chargés"),
        title="Paramètres des relances",
        on_arrive=[RemindersState.begin, ReminderPreviewState.begin],
    )


def _form() -> rx.Component:
    return draft_form(
        hidden_field("seen", RemindersState.seen),
        rx.el.div(rx.foreach(RemindersState.rows, _card), class_name="reminder-cards"),
        form_actions(button("Sauvegarder", type="submit", busy=RemindersState.is_saving, busy_label="Enregistrement…")),
        name="reminders",
        key=f"edition-{RemindersState.edition}",  # other stored values reset the fields
        on_submit=RemindersState.save,
        on_restore=RemindersState.restore,
        busy=RemindersState.is_saving,
        attempt=RemindersState.attempt,
        saved=RemindersState.saved,
        class_name="form reminder-form",
    )


def _card(row: ReminderRow) -> rx.Component:
    card = row.card
    return rx.el.section(
        hidden_field("id", card.id),
        _head(card),
        show_if(card.kind == _INVITATION, rx.el.p(_AUTOMATIC, class_name="field-hint")),
        _days(row),
        text_fields(row),
        rx.cond(card.asks, unanswered_fields(row), rx.fragment()),
        key=card.id,
        aria_labelledby=f"name-{card.id}",
        class_name="card reminder-card",
    )


def _head(card: ReminderCard) -> rx.Component:
    return rx.el.div(
        rx.el.h2(card.name, id=f"name-{card.id}", class_name="mail-title"),
        checkbox(
            rx.cond(card.kind == _INVITATION, "Envoi automatique", "Active"),
            "is_active",
            id=f"active-{card.id}",
            value=card.id,
            role="switch",
            default_checked=card.is_active,
            class_name="switch",
        ),
        class_name="reminder-head",
    )


def _days(row: ReminderRow) -> rx.Component:
    control = f"days-{row.card.id}"
    return rx.el.div(
        rx.el.label("Nombre de jours avant l’événement", html_for=control, class_name="field-label"),
        days_field(
            "days_before",
            row.card.days_before,
            MAX_DAYS_BEFORE,
            id=control,
            after="avant l’événement",
            invalid=row.days_before != "",
            described_by=f"{control}-error",
        ),
        error_line(control, row.days_before),
        class_name="field",
    )


PAGES = [
    Page(route=routes.ADMIN_REMINDERS, title="Paramètres des relances", content=content, on_load=[RemindersState.load])
]
