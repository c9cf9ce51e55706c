"""The mail that is being written in one of the dialogs, as its reader will see it."""

import reflex as rx

from clubapp.pages.admin.emails.preview_state import PreviewState
from clubapp.ui import select
from clubapp.ui.mail.preview import mail_preview, preview_head, preview_subject

_preview = PreviewState.preview


def preview_as_member() -> rx.Component:
    """The preview, with the choice of the reader."""
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
    """The end of a mail."""
    return mail_preview(_preview)
