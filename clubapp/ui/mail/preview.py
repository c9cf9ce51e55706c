"""A mail as its reader will see it: on a desk, on a phone, as plain text."""

from typing import Any

import reflex as rx

from clubapp.ui.react.forms.mail_editor_tools import mail_frame
from clubapp.ui.react.lists.tabs import tabs


def mail_preview(preview: Any, *head: rx.Component) -> rx.Component:
    """The section 'Aperçu' over a `Preview`; `head` stands between its title and the mail."""
    views = tabs(
        [
            ("desk", "Ordinateur", mail_frame(preview.html, "Aperçu sur ordinateur", class_name="preview-frame")),
            (
                "phone",
                "Téléphone",
                mail_frame(preview.html, "Aperçu sur téléphone", class_name="preview-frame preview-phone"),
            ),
            ("text", "Texte", rx.el.pre(preview.text, tab_index=0, class_name="preview-text")),
        ],
        label="Aperçu",
    )
    return rx.el.section(rx.el.h3("Aperçu"), *head, views, aria_label="Aperçu", class_name="mail-preview")


def preview_head(*lines: tuple[str, Any]) -> rx.Component:
    """The lines above a mail, each a name and a `dd`."""
    rows = [rx.el.div(rx.el.dt(name), value) for name, value in lines]
    return rx.el.dl(*rows, class_name="preview-head")


def preview_subject(preview: Any) -> tuple[str, rx.Component]:
    """The line 'Objet' for `preview_head`."""
    return "Objet", rx.el.dd(preview.subject, data_preview="subject")
