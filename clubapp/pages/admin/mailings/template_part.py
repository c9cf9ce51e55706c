"""The dialog of an event's three templates, with their preview."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.mailings.preview_part import preview_as_member
from clubapp.pages.admin.mailings.preview_state import PreviewState
from clubapp.pages.admin.mailings.template_state import TemplateState
from clubapp.services.base.form_fields import LONGEST_BLOCK
from clubapp.services.mailings.event_templates import LABELS, VARIABLES
from clubapp.ui import banner, button, dialog, failure_banner, form_actions, hidden_field, tabs
from clubapp.ui.mail.text_area import mail_subject, mail_text_area
from clubapp.ui.react.forms.draft_form import draft_form
from clubapp.ui.react.forms.mail_editor_tools import restore_button, typing_listener, variable_buttons

ROWS = 20
_form, _errors = TemplateState.form, TemplateState.errors
_ADDED = (
    "La date, le lieu et les boutons de réponse sont ajoutés au-dessus de votre texte\u00a0; le programme, "
    "les intervenants et la signature au-dessous."
)
_UNANSWERED = (
    "Ce texte est un rappel aux membres ayant confirmé leur présence. Celui des membres sans réponse se règle dans "
    "«\u00a0Paramètres des relances\u00a0»."
)


def template_dialog() -> rx.Component:
    """The form of the three templates, with the preview."""
    return dialog(
        "Modifier les templates",
        rx.el.div(_texts(), preview_as_member(), class_name="mail-editor"),
        description=_form.title,
        open=TemplateState.is_open,
        on_close=TemplateState.close,
        data_event_id=rx.cond(TemplateState.is_open, _form.event_id, None),
        class_name="dialog-editor",
    )


def _texts() -> rx.Component:
    panels = [
        ("invitation", "E-mail initial", _panel("invitation", "email_subject", "email_template", _form.invitation)),
        (
            "reminder_1",
            "1re relance (J-14)",
            _panel("reminder_1", "reminder_1_subject", "reminder_1_template", _form.reminder_1),
        ),
        (
            "reminder_2",
            "2e relance (J-7)",
            _panel("reminder_2", "reminder_2_subject", "reminder_2_template", _form.reminder_2),
        ),
    ]
    return draft_form(
        hidden_field("seen", TemplateState.seen),
        tabs(
            panels,
            TemplateState.first_tab,
            label="Templates",
            requested=TemplateState.requested_tab,
            on_change=PreviewState.turn,
        ),
        rx.el.div(
            failure_banner(TemplateState.failure),
            form_actions(
                button("Annuler", variant="secondary", on_click=TemplateState.close),
                button("Enregistrer", type="submit", busy=TemplateState.is_saving, busy_label="Enregistrement…"),
            ),
            class_name="dialog-foot mail-form-end",
        ),
        key=_form.event_id,
        name=rx.cond(_form.event_id != "", f"templates:{_form.event_id}", ""),
        on_submit=TemplateState.save,
        on_restore=TemplateState.restore,
        busy=TemplateState.is_saving,
        attempt=TemplateState.attempt,
        saved=TemplateState.saved,
        class_name="form mail-form",
    )


def _panel(kind: str, subject: str, content: str, text: Any) -> rx.Component:
    return rx.el.div(
        _already_sent() if kind == "invitation" else rx.el.p(_UNANSWERED, class_name="field-hint"),
        _fields(subject, content, text),
        rx.el.div(
            button("Tester", variant="secondary", on_click=TemplateState.test(kind)),
            restore_button(
                "Réinitialiser",
                {f"field-{subject}": text.default_subject, f"field-{content}": text.default_content},
            ),
            class_name="mail-text-actions",
        ),
        rx.el.details(
            rx.el.summary("Variables disponibles"),
            rx.el.p("Cliquez sur une variable pour l’insérer là où vous écrivez.", class_name="field-hint"),
            variable_buttons(VARIABLES, LABELS, target=f"field-{content}"),
            open=True,
            class_name="mail-variables",
        ),
        class_name="mail-text",
    )


def _fields(subject: str, content: str, text: Any) -> rx.Component:
    return typing_listener(
        mail_subject(
            "Objet",
            subject,
            LABELS,
            required=True,
            default_value=text.subject,
            error=getattr(_errors, subject),
        ),
        mail_text_area(
            "Contenu",
            content,
            LABELS,
            rows=ROWS,
            required=True,
            default_value=text.content,
            longest=LONGEST_BLOCK,
            error=getattr(_errors, content),
            hint=_ADDED,
        ),
        on_typed=PreviewState.templates_typed,
        class_name="mail-fields",
    )


def _already_sent() -> rx.Component:
    return rx.cond(
        _form.invitation_sent,
        banner(
            "Les invitations de cet événement sont déjà parties.",
            "Ce texte ne servira plus qu’aux invitations encore à envoyer.",
            "amber",
        ),
        rx.fragment(),
    )
