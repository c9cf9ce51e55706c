"""/admin/emails/ecrire: a mail to a choice of people, with files."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.mail.messages.event_variables import LABELS, MEANINGS, NAMES_OF_READER
from clubapp.pages.admin.mailings.writing.state import DRAFT, SEND, TEST, WritingState
from clubapp.pages.admin.mailings.writing.whom_part import choice_form, whom_part
from clubapp.services.mailings.attachment_kinds import ACCEPTED, MOST_BYTES
from clubapp.services.mailings.attachments import MOST_FILES
from clubapp.services.mailings.broadcasts import LONGEST_CONTENT
from clubapp.ui import (
    banner,
    button,
    card,
    confirm_dialog,
    failure_banner,
    form_actions,
    hidden_field,
    link_button,
    required_note,
    select,
    skeleton_lines,
    when_loaded,
)
from clubapp.ui.frame.layouts import admin_layout
from clubapp.ui.kit.text import show_if
from clubapp.ui.mail.navigation import mail_tabs
from clubapp.ui.mail.preview import mail_preview, preview_head, preview_subject
from clubapp.ui.mail.test_mail_dialog import TestMailState, send_test_dialog
from clubapp.ui.mail.text_area import mail_subject, mail_text_area
from clubapp.ui.react.forms.attachments import attachments
from clubapp.ui.react.forms.draft_form import draft_form
from clubapp.ui.react.forms.mail_editor_tools import require_filled, typing_listener, variable_buttons
from clubapp.ui.react.overlays.reveal_panel import reveal_panel
from clubapp.web.screens.page import Page

TITLE = "Écrire"
_HINT = "Chaque ligne devient un paragraphe, et les adresses web des liens. La signature est ajoutée."
_form, _errors, _busy = WritingState.form, WritingState.errors, WritingState.is_saving
_preview: Any = WritingState.preview
_files: Any = WritingState.files


def content() -> rx.Component:
    """The screen."""
    shown = rx.cond(
        WritingState.sent != "",
        _sent(),
        rx.cond(WritingState.whom.is_known, _writing(), _nobody()),
    )
    return admin_layout(
        mail_tabs(),
        when_loaded(WritingState, shown, skeleton_lines(10), "Cet écran n’a pas pu être chargé"),
        _question(),
        send_test_dialog(),
        title=TITLE,
        on_arrive=[WritingState.begin, TestMailState.close],
    )


def _nobody() -> rx.Component:
    """Nothing is chosen yet, or what was is gone."""
    return card(
        show_if(WritingState.gone != "", banner(WritingState.gone)),
        rx.el.h2("À qui voulez-vous écrire\u00a0?", class_name="writing-title"),
        rx.el.p(
            "Choisissez ici, ou partez de la liste des membres, d’une fiche ou des personnes d’une rencontre.",
            class_name="field-hint",
        ),
        choice_form(),
        class_name="writing-nobody",
    )


def _sent() -> rx.Component:
    shown = card(
        rx.el.h2("C’est parti", class_name="writing-title"),
        rx.el.p(WritingState.sent, role="status"),
        rx.el.div(
            link_button("Suivre l’envoi", to=WritingState.journal),
            link_button("Revenir aux e-mails", to=routes.ADMIN_EMAILS, variant="secondary"),
            class_name="mail-row-actions",
        ),
        class_name="writing-nobody",
    )
    return reveal_panel(shown)


def _writing() -> rx.Component:
    return rx.el.div(
        rx.el.div(whom_part(), _text(), class_name="writing-main"),
        mail_preview(
            _preview,
            select(
                "Aperçu pour",
                "reader",
                WritingState.readers,
                value=WritingState.reader_id,
                on_change=WritingState.read_as,
            ),
            preview_head(("À", rx.el.dd(_preview.addressee)), preview_subject(_preview)),
        ),
        class_name="mail-editor writing",
    )


def _text() -> rx.Component:
    return draft_form(
        # Enter in a field presses the first submit button of the form, so that must be the one that only saves.
        rx.el.button("Enregistrer", type="submit", name="action", value=DRAFT, hidden=True, tab_index=-1),
        hidden_field("id", _form.id),
        hidden_field("left_off", _form.left_off),
        hidden_field("seen", WritingState.seen),
        required_note(),
        rx.el.div(
            typing_listener(*_fields(), on_typed=WritingState.typed, class_name="mail-fields"),
            _variables(),
            class_name="mail-text",
        ),
        rx.el.div(
            rx.el.h2("Pièces jointes", class_name="field-label"),
            attachments(
                address=f"{routes.ATTACHMENTS}/{_form.id}",
                accept=ACCEPTED,
                files=_files.files,
                most=MOST_FILES,
                most_bytes=MOST_BYTES,
                kept_bytes=_files.bytes,
                total=_files.total,
                on_stored=WritingState.read_files,
                on_remove=WritingState.remove_file,
            ),
            class_name="field",
        ),
        rx.el.div(failure_banner(WritingState.failure), _buttons(), class_name="dialog-foot mail-form-end"),
        key=WritingState.draft,
        name=WritingState.draft,
        on_submit=WritingState.submit,
        on_restore=WritingState.restore,
        busy=_busy,
        attempt=WritingState.attempt,
        saved=WritingState.saved,
        class_name="form mail-form card writing-form",
    )


def _fields() -> list[rx.Component]:
    return [
        mail_subject(
            "Objet",
            "subject",
            LABELS,
            required=True,
            default_value=_form.subject,
            error=_errors.subject,
            auto_focus=True,
            data_autofocus="true",
        ),
        mail_text_area(
            "Message",
            "content",
            LABELS,
            offered=rx.cond(WritingState.whom.event_id != "", list(LABELS), list(NAMES_OF_READER)),
            is_each_line=True,
            rows=12,
            required=True,
            default_value=_form.content,
            longest=LONGEST_CONTENT,
            hint=_HINT,
            error=_errors.content,
        ),
    ]


def _variables() -> rx.Component:
    """Those of the reader, and those of the event when there is one."""
    of_reader = [(name, MEANINGS[name]) for name in NAMES_OF_READER]
    of_event = [pair for pair in MEANINGS.items() if pair[0] not in NAMES_OF_READER]
    return rx.el.details(
        rx.el.summary("Variables disponibles"),
        rx.cond(
            WritingState.whom.event_id != "",
            variable_buttons([*of_reader, *of_event], LABELS, target="field-content"),
            variable_buttons(of_reader, LABELS, target="field-content"),
        ),
        class_name="mail-variables",
    )


def _buttons() -> rx.Component:
    return form_actions(
        require_filled(
            button("Tester l'email", variant="secondary", type="submit", name="action", value=TEST, busy=_busy),
            names=["subject", "content"],
        ),
        button("Enregistrer en brouillon", variant="secondary", type="submit", name="action", value=DRAFT, busy=_busy),
        button("Envoyer…", type="submit", name="action", value=SEND, busy=_busy),
    )


def _question() -> rx.Component:
    return confirm_dialog(
        WritingState.question.question,
        WritingState.question.sentence,
        show_if(
            _files.files.length() > 0,
            rx.el.p(f"Pièces jointes\u00a0: {_files.names}.", class_name="writing-asked"),
        ),
        open=WritingState.is_asking,
        on_confirm=WritingState.confirm,
        on_cancel=WritingState.cancel,
        confirm_label="Envoyer",
        busy=WritingState.is_sending,
    )


PAGES = [Page(route=routes.ADMIN_WRITE, title=TITLE, content=content, on_load=[WritingState.load])]
