"""/admin/envois/a-venir: the planned mailings of the next thirty days, and their number of recipients."""

from typing import Any

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.upcoming_mailings.state import UpcomingMailingsState
from clubapp.services.reminders.upcoming_mailings import PlannedRow
from clubapp.ui import (
    button,
    confirm_dialog,
    empty_state,
    link_button,
    page_link,
    panel,
    polling,
    skeleton_lines,
    visually_hidden,
    when_loaded,
)
from clubapp.ui.frame.layouts import admin_layout
from clubapp.ui.kit.text import show_if
from clubapp.ui.mail.navigation import mail_tabs
from clubapp.web.screens.page import Page

TITLE = "Envois à venir"
EVERY_MS = 20_000
_agenda = UpcomingMailingsState.agenda


def content() -> rx.Component:
    """The screen."""
    shown = rx.el.div(
        rx.cond(_agenda.missed, _missed(), rx.fragment()),
        panel(
            "Les 30 prochains jours",
            rx.cond(_agenda.coming, rx.el.ul(rx.foreach(_agenda.coming, _row), class_name="planned-rows"), _nothing()),
            show_if(_agenda.later != "", rx.el.p(_agenda.later, class_name="planned-later")),
        ),
        polling(EVERY_MS, UpcomingMailingsState.load),
        class_name="planned",
    )
    return admin_layout(
        mail_tabs(),
        when_loaded(UpcomingMailingsState, shown, skeleton_lines(8), "Les envois à venir n’ont pas pu être chargés"),
        confirm_dialog(
            "Envoyer maintenant",
            UpcomingMailingsState.question,
            open=UpcomingMailingsState.chosen != "",
            on_confirm=UpcomingMailingsState.send,
            on_cancel=UpcomingMailingsState.keep,
            confirm_label="Envoyer",
            busy=UpcomingMailingsState.is_busy,
        ),
        title=TITLE,
        hint="Ce qui partira de lui-même, et à combien de membres. Les réponses reçues d’ici là changent ces nombres.",
    )


def _missed() -> rx.Component:
    return panel(
        "Envois manqués",
        rx.el.ul(rx.foreach(_agenda.missed, _row), class_name="planned-rows"),
        class_name="planned-missed",
    )


def _row(row: PlannedRow) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.p(
                rx.el.span(row.name, class_name="planned-name"),
                rx.el.span(row.state_label, class_name=f"badge badge-{row.tone}"),
                class_name="planned-head",
            ),
            rx.el.p(row.event, class_name="planned-event"),
            rx.el.p("Prévu le ", row.due, class_name="planned-due"),
            show_if(row.sentence != "", rx.el.p(row.sentence, class_name="planned-sentence")),
            show_if(row.note != "", rx.el.p(row.note, class_name="planned-note")),
            page_link(row.text_label, visually_hidden(f"\u00a0: {row.name}, {row.event}"), to=row.text_href),
            class_name="planned-words",
        ),
        rx.el.div(
            rx.cond(row.can_suspend, _act("Suspendre", row, UpcomingMailingsState.suspend(row.id)), rx.fragment()),
            rx.cond(row.can_resume, _act("Reprendre", row, UpcomingMailingsState.resume(row.id)), rx.fragment()),
            rx.cond(row.can_send, _act("Envoyer maintenant", row, _ask(row)), rx.fragment()),
            class_name="planned-actions",
        ),
        key=row.id,
        data_planned_state=row.state,
        class_name="planned-row",
    )


def _ask(row: PlannedRow) -> Any:
    return UpcomingMailingsState.ask_to_send(
        row.id, f"{row.name}, {row.event}\u00a0: {row.sentence}. L’envoi commence aussitôt."
    )


def _act(label: str, row: PlannedRow, on_click: Any) -> rx.Component:
    return button(label, visually_hidden(f"\u00a0: {row.name}, {row.event}"), variant="secondary", on_click=on_click)


def _nothing() -> rx.Component:
    return empty_state(
        "Rien n’est prévu dans les 30 prochains jours",
        "Les relances d’un événement s’ajoutent ici dès qu’il est créé, aux dates des paramètres.",
        link_button("Voir les paramètres des relances", routes.ADMIN_REMINDERS, "secondary"),
    )


PAGES = [Page(route=routes.ADMIN_PLANNED, title=TITLE, content=content, on_load=[UpcomingMailingsState.load])]
