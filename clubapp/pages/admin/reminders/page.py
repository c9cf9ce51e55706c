"""/admin/email-settings: when the automatic mails go out (specification, section 2)."""

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.reminders.state import RemindersState, Row
from clubapp.services.event_form import LONGEST_BLOCK, LONGEST_LINE
from clubapp.services.reminder_settings import MAX_DAYS_BEFORE, ReminderCard
from clubapp.services.templates import VARIABLES
from clubapp.ui import banner, button, checkbox, error_state, field, form_actions, skeleton_lines, text_area
from clubapp.ui.field import error_line
from clubapp.ui.layouts import admin_layout
from clubapp.ui.text import shown_if
from clubapp.ui.vendor.kept_form import kept_form
from clubapp.ui.vendor.writing import days
from clubapp.web.page import Page

_NOTE = "Ces paramètres s'appliquent à tous les nouveaux événements, et aux envois à venir des événements déjà créés."
_INVITATION = "event_invitation"
_AUTOMATIC = (
    "Une fois activé, les invitations d'un événement confirmé partent d'elles-mêmes à cette date, si elles ne sont pas "
    "déjà parties."
)
_VARIABLES = "Variables : " + ", ".join(f"{{{{{name}}}}}" for name, _ in VARIABLES) + "."
_WHO = "Les relances partent automatiquement vers les membres ayant confirmé leur présence."


def content() -> rx.Component:
    """The screen."""
    return admin_layout(
        banner(_NOTE, _WHO, "indigo", role="note"),
        rx.cond(RemindersState.is_loaded, _form(), rx.cond(RemindersState.has_failed, _failed(), skeleton_lines(8))),
        title="Paramètres des relances",
        on_arrive=RemindersState.begin,
    )


def _failed() -> rx.Component:
    return error_state(
        "Les paramètres n'ont pas pu être chargés",
        "Vérifiez votre connexion, puis réessayez.",
        button("Réessayer", variant="secondary", on_click=RemindersState.load),
    )


def _form() -> rx.Component:
    return kept_form(
        rx.el.input(type="hidden", name="seen", value=RemindersState.seen, read_only=True),
        rx.el.div(
            rx.foreach(RemindersState.rows, _card), key=f"edition-{RemindersState.edition}", class_name="reminder-cards"
        ),
        form_actions(button("Sauvegarder", type="submit", busy=RemindersState.is_saving, busy_label="Enregistrement…")),
        name="reminders",
        on_submit=RemindersState.save,
        on_restore=RemindersState.restore,
        busy=RemindersState.is_saving,
        attempt=RemindersState.attempt,
        saved=RemindersState.saved,
        class_name="form reminder-form",
    )


def _card(row: Row) -> rx.Component:
    card = row.card
    return rx.el.section(
        rx.el.input(type="hidden", name="id", value=card.id, read_only=True),
        _head(card),
        shown_if(card.kind == _INVITATION, rx.el.p(_AUTOMATIC, class_name="field-hint")),
        _days(row),
        _template(row),
        rx.cond(card.asks, _asking(row), rx.fragment()),
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


def _days(row: Row) -> rx.Component:
    control = f"days-{row.card.id}"
    return rx.el.div(
        rx.el.label("Nombre de jours avant l'événement", html_for=control, class_name="field-label"),
        days(
            "days_before",
            row.card.days_before,
            MAX_DAYS_BEFORE,
            id=control,
            after="avant l'événement",
            invalid=row.days_before != "",
            described_by=f"{control}-error",
        ),
        error_line(control, row.days_before),
        class_name="field",
    )


def _template(row: Row) -> rx.Component:
    card = row.card
    return rx.el.div(
        rx.el.p("Modèle", class_name="mail-kind"),
        rx.el.p(card.subject, class_name="mail-subject"),
        rx.el.p(card.content, class_name="mail-excerpt"),
        rx.el.details(
            rx.el.summary("Modifier ce modèle"),
            rx.el.div(
                field(
                    "Objet du modèle",
                    "template_subject",
                    id=f"template-subject-{card.id}",
                    default_value=card.subject,
                    error=row.template_subject,
                    max_length=LONGEST_LINE,
                ),
                text_area(
                    "Contenu du modèle",
                    "template_content",
                    rows=10,
                    id=f"template-content-{card.id}",
                    default_value=card.content,
                    error=row.template_content,
                    max_length=LONGEST_BLOCK,
                    hint=_VARIABLES,
                ),
                class_name="asking-text",
            ),
            open=(row.template_subject != "") | (row.template_content != ""),
            class_name="reminder-template",
        ),
        class_name="card mail-card",
    )


def _asking(row: Row) -> rx.Component:
    card = row.card
    return rx.el.div(
        rx.el.input(type="hidden", name="asking_id", value=card.id, read_only=True),
        checkbox(
            "Relancer aussi les membres qui n'ont pas répondu",
            "to_unanswered",
            id=f"asks-{card.id}",
            value=card.id,
            default_checked=card.to_unanswered,
            hint="Avec un texte à part, qui demande une réponse. Ceux qui ont décliné ne reçoivent rien.",
        ),
        rx.el.div(
            field(
                "Objet",
                "unanswered_subject",
                id=f"asks-subject-{card.id}",
                default_value=card.unanswered_subject,
                error=row.unanswered_subject,
                max_length=LONGEST_LINE,
            ),
            text_area(
                "Contenu",
                "unanswered_content",
                rows=8,
                id=f"asks-content-{card.id}",
                default_value=card.unanswered_content,
                error=row.unanswered_content,
                max_length=LONGEST_BLOCK,
                hint=_VARIABLES,
            ),
            class_name="asking-text",
        ),
        class_name="asking",
    )


PAGES = [
    Page(route=routes.ADMIN_REMINDERS, title="Paramètres des relances", content=content, on_load=[RemindersState.load])
]
