"""/admin/envois: every message that was sent, and what became of it (M9, M12)."""

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.mail_log.message_action_state import MessageActionState
from clubapp.pages.admin.mail_log.parts import confirmation_dialogs, counts, filters, messages, one_mailing
from clubapp.pages.admin.mail_log.state import MailLogState
from clubapp.ui import button, polling, skeleton_lines, when_loaded
from clubapp.ui.frame.layouts import admin_layout
from clubapp.ui.frame.mail_pause_banner import MailPauseState
from clubapp.ui.mail.navigation import mail_tabs
from clubapp.web.screens.page import Page

TITLE = "Journal des envois"
LIVE_MS, IDLE_MS = 2_000, 20_000


def content() -> rx.Component:
    """The screen."""
    shown = rx.el.div(
        one_mailing(),
        counts(),
        filters(),
        messages(),
        polling(rx.cond(MailLogState.journal.is_moving, LIVE_MS, IDLE_MS), MailLogState.load),
        class_name="journal",
    )
    hold = rx.cond(
        MailPauseState.pause.is_on,
        rx.fragment(),
        button("Mettre les envois en pause", variant="secondary", on_click=MailPauseState.hold, data_heir="true"),
    )
    return admin_layout(
        mail_tabs(),
        when_loaded(MailLogState, shown, skeleton_lines(10), "Le journal n’a pas pu être chargé"),
        confirmation_dialogs(),
        title=TITLE,
        hint=MailLogState.journal.total_label,
        actions=[hold],
    )


PAGES = [
    Page(
        route=routes.ADMIN_MAIL_LOG,
        title=TITLE,
        content=content,
        on_load=[MailLogState.load, MessageActionState.follow_address],
    )
]
