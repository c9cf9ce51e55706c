"""The preview of the mail that is being written in one of the dialogs."""

import reflex as rx

from clubapp.pages.admin.mailings.preview_state import PreviewState
from clubapp.ui import select
from clubapp.ui.mail.preview import mail_preview, preview_head, preview_subject

_preview = PreviewState.preview


def preview_as_member() -> rx.Component:
    """The preview, with a select for the member who reads it."""
    return mail_preview(
        _preview,
        select(
            "Aperçu pour",
            "reader",
            PreviewState.readers,
            value=PreviewState.reader_id,
            on_change=PreviewState.read_as,
        ),
        preview_head(("À", rx.el.dd(_preview.addressee)), preview_subject(_preview)),
    )


def preview_of_signature() -> rx.Component:
    """The preview of the signature."""
    return mail_preview(_preview)
