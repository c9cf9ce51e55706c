"""The fields of the club's own texts of the automatic mails, each with a preview."""

from typing import Any

import reflex as rx

from clubapp.pages.admin.reminders.preview_state import UNANSWERED, ReminderPreviewState
from clubapp.pages.admin.reminders.state import ReminderRow, RemindersState
from clubapp.services.base.form_fields import LONGEST_BLOCK
from clubapp.services.mailings.event_templates import LABELS, VARIABLES
from clubapp.ui import button, checkbox, hidden_field
from clubapp.ui.mail.preview import mail_preview, preview_head, preview_subject
from clubapp.ui.mail.text_area import mail_subject, mail_text_area
from clubapp.ui.react.forms.mail_editor_tools import typing_listener

_VARIABLES = "Variables\u00a0: " + ", ".join(f"{{{{{name}}}}}" for name, _ in VARIABLES) + "."


def text_fields(row: ReminderRow) -> rx.Component:
    """The text for everyone, or for those who have confirmed."""
    card = row.card
    return rx.el.div(
        rx.el.p(rx.cond(card.asks, "Rappel à ceux qui viennent", "Modèle"), class_name="mail-kind"),
        rx.el.p(card.subject, class_name="mail-subject"),
        rx.el.p(card.excerpt, class_name="mail-excerpt"),
        rx.el.details(
            rx.el.summary("Modifier ce modèle"),
            _text(
                f"{RemindersState.edition}:{card.kind}",
                row,
                "template",
                (card.subject, card.content),
                labels=("Objet du modèle", "Contenu du modèle"),
                rows=10,
            ),
            open=(row.template_subject != "") | (row.template_content != ""),
            class_name="reminder-template",
        ),
        class_name="card mail-card",
    )


def unanswered_fields(row: ReminderRow) -> rx.Component:
    """The text for those who have not answered, and the box that sends it to them."""
    card = row.card
    return rx.el.div(
        hidden_field("asking_id", card.id),
        checkbox(
            "Relancer aussi les membres qui n’ont pas répondu",
            "to_unanswered",
            id=f"asks-{card.id}",
            value=card.id,
            default_checked=card.to_unanswered,
            hint="Avec un texte à part, qui demande une réponse. Ceux qui ont décliné ne reçoivent rien.",
        ),
        _text(
            f"{RemindersState.edition}:{card.kind}:{UNANSWERED}",
            row,
            "unanswered",
            (card.unanswered_subject, card.unanswered_content),
            labels=("Objet", "Contenu"),
            rows=8,
        ),
        class_name="asking",
    )


def _text(
    text: Any, row: ReminderRow, part: str, values: tuple[Any, Any], *, labels: tuple[str, str], rows: int
) -> rx.Component:
    """The subject and the content of one text, and its preview; `text` is its key in `ReminderPreviewState`."""
    preview, is_shown = ReminderPreviewState.preview, ReminderPreviewState.shown == text
    return rx.el.div(
        rx.el.div(
            _fields(text, row, part, values, labels=labels, rows=rows),
            button(
                rx.cond(is_shown, "Masquer l’aperçu", "Voir l’aperçu"),
                variant="secondary",
                aria_expanded=rx.cond(is_shown, "true", "false"),
                on_click=ReminderPreviewState.turn(text),
            ),
            class_name="reminder-writing",
        ),
        rx.cond(
            is_shown,
            mail_preview(preview, preview_head(("Pour", rx.el.dd(preview.about)), preview_subject(preview))),
            rx.fragment(),
        ),
        class_name="reminder-text",
    )


def _fields(
    text: Any, row: ReminderRow, part: str, values: tuple[Any, Any], *, labels: tuple[str, str], rows: int
) -> rx.Component:
    return typing_listener(
        mail_subject(
            labels[0],
            f"{part}_subject",
            LABELS,
            id=f"{part}-subject-{row.card.id}",
            default_value=values[0],
            error=getattr(row, f"{part}_subject"),
        ),
        mail_text_area(
            labels[1],
            f"{part}_content",
            LABELS,
            rows=rows,
            id=f"{part}-content-{row.card.id}",
            default_value=values[1],
            error=getattr(row, f"{part}_content"),
            longest=LONGEST_BLOCK,
            hint=_VARIABLES,
        ),
        on_typed=ReminderPreviewState.typed(text),
        class_name="reminder-fields",
    )
