"""/admin/emails: the mails of each event, the broadcasts, the signature."""

import reflex as rx

from clubapp import routes
from clubapp.pages.admin.mailings.broadcast_part import broadcast_dialog, confirmation_dialogs
from clubapp.pages.admin.mailings.broadcast_state import BroadcastActionState, BroadcastState
from clubapp.pages.admin.mailings.events_part import events_panel
from clubapp.pages.admin.mailings.history_part import history_panel
from clubapp.pages.admin.mailings.signature_part import signature_dialog
from clubapp.pages.admin.mailings.signature_state import SignatureState
from clubapp.pages.admin.mailings.state import EmailsState
from clubapp.pages.admin.mailings.template_part import template_dialog
from clubapp.pages.admin.mailings.template_state import TemplateState
from clubapp.ui import button, skeleton_lines, tabs, when_loaded
from clubapp.ui.frame.layouts import admin_layout
from clubapp.ui.mail.navigation import mail_tabs
from clubapp.ui.mail.test_mail_dialog import TestMailState, send_test_dialog
from clubapp.web.screens.page import Page

# Dialogs left open are closed when the screen appears again; the texts of the event in the address are opened.
_ARRIVAL = [
    TemplateState.close,
    BroadcastState.close,
    SignatureState.close,
    BroadcastActionState.cancel,
    TestMailState.close,
    TemplateState.open_addressed,
]


def content() -> rx.Component:
    """The screen."""
    panels = tabs(
        [
            ("events", "Automatisation email par événement", events_panel()),
            ("broadcasts", "Nouvel email vierge", history_panel()),
        ],
        label="Emails",
        class_name="tabs-segmented",
    )
    return admin_layout(
        mail_tabs(),
        when_loaded(EmailsState, panels, skeleton_lines(8), "Les e-mails n’ont pas pu être chargés"),
        template_dialog(),
        broadcast_dialog(),
        confirmation_dialogs(),
        signature_dialog(),
        send_test_dialog(),
        title="Gestion des Emails",
        actions=[button("Configurer la signature", variant="secondary", on_click=SignatureState.open)],
        on_arrive=_ARRIVAL,
    )


PAGES = [Page(route=routes.ADMIN_EMAILS, title="Gestion des Emails", content=content, on_load=[EmailsState.load])]
