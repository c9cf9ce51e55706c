"""The dialog of a broadcast's form, and the questions about broadcasts."""

import reflex as rx

from clubapp.pages.admin.mailings.broadcast_state import DRAFT, SEND, TEST, BroadcastActionState, BroadcastState
from clubapp.pages.admin.mailings.preview_part import preview_as_member
from clubapp.pages.admin.mailings.preview_state import PreviewState
from clubapp.services.mailings.broadcasts import LABELS, LONGEST_CONTENT
from clubapp.ui import (
    button,
    confirm_dialog,
    dialog,
    failure_banner,
    form_actions,
    hidden_field,
    required_note,
    select,
)
from clubapp.ui.mail.text_area import mail_subject, mail_text_area
from clubapp.ui.react.forms.draft_form import draft_form
from clubapp.ui.react.forms.mail_editor_tools import require_filled, typing_listener

_form, _errors, _busy = BroadcastState.form, BroadcastState.errors, BroadcastState.is_saving
_HINT = (
    "Chaque ligne devient un paragraphe, et les adresses web des liens. {{PRENOM}} et {{NOM}} deviennent ceux du "
    "membre qui lit. La signature est ajoutée."
)


def broadcast_dialog() -> rx.Component:
    """The form of a new broadcast or of a draft, with its preview."""
    return dialog(
        rx.cond(_form.id != "", "Modifier le brouillon", "Nouvel e-mail"),
        rx.el.div(_writing(), preview_as_member(), class_name="mail-editor"),
        open=BroadcastState.is_open,
        on_close=BroadcastState.close,
        class_name="dialog-editor",
    )


def _writing() -> rx.Component:
    return draft_form(
        # Enter in a field presses the first submit button of the form, so that must be the one that only saves.
        rx.el.button("Enregistrer", type="submit", name="action", value=DRAFT, hidden=True, tab_index=-1),
        hidden_field("id", _form.id),
        hidden_field("seen", BroadcastState.seen),
        required_note(),
        _audience(),
        _words(),
        rx.el.div(failure_banner(BroadcastState.failure), _buttons(), class_name="dialog-foot mail-form-end"),
        name=BroadcastState.draft,
        on_submit=BroadcastState.submit,
        on_restore=BroadcastState.restore,
        busy=_busy,
        attempt=BroadcastState.attempt,
        saved=BroadcastState.saved,
        class_name="form mail-form",
    )


def _words() -> rx.Component:
    return typing_listener(
        mail_subject(
            "Objet",
            "subject",
            LABELS,
            required=True,
            default_value=_form.subject,
            error=_errors.subject,
            data_autofocus="true",
        ),
        mail_text_area(
            "Contenu",
            "content",
            LABELS,
            is_each_line=True,
            rows=14,
            required=True,
            default_value=_form.content,
            longest=LONGEST_CONTENT,
            hint=_HINT,
            error=_errors.content,
        ),
        on_typed=PreviewState.broadcast_typed,
        class_name="mail-fields",
    )


def _audience() -> rx.Component:
    return select(
        "Destinataires",
        "audience",
        BroadcastState.audiences,
        default_value=_form.audience,
        error=_errors.audience,
    )


def _buttons() -> rx.Component:
    return form_actions(
        button("Annuler", variant="secondary", on_click=BroadcastState.close),
        require_filled(
            button("Tester l'email", variant="secondary", type="submit", name="action", value=TEST, busy=_busy),
            names=["subject", "content"],
        ),
        button("Enregistrer en brouillon", variant="secondary", type="submit", name="action", value=DRAFT, busy=_busy),
        button("Enregistrer et envoyer", type="submit", name="action", value=SEND, busy=_busy),
    )


def confirmation_dialogs() -> rx.Component:
    """The questions before a broadcast is sent, stopped or deleted."""
    return rx.fragment(
        _question(
            "send",
            BroadcastActionState.audience.question,
            BroadcastActionState.audience.sentence,
            "Envoyer",
        ),
        _question(
            "stop",
            "Arrêter cet envoi\u00a0?",
            "Les messages en attente ne partiront pas. Cette action est irréversible.",
            "Arrêter l’envoi",
            danger=True,
        ),
        _question(
            "delete",
            "Supprimer ce brouillon\u00a0?",
            "Son texte sera perdu. Cette action est irréversible.",
            "Supprimer",
            danger=True,
        ),
    )


def _question(name: str, title: str | rx.Var, text: str | rx.Var, label: str, *, danger: bool = False) -> rx.Component:
    return confirm_dialog(
        title,
        text,
        open=BroadcastActionState.question == name,
        on_confirm=BroadcastActionState.confirm,
        on_cancel=BroadcastActionState.cancel,
        confirm_label=label,
        danger=danger,
        busy=BroadcastActionState.is_busy,
    )
