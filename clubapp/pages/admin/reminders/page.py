"""/admin/email-settings: when the automatic mails go out (specification, section 2)."""

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.reminders.state import RemindersState
from clubapp.services.mailings import ReminderRow
from clubapp.ui import badge, banner, empty_state, spinner
from clubapp.ui.layouts import admin_layout
from clubapp.web.page import Page


def content() -> rx.Component:
    """The screen."""
    return admin_layout(
        banner(
            "Les relances ne partent pas encore d'elles-mêmes",
            "Cet écran montre les réglages prévus ; leur envoi automatique viendra avec une prochaine version.",
            "amber",
        ),
        rx.cond(RemindersState.is_loaded, _list(), spinner()),
        title="Paramètres des relances",
    )


def _list() -> rx.Component:
    return rx.cond(
        RemindersState.rows,
        rx.el.ul(rx.foreach(RemindersState.rows, _row), class_name="mail-rows"),
        empty_state("Aucune relance réglée", "Les relances automatiques apparaîtront ici."),
    )


def _row(row: ReminderRow) -> rx.Component:
    state = rx.cond(row.is_active, badge("Active", "green"), badge("Inactive"))
    return rx.el.li(
        rx.el.div(rx.el.h2(row.name, class_name="mail-title"), state, class_name="event-row-head"),
        rx.el.p(row.timing, class_name="event-row-date"),
        rx.el.p(row.subject, class_name="mail-subject"),
        rx.el.p(row.content, class_name="mail-excerpt"),
        key=row.id,
        class_name="mail-row",
    )


PAGES = [
    Page(route=routes.ADMIN_REMINDERS, title="Paramètres des relances", content=content, on_load=[RemindersState.load])
]
