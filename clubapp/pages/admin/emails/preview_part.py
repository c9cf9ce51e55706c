"""A mail as its reader will see it: on a desk, on a phone, as plain text."""

import reflex as rx

from clubapp.pages.admin.emails.preview_state import PreviewState
from clubapp.ui import select, tabs
from clubapp.ui.vendor.writing import mail_frame

_preview = PreviewState.preview


def preview_as_member() -> rx.Component:
    """The preview, with the choice of the reader."""
    return _panel(
        select(
            "Aperçu pour",
            "reader",
            PreviewState.readers,
            value=PreviewState.reader_id,
            on_change=PreviewState.read_as,
        ),
        rx.el.dl(
            rx.el.div(rx.el.dt("À"), rx.el.dd(_preview.addressee)),
            rx.el.div(rx.el.dt("Objet"), rx.el.dd(_preview.subject, data_preview="subject")),
            class_name="preview-head",
        ),
    )


def preview_of_signature() -> rx.Component:
    """The end of a mail."""
    return _panel()


def _panel(*head: rx.Component) -> rx.Component:
    views = tabs(
        [
            ("desk", "Ordinateur", mail_frame(_preview.html, "Aperçu sur ordinateur", class_name="preview-frame")),
            (
                "phone",
                "Téléphone",
                mail_frame(_preview.html, "Aperçu sur téléphone", class_name="preview-frame preview-phone"),
            ),
            ("text", "Texte", rx.el.pre(_preview.text, tab_index=0, class_name="preview-text")),
        ],
        label="Aperçu",
    )
    return rx.el.section(rx.el.h3("Aperçu"), *head, views, aria_label="Aperçu", class_name="mail-preview")
