"""The dialog of the signature under every mail."""

import reflex as rx

from clubapp.pages.admin.mailings.preview_part import preview_of_signature
from clubapp.pages.admin.mailings.preview_state import PreviewState
from clubapp.pages.admin.mailings.signature_state import HTML, SIMPLE, SignatureState
from clubapp.services.base.form_fields import LONGEST_BLOCK, LONGEST_LINE
from clubapp.ui import (
    button,
    dialog,
    failure_banner,
    field,
    form_actions,
    form_row,
    hidden_field,
    required_note,
    tabs,
    text_area,
)
from clubapp.ui.kit.field import InputType
from clubapp.ui.react.forms.draft_form import draft_form
from clubapp.ui.react.forms.mail_editor_tools import typing_listener

HTML_ROWS = 15
_form, _errors = SignatureState.form, SignatureState.errors
_HTML_HINT = (
    "Laissez ce champ vide pour utiliser la signature simple. Les scripts, les formulaires et tout ce qui n’a pas sa "
    "place dans un e-mail en sont retirés à l’enregistrement."
)


def signature_dialog() -> rx.Component:
    """The form of the signature, simple or in HTML, with its preview."""
    return dialog(
        "Configurer la signature",
        rx.el.div(_writing(), preview_of_signature(), class_name="mail-editor"),
        description="Elle est ajoutée à la fin de tous les e-mails.",
        open=SignatureState.is_open,
        on_close=SignatureState.close,
        class_name="dialog-editor",
    )


def _writing() -> rx.Component:
    return draft_form(
        hidden_field("seen", SignatureState.seen),
        typing_listener(
            tabs(
                [(SIMPLE, "Signature simple", _simple()), (HTML, "HTML personnalisé", _html())],
                label="Signature",
                requested=SignatureState.requested_tab,
            ),
            on_typed=PreviewState.signature_typed,
        ),
        rx.cond(_form.changed != "", rx.el.p(_form.changed, class_name="field-hint"), rx.fragment()),
        rx.el.div(
            failure_banner(SignatureState.failure),
            form_actions(
                button("Annuler", variant="secondary", on_click=SignatureState.close),
                button("Enregistrer", type="submit", busy=SignatureState.is_saving, busy_label="Enregistrement…"),
            ),
            class_name="dialog-foot mail-form-end",
        ),
        name="signature",
        on_submit=SignatureState.save,
        on_restore=SignatureState.restore,
        busy=SignatureState.is_saving,
        attempt=SignatureState.attempt,
        saved=SignatureState.saved,
        class_name="form mail-form",
    )


def _simple() -> rx.Component:
    return rx.el.div(
        required_note(),
        _line("Nom de l’expéditeur", "sender_name", required=True),
        form_row(
            _line("Fonction", "sender_role", required=True),
            _line("Entreprise ou club", "company_name", required=True),
        ),
        form_row(_line("Téléphone", "phone", type="tel"), _line("Mobile", "mobile", type="tel")),
        _line("Adresse", "address"),
        _line("Site web", "website", type="url", placeholder="https://www.exemple.fr"),
        class_name="mail-fields",
    )


def _html() -> rx.Component:
    return rx.el.div(
        text_area(
            "Code HTML",
            "custom_html",
            rows=HTML_ROWS,
            default_value=_form.custom_html,
            longest=LONGEST_BLOCK,
            hint=_HTML_HINT,
            error=_errors.custom_html,
            spell_check=False,
            class_name="control-code",
        ),
        class_name="mail-fields",
    )


def _line(
    label: str, name: str, *, type: InputType = "text", required: bool = False, placeholder: str = ""
) -> rx.Component:
    return field(
        label,
        name,
        type=type,
        required=required,
        placeholder=placeholder,
        default_value=getattr(_form, name),
        max_length=LONGEST_LINE,
        error=getattr(_errors, name),
    )
